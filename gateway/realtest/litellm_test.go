package realtest_test

import (
	"fmt"
	"testing"
	"time"

	"newel"
	"newel/bench/upstream"
	"newel/gateway"
	"newel/gateway/realtest"
)

// proxied is one way to ask the LiteLLM proxy, which tries a model once for
// newel, and three times where its own settings decide.
type proxied struct {
	name    string
	script  upstream.Script
	route   realtest.Route
	text    string
	params  map[string]any
	patient bool // it decides by itself how often it tries
	times   int
	want    record
}

var scenarios = []proxied{
	{
		name: "plain", script: answering(),
		want: record{Outcome: "ok", Status: 200, Text: upstream.Pass, Model: "openai/" + mini, Source: "header", Fallback: "no", Guardrail: "none", Cache: "miss",
			Attempts: "1", Cost: "0.0002832", CostIs: newel.CostGateway, Usage: allTokens, Asked: 1, Paid: 1},
	},
	{
		name: "a model without a price costs an unknown amount", script: answering(), route: realtest.Route{Model: "openai/of-our-own"},
		want: record{Outcome: "ok", Status: 200, Text: upstream.Pass, Model: "openai/of-our-own", Source: "header", Fallback: "no", Guardrail: "none", Cache: "miss",
			Attempts: "1", Cost: "unknown", CostIs: newel.CostUnknown, Usage: allTokens, Asked: 1, Paid: 1},
	},
	{
		name: "two retries", script: recovering(2, upstream.Act{Status: 503}), patient: true,
		want: record{Outcome: "ok", Status: 200, Text: upstream.Pass, Model: "openai/" + mini, Source: "header", Fallback: "no", Guardrail: "none", Cache: "miss",
			Attempts: "3", Cost: "0.0002832", CostIs: newel.CostLowerBound, Usage: allTokens, Asked: 3, Paid: 1},
	},
	{
		name: "no retry unless the suite says so", script: recovering(2, upstream.Act{Status: 503}),
		want: record{Outcome: "upstream_error", Status: 503, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "unknown",
			Attempts: "1", Cost: "0", CostIs: newel.CostZero, Usage: "none", Asked: 1,
			Fault: fault{Kind: newel.KindGateway, Again: true}},
	},
	{
		name: "a fallback after three failures tells of two attempts", script: failing(upstream.Act{Status: 500}), route: realtest.Route{Fallback: "stronger"}, patient: true,
		want: record{Outcome: "ok", Status: 200, Text: upstream.Pass, Model: "openai/" + big, Source: "header", Fallback: "yes", Guardrail: "none", Cache: "miss",
			Attempts: "at least 2", Cost: "0.00472", CostIs: newel.CostLowerBound, Usage: allTokens, Asked: 3},
	},
	{
		name: "a cache hit costs nothing, whatever the header says", script: answering(), params: map[string]any{"cache": map[string]any{"use-cache": true}}, times: 2,
		want: record{Outcome: "ok", Status: 200, Text: upstream.Pass, Model: "openai/" + mini, Source: "header", Fallback: "no", Guardrail: "none", Cache: "hit",
			Attempts: "0", Cost: "0", CostIs: newel.CostZero, Usage: allTokens, Asked: 1, Paid: 1},
	},
	{
		name: "too many requests", script: failing(upstream.Act{Status: 429, RetryAfter: time.Second}),
		want: record{Outcome: "rate_limited", Status: 429, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "unknown",
			Attempts: "1", Cost: "0", CostIs: newel.CostZero, Usage: "none", Asked: 1,
			Fault: fault{Kind: newel.KindGateway, Again: true, Throttled: true, After: time.Second}},
	},
	{
		name: "too many requests, however often it tried", script: failing(upstream.Act{Status: 429}), patient: true,
		want: record{Outcome: "rate_limited", Status: 429, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "unknown",
			Attempts: "unknown", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 3,
			Fault: fault{Kind: newel.KindGateway, Again: true, Throttled: true, MayCost: true}},
	},
	{
		name: "an attempt that was billed before others were refused", script: inTurn(upstream.Act{Cut: true}, upstream.Act{Status: 429}), patient: true,
		want: record{Outcome: "rate_limited", Status: 429, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "unknown",
			Attempts: "unknown", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 3, Paid: 1,
			Fault: fault{Kind: newel.KindGateway, Again: true, Throttled: true, MayCost: true}},
	},
	{
		name: "an attempt that was billed, and then newel's own that is refused", script: inTurn(upstream.Act{Cut: true}, upstream.Act{Status: 429}), times: 2,
		want: record{Outcome: "rate_limited", Status: 429, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "unknown",
			Attempts: "1", Cost: "0", CostIs: newel.CostZero, Usage: "none", Asked: 2, Paid: 1, Before: 1,
			Fault: fault{Kind: newel.KindGateway, Again: true, Throttled: true}},
	},
	{
		name: "a refusal that hides a fallback that was billed", script: failing(upstream.Act{Status: 429}), route: realtest.Route{Fallback: "cutting"},
		want: record{Outcome: "rate_limited", Status: 429, Source: "unknown", Fallback: "unknown", Guardrail: "unknown", Cache: "unknown",
			Attempts: "unknown", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 1,
			Fault: fault{Kind: newel.KindGateway, Again: true, Throttled: true, MayCost: true}},
	},
	{
		name: "too many requests, and no fallback for the suite's params", script: failing(upstream.Act{Status: 429}), route: realtest.Route{Fallback: "cutting"}, params: map[string]any{"disable_fallbacks": true},
		want: record{Outcome: "rate_limited", Status: 429, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "unknown",
			Attempts: "1", Cost: "0", CostIs: newel.CostZero, Usage: "none", Asked: 1,
			Fault: fault{Kind: newel.KindGateway, Again: true, Throttled: true}},
	},
	{
		name: "an upstream that is broken", script: failing(upstream.Act{Status: 500}),
		want: record{Outcome: "upstream_error", Status: 500, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "unknown",
			Attempts: "1", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 1,
			Fault: fault{Kind: newel.KindGateway, Again: true, MayCost: true}},
	},
	{
		name: "an answer that is cut may have been billed three times", script: failing(upstream.Act{Cut: true}), patient: true,
		want: record{Outcome: "upstream_error", Status: 500, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "unknown",
			Attempts: "unknown", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 3, Paid: 3,
			Fault: fault{Kind: newel.KindGateway, Again: true, MayCost: true}},
	},
	{
		name: "a request that the upstream does not take", script: failing(upstream.Act{Status: 400}),
		want: record{Outcome: "client_error", Status: 400, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "unknown",
			Attempts: "1", Cost: "0", CostIs: newel.CostZero, Usage: "none", Asked: 1,
			Fault: fault{Kind: newel.KindGateway}},
	},
	{
		name: "an upstream that does not answer", script: failing(upstream.Act{Hang: true}), route: realtest.Route{Timeout: 300 * time.Millisecond},
		want: record{Outcome: "timeout", Status: 408, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "unknown",
			Attempts: "1", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 1,
			Fault: fault{Kind: newel.KindTimeout, Again: true, MayCost: true}},
	},
	{
		name: "a guardrail that lets through", script: answering(), params: map[string]any{"guardrails": []any{realtest.Guardrail}},
		want: record{Outcome: "ok", Status: 200, Text: upstream.Pass, Model: "openai/" + mini, Source: "header", Fallback: "no", Guardrail: "ran", Names: []string{realtest.Guardrail}, Cache: "miss",
			Attempts: "1", Cost: "0.0002832", CostIs: newel.CostGateway, Usage: allTokens, Asked: 1, Paid: 1},
	},
	{
		name: "a guardrail that blocks", script: answering(), params: map[string]any{"guardrails": []any{realtest.Guardrail}}, text: "My number is " + realtest.Blocked + ".",
		want: record{Outcome: "blocked", Status: 400, Source: "unknown", Fallback: "unknown", Guardrail: "blocked_input", Names: []string{realtest.Guardrail}, Cache: "unknown",
			Attempts: "0", Cost: "0", CostIs: newel.CostZero, Usage: "none",
			Fault: fault{Kind: newel.KindGateway}},
	},
}

// alias is the model of a scenario.
func alias(i int) string { return fmt.Sprint("model-", i) }

func TestRealLiteLLM(t *testing.T) {
	t.Parallel()
	upstreams := make([]*upstream.Server, len(scenarios))
	stronger := upstream.Start(t, answering())
	unnamed := upstream.Start(t, inTurn(upstream.Act{}, upstream.Act{Status: 400}))
	routes := []realtest.Route{
		{Name: "stronger", Model: "openai/" + big, URL: stronger.URL},
		{Name: "cutting", Model: "openai/" + big, URL: upstream.Start(t, failing(upstream.Act{Cut: true})).URL},
		{Name: "unnamed", Model: "openai/" + mini, URL: unnamed.URL},
	}
	for i, s := range scenarios {
		upstreams[i] = upstream.Start(t, s.script)
		r := s.route
		r.Name, r.URL = alias(i), upstreams[i].URL
		if r.Model == "" {
			r.Model = "openai/" + mini
		}
		routes = append(routes, r)
	}
	url := realtest.LiteLLM(t, routes...)
	t.Run("calls", func(t *testing.T) {
		for i, s := range scenarios {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				q := question(alias(i), s.text+" Is it so?")
				q.Params = s.params
				o := gateway.Options{Name: "proxy", URL: url, Key: realtest.Key, Dialect: "litellm"}
				if s.patient {
					o.Headers = map[string]string{"x-litellm-num-retries": "2"}
				}
				reply := ask(t, o, q, s.times)
				compare(t, s.want, recordOf(reply, upstreams[i].Counts()), reply)
				if c := reply.Call; c.RequestID != keyOf(t).String() || c.Status == 200 && c.Version != "1.106.12" {
					t.Errorf("want 1.106.12 with the call's key as its id, got %s %q", c.Version, c.RequestID)
				}
			})
		}
		t.Run("recognised by what it answers", func(t *testing.T) {
			t.Parallel()
			o := gateway.Options{Name: "proxy", URL: url, Key: realtest.Key}
			for times, outcome := range []string{"ok", "client_error"} {
				if c := ask(t, o, question("unnamed", "Is it so?"), 1).Call; c.Dialect != "litellm" || c.Outcome != outcome {
					t.Errorf("call %d: want %s of litellm, got %s of %s", times+1, outcome, c.Outcome, c.Dialect)
				}
			}
		})
	})
	if c := stronger.Counts(); c.Requests != 1 || c.Paid != 1 {
		t.Errorf("want one call of the fallback, got %+v", c)
	}
}
