package gateway

import (
	"strings"
	"testing"

	"newel"
)

func TestPricesAreFoundByTheNamesThatGatewaysUse(t *testing.T) {
	t.Parallel()
	p, err := BuiltInPrices()
	if err != nil {
		t.Fatal(err)
	}
	if p.Version() == "" || p.Len() < 80 {
		t.Errorf("version %q, %d models", p.Version(), p.Len())
	}
	cases := []struct {
		name, model string
		in          newel.Money // for a token; 0: not found
	}{
		{"as it is", "gpt-4o-mini", 150_000},
		{"with its maker in front", "openai/gpt-4o-mini", 150_000},
		{"with a date behind", "gpt-4o-mini-2099-01-01", 150_000},
		{"a dated name with its own price", "gpt-4o-2024-05-13", 5_000_000},
		{"its undated sibling", "gpt-4o", 2_500_000},
		{"Anthropic's dates", "claude-sonnet-4-5-20250929", 3_000_000},
		{"a version with a dot", "anthropic/claude-sonnet-4.5", 3_000_000},
		{"behind OpenRouter", "openrouter/openai/gpt-4o-mini", 150_000},
		{"Google under another name", "vertex_ai/gemini-2.5-pro", 1_250_000},
		{"latest", "gpt-4o-mini-latest", 150_000},
		{"a reseller has prices of its own", "azure/gpt-4o-mini", 0},
		{"another maker's name in front", "anthropic/gpt-4o-mini", 0},
		{"an unknown model", "gpt-4o-maxi", 0},
		{"a name that ends like a date", "house-12345678", 0},
		{"nothing", "", 0},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var got newel.Money
			if e := p.find(tc.model); e != nil {
				got = *e.in
			}
			if got != tc.in {
				t.Errorf("%s: %d, want %d", tc.model, got, tc.in)
			}
		})
	}
}

func TestTheBuiltInTableIsSane(t *testing.T) {
	t.Parallel()
	p, err := BuiltInPrices()
	if err != nil {
		t.Fatal(err)
	}
	raw := decodeObject(builtInPrices)["models"].(map[string]any)
	for name, e := range p.models {
		switch {
		case e.free:
			t.Errorf("%s is free", name)
		case *e.out < *e.in/2:
			t.Errorf("%s: output is cheaper than half of its input", name)
		case e.read != nil && *e.read > *e.in:
			t.Errorf("%s: a cached token costs more than a plain one", name)
		case !strings.HasPrefix(textOf(raw[name].(map[string]any)["source"]), "https://"):
			t.Errorf("%s has no source", name)
		}
		for service, v := range e.services {
			if cheap := service != "priority"; v.in == nil || cheap != (*v.in < *e.in) {
				t.Errorf("%s: %s is priced on the wrong side of plain", name, service)
			}
		}
	}
}

const litellmTable = `{
 "sample_spec": {"input_cost_per_token": 0, "output_cost_per_token": 0, "max_tokens": "a text"},
 "gpt-x": {"litellm_provider": "openai", "mode": "chat", "max_output_tokens": "16384", "input_cost_per_token": 1.5e-07, "output_cost_per_token": 6.000000000000001e-07,
   "cache_read_input_token_cost": 7.5e-08, "cache_creation_input_token_cost": 1.9e-07, "cache_creation_input_token_cost_above_1hr": 3e-07,
   "input_cost_per_token_batches": 7.5e-08, "output_cost_per_token_batches": 3e-07,
   "input_cost_per_token_above_200k_tokens": 3e-07, "output_cost_per_token_above_200k_tokens": 9e-07,
   "input_cost_per_token_priority": 2.5e-07, "output_cost_per_token_priority": 1e-06, "input_cost_per_token_above_200k_tokens_priority": 5e-07,
   "supports_vision": true, "search_context_cost_per_query": {"search_context_size_low": 0.025}},
 "ranged": {"litellm_provider": "dashscope", "input_cost_per_token": 1e-7, "output_cost_per_token": 1e-6, "tiered_pricing": [
   {"range": [0, 32000.0], "input_cost_per_token": 1e-7, "output_cost_per_token": 1e-6}, {"range": [32000.0, 256000.0], "input_cost_per_token": 2e-7, "output_cost_per_token": 2e-6}]},
 "free-or-unknown": {"litellm_provider": "ollama", "input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
 "embedding": {"litellm_provider": "openai", "input_cost_per_token": 1e-07},
 "picture": {"litellm_provider": "openai", "input_cost_per_image": 0.04}
}`

func TestLiteLLMsTableIsRead(t *testing.T) {
	t.Parallel()
	p, err := ReadPrices([]byte(litellmTable))
	if err != nil {
		t.Fatal(err)
	}
	if p.Len() != 2 || p.find("free-or-unknown") != nil {
		t.Errorf("%d models, want gpt-x and ranged only", p.Len())
	}
	if again, _ := ReadPrices([]byte(litellmTable)); again.Version() != p.Version() || !strings.HasPrefix(p.Version(), "sha256:") {
		t.Errorf("version %q", p.Version())
	}
	cases := []struct {
		name    string
		model   string
		usage   newel.Usage
		service string
		want    string // empty: unknown
	}{
		{"plain, a float's dirt rounded", "gpt-x", tokens(1000, 0, 100), "", "0.00021"},
		{"cached", "gpt-x", tokens(1000, 400, 0), "", "0.00012"},
		{"batch", "gpt-x", tokens(1000, 0, 100), "batch", "0.000105"},
		{"priority", "gpt-x", tokens(1000, 0, 100), "priority", "0.00035"},
		{"above 200k", "gpt-x", tokens(200_001, 0, 0), "", "0.0600003"},
		{"not above 200k", "gpt-x", tokens(200_000, 0, 0), "", "0.03"},
		{"above 200k in priority", "gpt-x", tokens(200_001, 0, 0), "priority", "0.1000005"},
		{"above 200k in a batch: told for short requests only", "gpt-x", tokens(200_001, 0, 0), "batch", ""},
		{"flex: not told", "gpt-x", tokens(10, 0, 1), "flex", ""},
		{"a range", "ranged", tokens(40_000, 0, 0), "", "0.008"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m, status := p.find(tc.model).cost(&tc.usage, tc.service, false, "")
			got := ""
			if status == newel.CostTable {
				got = m.String()
			}
			if got != tc.want {
				t.Errorf("%q (%s), want %q", got, status, tc.want)
			}
		})
	}
}

func TestBadTablesAreRefused(t *testing.T) {
	t.Parallel()
	own := func(entry string) string {
		return `{"newel_prices": 1, "version": "x", "models": {"m": ` + entry + `}}`
	}
	cases := []struct{ name, table, want string }{
		{"no JSON", "input: 5", "not a JSON object"},
		{"nothing in it", "{}", "no model in it has a price"},
		{"a later form", `{"newel_prices": 2}`, "form 2 is not known"},
		{"a price for a million taken for that of a token", `{"m": {"input_cost_per_token": 2.5, "output_cost_per_token": 10}}`, "is that the price of a million?"},
		{"the same in a tier", `{"m": {"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6, "input_cost_per_token_above_200k_tokens": 3}}`, "is that the price of a million?"},
		{"the own form with a price of 20,000 USD for a million", own(`{"input": "20000", "output": "1"}`), "is that the price of a million?"},
		{"a number instead of a text", own(`{"input": 0.15, "output": "1"}`), "a text in USD for a million tokens"},
		{"a negative price", own(`{"input": "-1", "output": "1"}`), "below zero"},
		{"a negative price of LiteLLM's", `{"m": {"input_cost_per_token": -1e-6, "output_cost_per_token": 1e-6}}`, "is no price of a token"},
		{"finer than a picodollar", own(`{"input": "0.0000001", "output": "1"}`), "finer than"},
		{"so fine that it would round to nothing", `{"m": {"input_cost_per_token": 1e-15, "output_cost_per_token": 1e-6}}`, "below 10"},
		{"no output", own(`{"input": "1"}`), "needs input and output"},
		{"a half that is not whole", own(`{"input": "0.000001", "output": "1", "services": {"batch": "half"}}`), "no whole half"},
		{"a service that is a number", own(`{"input": "1", "output": "1", "services": {"batch": 0.5}}`), "neither half nor a set"},
		{"a tier without its bound", own(`{"input": "1", "output": "1", "tiers": [{"input": "2"}]}`), "a tier needs above"},
		{"a region of nothing", own(`{"input": "1", "output": "1", "regions_percent": {"us": 0}}`), "a percentage"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := ReadPrices([]byte(tc.table))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}

func FuzzReadPrices(f *testing.F) {
	f.Add([]byte(litellmTable))
	f.Add([]byte(`{"newel_prices": 1, "models": {"m": {"input": "1", "output": "2", "tiers": [{"above": 5, "input": "3"}], "services": {"batch": "half"}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadPrices(data)
		if err != nil {
			return
		}
		u := tokens(300_000, 10, 10)
		for name, e := range p.models {
			if e.in == nil || e.out == nil || *e.in < 0 || *e.in > mostPerToken {
				t.Errorf("%s: %v %v", name, e.in, e.out)
			}
			for _, service := range []string{"", "batch", "flex", "priority"} {
				if m, status := e.cost(&u, service, false, ""); m < 0 || m == 0 && status == newel.CostTable && !e.free {
					t.Errorf("%s %s: %d %s", name, service, m, status)
				}
			}
		}
	})
}
