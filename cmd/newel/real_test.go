package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"newel"
	"newel/bench/upstream"
	"newel/gateway/realtest"
)

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
