package gateway

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func TestARefusalCostsNothingWhereItIsAllThereWas(t *testing.T) {
	t.Parallel()
	type told struct {
		Attempts string // none, one, unknown
		MayCost  bool
		CostIs   string
	}
	free := func(attempts string) told { return told{attempts, false, newel.CostZero} }
	unknown := told{"unknown", true, newel.CostUnknown}
	const slow, bad = `{"error":{"message":"slow down","type":"rate_limit_error"}}`, `{"error":{"message":"bad","type":"invalid_request_error"}}`
	cases := []struct {
		name, dialect string
		sent          map[string]string
		status        int
		headers       map[string]string
		body          string
		want          told
	}{
		{"a provider's limit", "openai", nil, 429, nil, slow, free("unknown")},
		{"a provider that is overloaded", "anthropic", nil, 529, nil, slow, free("one")},
		{"a proxy that found nobody to connect to", "openai", nil, 503, nil, "upstream connect error or disconnect/reset before headers. reset reason: connection failure", free("unknown")},
		{"a proxy that lost the connection with the request on it", "openai", nil, 503, nil, "upstream connect error or disconnect/reset before headers. reset reason: connection termination", unknown},
		{"a provider that shows a gateway's headers", "anthropic", nil, 429, map[string]string{"X-Litellm-Call-Id": "1"}, slow, unknown},
		{"a limit behind a gateway that may have tried before", "mlflow", nil, 429, nil, slow, unknown},
		{"a bad request behind one that may have asked another first", "mlflow", nil, 400, nil, bad, unknown},
		{"its own budget", "mlflow", nil, 429, nil, `{"error":{"message":"budget is used up"}}`, free("none")},
		{"a provider's budget", "mlflow", nil, 429, nil, `{"error":{"message":"x","type":"insufficient_quota"}}`, unknown},
		{"a guardrail on the prompt", "mlflow", nil, 400, nil, `{"error":{"message":"input guardrail says no"}}`, free("none")},
		{"one attempt that is told", "ngrok", nil, 429, map[string]string{"Ngrok-Aig-Attempts": "1"}, slow, free("one")},
		{"two attempts that are told", "ngrok", nil, 429, map[string]string{"Ngrok-Aig-Attempts": "2"}, slow, told{"more", true, newel.CostUnknown}},
		{"failed attempts that are never charged", "openrouter", nil, 429, nil, slow, free("unknown")},
		{"Bifrost, before it asked anybody", "bifrost", nil, 429, map[string]string{"X-Bifrost-Request-Id": "1"}, slow, free("none")},
		{"Bifrost, of a provider", "bifrost", nil, 429, map[string]string{"X-Bifrost-Routing-Info-Provider": "p"}, slow, unknown},
		{"Bifrost, a bad request without a fallback", "bifrost", nil, 400, map[string]string{"X-Bifrost-Routing-Info-Provider": "p"}, bad, free("unknown")},
		{"Bifrost, a bad request after a fallback", "bifrost", nil, 400, map[string]string{"X-Bifrost-Routing-Info-Provider": "p", "X-Bifrost-Fallback-Index": "1"}, bad, unknown},
		{"Kong by itself", "kong", nil, 429, map[string]string{"X-Kong-Response-Latency": "1"}, slow, free("none")},
		{"Kong, of a provider", "kong", nil, 429, map[string]string{"X-Kong-Upstream-Latency": "90", "X-Kong-Proxy-Latency": "1"}, slow, unknown},
		{"Envoy's limit", "envoy", nil, 429, map[string]string{"X-Envoy-Ratelimited": "true"}, "", free("none")},
		{"Envoy, of a provider, and it counts", "envoy", nil, 429, map[string]string{"X-Envoy-Attempt-Count": "1"}, slow, free("one")},
		{"AgentCC's limit", "agentcc", nil, 429, map[string]string{"X-Ratelimit-Remaining-Requests": "0"}, slow, free("none")},
		{"AgentCC, of a provider", "agentcc", nil, 429, nil, slow, unknown},
		{"Cloudflare, of a provider", "cloudflare", nil, 429, nil, slow, unknown},
		{"Helicone, which passes on", "helicone", nil, 429, nil, slow, free("one")},
		{"Helicone, asked to try again", "helicone", map[string]string{"Helicone-Retry-Enabled": "true"}, 429, nil, slow, unknown},
		{"LiteLLM, a wrong key", "litellm", nil, 401, nil, `{"error":{"message":"Authentication Error","type":"auth_error"}}`, free("none")},
		{"LiteLLM, its own limit", "litellm", nil, 429, nil, `{"error":{"message":"Rate limit exceeded for key"}}`, free("none")},
		{"LiteLLM, nobody left to ask", "litellm", nil, 429, nil, `{"error":{"message":"No deployments available for selected model"}}`, unknown},
		{"LiteLLM, asked to try once, nobody to ask", "litellm", map[string]string{"X-Litellm-Num-Retries": "0"}, 429, nil, `{"error":{"message":"No deployments available for selected model"}}`, free("none")},
		{"LiteLLM before 1.106", "litellm", map[string]string{"X-Litellm-Num-Retries": "0"}, 429, nil, `{"error":{"message":"litellm.RateLimitError: x. Available Model Group Fallbacks=None"}}`, free("one")},
		{"LiteLLM that does not say whether it asked another", "litellm", map[string]string{"X-Litellm-Num-Retries": "0"}, 429, nil, `{"error":{"message":"litellm.RateLimitError: x"}}`, unknown},
		{"Portkey, a config that it does not take", "portkey", nil, 400, nil, `{"status":"failure","message":"Invalid config passed"}`, free("none")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, _ := dialectNamed(c.dialect)
			r := answerOf(c.status, c.headers, c.body)
			r.sent = (&fixtureRequest{Headers: c.sent}).request(t)
			g := &reading{name: "main", model: "m", prices: testPrices(t), mask: newel.NewSecrets(nil, nil)}
			reply := g.read(d, r)
			got := told{"unknown", reply.Fault.MayCost, reply.Call.Cost.Status}
			if reply.Call.AttemptsExact {
				got.Attempts = [...]string{"none", "one", "more"}[*reply.Call.UpstreamAttempts]
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAProvidersOwnHostIsNoGateway(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://api.mistral.ai/v1": "openai", "https://team.openai.azure.com/openai/v1": "openai", "https://api.anthropic.com": "anthropic",
		"https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1": "openai", "https://team.azure-api.net/openai/v1": "apim", "https://judges.elb.amazonaws.com/v1": "apim",
	} {
		c := client(t, Options{URL: url})
		if got := c.answered(answerOf(429, map[string]string{"Apim-Request-Id": "1"}, "{}")).name; got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

func TestAGuardrailBesideTheCallDoesNotSaveIt(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]string{`"pre_call"`: "blocked_input", `"during_call"`: "blocked_output", `"post_call"`: "blocked_output",
		`["pre_call","during_call"]`: "blocked_output"} {
		r := answerOf(400, nil, `{"error":{"message":"no","provider_specific_fields":{"guardrail_name":"g","guardrail_mode":`+mode+`}}}`)
		var c newel.Call
		if f, sure := refusedLiteLLM(r, &c); !sure || c.Guardrail != want || f.MayCost != (want == "blocked_output") {
			t.Errorf("%s: %s, %+v", mode, c.Guardrail, f)
		}
	}
}

func TestWhatIsWrongWithARequestIsSaid(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]}}`,
		`{"detail":[{"loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]}`,
	} {
		if got := answerOf(422, nil, body).told(); got != "HTTP 422: body.max_completion_tokens: Extra inputs are not permitted" {
			t.Errorf("%s: %s", body, got)
		}
	}
}

func answerOf(status int, headers map[string]string, body string) *response {
	r := &response{status: status, header: http.Header{}, body: []byte(body)}
	for name, v := range headers {
		r.header.Set(name, v)
	}
	r.decode()
	return r
}

func TestWhatNoCallCanGetPastIsToldFromWhatPasses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		status int
		body   string
		want   bool
	}{
		{"a wrong key", 401, "", true},
		{"not allowed", 403, `{"error":{"message":"no access"}}`, true},
		{"a wrong path", 404, "not found", true},
		{"a model that nobody knows", 404, `{"error":{"code":"model_not_found","message":"The model 'x' does not exist"}}`, true},
		{"LiteLLM, a model without an entry", 400, `{"error":{"message":"/chat/completions: Invalid model name passed in model=x"}}`, true},
		{"OpenRouter, a name without a maker", 400, `{"error":{"message":"x is not a valid model ID","code":400}}`, true},
		{"a key that is refused as a bad request", 400, `{"error":{"message":"API key not valid. Please pass a valid API key."}}`, true},
		{"a parameter that the model does not take", 400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model.","code":"unsupported_value","param":"temperature"}}`, true},
		{"Mistral, a parameter that it does not know", 422, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error"}`, true},
		{"a bad request of this case", 400, `{"error":{"message":"image too small for this model"}}`, false},
		{"a prompt that is too long", 400, `{"error":{"code":"context_length_exceeded","message":"This model's maximum context length is 10"}}`, false},
		{"a guardrail", 403, `{"error":{"type":"content_blocked"}}`, false},
		{"too many", 429, "", false},
		{"a budget", 402, "", false},
		{"overloaded", 503, "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, _ := dialectNamed("openai")
			if f := fault(d, answerOf(c.status, nil, c.body), &newel.Call{}); f.Never != c.want {
				t.Errorf("%+v", f)
			}
		})
	}
}
