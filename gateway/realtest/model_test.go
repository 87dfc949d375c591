package realtest_test

import (
	"encoding/json"
	"testing"

	"newel"
	"newel/gateway"
	"newel/gateway/realtest"
)

const verdict = `{"type":"object","properties":{"verdict":{"enum":["pass","fail"]}},"required":["verdict"],"additionalProperties":false}`

func TestRealModel(t *testing.T) {
	t.Parallel()
	o := gateway.Options{Name: "small", URL: realtest.Model(t)}
	q := question("smollm2", "Is two and two four? Answer yes or no.")
	q.MaxTokens, q.Params = 24, map[string]any{"temperature": 0, "seed": 1}
	structured, likely, both := q, q, q
	structured.MaxTokens, structured.Schema = 64, newel.Raw(verdict)
	likely.MaxTokens, likely.Logprobs = 1, 5
	both.MaxTokens, both.Schema, both.Logprobs = 64, newel.Raw(verdict), 2
	cases := []struct {
		name    string
		request gateway.Request
	}{{"plain", q}, {"a structured answer", structured}, {"logprobs", likely}, {"both", both}}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			reply := ask(t, o, c.request, 1)
			if reply.Fault != nil || reply.Text == "" {
				t.Fatalf("want an answer, got %+v, fault %+v", reply, reply.Fault)
			}
			if again := ask(t, o, c.request, 1); again.Text != reply.Text {
				t.Errorf("asked again: %q, then %q", reply.Text, again.Text)
			}
			answersInForm(t, c.request, reply)
			unpriced(t, reply.Call)
		})
	}
}

// answersInForm looks at what the request asked of the answer's form.
func answersInForm(t *testing.T, r gateway.Request, reply gateway.Reply) {
	t.Helper()
	if r.Schema != nil {
		var v struct{ Verdict string }
		if err := json.Unmarshal([]byte(reply.Text), &v); err != nil || v.Verdict != "pass" && v.Verdict != "fail" {
			t.Errorf("want a verdict, got %q", reply.Text)
		}
	}
	if out := reply.Call.Usage.Output; out == nil || *out > int64(r.MaxTokens) {
		t.Errorf("asked for at most %d tokens, got %+v", r.MaxTokens, reply.Call.Usage)
	}
	if (len(reply.Tokens) > 0) != (r.Logprobs > 0) {
		t.Fatalf("asked for %d logprobs, got %d tokens", r.Logprobs, len(reply.Tokens))
	}
	for _, token := range reply.Tokens {
		if token.Logprob > 0 || len(token.Top) == 0 || len(token.Top) > r.Logprobs {
			t.Errorf("want a logprob of at most 0 and 1 to %d alternatives, got %+v", r.Logprobs, token)
		}
	}
}

// unpriced looks at the record of a call to a model that no table knows.
func unpriced(t *testing.T, c newel.Call) {
	t.Helper()
	if c.Cost.USD != nil || c.Cost.Status != newel.CostUnknown {
		t.Errorf("want an unknown cost, got %+v", c.Cost)
	}
	if c.Usage.Input == nil || *c.Usage.Input == 0 || c.Usage.Output == nil || *c.Usage.Output == 0 || !c.Usage.Consistent {
		t.Errorf("want tokens in and out, got %+v", c.Usage)
	}
	if (c.Outcome == "truncated") != (c.Finish == "length") {
		t.Errorf("outcome %s of an answer that ended by %s", c.Outcome, c.Finish)
	}
	if c.Status != 200 || c.ModelUsed != "smollm2" || c.ModelSource != "body" {
		t.Errorf("want 200 by smollm2, got %d by %q of the %s", c.Status, c.ModelUsed, c.ModelSource)
	}
}
