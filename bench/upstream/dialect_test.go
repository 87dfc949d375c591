package upstream_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel/bench/upstream"
)

// mini are the prices of a small model: 0.15, 0.075 and 0.60 dollars for a
// million tokens.
var mini = upstream.Price{In: 150_000, Cached: 75_000, Out: 600_000}

// kept leaves the headers that begin with a prefix and do not change from run
// to run.
func kept(h http.Header, prefix string) map[string]string {
	all := map[string]string{}
	for name, values := range h {
		if strings.HasPrefix(name, prefix) && !strings.HasSuffix(name, "-Ms") {
			all[name] = values[0]
		}
	}
	return all
}

func TestDialectsTellTheirCost(t *testing.T) {
	t.Parallel()
	used := &upstream.Usage{In: 1200, Cached: 1024, Out: 300, Reasoning: 128}
	cases := []struct {
		name   string
		script upstream.Script
		prefix string
		want   map[string]string
	}{
		{"LiteLLM", upstream.Script{Dialect: upstream.LiteLLM, Price: mini, Usage: used}, "X-Litellm-", map[string]string{
			"X-Litellm-Call-Id": "k1", "X-Litellm-Version": "1.106.12", "X-Litellm-Model-Group": "small", "X-Litellm-Model-Id": "deployment-1",
			"X-Litellm-Model-Name": "small-2026-01-01", "X-Litellm-Attempted-Retries": "0", "X-Litellm-Attempted-Fallbacks": "0",
			"X-Litellm-Response-Cost": "0.0002832", "X-Litellm-Response-Cost-Original": "0.0002832", "X-Litellm-Response-Cost-Input": "2.64e-05",
			"X-Litellm-Response-Cost-Cache-Read": "7.68e-05", "X-Litellm-Response-Cost-Output": "0.00018", "X-Litellm-Response-Cost-Reasoning": "7.68e-05",
			"X-Litellm-Key-Spend": "0.0002832",
		}},
		{"LiteLLM without a price", upstream.Script{Dialect: upstream.LiteLLM, Usage: used}, "X-Litellm-Response-Cost", map[string]string{
			"X-Litellm-Response-Cost-Original": "0.0", "X-Litellm-Response-Cost-Input": "0.0", "X-Litellm-Response-Cost-Output": "0.0",
		}},
		{"LiteLLM on an error", upstream.Script{Dialect: upstream.LiteLLM, Price: mini, Act: upstream.Always(upstream.Act{Status: 500})}, "X-Litellm-", map[string]string{
			"X-Litellm-Call-Id": "k1", "X-Litellm-Response-Cost": "0", "X-Litellm-Key-Spend": "0.0", "X-Litellm-Timeout": "6000.0",
		}},
		{"AgentCC charges cached tokens in full", upstream.Script{Dialect: upstream.AgentCC, Price: mini, Usage: used}, "X-Agentcc-", map[string]string{
			"X-Agentcc-Request-Id": "00000000000000000000000001", "X-Agentcc-Trace-Id": "k1", "X-Agentcc-Provider": "scripted", "X-Agentcc-Cache": "miss",
			"X-Agentcc-Model-Used": "small-2026-01-01", "X-Agentcc-Cost": "0.000360",
		}},
		{"AgentCC rounds to six decimals", upstream.Script{Dialect: upstream.AgentCC, Price: mini, Usage: &upstream.Usage{In: 2, Out: 0}}, "X-Agentcc-Cost", map[string]string{
			"X-Agentcc-Cost": "0.000000",
		}},
		{"AgentCC without a price", upstream.Script{Dialect: upstream.AgentCC, Usage: used}, "X-Agentcc-Cost", map[string]string{}},
		{"AgentCC on an error", upstream.Script{Dialect: upstream.AgentCC, Price: mini, Act: upstream.Always(upstream.Act{Status: 502})}, "X-Agentcc-", map[string]string{
			"X-Agentcc-Request-Id": "00000000000000000000000001", "X-Agentcc-Trace-Id": "k1",
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := upstream.Start(t, c.script)
			a := ask(t, s.URL+chat, body("x"), "X-Litellm-Call-Id", "k1", "X-Agentcc-Trace-Id", "k1")
			if d := cmp.Diff(c.want, kept(a.header, c.prefix)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestUsageIsToldInEachRoutesManner(t *testing.T) {
	t.Parallel()
	s := upstream.Start(t, upstream.Script{Usage: &upstream.Usage{In: 100, Cached: 60, Written: 10, Out: 7, Reasoning: 2}})
	want := map[string]any{"prompt_tokens": 100.0, "completion_tokens": 7.0, "total_tokens": 107.0,
		"prompt_tokens_details":     map[string]any{"cached_tokens": 60.0, "audio_tokens": 0.0},
		"completion_tokens_details": map[string]any{"reasoning_tokens": 2.0, "audio_tokens": 0.0}}
	if d := cmp.Diff(want, at(t, ask(t, s.URL+chat, body("x")).body, "usage")); d != "" {
		t.Errorf("completions (-want +got):\n%s", d)
	}
	want = map[string]any{"input_tokens": 30.0, "cache_creation_input_tokens": 10.0, "cache_read_input_tokens": 60.0, "output_tokens": 7.0,
		"cache_creation": map[string]any{"ephemeral_5m_input_tokens": 10.0, "ephemeral_1h_input_tokens": 0.0}, "service_tier": "standard"}
	if d := cmp.Diff(want, at(t, ask(t, s.URL+messages, body("x")).body, "usage")); d != "" {
		t.Errorf("messages (-want +got):\n%s", d)
	}
	if cost := mini.Cost(upstream.Usage{In: 1200, Cached: 1024, Out: 300}); cost != 283_200_000 {
		t.Errorf("want 283.2 millionths of a dollar, got %s", cost)
	}
}
