package data_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

type m = map[string]any

func TestRecordsBecomeCases(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		record string
		file   string // cases.jsonl unless named
		source m
		want   string
	}{
		{
			name:   "columns named like a field come over, others become vars",
			record: `{"id":7,"input":"q","output":{"a":1},"reference":[1],"must":"x","n":12345678901234567890}`,
			want:   `{"id":"7","input":"q","output":{"a":1},"reference":[1],"vars":{"must":"x","n":12345678901234567890}}`,
		},
		{
			name:   "null is absent",
			record: `{"id":"a","input":null,"context":null,"extra":null,"dims":{"x":null},"vars":{"y":null}}`,
			want:   `{"id":"a"}`,
		},
		{
			name:   "a mapped column that is taken whole is no var, one taken in part is",
			record: `{"uid":"a","q":{"text":"hello"},"gold":"g"}`,
			source: m{"map": m{"id": "uid", "input": "q.text", "reference": "gold"}},
			want:   `{"id":"a","input":"hello","reference":"g","vars":{"q":{"text":"hello"}}}`,
		},
		{
			name:   "a column whose field is mapped elsewhere becomes a var",
			record: `{"uid":"a","id":5}`,
			source: m{"map": m{"id": "uid"}},
			want:   `{"id":"a","vars":{"id":5}}`,
		},
		{
			name:   "parts of dims, labels, vars, raters and outputs are mapped by name and join those of the column",
			record: `{"id":"a","lang":"de","human":{"ok":true},"p":"x","votes":["pass",null],"b":"new","dims":{"route":1,"language":"xx"}}`,
			source: m{"map": m{"dims.language": "lang", "labels.grounded": "human.ok", "vars.must": "p", "raters.grounded": "votes", "outputs.new": "b"}},
			want:   `{"id":"a","dims":{"language":"de","route":"1"},"labels":{"grounded":true},"vars":{"human":{"ok":true},"must":"x"},"raters":{"grounded":["pass",null]},"outputs":{"new":"new"}}`,
		},
		{
			name:   "dims are texts, numbers and booleans as JSON writes them",
			record: `{"id":"a","dims":{"t":"x","n":1.50,"b":true,"big":9007199254740993}}`,
			want:   `{"id":"a","dims":{"t":"x","n":"1.50","b":"true","big":"9007199254740993"}}`,
		},
		{
			name:   "lists are reached by number and keys with a dot by pointer",
			record: `{"id":"a","list":[{"x":"zero"},{"x":"one"}],"a.b":{"c/d":"deep"}}`,
			source: m{"map": m{"input": "list.1.x", "reference": "/a.b/c~1d"}},
			want:   `{"id":"a","input":"one","reference":"deep","vars":{"list":[{"x":"zero"},{"x":"one"}],"a.b":{"c/d":"deep"}}}`,
		},
		{
			name:   "a path that leads nowhere is absent",
			record: `{"id":"a","list":[1]}`,
			source: m{"map": m{"input": "list.5", "reference": "list.x", "vars.z": "nope.at.all"}},
			want:   `{"id":"a","vars":{"list":[1]}}`,
		},
		{
			name:   "expressions see the record, the captures of the path and the row",
			file:   "sets/de/cases.jsonl",
			record: `{"id":"a","n":[1,2],"gone":null}`,
			source: m{"file": "sets/{lang}/cases.jsonl", "map": m{"input": m{"expr": `path.lang + string(row) + "!"`}, "reference": m{"expr": "record.n"}, "context": m{"expr": "record.nothing"}}},
			want:   `{"id":"a","input":"de0!","reference":[1,2],"vars":{"n":[1,2]}}`,
		},
		{
			name:   "a context is one text, a list of texts or of passages with ids",
			record: `{"id":"a","context":["one",{"text":"two"},{"id":9007199254740993,"text":"three"},{"id":null,"text":"four"}]}`,
			want:   `{"id":"a","context":[{"ID":"","Text":"one"},{"ID":"","Text":"two"},{"ID":"9007199254740993","Text":"three"},{"ID":"","Text":"four"}]}`,
		},
		{
			name:   "one text is a context of one",
			record: `{"id":"a","context":"one"}`,
			want:   `{"id":"a","context":[{"ID":"","Text":"one"}]}`,
		},
		{
			name:   "media paths are relative to the data file and end up relative to the suite",
			file:   "sets/cases.jsonl",
			record: `{"id":"a","media":[{"path":"../img/x.png","type":"image/png"},"y.png","https://example.com/z.png"]}`,
			source: m{"file": "sets/cases.jsonl"},
			want:   `{"id":"a","media":[{"path":"img/x.png","type":"image/png"},{"path":"sets/y.png"},{"url":"https://example.com/z.png"}]}`,
		},
		{
			name:   "one medium is a list of one",
			record: `{"id":"a","media":{"url":"https://example.com/z.png"}}`,
			want:   `{"id":"a","media":[{"url":"https://example.com/z.png"}]}`,
		},
		{
			name:   "a value that is a file is read as text, relative to the data file",
			file:   "sets/cases.jsonl",
			record: `{"id":"a","input":{"file":"q.txt"},"context":["x",{"file":"../p.txt"}],"doc":{"file":"q.txt"},"name":"q.txt"}`,
			source: m{"file": "sets/cases.jsonl", "map": m{"reference": m{"file": "name"}}},
			want:   `{"id":"a","input":"a \"question\"\n","context":[{"ID":"","Text":"x"},{"ID":"","Text":"passage"}],"vars":{"doc":"a \"question\"\n"},"reference":"a \"question\"\n"}`,
		},
		{
			name:   "everything else comes over as it is written",
			record: `{"id":"a","turns":["x","y"],"tags":["t"],"cluster":12,"checks":[{"contains":"17"}],"criteria":["c"],"run":{"latency_ms":12.5,"cost_usd":0,"usage":{"in":1}},"labels":{"r":"pass"},"raters":{"r":{"ann":1}}}`,
			want:   `{"id":"a","turns":["x","y"],"tags":["t"],"cluster":"12","checks":[{"contains":"17"}],"criteria":["c"],"run":{"latency_ms":12.5,"cost_usd":0,"usage":{"in":1}},"labels":{"r":"pass"},"raters":{"r":{"ann":1}}}`,
		},
		{
			name:   "cells of a table are texts, also those that look like JSON, and empty ones are absent",
			file:   "cases.csv",
			record: "id,input,n,list,human.ok,none,\n7,yes,12,\"[1,2]\",true,,index\n",
			source: m{"file": "cases.csv", "map": m{"labels.r": "human.ok"}},
			want:   `{"id":"7","input":"yes","labels":{"r":"true"},"vars":{"n":"12","list":"[1,2]"}}`,
		},
		{
			name:   "sets describe their labels and media further",
			record: `{"id":"a","labels":{"r":true,"words":["x"]},"media":{"file":"x.wav","seconds":0.5,"type":"audio/wav"},"input":[[{"role":"user","content":"hi"}],[]]}`,
			want:   `{"id":"a","labels":{"r":true,"words":["x"]},"media":[{"path":"x.wav","type":"audio/wav"}],"input":[[{"role":"user","content":"hi"}],[]]}`,
		},
		{
			name:   "chat messages are an input",
			record: `{"id":"a","input":[{"role":"user","content":"hi"}]}`,
			want:   `{"id":"a","input":[{"role":"user","content":"hi"}]}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := test.file
			if file == "" {
				file = "cases.jsonl"
			}
			source := m{"file": file}
			for k, v := range test.source {
				source[k] = v
			}
			dir := write(t, m2(file, test.record, "sets/q.txt", "\xef\xbb\xbfa \"question\"\n", "p.txt", "passage"))
			entries, wrong := read(t, dir, source, 1)
			if wrong != "" || len(entries) != 1 {
				t.Fatalf("%d cases, mistakes: %s", len(entries), wrong)
			}
			if diff := cmp.Diff(normal(t, test.want), normal(t, show(t, entries[0].Case))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func m2(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}

func TestWhatAnExpressionGivesIsNeverTakenForAFile(t *testing.T) {
	t.Parallel()
	dir := write(t, m2("cases.csv", "id,out\na,main.py\n"))
	entries, wrong := read(t, dir, m{"file": "cases.csv", "map": m{"output": m{"expr": `{"file": record.out}`}}}, 1)
	if wrong != "" || string(entries[0].Case.Output) != `{"file":"main.py"}` {
		t.Errorf("mistakes: %s", wrong)
	}
}

func TestVarsAreSortedByName(t *testing.T) {
	t.Parallel()
	dir := write(t, m2("cases.jsonl", `{"z":1,"id":"a","vars":{"m":2},"b":3}`))
	entries, wrong := read(t, dir, m{"file": "cases.jsonl"}, 1)
	var names []string
	for _, v := range entries[0].Case.Vars {
		names = append(names, v.Name)
	}
	if diff := cmp.Diff([]string{"b", "m", "z"}, names); diff != "" || wrong != "" {
		t.Error(diff, wrong)
	}
}

func TestInlineCasesKeepThePlacesOfTheirChecks(t *testing.T) {
	t.Parallel()
	pos := newel.Pos{File: "suite.yaml", Line: 9, Column: 3}
	checks := newel.NodeOf([]any{"json"}, newel.Pos{File: "suite.yaml", Line: 10, Column: 14})
	one := &newel.Node{Pos: pos, Fields: []*newel.Field{
		{Name: "id", Node: newel.NodeOf("a", pos)}, {Name: "extra", Node: newel.NodeOf(1.0, pos)},
		{Name: "input", Node: newel.NodeOf(m{"file": "p.txt"}, pos)}, {Name: "checks", Node: checks},
	}}
	source := &newel.Node{Fields: []*newel.Field{{Name: "cases", Node: &newel.Node{List: []*newel.Node{one}}}}}
	entries := readNode(t, write(t, m2("p.txt", "text")), source)
	if len(entries) != 1 {
		t.Fatalf("%d cases", len(entries))
	}
	e := entries[0]
	if got, want := show(t, e.Case), `{"checks":["json"],"id":"a","input":"text","vars":{"extra":1}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if e.Node("checks") != checks || e.Pos != pos {
		t.Errorf("checks stand at %v, the case at %v", e.Node("checks").Pos, e.Pos)
	}
}

func TestContentMakesAnID(t *testing.T) {
	t.Parallel()
	dir := write(t, m2("cases.jsonl", strings.Join([]string{
		`{"input":"q","reference":{"a":1,"b":2},"dims":{"x":1}}`,
		`{"reference": {"b":2, "a":1}, "input": "q", "labels":{"r":"pass"}}`,
		`{"input":"q","reference":9007199254740992}`,
		`{"input":"q","reference":9007199254740993}`,
		`{"input":"q","output":"other"}`,
	}, "\n")))
	entries, wrong := read(t, dir, m{"file": "cases.jsonl", "map": m{"id": "hash"}}, 1)
	if wrong != "" {
		t.Fatal(wrong)
	}
	ids := map[string]bool{}
	for _, e := range entries {
		ids[e.Case.ID] = true
		if len(e.Case.ID) != 16 {
			t.Errorf("id %q", e.Case.ID)
		}
	}
	if entries[0].Case.ID != entries[1].Case.ID || len(ids) != 4 {
		t.Errorf("ids: %v", ids)
	}
}

func TestWhereAndLimitChooseInOrder(t *testing.T) {
	t.Parallel()
	dir := write(t, m2("cases.jsonl", asJSONL(rows(2000))))
	source := m{"file": "cases.jsonl", "map": m{"dims.language": "lang"}, "where": `has(case.dims.language) && case.id != "case-1"`, "limit": 700.0}
	for _, workers := range []int{1, 2, 8} {
		entries, wrong := read(t, dir, []any{source, m{"cases": []any{m{"id": "last"}}}}, workers)
		if wrong != "" || len(entries) != 701 {
			t.Fatalf("%d cases, %s", len(entries), wrong)
		}
		if first, last := entries[0].Case.ID, entries[700].Case.ID; first != "case-2" || last != "last" {
			t.Errorf("from %s to %s", first, last)
		}
	}
}

func TestMistakesBeyondTheLimitAreNotLookedFor(t *testing.T) {
	t.Parallel()
	dir := write(t, m2("cases.jsonl", "{\"id\":1}\n{\"id\":2}\nbroken\n"))
	entries, wrong := read(t, dir, m{"file": "cases.jsonl", "limit": 2.0}, 1)
	if wrong != "" || len(entries) != 2 {
		t.Errorf("%d cases, %s", len(entries), wrong)
	}
}
