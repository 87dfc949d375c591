package suite

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"newel"
	"newel/eval"
)

func TestTheSuiteOfTheGuideReads(t *testing.T) {
	t.Parallel()
	s, err := Load("testdata/guide/suite.yaml", testEnv)
	ok(t, err)
	defer s.Close()
	type rubric struct {
		Name        string
		When        bool
		Scorers     []string
		Classifiers []string
		Sample      float64
		Audit       float64
		Audited     bool
		Model       string
		Timeout     time.Duration
	}
	var got []rubric
	for i, r := range s.Rubrics {
		one := rubric{Name: r.Name, When: r.When != nil, Scorers: s.Scorers()[i], Classifiers: r.Classifiers}
		if j := r.Judge; j != nil {
			one.Sample, one.Audit, one.Audited, one.Model, one.Timeout = j.Sample, j.Audit, j.Audited, j.Model, j.Timeout
		}
		got = append(got, one)
	}
	want := []rubric{
		{Name: "arguments", When: true, Scorers: []string{"json-schema", "expr", "not", "judge"}, Sample: 1, Model: "gpt-5-mini", Timeout: 30 * time.Second},
		{Name: "grounded", When: true, Scorers: []string{"citations", "judge"}, Classifiers: []string{"linear"}, Sample: 0.10, Audit: 0.02, Audited: true, Model: "gpt-5-mini", Timeout: 30 * time.Second},
		{Name: "own-checks", Scorers: []string{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rubrics (-want +got)\n%s", diff)
	}
	settings := []any{s.Name, s.Trials, s.Budget.String(), s.Cache, s.Seed, s.Slices, len(s.Gate)}
	wantSettings := []any{"refunds", 1, "5", 30 * 24 * time.Hour, int64(7), [][]string{{"language"}, {"language", "route"}}, 5}
	if diff := cmp.Diff(wantSettings, settings); diff != "" {
		t.Errorf("settings (-want +got)\n%s", diff)
	}
	if missing := s.Unready(nil); len(missing) != 1 {
		t.Errorf("not to be run: %q", missing)
	}
}

func TestARubricsJudgeGoesBeforeTheSuites(t *testing.T) {
	t.Parallel()
	s := good(t, `newel: v1
name: judged
data: {cases: [{id: a, output: x}]}
judge: {model: small, sample: 0.1, audit: 0.5, timeout: 1m, criterion: "It is right.", gateway: {url: "https://example.com/a@b"}}
rubrics:
  - {name: theirs, judge: {}}
  - {name: own, judge: {model: large, sample: all, audit: 0, timeout: 5s, prompt: "builtin:relevance@1"}}
  - {name: recorded, judge: {replies: {from: vars.reply}}}
`)
	var got []Judge
	for _, r := range s.Rubrics {
		one := *r.Judge
		one.Node, one.Gateway = nil, nil
		got = append(got, one)
	}
	theirs := Judge{Sample: 0.1, Audit: 0.5, Audited: true, Model: "small", Timeout: time.Minute, Calls: 1}
	recorded := theirs
	recorded.Calls = 0
	want := []Judge{theirs, {Sample: 1, Audit: 0, Audited: true, Model: "large", Timeout: 5 * time.Second, Calls: 1}, recorded}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Judge{}, "Def")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAxesAreTheMatrixAndTheTargets(t *testing.T) {
	t.Parallel()
	s := good(t, `newel: v1
name: m
data: {cases: [{id: a, input: q}]}
matrix: {tone: [plain, 2, true], language: [de]}
targets:
  small: {http: {url: "https://example.com/{{ id }}"}}
  large: {http: {url: "https://example.com/{{ id }}"}}
trials: 3
rubrics: [{name: r, floor: [json]}]
`)
	want := []eval.Axis{{Name: "language", Values: []string{"de"}}, {Name: "tone", Values: []string{"plain", "2", "true"}}, {Name: "target", Values: []string{"small", "large"}}}
	if diff := cmp.Diff(want, s.Axes()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTheDigestHoldsWhatChangesAVerdict(t *testing.T) {
	t.Parallel()
	schema := "schema.json"
	base := small + "  - {name: form, floor: [{json-schema: schema.json}]}\n"
	digest := func(text, file string) newel.Hash { return good(t, text, schema, file).Digest }
	want := digest(base, "{}")
	for _, c := range []struct {
		name, text, file string
		same             bool
	}{
		{"a gate", base + "gate: [{rubric: right, fails: {max: 0}}]\n", "{}", true},
		{"a budget", base + "budget: {usd: 5}\n", "{}", true},
		{"a cache", base + "cache: 30d\n", "{}", true},
		{"slices", base + "slices: [[language]]\n", "{}", true},
		{"a quarantine", base + "quarantine: [{id: a, until: 2027-01-01, why: flaky}]\n", "{}", true},
		{"a comment", "# hello\n" + base, "{}", true},
		{"other inline cases", strings.Replace(base, "output: x", "output: y", 1), "{}", true},
		{"a seed", base + "seed: 8\n", "{}", false},
		{"trials", base + "trials: 2\n", "{}", false},
		{"a check's value", strings.Replace(base, "contains: x", "contains: y", 1), "{}", false},
		{"a rubric's name", strings.Replace(base, "name: right", "name: wrong", 1), "{}", false},
		{"what stands in a file that it names", base, "{\"type\": \"object\"}", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := digest(c.text, c.file); (got == want) != c.same {
				t.Errorf("%s and %s", want, got)
			}
		})
	}
}

func TestAStoredSuiteReadsWithoutItsFolder(t *testing.T) {
	t.Parallel()
	s := good(t, small+"  - {name: form, floor: [{json-schema: schemas/a.json}]}\n", "schemas/a.json", `{"type": "number"}`)
	body, err := s.Marshal(map[string]int{"limit": 3})
	ok(t, err)
	ok(t, os.RemoveAll(s.Dir))
	again, err := Restore(body, testEnv)
	ok(t, err)
	defer again.Close()
	if again.Digest != s.Digest || again.Name != s.Name {
		t.Errorf("%s %s, was %s %s", again.Name, again.Digest, s.Name, s.Digest)
	}
	var origin map[string]int
	ok(t, Origin(body, &origin))
	if origin["limit"] != 3 {
		t.Error(origin)
	}
	if _, err := again.Program(nil, Means{}); err != nil {
		t.Error(err)
	}
	for _, broken := range []string{"", "{", `{"suite": 3}`, `{"suite": {}, "file": "s.yaml"}`} {
		if _, err := Restore([]byte(broken), testEnv); err == nil {
			t.Errorf("%q restores", broken)
		}
	}
}

func TestACaseIsCountedApartUntilItsDay(t *testing.T) {
	t.Parallel()
	s := good(t, small+"quarantine: [{id: a, until: 2027-03-01, why: flaky}, {id: 7, until: 2027-03-02, why: flaky}]\n")
	apart := s.Quarantined(time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC))
	if apart("a") || !apart("7") || apart("b") {
		t.Error(apart("a"), apart("7"), apart("b"))
	}
}

func TestWhenDecidesWhichRubricsACaseHas(t *testing.T) {
	t.Parallel()
	s := good(t, `newel: v1
name: w
data: {cases: [{id: a, output: x}]}
rubrics:
  - {name: all, floor: [json]}
  - {name: dear, when: case.vars.amount > 100, floor: [json]}
  - {name: german, when: 'has(case.dims.language) && case.dims.language == "de"', floor: [json]}
`)
	applies := func(vars string, dims ...newel.Dim) (string, string) {
		c := &newel.Case{ID: "a", Dims: dims}
		if vars != "" { // the name of one
			c.Vars = []newel.Named{{Name: vars, Value: newel.Raw("150")}}
		}
		var m newel.Mistakes
		has := s.Applies(context.Background(), &newel.Item{Case: c, Trial: 1}, newel.Pos{File: "c.jsonl", Line: 3, Column: 1}, &m)
		names := ""
		for i, r := range s.Rubrics {
			if has.Has(i) {
				names += r.Name + " "
			}
		}
		return names, strings.ReplaceAll(m.Error(), s.File(), "suite.yaml")
	}
	for _, c := range []struct {
		vars            string
		dims            []newel.Dim
		names, mistakes string
	}{
		{"amount", nil, "all dear ", ""},
		{"amount", []newel.Dim{{Name: "language", Value: "de"}}, "all dear german ", ""},
		{"other", nil, "all ", `c.jsonl:3:1: case "a": rubric "dear": when (suite.yaml:6:24): the case has no case.vars.amount: ask for it first, as in has(case.vars.amount) && …`},
	} {
		if names, mistakes := applies(c.vars, c.dims...); names != c.names || mistakes != c.mistakes {
			t.Errorf("%s: %q %s", c.vars, names, mistakes)
		}
	}
}

func TestFilesStayWithinTheSuitesFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "outside.txt"), "secret")
	writeFile(t, filepath.Join(dir, "suite", "in.txt"), "text")
	writeFile(t, filepath.Join(dir, "suite", "large.bin"), "")
	ok(t, os.Truncate(filepath.Join(dir, "suite", "large.bin"), maxFile+1))
	ok(t, os.Symlink("../outside.txt", filepath.Join(dir, "suite", "out.txt")))
	ok(t, os.Symlink("in.txt", filepath.Join(dir, "suite", "link.txt")))
	files, err := OpenFiles(filepath.Join(dir, "suite"))
	ok(t, err)
	defer files.Close()
	for name, want := range map[string]string{
		"in.txt": "text", "./in.txt": "text", "a/../in.txt": "text", "link.txt": "text",
		"out.txt":        `"out.txt" is a link that leaves the suite's folder: copy the file into it`,
		"../outside.txt": `"../outside.txt" leaves the suite's folder: copy the file into it`,
		"/etc/passwd":    `"/etc/passwd" leaves the suite's folder: copy the file into it`,
		"":               `"" is a folder: name a file`,
		"im.txt":         `"im.txt" is not in the suite's folder (did you mean "in.txt"?)`,
		"no/where.txt":   `"no/where.txt" is not in the suite's folder`,
		"large.bin":      `"large.bin" has 16777217 bytes; at most 16777216 are read`,
	} {
		text, err := files.Read(name)
		got := string(text)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s\nwant %s", name, got, want)
		}
	}
}
