package data_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJoinsAddTheMatchingRecord(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		join  m
		more  m
		files map[string]string
		want  string
	}{
		{
			name: "on a column of both, text and number alike, key order no matter",
			join: m{"file": "labels.csv", "on": "id"}, more: m{"map": m{"labels.r": "label"}},
			files: m2("labels.csv", "id,label,by\n8,fail,x\n7,pass,ann\n"),
			want:  `{"id":"7","input":"q","labels":{"r":"pass"},"vars":{"by":"ann","k":{"x":"y"}}}`,
		},
		{
			name: "on columns of other names",
			join: m{"file": "deep/gold.json", "on": m{"k.x": "key", "id": "n"}}, more: m{"map": m{"reference": "gold"}},
			files: m2("deep/gold.json", `[{"key":"y","n":7,"gold":{"a":1},"context":{"file":"p.txt"}},{"key":"y","n":8}]`, "deep/p.txt", "beside the joined file"),
			want:  `{"id":"7","input":"q","reference":{"a":1},"context":[{"ID":"","Text":"beside the joined file"}],"vars":{"k":{"x":"y"}}}`,
		},
		{
			name: "under a name, and seen by expressions",
			join: m{"file": "gold.jsonl", "on": "id", "as": "gold"}, more: m{"map": m{"reference": "gold.input", "vars.both": m{"expr": "record.input + record.gold.input"}}},
			files: m2("gold.jsonl", `{"id":7,"input":"other"}`),
			want:  `{"id":"7","input":"q","reference":"other","vars":{"both":"qother","gold":{"id":7,"input":"other"},"k":{"x":"y"}}}`,
		},
		{
			name: "expressions see joined columns",
			join: m{"file": "g*.jsonl*", "on": "id"}, more: m{"map": m{"reference": m{"expr": "record.gold"}}},
			files: m2("g1.jsonl", `{"id":6,"gold":"no"}`, "g2.jsonl.gz", packed(t, ".gz", `{"id":7,"gold":"yes"}`), "h3.jsonl", `{"id":7,"gold":"matches another pattern"}`),
			want:  `{"id":"7","input":"q","reference":"yes","vars":{"gold":"yes","k":{"x":"y"}}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			files := m2("cases.jsonl", `{"id":7,"input":"q","k":{"x":"y"}}`)
			for k, v := range test.files {
				files[k] = v
			}
			source := m{"file": "cases.jsonl", "join": test.join}
			for k, v := range test.more {
				source[k] = v
			}
			entries, wrong := read(t, write(t, files), source, 2)
			if wrong != "" {
				t.Fatal(wrong)
			}
			if diff := cmp.Diff(normal(t, test.want), normal(t, show(t, entries[0].Case))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestALargeJoinGoesThroughAFile(t *testing.T) {
	t.Parallel()
	var left, right strings.Builder
	pad := strings.Repeat("x", 4000)
	for i := range 10_000 {
		fmt.Fprintf(&left, "{\"id\":%d}\n", i)
		fmt.Fprintf(&right, "{\"id\":%d,\"gold\":\"%d %s\"}\n", 9_999-i, 9_999-i, pad)
	}
	dir := write(t, m2("cases.jsonl", left.String(), "gold.jsonl", right.String()))
	entries, wrong := read(t, dir, m{"file": "cases.jsonl", "map": m{"reference": "gold"}, "join": m{"file": "gold.jsonl", "on": "id"}}, 4)
	if wrong != "" || len(entries) != 10_000 {
		t.Fatalf("%d cases, %.300s", len(entries), wrong)
	}
	for i, e := range entries {
		if want := fmt.Sprintf(`"%d %s"`, i, pad); string(e.Case.Reference) != want {
			t.Fatalf("case %d has %.60s", i, e.Case.Reference)
		}
	}
}
