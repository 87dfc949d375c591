package realtest_test

import (
	"encoding/json"
	"testing"
	"time"

	"newel"
	"newel/bench/upstream"
	"newel/gateway"
	"newel/gateway/realtest"
)

// object is JSON that is written in a test.
type object = map[string]any

// to is a target of Portkey's configuration, with more said of it.
func to(s *upstream.Server, more object) object {
	o := object{"provider": "openai", "api_key": realtest.Secret, "custom_host": s.URL + "/v1"}
	for k, v := range more {
		o[k] = v
	}
	return o
}

// hooks are guardrails that do not let a word through.
func hooks(id, word string, deny bool) []object {
	check := object{"id": "default.contains", "parameters": object{"words": []string{word}, "operator": "none"}}
	return []object{{"id": id, "type": "guardrail", "deny": deny, "checks": []object{check}}}
}

// routed is one way to ask Portkey. The configuration travels with the call.
type routed struct {
	name   string
	script upstream.Script
	config func(first, second *upstream.Server) object
	times  int
	want   record
}

func only(more object) func(first, second *upstream.Server) object {
	return func(first, _ *upstream.Server) object { return to(first, more) }
}

var routings = []routed{
	{
		name: "plain", script: answering(), config: only(nil),
		want: record{Outcome: "ok", Status: 200, Text: upstream.Pass, Model: mini + "-2026-01-01", Source: "body", Fallback: "no", Guardrail: "none", Cache: "bypass",
			Attempts: "1", Cost: "0.0002832", CostIs: newel.CostTable, Usage: allTokens, Asked: 1, Paid: 1},
	},
	{
		name: "two retries", script: recovering(2, upstream.Act{Status: 503}), config: only(object{"retry": object{"attempts": 3, "on_status_codes": []int{503}}}),
		want: record{Outcome: "ok", Status: 200, Text: upstream.Pass, Model: mini + "-2026-01-01", Source: "body", Fallback: "no", Guardrail: "none", Cache: "bypass",
			Attempts: "3", Cost: "0.0002832", CostIs: newel.CostLowerBound, Usage: allTokens, Asked: 3, Paid: 1},
	},
	{
		name: "retries that do not help", script: failing(upstream.Act{Status: 503}), config: only(object{"retry": object{"attempts": 1, "on_status_codes": []int{503}}}),
		want: record{Outcome: "upstream_error", Status: 503, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "bypass",
			Attempts: "unknown", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 2,
			Fault: fault{Kind: newel.KindGateway, Again: true, MayCost: true}},
	},
	{
		name: "an attempt that may be billed before others are refused", script: inTurn(upstream.Act{Hang: true}, upstream.Act{Status: 503}),
		config: only(object{"request_timeout": 300, "retry": object{"attempts": 2, "on_status_codes": []int{408, 503}}}),
		want: record{Outcome: "upstream_error", Status: 503, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "bypass",
			Attempts: "unknown", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 3,
			Fault: fault{Kind: newel.KindGateway, Again: true, MayCost: true}},
	},
	{
		name: "a fallback to another model", script: failing(upstream.Act{Status: 500}), config: func(first, second *upstream.Server) object {
			return object{"strategy": object{"mode": "fallback"}, "targets": []object{to(first, nil), to(second, object{"override_params": object{"model": big}})}}
		},
		want: record{Outcome: "ok", Status: 200, Text: upstream.Pass, Model: big + "-2026-01-01", Source: "body", Fallback: "yes", Guardrail: "none", Cache: "bypass",
			Attempts: "at least 2", Cost: "0.00472", CostIs: newel.CostLowerBound, Usage: allTokens, Asked: 1},
	},
	{
		name: "a cache that this edition does not have", script: answering(), config: only(object{"cache": object{"mode": "simple", "max_age": 60}}), times: 2,
		want: record{Outcome: "ok", Status: 200, Text: upstream.Pass, Model: mini + "-2026-01-01", Source: "body", Fallback: "no", Guardrail: "none", Cache: "bypass",
			Attempts: "1", Cost: "0.0002832", CostIs: newel.CostTable, Usage: allTokens, Asked: 2, Paid: 2},
	},
	{
		name: "too many requests", script: failing(upstream.Act{Status: 429, RetryAfter: time.Second}), config: only(nil),
		want: record{Outcome: "rate_limited", Status: 429, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "bypass",
			Attempts: "1", Cost: "0", CostIs: newel.CostZero, Usage: "none", Asked: 1,
			Fault: fault{Kind: newel.KindGateway, Again: true, Throttled: true, After: time.Second}},
	},
	{
		name: "an upstream that is broken", script: failing(upstream.Act{Status: 500}), config: only(nil),
		want: record{Outcome: "upstream_error", Status: 500, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "bypass",
			Attempts: "1", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 1,
			Fault: fault{Kind: newel.KindGateway, Again: true, MayCost: true}},
	},
	{
		name: "an answer that is cut", script: failing(upstream.Act{Cut: true}), config: only(nil),
		want: record{Outcome: "gateway_error", Status: 500, Source: "unknown", Fallback: "unknown", Guardrail: "unknown", Cache: "unknown",
			Attempts: "unknown", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 1, Paid: 1,
			Fault: fault{Kind: newel.KindGateway, Again: true, MayCost: true}},
	},
	{
		name: "an upstream that does not answer", script: failing(upstream.Act{Hang: true}), config: only(object{"request_timeout": 300}),
		want: record{Outcome: "timeout", Status: 408, Source: "unknown", Fallback: "no", Guardrail: "unknown", Cache: "bypass",
			Attempts: "1", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 1,
			Fault: fault{Kind: newel.KindTimeout, Again: true, MayCost: true}},
	},
	{
		name: "a guardrail that blocks the question", script: answering(), config: only(object{"before_request_hooks": hooks("in", "so", true)}),
		want: record{Outcome: "blocked", Status: 446, Source: "unknown", Fallback: "no", Guardrail: "blocked_input", Names: []string{"in"}, Cache: "unknown",
			Attempts: "0", Cost: "0", CostIs: newel.CostZero, Usage: "none",
			Fault: fault{Kind: newel.KindGateway}},
	},
	{
		name: "a guardrail that blocks the answer hides its cost", script: answering(), config: only(object{"after_request_hooks": hooks("out", "pass", true)}),
		want: record{Outcome: "blocked", Status: 446, Source: "unknown", Fallback: "no", Guardrail: "blocked_output", Names: []string{"out"}, Cache: "bypass",
			Attempts: "1", Cost: "unknown", CostIs: newel.CostUnknown, Usage: "none", Asked: 1, Paid: 1,
			Fault: fault{Kind: newel.KindGateway, MayCost: true}},
	},
	{
		name: "a guardrail that flags the answer", script: answering(), config: only(object{"after_request_hooks": hooks("out", "pass", false)}),
		want: record{Outcome: "flagged", Status: 246, Text: upstream.Pass, Model: mini + "-2026-01-01", Source: "body", Fallback: "no", Guardrail: "flagged", Names: []string{"out"}, Cache: "bypass",
			Attempts: "1", Cost: "0.0002832", CostIs: newel.CostTable, Usage: allTokens, Asked: 1, Paid: 1},
	},
}

func TestRealPortkey(t *testing.T) {
	t.Parallel()
	url := realtest.Portkey(t)
	for _, r := range routings {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			first, second := upstream.Start(t, r.script), upstream.Start(t, answering())
			config, err := json.Marshal(r.config(first, second))
			if err != nil {
				t.Fatal(err)
			}
			reply := ask(t, gateway.Options{Name: "portkey", URL: url, Config: string(config), Dialect: "portkey"}, question(mini, "Is it so?"), r.times)
			compare(t, r.want, recordOf(reply, first.Counts()), reply)
			if c := reply.Call; c.TraceID != keyOf(t).String() && c.Cost.Status != newel.CostUnknown {
				t.Errorf("want the call's key as its trace, got %q", c.TraceID)
			}
		})
	}
}
