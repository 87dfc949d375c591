package gateway

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

// told are the same tokens as each kind of far end writes them.
func told(plain, read, written, out, reasoning int64) map[string]map[string]any {
	return map[string]map[string]any{
		"chat completions": {"prompt_tokens": plain + read + written, "completion_tokens": out, "total_tokens": plain + read + written + out,
			"prompt_tokens_details": map[string]any{"cached_tokens": read, "cache_write_tokens": written}, "completion_tokens_details": map[string]any{"reasoning_tokens": reasoning}},
		"Messages": {"input_tokens": plain, "cache_read_input_tokens": read, "cache_creation_input_tokens": written, "output_tokens": out,
			"output_tokens_details": map[string]any{"thinking_tokens": reasoning}},
		"LiteLLM to Anthropic": {"prompt_tokens": plain + read + written, "completion_tokens": out, "total_tokens": plain + read + written + out,
			"cache_read_input_tokens": read, "cache_creation_input_tokens": written, "prompt_tokens_details": map[string]any{"cached_tokens": read, "cache_creation_tokens": written},
			"completion_tokens_details": map[string]any{"reasoning_tokens": reasoning}},
		"Portkey to Anthropic": {"prompt_tokens": plain, "completion_tokens": out, "total_tokens": plain + read + written + out,
			"cache_read_input_tokens": read, "cache_creation_input_tokens": written, "completion_tokens_details": map[string]any{"reasoning_tokens": reasoning}},
		"reasoning left out of the completion": {"prompt_tokens": plain + read + written, "completion_tokens": out - reasoning, "total_tokens": plain + read + written + out,
			"prompt_tokens_details": map[string]any{"cached_tokens": read, "cache_write_tokens": written}, "completion_tokens_details": map[string]any{"reasoning_tokens": reasoning}},
	}
}

// TestOneUsageForAllConventions holds that the same tokens come to the same usage
// and the same cost, whoever tells them.
func TestOneUsageForAllConventions(t *testing.T) {
	t.Parallel()
	price := testPrices(t).find("claude-sonnet-4-5")
	rng := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		plain, read, written := 1+rng.Int64N(5000), rng.Int64N(5000), rng.Int64N(5000)
		out := 1 + rng.Int64N(3000)
		reasoning := rng.Int64N(out)
		want := newel.Money(plain*3_000_000 + read*300_000 + written*3_750_000 + out*15_000_000)
		for name, usage := range told(plain, read, written, out, reasoning) {
			body, err := json.Marshal(map[string]any{"usage": usage})
			if err != nil {
				t.Fatal(err)
			}
			u := readUsage(&response{status: 200, object: decodeObject(body)})
			type totals struct{ Input, Uncached, Read, Written, Output, Reasoning int64 }
			got := totals{count(u.Input), count(u.Uncached), count(u.CacheRead), count(u.CacheWrite5m), count(u.Output), count(u.Reasoning)}
			if diff := cmp.Diff(totals{plain + read + written, plain, read, written, out, reasoning}, got); diff != "" || !u.Consistent {
				t.Fatalf("%s: %s (consistent %v)\n%s", name, body, u.Consistent, diff)
			}
			if m, status := price.cost(&u, "", false, ""); m != want || status != newel.CostTable {
				t.Fatalf("%s: %d %s, want %d", name, m, status, want)
			}
		}
	}
}

func TestRawKeepsOnlyWhatIsListed(t *testing.T) {
	t.Parallel()
	r := &response{status: 200, header: map[string][]string{
		"X-Litellm-Response-Cost": {"0.1"}, "X-Litellm-Model-Api-Base": {"https://x/?key=1"}, "Set-Cookie": {"session=1"}, "Authorization": {"Bearer k"},
		"X-Portkey-Config": {"{}"}, "X-Ratelimit-Remaining-Requests": {"5"}, "Helicone-Property-Case": {"c"}, "Date": {"now"},
	}, body: []byte(`{"model":"m","usage":{"prompt_tokens":3,"cost":0.00028319999999999994},"choices":[{"message":{"content":"the answer"}}],"error":{"message":"what was asked"}}`)}
	r.decode()
	want := map[string]string{"x-litellm-response-cost": "0.1", "x-ratelimit-remaining-requests": "5", "body.model": `"m"`, "body.usage": `{"cost":0.00028319999999999994,"prompt_tokens":3}`}
	if diff := cmp.Diff(want, rawOf(r)); diff != "" {
		t.Error(diff)
	}
}
