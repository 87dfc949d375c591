package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/bench/upstream"
)

// scripted is an upstream that caches a long prompt and does not know the
// unknown model.
func scripted(change func(*upstream.Script)) upstream.Script {
	s := upstream.Script{
		Price: upstream.Price{In: 150_000, Cached: 75_000, Out: 600_000},
		Act: func() func(*upstream.Call) upstream.Act {
			var long atomic.Int64
			return func(c *upstream.Call) upstream.Act {
				usage := &upstream.Usage{In: 100, Out: 20}
				switch {
				case c.Model == unknownModel:
					return upstream.Act{Status: 400, Message: "there is no model " + c.Model}
				case len(c.Body) > 2000:
					usage.In = 1300
					if long.Add(1) > 1 {
						usage.Cached = 1024
					}
				}
				return upstream.Act{Usage: usage}
			}
		}(),
		Keep: 20,
	}
	if change != nil {
		change(&s)
	}
	return s
}

// probed runs a self-test of gpt-4o-mini against a server.
func probed(t *testing.T, o Options, p ProbeOptions) (Coverage, error) {
	t.Helper()
	if o.Prices == nil {
		o.Prices = testPrices(t)
	}
	client, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if p.Model == "" {
		p.Model = "gpt-4o-mini"
	}
	p.Wait = func(context.Context, time.Duration) error { return nil }
	return Probe(context.Background(), client, p)
}

// toldOf is what a coverage says of some facts.
func toldOf(c Coverage, names ...string) map[string]string {
	out := map[string]string{}
	for _, f := range c.Facts {
		if slices.Contains(names, f.Name) {
			out[f.Name] = f.Told + ": " + f.About
		}
	}
	return out
}

func TestProbeSaysWhatAGatewayTells(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		options Options
		change  func(*upstream.Script)
		want    map[string]string
	}{
		{"LiteLLM tells most in headers, and little on errors", Options{}, func(s *upstream.Script) { s.Dialect = upstream.LiteLLM }, map[string]string{
			"dialect": "yes: litellm 1.106.12, by what its answers say", "cost": "yes: computed by the gateway, told in a header",
			"price table":   "yes: the gateway's amounts are table fixtures's, within 2 %",
			"model used":    "yes: in a header: gpt-4o-mini-2026-01-01",
			"fallback":      "yes: there was none",
			"attempts":      "yes: 1, all of them counted",
			"cached tokens": "yes: 1024 of 1300 input tokens of the second of two equal prompts",
			"errors":        "partly: HTTP 400, read as client_error; keep request id, attempts; drop cost, model, fallback, guardrail, latency, cache",
		}},
		{"agentcc takes cached tokens for plain ones, which the table shows", Options{}, func(s *upstream.Script) { s.Dialect = upstream.AgentCC }, map[string]string{
			"cost":        "yes: computed by the gateway, told in a header, in steps of $0.000001",
			"price table": "no: the gateway's amounts are not table fixtures's: same again +59.0 %",
			"attempts":    "no: not told: those that fail within the gateway stay hidden",
		}},
		{"one that says nothing is read as plain, and the table gives the cost", Options{}, nil, map[string]string{
			"dialect":     "no: no answer says which gateway it is; read as plain openai",
			"cost":        "no: not told; the price table's counts, from the tokens",
			"price table": "untested: the gateway tells no amount to compare",
			"fallback":    "no: not told",
		}},
		{"a dialect that is named is believed", Options{Dialect: "envoy"}, nil, map[string]string{"dialect": "yes: envoy, as named"}},
		{"the Messages wire has no logprobs", Options{Dialect: "anthropic"}, nil, map[string]string{
			"logprobs": "no: the Messages wire has none", "usage": "yes: in the body, exclusive: input as told leaves cached tokens out",
		}},
		{"an answer of another form is no structured output", Options{}, func(s *upstream.Script) { s.Act = upstream.Says("pass") }, map[string]string{
			"structured output": "no: the schema was accepted and not kept: the answer has another form",
			"errors":            "untested: a model that does not exist was answered by " + unknownModel + "-2026-01-01",
		}},
		{"limits are told", Options{}, func(s *upstream.Script) {
			s.Header = http.Header{"X-Ratelimit-Limit-Requests": {"60"}, "X-Ratelimit-Remaining-Requests": {"59"}, "X-Ratelimit-Reset-Requests": {"1.5"}}
		}, map[string]string{"limits": "yes: limit 60, remaining 59, full again in 1.5 s"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.options.URL = upstream.Start(t, scripted(test.change)).URL
			c, err := probed(t, test.options, ProbeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for name := range test.want {
				names = append(names, name)
			}
			if diff := cmp.Diff(test.want, toldOf(c, names...)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestProbeMakesOneCallOfEachKind(t *testing.T) {
	t.Parallel()
	s := upstream.Start(t, scripted(func(s *upstream.Script) { s.Dialect = upstream.LiteLLM }))
	c, err := probed(t, Options{URL: s.URL}, ProbeOptions{Nonce: "n-1", Most: newel.Dollar / 10})
	if err != nil {
		t.Fatal(err)
	}
	seen := s.Seen()
	if len(seen) != 6 || len(c.Calls) != 6 {
		t.Fatalf("%d requests, %d calls", len(seen), len(c.Calls))
	}
	var bodies []map[string]any
	for _, call := range seen {
		var body map[string]any
		if err := json.Unmarshal(call.Body, &body); err != nil || !strings.Contains(string(call.Body), "n-1") {
			t.Fatalf("%v: %s", err, call.Body)
		}
		bodies = append(bodies, body)
	}
	if diff := cmp.Diff(bodies[1], bodies[2]); diff != "" || cmp.Equal(bodies[0], bodies[1]) {
		t.Errorf("the long prompt is not sent twice: %s", diff)
	}
	if bodies[3]["model"] == "gpt-4o-mini" || bodies[4]["response_format"] == nil || bodies[5]["logprobs"] != true {
		t.Errorf("%v", bodies[3:])
	}
	// 100, 1300, 276 + 1024 cached, 100 and 100 tokens in, 20 out of each.
	want := newel.Money(150_000*(3*100+1300+276) + 75_000*1024 + 600_000*100)
	if c.Cost != (ProbeCost{Known: want}) || c.Worst == nil || *c.Worst < want {
		t.Errorf("cost %+v, want %s; at worst %v", c.Cost, want, c.Worst)
	}
}

func TestProbeAsksLaterForACostThatIsToldLate(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			if asked.Add(1) <= 6 { // all of the first round
				http.NotFound(w, r)
				return
			}
			fmt.Fprint(w, `{"data":{"costUSD":0.0002,"response_model":"gpt-4o-mini"},"error":null}`)
			return
		}
		w.Header().Set("Helicone-Id", "h-1")
		fmt.Fprint(w, `{"model":"gpt-4o-mini","choices":[{"message":{"content":"pass"},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	c, err := probed(t, Options{URL: server.URL}, ProbeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"cost": "yes: computed by the gateway, told by a look-up after the call", "usage": "no: not told: no table can say what a call costs"}
	if diff := cmp.Diff(want, toldOf(c, "cost", "usage")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if c.Cost.Unknown != 0 || c.Cost.Known != 6*newel.Dollar/5000 {
		t.Errorf("%+v", c.Cost)
	}
}

func TestProbeStopsWhereNoOtherCallCanDoBetter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		act    upstream.Act
		asked  int
		status int
	}{
		{"a key that is refused", upstream.Act{Status: 401}, 1, 401},
		{"a connection that is cut", upstream.Act{Cut: true}, 1, 0},
		{"trouble that passes is asked on, and counted", upstream.Act{Status: 500}, 6, 500},
		{"so is what is no answer", upstream.Act{Body: "<html>"}, 6, 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := upstream.Start(t, upstream.Script{Act: upstream.Always(test.act)})
			c, err := probed(t, Options{URL: s.URL}, ProbeOptions{})
			var failed *ProbeError
			if !errors.As(err, &failed) || failed.Asked != test.asked || failed.Call.Status != test.status {
				t.Fatalf("%+v", err)
			}
			if got := s.Counts().Requests; got != test.asked || len(c.Calls)+len(c.Left) != 6 {
				t.Errorf("%d requests; %d calls and %d left", got, len(c.Calls), len(c.Left))
			}
		})
	}
}

func TestProbeKeepsToItsBound(t *testing.T) {
	t.Parallel()
	s := upstream.Start(t, scripted(func(s *upstream.Script) { s.Dialect = upstream.LiteLLM }))
	_, err := probed(t, Options{URL: s.URL}, ProbeOptions{Most: newel.Dollar / 1_000_000})
	var dear *DearError
	if !errors.As(err, &dear) || s.Counts().Requests != 0 {
		t.Errorf("%v after %d requests", err, s.Counts().Requests)
	}
	// Without a price what the gateway tells counts: the second call reaches the bound.
	c, err := probed(t, Options{URL: s.URL}, ProbeOptions{Model: "nobody-prices-this", Most: newel.Dollar / 10_000})
	if err != nil || len(c.Calls) != 2 || len(c.Left) != 4 || c.Worst != nil {
		t.Errorf("%v: %d calls, left %v, worst %v", err, len(c.Calls), c.Left, c.Worst)
	}
}

func TestProbeFinishesTheCallThatIsUnderWay(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	ctx, stop := context.WithCancelCause(context.Background())
	s := upstream.Start(t, upstream.Script{Act: func(*upstream.Call) upstream.Act { stop(gone); return upstream.Act{} }})
	client, err := New(Options{URL: s.URL, Prices: testPrices(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	c, err := Probe(ctx, client, ProbeOptions{Model: "gpt-4o-mini"})
	if !errors.Is(err, gone) || len(c.Calls) != 1 || c.Calls[0].Error != "" || len(c.Left) != 5 {
		t.Errorf("%v: %+v, left %v", err, c.Calls, c.Left)
	}
}

func TestProbeTellsNoSecretThatTheFarEndSays(t *testing.T) {
	t.Parallel()
	const canary = "sk-canary-4f9a1c"
	for _, dialect := range []string{"litellm", "agentcc", "bifrost", "portkey", "helicone", "cloudflare", "openai"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			for _, name := range []string{"X-Litellm-Call-Id", "X-Litellm-Model-Name", "X-Litellm-Version", "X-Litellm-Applied-Guardrails", "X-Agentcc-Provider", "X-Agentcc-Trace-Id",
				"X-Portkey-Trace-Id", "X-Portkey-Provider", "X-Bifrost-Request-Id", "Helicone-Id", "Cf-Aig-Log-Id", "X-Request-Id"} {
				header[name] = []string{strings.Repeat("x", 290) + canary, canary}
			}
			act := func(c *upstream.Call) upstream.Act {
				if c.Model == unknownModel {
					return upstream.Act{Status: 400, Message: "bad key " + canary + " for " + c.Header.Get("Authorization")}
				}
				return upstream.Act{Body: `{"id":"` + canary + `","model":"` + canary + `","provider":"` + canary + `","service_tier":"` + canary +
					`","choices":[{"message":{"content":"` + canary + `"},"finish_reason":"` + canary + `"}],"usage":{"` + canary + `":1,"prompt_tokens":1,"completion_tokens":1}}`}
			}
			s := upstream.Start(t, upstream.Script{Header: header, Act: act})
			c, err := probed(t, Options{URL: s.URL, Dialect: dialect, Key: canary}, ProbeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			if i := strings.Index(string(text), canary[:12]); i >= 0 || !strings.Contains(string(text), "${KEY}") {
				t.Errorf("the key stands in %s", text[max(0, i-200):])
			}
		})
	}
}
