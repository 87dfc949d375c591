package data_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"newel"
	"newel/data"
)

// fuzzSet reads text as a file through everything: unpacking, decoding, the
// map. It must come to an end with cases or with mistakes.
func fuzzSet(f *testing.F, name string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		set := mustParse(t, dir, m{"file": name, "map": m{"dims.x": "a.b", "vars.y": "list.0"}})
		n := 0
		err := set.Read(context.Background(), 2, func(b data.Batch) error {
			n += len(b)
			for i := range b {
				placed(t, name, text, &b[i])
			}
			return nil
		})
		var wrong *newel.Mistakes
		if err != nil && !errors.As(err, &wrong) {
			t.Fatal(err)
		}
		if err == nil && n == 0 {
			t.Error("neither cases nor mistakes")
		}
	})
}

// placed holds the places of a case against the text that they are of: there
// its id begins, or a quote.
func placed(t *testing.T, name string, text []byte, e *data.Entry) {
	pos := e.Place("id")
	e.Node("vars")
	if name != "a.jsonl" && name != "a.csv" {
		return
	}
	lines := strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n")
	from := []rune(lines[pos.Line-1])[pos.Column-1:]
	if len(from) == 0 || from[0] != '"' && !strings.HasPrefix(string(from), e.Case.ID) {
		t.Errorf("%v: %q is said to be the id %q", pos, string(from), e.Case.ID)
	}
}

func FuzzTable(f *testing.F) {
	fuzzSet(f, "a.csv", asTable(rows(3), ","), "x,id\r\n\r\n\"é\n\"\"\",a\n\n,\"b\nc\"\n", "id,\n\"é\",\"\n\"\n\r1,2")
}

func FuzzRecord(f *testing.F) {
	fuzzSet(f, "a.jsonl", `{"id":1,"input":"q","context":["x",{"id":1,"text":"y"}],"media":{"path":"x"},"a":{"b":1},"list":[1]}`,
		`{"id":"a","tags":["x"],"run":{"latency_ms":1},"labels":{"a":true},"raters":{"a":[1]},"outputs":{"a":{"file":"x"}}}`, `{"id":"a","input":[{"role":"x"}]}`)
}

func FuzzParquet(f *testing.F) {
	arrow, err := os.ReadFile("testdata/arrow.parquet")
	if err != nil {
		f.Fatal(err)
	}
	fuzzSet(f, "a.parquet", asParquet(f, rows(3)), string(arrow), "PAR1PAR1", "")
}

func FuzzGzip(f *testing.F) { fuzzSet(f, "a.jsonl.gz", packed(f, ".gz", asJSONL(rows(3))), "\x1f\x8b") }

func FuzzZstd(f *testing.F) { fuzzSet(f, "a.csv.zst", packed(f, ".zst", asTable(rows(3), ","))) }
