package gateway

import (
	"encoding/json"
	"slices"
	"strings"
)

// maxRaw is how much of one value is kept, in bytes.
const maxRaw = 2 << 10

// rawOf keeps what money, model and guardrail were read from, for a later
// reading. Only names on a list come in: no text of a case, of an answer or of
// an error, and no key.
func rawOf(r *response) map[string]string {
	raw := map[string]string{}
	for name, values := range r.header {
		if name = strings.ToLower(name); len(values) > 0 && keptHeader(name) {
			raw[name] = clip(values[0], maxRaw)
		}
	}
	for _, name := range keptBody {
		if v := r.at(name...); v != nil {
			if text, err := json.Marshal(v); err == nil {
				raw["body."+strings.Join(name, ".")] = clip(string(text), maxRaw)
			}
		}
	}
	if len(raw) == 0 {
		return nil
	}
	return raw
}

// keptBody are the parts of a body that are kept.
var keptBody = [][]string{
	{"model"}, {"provider"}, {"service_tier"}, {"usage"}, {"id"}, {"agentcc_metadata"},
	{"extra_fields", "cache_debug"}, {"extra_fields", "latency"}, {"openrouter_metadata", "attempts"},
}

// keptPrefixes begin the names of headers that are kept.
var keptPrefixes = []string{
	"x-litellm-response-cost", "x-litellm-model-", "x-litellm-attempted-", "x-litellm-cache-", "x-litellm-applied-", "x-litellm-version", "x-litellm-call-id",
	"x-litellm-response-duration", "x-litellm-overhead-duration", "x-litellm-key-spend",
	"x-portkey-", "x-agentcc-", "x-bifrost-", "x-openrouter-", "x-generation-id", "helicone-", "cf-aig-", "x-kong-", "x-cache-status",
	"x-mlflow-gateway-", "x-nr-", "ngrok-aig-", "apim-request-id", "x-envoy-upstream-service-time", "x-envoy-ratelimited", "x-ai-eg-", "x-ratelimit-", "anthropic-ratelimit-", "x-vercel-", "x-tensorzero-",
}

// keptNever are names among those that may hold what must not be kept.
var keptNever = []string{"x-litellm-model-api-base", "x-portkey-config", "x-portkey-api-key", "x-agentcc-metadata", "cf-aig-metadata", "cf-aig-authorization", "helicone-auth", "helicone-property"}

func keptHeader(name string) bool {
	begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	return slices.ContainsFunc(keptPrefixes, begins) && !slices.ContainsFunc(keptNever, begins)
}
