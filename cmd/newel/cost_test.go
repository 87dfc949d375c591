package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/report"
)

// till is a target that says what each answer cost, but for every third.
func till(t *testing.T) *shop {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Case string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if q.Case == "c0" || q.Case == "c3" {
			fmt.Fprint(w, `{"reply": "yes"}`)
			return
		}
		fmt.Fprint(w, `{"reply": "yes", "usd": 0.25}`)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	var cases strings.Builder
	for i := range 6 {
		fmt.Fprintf(&cases, "{\"id\": \"c%d\", \"input\": \"q\", \"dims\": {\"half\": %q}}\n", i, []string{"a", "b"}[i%2])
	}
	write(t, dir, "cases.jsonl", cases.String())
	suite := write(t, dir, "suite.yaml", fmt.Sprintf(`newel: v1
name: till
data: {file: cases.jsonl}
target: {http: {url: %q, body: {case: "{{ id }}"}, take: {output: /reply, run.cost_usd: /usd}}}
rubrics:
  - {name: agrees, floor: [contains: "yes"]}
  - {name: short, floor: [length: {max: 10}]}
`, server.URL))
	return &shop{t, dir, suite}
}

func TestWhatTargetsCostIsFoldedAndAddsUpToTheReport(t *testing.T) {
	t.Parallel()
	s := till(t)
	var sum newel.Summary
	if err := json.Unmarshal([]byte(s.words(exitPassed, "run SUITE --id=x --json").out), &sum); err != nil {
		t.Fatal(err)
	}
	dollar := newel.Dollar
	if sum.Cost.USD != dollar || sum.Cost.UnknownCalls != 2 || sum.Cost.TargetCalls != 6 {
		t.Fatalf("the report's cost is %+v", sum.Cost)
	}
	quarters := func(key string, n, calls int) report.CostLine {
		line := report.CostLine{Key: key, Calls: calls, UnknownCalls: calls - n, USD: dollar / 4 * newel.Money(n), Unbounded: calls > n}
		line.Close()
		return line
	}
	for by, want := range map[string][]report.CostLine{
		"suite":     {quarters("till", 4, 6)},
		"runner":    {quarters("local", 4, 6)},
		"dims.half": {quarters("a", 2, 3), quarters("b", 2, 3)},
		"rubric":    {quarters("(target)", 4, 6), quarters("agrees", 0, 0), quarters("short", 0, 0)},
		"layer":     {quarters("(target)", 4, 6), quarters("floor", 0, 0)},
		"model":     {quarters("(target)", 4, 6), quarters("none", 0, 0)},
	} {
		var table report.CostTable
		if err := json.Unmarshal([]byte(s.words(exitPassed, "cost x --json --by="+by).out), &table); err != nil {
			t.Fatal(err)
		}
		total := table.Total
		if total.USD != sum.Cost.USD || total.UnknownCalls != sum.Cost.UnknownCalls || total.Calls != sum.Cost.TargetCalls || total.Rows != 12 {
			t.Errorf("by %s: total %+v, want the report's", by, total)
		}
		if len(table.Lines) != len(want) {
			t.Errorf("by %s: %+v", by, table.Lines)
			continue
		}
		waited := int64(0)
		for i, got := range table.Lines {
			waited += got.TimeMS
			got.Rows, got.TimeMS = 0, 0
			if diff := cmp.Diff(want[i], got); diff != "" {
				t.Errorf("by %s (-want +got)\n%s", by, diff)
			}
		}
		if waited != total.TimeMS {
			t.Errorf("by %s: the lines waited %d ms, the total %d", by, waited, total.TimeMS)
		}
	}
	holds(t, s.words(exitPassed, "cost x").out, "≥ $1")
}
