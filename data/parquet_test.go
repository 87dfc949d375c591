package data_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

// arrow.parquet was written by Apache Arrow's Python package: two row groups,
// with nested lists, a struct, a map, and each kind of number, date and time.
func TestParquetOfAnotherWriterComesOverExactly(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/arrow.parquet")
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, map[string]string{"a.parquet": string(text)})
	entries, wrong := read(t, dir, map[string]any{"file": "a.parquet", "map": map[string]any{"dims.word": "word"}}, 2)
	if wrong != "" {
		t.Fatal(wrong)
	}
	want := []string{
		`{"id":"1","input":"a","tags":["x","y"],"dims":{"lang":"de","n":"3","word":"p"},"vars":{` +
			`"at":"2024-02-29T12:00:00.5Z","big":18446744073709551615,"blob":"/wA=","clock":"01:02:03.004","day":"2024-02-29","half":1.5,` +
			`"local":"2024-02-29T12:00:00","messages":[{"content":"hi","role":"user"},{"content":null,"role":"bot"}],` +
			`"nested":[[1,2],[]],"ok":true,"price":12.30,"scores":{"a":0.5,"b":1}}}`,
		`{"id":"9007199254740993","tags":[],"dims":{"lang":"fr","word":"q"},"vars":{` +
			`"at":"1969-12-31T23:59:59Z","big":0,"blob":"text","day":"1969-12-31","half":-0.25,` +
			`"messages":[{"content":"q","role":"user"}],"price":-0.05,"scores":{}}}`,
	}
	if len(entries) != len(want) {
		t.Fatalf("got %d cases", len(entries))
	}
	for i, e := range entries {
		if diff := cmp.Diff(normal(t, want[i]), normal(t, show(t, e.Case))); diff != "" {
			t.Errorf("row %d (-want +got):\n%s", i+1, diff)
		}
		if e.Pos != (newel.Pos{File: "a.parquet", Line: i + 1}) {
			t.Errorf("row %d stands at %v", i+1, e.Pos)
		}
	}
}

// normal decodes JSON with numbers as they are written.
func normal(t testing.TB, text string) any {
	t.Helper()
	dec := json.NewDecoder(bytesOf(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}
