package gateway

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"newel"
)

// late is a look-up after the call: what is asked, and what comes of the answer.
type late struct {
	name, dialect, path string // after the server's address
	headers             map[string]string
	wantURL, wantAuth   string
	answer              string
	wantFirst, wantAll  float64 // ms to the first token, and of the gateway; 0: unknown
}

const generation = `{"data":{"total_cost":0.0002832,"is_byok":false,"model":"openai/gpt-4o-mini","provider_name":"OpenAI","latency":412,"generation_time":1204}}`

var lateCases = []late{
	{
		name: "at Vercel latency is the time to the first token", dialect: "vercel", path: "/v1",
		wantURL: "/v1/generation?id=gen_1%2B", wantAuth: "Bearer secret-key", answer: generation, wantFirst: 412, wantAll: 1204,
	},
	{
		name: "at OpenRouter it is the whole call", dialect: "openrouter", path: "/api/v1/chat/completions",
		wantURL: "/api/v1/generation?id=gen_1%2B", wantAuth: "Bearer secret-key", answer: generation, wantAll: 412,
	},
	{
		name: "Cloudflare's log is found by account and gateway", dialect: "cloudflare", path: "/v1/account/gate/compat",
		headers: map[string]string{"cf-aig-authorization": "Bearer log-reader"},
		wantURL: "/client/v4/accounts/account/ai-gateway/gateways/gate/logs/gen_1+", wantAuth: "Bearer log-reader",
		answer: `{"success":true,"result":{"cost":0.0002832,"model":"gpt-4o-mini","provider":"openai","duration":1422,"step":0}}`, wantAll: 1422,
	},
	{
		name: "Helicone's log is found by the request", dialect: "helicone", path: "/v1",
		headers: map[string]string{"Helicone-Auth": "Bearer helicone-key"},
		wantURL: "/v1/request/gen_1+", wantAuth: "Bearer helicone-key",
		answer: `{"data":{"costUSD":0.0002832,"response_model":"gpt-4o-mini","delay_ms":1310,"time_to_first_token":95},"error":null}`, wantFirst: 95, wantAll: 1310,
	},
}

func TestLookUp(t *testing.T) {
	t.Parallel()
	for _, test := range lateCases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var there atomic.Bool
			server := httptest.NewServer(test.server(t, &there))
			defer server.Close()
			client, err := New(Options{URL: server.URL + test.path, Dialect: test.dialect, Key: "secret-key", Headers: test.headers, Prices: testPrices(t)})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			call := newel.Call{Dialect: test.dialect, Generation: "gen_1+", Status: 200, Cost: newel.Charge{Status: newel.CostUnknown}}
			if _, ok, err := client.LookUp(context.Background(), call); ok || err != nil {
				t.Fatalf("before the log has it: %v, %v", ok, err)
			}
			there.Store(true)
			got, ok, err := client.LookUp(context.Background(), call)
			if !ok || err != nil {
				t.Fatalf("found %v, %v", ok, err)
			}
			test.check(t, got)
		})
	}
}

// server is the gateway's log, which has the call once there is set.
func (l late) server(t *testing.T, there *atomic.Bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if got := r.URL.RequestURI(); got != l.wantURL || r.Method != http.MethodGet {
			t.Errorf("asked %s %s, want %s", r.Method, got, l.wantURL)
		}
		if got := r.Header.Get("Authorization"); got != l.wantAuth {
			t.Errorf("authorized by %q, want %q", got, l.wantAuth)
		}
		if !there.Load() {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, l.answer)
	}
}

func (l late) check(t *testing.T, got newel.Call) {
	t.Helper()
	if got.Cost.USD == nil || *got.Cost.USD != 283_200_000 || got.Cost.Source != "gateway_lookup" {
		t.Errorf("cost %+v", got.Cost)
	}
	if got.ModelSource != "lookup" || got.ModelUsed == "" {
		t.Errorf("model %q by %q", got.ModelUsed, got.ModelSource)
	}
	if first, all := float(got.FirstTokenMS), float(got.GatewayMS); first != l.wantFirst || all != l.wantAll {
		t.Errorf("to the first token %v, of the gateway %v; want %v, %v", first, all, l.wantFirst, l.wantAll)
	}
}

func float(f *float64) float64 {
	if f == nil {
		return 0
	}
	return *f
}

func TestLookUpHosts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		ask  func(*url.URL, string, *newel.Call) (*http.Request, error)
		to   string
		id   string
		want string // empty: not asked
	}{
		{"Helicone's hosts share an API", askHeliconeLog, "https://oai.helicone.ai/v1/chat/completions", "a/b", "https://api.helicone.ai/v1/request/a%2Fb"},
		{"its European hosts have their own", askHeliconeLog, "https://eu.ai-gateway.helicone.ai/v1/chat/completions", "a", "https://eu.api.helicone.ai/v1/request/a"},
		{"a host that only ends alike is not Helicone's", askHeliconeLog, "https://nothelicone.ai/v1/chat/completions", "a", "https://nothelicone.ai/v1/request/a"},
		{"Cloudflare's API is on another host", askCloudflareLog, "https://gateway.ai.cloudflare.com/v1/acc/gw/compat/chat/completions", "L", "https://api.cloudflare.com/client/v4/accounts/acc/ai-gateway/gateways/gw/logs/L"},
		{"an address without account and gateway is not asked", askCloudflareLog, "https://gateway.ai.cloudflare.com/v1", "L", ""},
		{"nor is one without an id", askCloudflareLog, "https://gateway.ai.cloudflare.com/v1/acc/gw/compat/chat/completions", "", ""},
		{"a generation is found beside the route for messages", askGeneration, "https://openrouter.ai/api/v1/messages", "gen-1", "https://openrouter.ai/api/v1/generation?id=gen-1"},
		{"nor is a generation without one", askGeneration, "https://ai-gateway.vercel.sh/v1/chat/completions", "", ""},
		{"nor is a request without one", askHeliconeLog, "https://oai.helicone.ai/v1/chat/completions", "", ""},
		{"the secret part of an address stays away", askHeliconeLog, "https://user:pass@oai.helicone.ai/v1/chat/completions?k=1", "a", "https://api.helicone.ai/v1/request/a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			to, err := url.Parse(test.to)
			if err != nil {
				t.Fatal(err)
			}
			req, err := test.ask(to, "key", &newel.Call{Generation: test.id})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if req != nil {
				got = req.URL.String()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestSameModel(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"openai/gpt-4o-mini", "openai/gpt-4o-mini", true},
		{"openai/gpt-4o-mini", "openai/gpt-4o-mini-2024-07-18", true},
		{"openai/gpt-4o-mini:nitro", "openai/gpt-4o-mini", true},
		{"gpt-4o-mini", "openai/gpt-4o-mini", true},
		{"openai/gpt-4o-mini", "openai/gpt-4o", false},
		{"openai/gpt-4o", "openai/gpt-4o-mini", false},
		{"openai/gpt-4o-mini", "azure/gpt-4o-mini", false},
	} {
		if got := sameModel(test.a, test.b); got != test.want {
			t.Errorf("%s and %s: %v", test.a, test.b, got)
		}
	}
}
