package data_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// broken is one input with something wrong in it. Its mistakes stand under its
// name in testdata/mistakes.golden.
type broken struct {
	name   string
	files  map[string]string
	source any // {file: cases.jsonl} unless named
}

func jsonl(text string) map[string]string { return m2("cases.jsonl", text) }

// about is a record with one thing wrong.
func about(name, record string) broken { return broken{name: name, files: jsonl(record)} }

func brokenInputs(t *testing.T) []broken {
	from := func(name, file, text string) broken {
		return broken{name, m2(file, text), m{"file": file}}
	}
	source := func(name string, source any) broken {
		return broken{name, m2("cases.jsonl", `{"id":"a","input":"q"}`, "other.csv", "id,x\n1,2\n", "sub/deep.jsonl", `{"id":1}`), source}
	}
	with := func(name, record string, more m) broken {
		s := m{"file": "cases.jsonl"}
		for k, v := range more {
			s[k] = v
		}
		return broken{name, jsonl(record), s}
	}
	gz := packed(t, ".gz", asJSONL(rows(2000)))
	zst := packed(t, ".zst", asJSONL(rows(2000)))
	pq := asParquet(t, rows(20))
	return []broken{
		from("empty jsonl", "cases.jsonl", ""),
		from("blank jsonl", "cases.jsonl", "\n \r\n"),
		from("empty json", "cases.json", ""),
		from("empty list", "cases.json", "[]"),
		from("empty csv", "cases.csv", ""),
		from("csv with a header only", "cases.csv", "id,input\n"),
		from("empty parquet", "cases.parquet", ""),
		from("empty gzip", "cases.jsonl.gz", ""),
		from("binary junk", "cases.jsonl", "\x00\x01\x02\xff\xfe"),
		from("empty zstd", "cases.jsonl.zst", ""),
		from("junk without zeros", "cases.jsonl", "\x80\x81\n\xc3\x28 junk"),
		from("gzip without its ending", "cases.jsonl", gz),
		from("parquet under another name", "cases.csv", pq),
		from("workbook", "cases.csv", "PK\x03\x04rest"),
		from("utf-16", "cases.jsonl", "\xff\xfe{\x00}\x00"),
		about("NaN and its like", "{\"id\":1,\"x\":NaN}\n{\"id\":2,\"x\":-Infinity}\n{\"id\":3,\"ü\":None}\n{'id':4}"),
		about("invalid UTF-8", "{\"id\":\"é\xff\"}"),
		about("a record cut short", "{\"id\":1}\n{\"id\":2,\"input\":\"half"),
		about("two records in a line", `{"id":1} {"id":2}`),
		about("a key twice", `{"id":1,"x":{"a":1,"a":2}}`+"\n"+`{"id":1,"id":2}`),
		about("no objects", "1\n\"text\"\nnull\n[{\"id\":1}]"),
		about("list under jsonl", "[\n{\"id\":1},\n{\"id\":2}\n]"),
		from("jsonl under json", "cases.json", "{\"id\":1}\n{\"id\":2}"),
		from("list not closed", "cases.json", "[{\"id\":1},\n {\"id\":2}"),
		from("list cut in a text", "cases.json", "[{\"id\":\"a"),
		from("list with a broken record", "cases.json", "[{\"id\":1},\n {\"id\" 2},\n {\"id\":]},{},"),
		from("list with a gap", "cases.json", "[{\"id\":1},,{\"id\":2}]"),
		from("list with a comma too many", "cases.json", "[{\"id\":1},\n]"),
		from("text behind a list", "cases.json", "[{\"id\":1}] x"),
		from("nesting without end", "cases.jsonl", `{"id":1,"x":`+strings.Repeat("[", 20000)+strings.Repeat("]", 20000)+"}"),
		from("torn gzip", "cases.jsonl.gz", gz[:len(gz)/2]),
		from("corrupt gzip", "cases.jsonl.gz", gz[:len(gz)/2]+"xxxxxxxx"+gz[len(gz)/2+8:]),
		from("no gzip", "cases.jsonl.gz", asJSONL(rows(3))),
		from("torn zstd", "cases.jsonl.zst", zst[:len(zst)/2]),
		from("corrupt zstd", "cases.csv.zst", zst[:len(zst)/2]+"xxxxxxxx"+zst[len(zst)/2+8:]),
		from("no zstd", "cases.jsonl.zst", `{"id":1}`),
		from("no parquet", "cases.parquet", strings.Repeat("junk", 10)),
		from("torn parquet", "cases.parquet", pq[:len(pq)-20]),
		from("no parquet in gzip", "cases.parquet.gz", packed(t, ".gz", "junk")),
		from("csv columns twice", "cases.csv", "id,x,x\n1,2,3\n"),
		from("csv rows of other lengths", "cases.csv", "id,x\n1\n2,3,4\n5,6\n"),
		from("csv with bare quotes", "cases.csv", "id,x\n1,a\"b\n2,\"a\"b\n3,c\n"),
		from("csv quote not closed", "cases.csv", "id,x\n1,\"a\n2,b\n"),
		from("csv not utf-8", "cases.csv", "id,x\n1,caf\xe9\n2,ok\n"),
		from("csv header not utf-8", "cases.csv", "id,caf\xe9\n1,x\n"),
		{"csv without the mapped columns", m2("cases.csv", "uid,question,gold\n1,q,g\n"), m{"file": "cases.csv", "map": m{"id": "uid", "input": "qestion", "reference": "answer"}}},
		with("misspelt column", `{"uid":1,"question":"q"}`, m{"map": m{"id": "uid", "input": "qestion", "reference": "gold", "context": "UID"}}),
		about("no id", "{\"input\":\"q\"}\n{\"id\":null}\n{\"id\":\"\"}"),
		about("wrong id", `{"id":true}`+"\n"+`{"id":{"a":1}}`),
		with("values of the wrong kind", `{"id":"a","tags":3,"context":[1],"input":5,"media":{"pth":"x"},"turns":"x","checks":{},"criteria":1,"run":{"latency":3},"labels":"pass","raters":{"r":1},"outputs":[],"cluster":true,"q":["x"]}`,
			m{"map": m{"dims.lang": "q"}}),
		about("media of the wrong kind", `{"id":"a","media":{}}`+"\n"+`{"id":"b","media":{"path":"x","url":"y"}}`+"\n"+`{"id":"c","media":{"path":"x","sha256":"12"}}`+"\n"+`{"id":"d","media":{"path":7}}`+"\n"+`{"id":"e","media":3}`),
		about("run of the wrong kind", `{"id":"a","run":{"latency_ms":-1,"cost_usd":"1","usage":3}}`),
		about("messages without a role", `{"id":"a","input":[{"content":"x"}]}`),
		about("a name under vars and beside them", `{"id":"a","must":1,"vars":{"must":2}}`),
		about("media outside", `{"id":"a","media":"../x.png"}`+"\n"+`{"id":"b","media":"/etc/passwd"}`),
		about("files that are not there", `{"id":"a","input":{"file":"nope.txt"}}`+"\n"+`{"id":"b","input":{"file":"../nope.txt"}}`),
		with("a file's name that is none", `{"id":"a","f":3}`, m{"map": m{"input": m{"file": "f"}}}),
		from("csv values of the wrong kind", "cases.csv", "id,\"é \"\"x\"\"\",tags,media\n\r\n\"a,1\",ü,x,\n\"b\n\"\"é,\",ü,x,../y.png\nc,,\"\n\",\n"),
		from("tsv values of the wrong kind", "cases.tsv", "id\tx\ttags\na\t\"é\t\"\tx\n"),
		from("csv quotes behind letters of several bytes", "cases.csv", "id,x\n\n1,é,a\"b\n2,\"é\n\",\"é\"b\n3,c\n"),
		{"a column with a dot", m2("cases.csv", "id,a.b\nx,é\n"), m{"file": "cases.csv", "map": m{"tags": "a.b"}}},
		with("a value within a value", "{\"id\":\"a\", \"é\": {\"b\": [1, \t{\"c\": 2}]}}", m{"map": m{"tags": "é.b.1.c", "turns": "é.b"}}),
		from("a list in one line", "cases.json", `[{"id":"é"}, {"id":"ü", "tags":1},{"id":true}]`),
		{"values of the wrong kind from a join", m2("cases.jsonl", `{"x":"é","id":1}`+"\n"+`{"id":2}`, "more.csv", "n,tags\n2,y\n\"1\",é\n"),
			m{"file": "cases.jsonl", "join": m{"file": "more.csv", "on": m{"id": "n"}}}},
		{"values of the wrong kind from a join under a name", m2("cases.csv", "x,id\né,1\n", "more.json", `[{"n":1,"u":{"t":[1]}}]`),
			m{"file": "cases.csv", "join": m{"file": "more.json", "on": m{"id": "n"}, "as": "more"}, "map": m{"tags": "more.u.t"}}},
		{"join with two matches in tables", m2("cases.jsonl", `{"id":1}`, "a.csv", "x,id\né,1\n", "b.csv", "id\n2\n1\n1\n"),
			m{"file": "cases.jsonl", "join": m{"file": "*.csv", "on": "id"}}},
		with("expression that makes the wrong kind", `{"id":"a","n":4}`, m{"map": m{"tags": m{"expr": "record.n"}}}),
		source("no source", 7.0),
		source("empty list of sources", []any{}),
		source("unknown keys", m{"flie": "x", "x-mine": 1.0, "limit": 0.5}),
		source("file and cases", m{"file": "cases.jsonl", "cases": []any{}}),
		source("missing file", m{"file": "case.jsonl"}),
		source("missing file of another kind", m{"file": "zzz.parquet"}),
		source("missing folder", m{"file": "nowhere/cases.jsonl"}),
		source("no match", m{"file": "*.parquet"}),
		source("bad pattern", m{"file": "cases[.jsonl"}),
		source("capture twice", m{"file": "{a}/{a}.jsonl"}),
		source("absolute path", m{"file": "/etc/cases.jsonl"}),
		source("path that leaves the folder", m{"file": "../cases.jsonl"}),
		source("pattern that leaves the folder", m{"file": "../*.jsonl"}),
		source("a folder", m{"file": "sub"}),
		source("file of the wrong kind", m{"file": []any{"a"}}),
		source("map of the wrong kind", m{"file": "cases.jsonl", "map": "id"}),
		source("map with mistakes", m{"file": "cases.jsonl", "map": m{"inptu": "x", "dims.": "x", "input.a": "x", "output": "a..b", "id": 3.0, "vars.a": m{"exp": "x"}, "vars.b": m{"expr": "record."}, "vars.c": m{"expr": "recrod.x"}}}),
		source("where that is no condition", m{"file": "cases.jsonl", "where": `case.id + "x"`}),
		source("where with a wrong name", m{"file": "cases.jsonl", "where": `case.dim.x == "a"`}),
		with("where that cannot be evaluated", `{"id":"a"}`+"\n"+`{"id":"b","dims":{"x":"1"}}`, m{"where": `case.dims.x == "1"`}),
		with("where that gives no truth", `{"id":"a","vars":{"x":3}}`, m{"where": `case.vars.x`}),
		with("where that leaves nothing", `{"id":"a"}`, m{"where": `case.id == "b"`}),
		with("expression that fails", `{"id":"a","n":"x"}`+"\n"+`{"id":"b","n":4}`, m{"map": m{"vars.half": m{"expr": "record.n / 2"}}}),
		source("inline of the wrong kind", m{"cases": m{"id": "a"}}),
		source("inline without id", m{"cases": []any{m{"input": "q"}, 3.0, m{"id": "a", "tags": "x"}}}),
		source("join without on", m{"file": "cases.jsonl", "join": m{"file": "other.csv", "key": "x"}}),
		source("join on a column that is not there", m{"file": "cases.jsonl", "join": m{"file": "other.csv", "on": m{"id": "ix"}}}),
		source("join without a match", m{"file": "cases.jsonl", "join": m{"file": "other.csv", "on": "id"}}),
		source("join on nothing", m{"file": "cases.jsonl", "join": m{"file": "other.csv", "on": m{"input.x": "id"}}}),
		{"join with two matches and with a column of both", m2("cases.jsonl", `{"id":1,"x":"mine"}`+"\n"+`{"id":2}`, "more.jsonl", `{"id":2}`+"\n"+`{"id":1,"x":1}`+"\n"+`{"id":"2"}`),
			m{"file": "cases.jsonl", "join": m{"file": "more.jsonl", "on": "id"}}},
		{"join with a broken file", m2("cases.jsonl", `{"id":1}`, "more.jsonl", "{\"id\":1}\n{\"id\":[]}\noops"),
			m{"file": "cases.jsonl", "join": m{"file": "more.jsonl", "on": "id"}}},
		{"all files at once", m2("a.jsonl", "oops", "b.csv", "id,id\n", "c.json", "{}", "d.jsonl", `{"id":"good"}`),
			[]any{m{"file": "a.jsonl"}, m{"file": "b.csv"}, m{"file": "*.json"}, m{"file": "d.jsonl"}}},
		{"unknown ending of a file that is there", m2("cases.xlsx", "x"), m{"file": "cases.xlsx"}},
		about("more than a hundred mistakes", strings.Repeat("oops\n", 500)),
	}
}

func TestMistakesSayWhereAndWhatToDo(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	for _, b := range brokenInputs(t) {
		source := b.source
		if source == nil {
			source = m{"file": "cases.jsonl"}
		}
		dir := write(t, b.files)
		_, one := read(t, dir, source, 1)
		_, two := read(t, dir, source, 3)
		if one != two {
			t.Errorf("%s: one worker and three differ:\n%s\n%s", b.name, one, two)
		}
		if one == "" {
			t.Errorf("%s: no mistake was found", b.name)
		}
		if lines := strings.Split(one, "\n"); len(lines) > 20 {
			one = strings.Join(append(lines[:3], "…", lines[len(lines)-1]), "\n")
		}
		got.WriteString("## " + b.name + "\n" + strings.ReplaceAll(one, dir, "DIR") + "\n\n")
	}
	golden(t, "mistakes.golden", got.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
