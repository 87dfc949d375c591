package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/bench/upstream"
	"newel/gateway/realtest"
	"newel/report"
)

// realRow is what these tests read of a row.
type realRow struct {
	Case, Rubric, Verdict string
	Error                 *struct{ Kind, Message string }
	Scores                []struct{ Explanation string }
	Choice                string
	Calls                 []newel.Call
}

// rowsOf returns a run's rows, by case and rubric.
func (b *bench) rowsOf(t testing.TB, id string) map[string]realRow {
	t.Helper()
	got := b.call(t, "report", id, "--as=jsonl")
	wantCode(t, got, exitPassed)
	rows := map[string]realRow{}
	for line := range strings.Lines(got.out) {
		var r realRow
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		rows[r.Case+" "+r.Rubric] = r
	}
	return rows
}

// told is what a row's only call should tell.
type told struct {
	Verdict    string
	Model      string
	Fallback   string
	Guardrail  string
	Cache      string
	Attempts   int
	Before     string // outcomes of the attempts that failed
	Upstream   string // attempts of the gateway for the last of them
	Cost, Kind string
	Reused     bool
}

func tellOf(t testing.TB, r realRow) told {
	t.Helper()
	if len(r.Calls) != 1 {
		t.Fatalf("%s %s: %d calls, want 1", r.Case, r.Rubric, len(r.Calls))
	}
	c := r.Calls[0]
	got := told{Verdict: r.Verdict, Model: c.ModelUsed, Fallback: c.Fallback, Guardrail: c.Guardrail, Cache: c.Cache,
		Attempts: c.Attempts, Upstream: "unknown", Cost: "unknown", Kind: c.Cost.Status, Reused: c.Reused != nil}
	for _, try := range c.Tries {
		got.Before += try.Outcome + " "
	}
	if n := c.UpstreamAttempts; n != nil {
		got.Upstream = fmt.Sprint(*n)
		if !c.AttemptsExact {
			got.Upstream = "at least " + got.Upstream
		}
	}
	if c.Cost.USD != nil {
		got.Cost = c.Cost.USD.String()
	}
	return got
}

// tells compares what each row's call tells with what it should.
func tells(t *testing.T, rows map[string]realRow, n int, want func(row string) told) {
	t.Helper()
	if len(rows) != n {
		t.Errorf("%d rows, want %d", len(rows), n)
	}
	for name, r := range rows {
		if d := cmp.Diff(want(name), tellOf(t, r)); d != "" {
			t.Errorf("%s (-want +got)\n%s%+v", name, d, r.Calls[0])
		}
	}
}

// through rewrites a bench's suite for a real gateway.
func (b *bench) through(t testing.TB, url, keys string) {
	t.Helper()
	text, err := os.ReadFile(b.suite)
	if err != nil {
		t.Fatal(err)
	}
	const plain = `gateway: {name: main, url: "${GW}", key_env: GWKEY}`
	if !strings.Contains(string(text), plain) {
		t.Fatalf("%s has no line %s", b.suite, plain)
	}
	write(t, b.dir, "suite.yaml", strings.Replace(string(text), plain, `gateway: {name: main, url: "${GW}"`+keys+`}`, 1))
	b.env = []string{"GW=" + url, "GWKEY=" + realtest.Key}
}

// realUsage is what each scripted answer says it used: 283.2 millionths of a
// dollar on a gpt-4o-mini, 4720 on a gpt-4o.
var realUsage = upstream.Usage{In: 1200, Cached: 1024, Out: 300, Reasoning: 128}

const (
	miniCost, bigCost = "0.0002832", "0.00472"
	miniBill          = newel.Money(283_200_000)
)

// realScript answers as judgement does, but goes by turns for some cases.
func realScript(turns map[int][]upstream.Act) upstream.Script {
	return upstream.Script{Usage: &realUsage, Key: realtest.Secret, Act: func(c *upstream.Call) upstream.Act {
		if acts := turns[markedCase(c)]; c.Nth <= len(acts) {
			return acts[c.Nth-1]
		}
		return judgement(c)
	}}
}

// realPair is the usual rubric with another that a model of its own judges.
const realPair = onePrompt + `  - name: elsewhere
    judge: {criterion: "It names the order.", model: throttled, sample: all}
`

// costs holds cost --by model against what each model should have cost, and
// against the rows: their exact amounts add up to the total, the others are
// counted as unknown.
func (b *bench) costs(t testing.TB, id string, rows map[string]realRow, want map[string]newel.Money) {
	t.Helper()
	got := b.call(t, "cost", id, "--by=model", "--json")
	wantCode(t, got, exitPassed)
	var table report.CostTable
	if err := json.Unmarshal([]byte(got.out), &table); err != nil {
		t.Fatalf("%v in %s", err, got.out)
	}
	lines := map[string]newel.Money{}
	for _, l := range table.Lines {
		lines[l.Key] = l.USD
	}
	for model, usd := range want {
		if lines[model] != usd {
			t.Errorf("%s cost $%v, want $%v", model, lines[model], usd)
		}
	}
	var sum newel.Money
	inexact := 0
	for _, r := range rows {
		for _, c := range r.Calls {
			switch {
			case c.Reused != nil:
			case c.Cost.Exact():
				sum += *c.Cost.USD
			default:
				inexact++
			}
		}
	}
	if table.Total.USD != sum || table.Total.UnknownCalls != inexact {
		t.Errorf("cost says $%v and %d unknown, the rows $%v and %d", table.Total.USD, table.Total.UnknownCalls, sum, inexact)
	}
}

// repeated runs the suite again, which must ask nothing and tell the same, and
// derives it once more with no gateway to be reached.
func (b *bench) repeated(t *testing.T, id string, n int, upstreams ...*upstream.Server) {
	t.Helper()
	var before, after []upstream.Counts
	for _, u := range upstreams {
		before = append(before, u.Counts())
	}
	b.run(t, exitPassed, id+"-again")
	for _, u := range upstreams {
		after = append(after, u.Counts())
	}
	if d := cmp.Diff(before, after); d != "" {
		t.Errorf("the second run asked something (-before +after)\n%s", d)
	}
	first, second := b.judgedAll(t, id, n), b.judgedAll(t, id+"-again", n)
	if first != second {
		t.Errorf("the digest is %s, then %s", first, second)
	}
	for name, r := range b.rowsOf(t, id+"-again") {
		if c := r.Calls[0]; c.Reused == nil || c.Reused.Run != id || c.Cost.Status != newel.CostZero {
			t.Errorf("%s: want a reply of run %s that costs nothing, got %+v", name, id, c)
		}
	}
	b.replays(t, id)
}
