package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

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

// failsMarked reports whether the scripted judge fails a row's case.
func failsMarked(row string) bool {
	return strings.HasPrefix(row, "case-0 ") || strings.HasPrefix(row, "case-7 ")
}

func TestRealLiteLLMRun(t *testing.T) {
	t.Parallel()
	const cases = 12
	b := newBench(t, setting{cases: cases, rubrics: realPair, script: realScript(map[int][]upstream.Act{5: {{Status: 500}, {Status: 500}}})})
	stronger := upstream.Start(t, realScript(nil))
	limited := upstream.Start(t, realScript(map[int][]upstream.Act{2: {{Status: 429, RetryAfter: time.Second}}, 4: {{Status: 500}}}))
	kept := newBench(t, setting{cases: 3, script: realScript(nil), rubrics: `  - name: grounded
    judge: {prompt: "builtin:groundedness@1", model: kept, sample: all, params: {cache: {use-cache: true}}}
`})
	url := realtest.LiteLLM(t,
		realtest.Route{Name: "gpt-4o-mini", Model: "openai/gpt-4o-mini", URL: b.up.URL, Fallback: "stronger"},
		realtest.Route{Name: "stronger", Model: "openai/gpt-4o", URL: stronger.URL},
		realtest.Route{Name: "throttled", Model: "openai/gpt-4o-mini", URL: limited.URL},
		realtest.Route{Name: "kept", Model: "openai/gpt-4o-mini", URL: kept.up.URL},
	)
	b.through(t, url, ", key_env: GWKEY, dialect: litellm")
	kept.through(t, url, ", key_env: GWKEY, dialect: litellm")
	t.Run("a fallback, a limit and an attempt that failed", func(t *testing.T) {
		b.run(t, exitPassed, "x")
		rows := b.rowsOf(t, "x")
		tells(t, rows, 2*cases, throughLiteLLM)
		b.costs(t, "x", rows, map[string]newel.Money{"openai/gpt-4o-mini": miniBill * (2*cases - 1), "openai/gpt-4o": 0})
		if m, s, l := b.up.Counts().Paid, stronger.Counts().Paid, limited.Counts().Paid; m != cases-1 || s != 1 || l != cases {
			t.Errorf("%d, %d and %d answers were paid, want %d, 1 and %d", m, s, l, cases-1, cases)
		}
		b.repeated(t, "x", cases, b.up, stronger, limited)
	})
	t.Run("answers that the proxy kept", func(t *testing.T) { keptAnswers(t, kept) })
}

// throughLiteLLM is what rows of its test tell.
func throughLiteLLM(row string) told {
	want := told{Verdict: "pass", Model: "openai/gpt-4o-mini", Fallback: "no", Guardrail: "none", Cache: "miss",
		Attempts: 1, Upstream: "1", Cost: miniCost, Kind: newel.CostGateway}
	switch row {
	case "case-5 grounded":
		want.Model, want.Fallback, want.Upstream, want.Cost, want.Kind = "openai/gpt-4o", "yes", "at least 2", bigCost, newel.CostLowerBound
	case "case-2 elsewhere":
		want.Attempts, want.Before = 2, "rate_limited "
	case "case-4 elsewhere":
		want.Attempts, want.Before = 2, "upstream_error "
	}
	if failsMarked(row) {
		want.Verdict = "fail"
	}
	return want
}

// keptAnswers runs a suite twice, the second time without newel's own replies:
// the proxy has them.
func keptAnswers(t *testing.T, b *bench) {
	want := told{Verdict: "pass", Model: "openai/gpt-4o-mini", Fallback: "no", Guardrail: "none", Cache: "miss",
		Attempts: 1, Upstream: "1", Cost: miniCost, Kind: newel.CostGateway}
	var digests []newel.Hash
	for _, id := range []string{"asked", "kept"} {
		b.run(t, exitPassed, id, "--no-cache")
		rows := b.rowsOf(t, id)
		tells(t, rows, 3, func(row string) told {
			w := want
			if failsMarked(row) {
				w.Verdict = "fail"
			}
			return w
		})
		run, _ := b.sealed(t, id)
		digests = append(digests, run.Digest)
		if n := b.up.Counts().Requests; n != 3 {
			t.Errorf("run %s: %d requests upstream, want 3", id, n)
		}
		want.Cache, want.Cost, want.Kind, want.Upstream = "hit", "0", newel.CostZero, "0"
	}
	if digests[0] != digests[1] {
		t.Errorf("the digest is %s, then %s", digests[0], digests[1])
	}
	b.costs(t, "kept", b.rowsOf(t, "kept"), map[string]newel.Money{"openai/gpt-4o-mini": 0})
}

func TestRealPortkeyRun(t *testing.T) {
	t.Parallel()
	const cases, denied = 12, "case-9"
	b := newBench(t, setting{cases: cases, script: realScript(map[int][]upstream.Act{2: {{Status: 429, RetryAfter: time.Second}}})})
	config, err := json.Marshal(map[string]any{
		"provider": "openai", "api_key": realtest.Secret, "custom_host": b.up.URL + "/v1",
		"before_request_hooks": []any{map[string]any{"id": "no-nines", "type": "guardrail", "deny": true, "checks": []any{
			map[string]any{"id": "default.contains", "parameters": map[string]any{"words": []string{denied + " "}, "operator": "none"}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	b.through(t, realtest.Portkey(t), ", dialect: portkey, config: '"+string(config)+"'")
	b.run(t, exitPassed, "x")
	rows := b.rowsOf(t, "x")
	tells(t, rows, cases, func(row string) told {
		want := told{Verdict: "pass", Model: "gpt-4o-mini-2026-01-01", Fallback: "no", Guardrail: "ran", Cache: "bypass",
			Attempts: 1, Upstream: "1", Cost: miniCost, Kind: newel.CostTable}
		switch {
		case strings.HasPrefix(row, denied+" "):
			want = told{Verdict: "error", Fallback: "no", Guardrail: "blocked_input", Cache: "unknown", Attempts: 1, Upstream: "0", Cost: "0", Kind: newel.CostZero}
		case failsMarked(row):
			want.Verdict = "fail"
		case strings.HasPrefix(row, "case-2 "):
			want.Attempts, want.Before = 2, "rate_limited "
		}
		return want
	})
	if e := rows[denied+" grounded"].Error; e == nil || e.Kind != "gateway" {
		t.Errorf("want an error of kind gateway, got %+v", e)
	}
	b.costs(t, "x", rows, map[string]newel.Money{"gpt-4o-mini-2026-01-01": miniBill * (cases - 1)})
	if n := b.up.Counts().Paid; n != cases-1 {
		t.Errorf("%d answers were paid, want %d", n, cases-1)
	}
	b.replays(t, "x")
}
