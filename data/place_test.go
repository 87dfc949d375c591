package data_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"newel"
	"newel/data"
)

func TestEntriesKnowWhereTheirFieldsWereWritten(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, file, text string
		more             m
		want             string // of each case: its own place, its id's, its medium's
	}{
		{"jsonl", "c.jsonl", "\n" + `{"é":1, "id": "a", "media": [ "p", "q"]}` + "\n", nil, "2:1 2:15 2:36"},
		{"json over lines", "c.json", "[{\"id\":\n\"a\"},\n  {\"é\":1,\"id\":\"b\", \"media\":\"p\"}]", nil, "1:2 2:1 1:2; 3:3 3:15 3:28"},
		{"json in one line", "c.json", `[{"id":"é"},{"id":"b"}]`, nil, "1:2 1:8 1:2; 1:13 1:19 1:13"},
		{"csv", "c.csv", "x,id\r\n\r\n\"é\",a\r\n,\"b\"\n", nil, "3:1 3:5 3:1; 4:1 4:2 4:1"},
		{"csv over lines", "c.csv", "x,id\n\"é\n,\"\"\",a\n\n,b\n", nil, "2:1 3:6 2:1; 5:1 5:2 5:1"},
		{"csv mapped by a name with a dot", "c.csv", "x,u.id\né,a\n", m{"id": "u.id"}, "2:1 2:3 2:1"},
		{"an id made from the content", "c.tsv", "x\tid\né\ta\n", m{"id": "hash"}, "2:1 2:1 2:1"},
		{"an id made by an expression", "c.jsonl", `{"x":1,"id":"a"}`, m{"id": m{"expr": "string(record.x)"}}, "1:1 1:1 1:1"},
		{"an id below", "c.jsonl", `{"u":{"n":[0,17]}}`, m{"id": "/u/n/1"}, "1:1 1:14 1:1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			source := m{"file": test.file}
			if test.more != nil {
				source["map"] = test.more
			}
			dir := write(t, m2(test.file, test.text, "p", "", "q", ""))
			var got []string
			err := mustParse(t, dir, source).Read(t.Context(), 2, func(b data.Batch) error {
				for i := range b {
					e := &b[i]
					got = append(got, fmt.Sprint(short(e.Pos), " ", short(e.Place("id")), " ", short(e.Place("media", "1"))))
				}
				return nil
			})
			if diff := cmp.Diff(test.want, strings.Join(got, "; ")); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
}

func short(p newel.Pos) string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

func TestANodeHasThePlacesOfAllThatIsInIt(t *testing.T) {
	t.Parallel()
	dir := write(t, m2("c.json", "[{\"id\":\"é\",\n \"own\": [\"é\", {\"a\":\n[1e2 ,{}]}, []]}]"))
	entries, wrong := read(t, dir, m{"file": "c.json", "map": m{"checks": "own"}}, 1)
	if wrong != "" {
		t.Fatal(wrong)
	}
	at := func(line, col int) newel.Pos {
		return newel.Pos{File: "c.json", Line: line, Column: col}
	}
	want := &newel.Node{Pos: at(2, 9), List: []*newel.Node{
		{Pos: at(2, 10), Value: "é"},
		{Pos: at(2, 15), Fields: []*newel.Field{{Name: "a", Pos: at(2, 16), Node: &newel.Node{Pos: at(3, 1), List: []*newel.Node{
			{Pos: at(3, 2), Value: 100.0}, {Pos: at(3, 7), Fields: []*newel.Field{}},
		}}}}},
		{Pos: at(3, 13), List: []*newel.Node{}},
	}}
	if diff := cmp.Diff(want, entries[0].Node("checks")); diff != "" {
		t.Error(diff)
	}
	if n := entries[0].Node("media"); n != nil {
		t.Errorf("a field that is not there stands at %v", n.Pos)
	}
}

// parquetRow is a row whose columns may be wrong as fields of a case.
type parquetRow struct {
	ID   string  `parquet:"id"`
	Tags string  `parquet:"tags"`
	N    float64 `parquet:"n"`
}

func TestMistakesOfAParquetFileNameRowAndColumn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rows := []parquetRow{{"a", "x", 1}, {"", "y", 2}, {"c", "z", math.Inf(1)}}
	if err := parquet.WriteFile(filepath.Join(dir, "c.parquet"), rows); err != nil {
		t.Fatal(err)
	}
	_, wrong := read(t, dir, m{"file": "c.parquet"}, 1)
	want := strings.Join([]string{
		`c.parquet:1: tags: want a list of texts, got a text`,
		`c.parquet:2: id: the text is empty`,
		`c.parquet:2: tags: want a list of texts, got a text`,
		`c.parquet:3: n: +Inf is no number that JSON has: write null`,
	}, "\n")
	if diff := cmp.Diff(want, wrong); diff != "" {
		t.Error(diff)
	}
}

func TestALimitKeepsTheMistakesOfTheSuite(t *testing.T) {
	t.Parallel()
	dir := write(t, m2("c.csv", "id\na\nb\n"))
	_, wrong := read(t, dir, m{"file": "c.csv", "limit": 1.0, "map": m{"input": "question"}}, 1)
	if want := `suite.yaml:4: map: input: c.csv has no column "question"; it has id`; wrong != want {
		t.Errorf("got %q, want %q", wrong, want)
	}
}
