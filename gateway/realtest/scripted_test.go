package realtest_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/bench/upstream"
	"newel/gateway"
)

// prices are those of a gpt-4o-mini.
var prices = upstream.Price{In: 150_000, Cached: 75_000, Out: 600_000}

// TestScriptedGateways holds the scripted upstream to what the client reads
// from the real ones.
func TestScriptedGateways(t *testing.T) {
	t.Parallel()
	type facts struct{ Dialect, Outcome, Cost, CostIs, Told, Usage, Text string }
	cases := []struct {
		name   string
		script upstream.Script
		model  string
		path   string
		want   facts
	}{
		{"LiteLLM tells the cost", upstream.Script{Dialect: upstream.LiteLLM, Price: prices, Model: "openai/" + mini}, mini, "",
			facts{"litellm", "ok", "0.0002832", newel.CostGateway, "0.0002832", allTokens, upstream.Pass}},
		{"LiteLLM does not know the price", upstream.Script{Dialect: upstream.LiteLLM, Model: "openai/our-own"}, "our-own", "",
			facts{"litellm", "ok", "unknown", newel.CostUnknown, "unknown", allTokens, upstream.Pass}},
		{"AgentCC charges cached tokens in full, the table does not", upstream.Script{Dialect: upstream.AgentCC, Price: prices}, mini, "",
			facts{"agentcc", "ok", "0.0002832", newel.CostTable, "0.00036", allTokens, upstream.Pass}},
		{"no gateway at all", upstream.Script{}, mini, "",
			facts{"openai", "ok", "0.0002832", newel.CostTable, "unknown", allTokens, upstream.Pass}},
		{"no gateway, and an answer of nonsense", upstream.Script{Act: upstream.Always(upstream.Act{Body: "<html>"})}, mini, "",
			facts{"openai", "bad_output", "unknown", newel.CostUnknown, "unknown", "none", ""}},
		{"Anthropic's route", upstream.Script{}, "our-own", "/v1/messages",
			facts{"anthropic", "ok", "unknown", newel.CostUnknown, "unknown", "1200 in, 1024 cached, 300 out, ? reasoning", upstream.Pass}},
		{"LiteLLM says 0 on errors", upstream.Script{Dialect: upstream.LiteLLM, Price: prices, Act: upstream.Always(upstream.Act{Status: 500})}, mini, "",
			facts{"litellm", "upstream_error", "unknown", newel.CostUnknown, "unknown", "none", ""}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.script.Usage = used
			s := upstream.Start(t, c.script)
			r := ask(t, gateway.Options{Name: "g", URL: s.URL + c.path}, question(c.model, "Is it so?"), 1)
			got := facts{r.Call.Dialect, r.Call.Outcome, money(r.Call.Cost.USD), r.Call.Cost.Status, money(r.Call.Cost.Gateway), tokens(r.Call.Usage), r.Text}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s\n%s", d, fmt.Sprintf("%+v", r.Call))
			}
		})
	}
}
