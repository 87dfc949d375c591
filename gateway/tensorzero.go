package gateway

import (
	"strings"

	"newel"
)

// tensorZeroDialect reads TensorZero's OpenAI-compatible endpoint: a decimal cost in
// usage, or null where the model has no prices. Its choices have no logprobs.
func tensorZeroDialect() *dialect {
	return &dialect{
		name: "tensorzero",
		knows: func(r *response) bool {
			usage, _ := r.object["usage"].(map[string]any)
			_, cost := usage["tensorzero_cost"]
			return cost || r.object["episode_id"] != nil || strings.HasPrefix(r.text("model"), "tensorzero::")
		},
		fields:  fieldsTensorZero,
		read:    readTensorZero,
		refused: refusedGuard,
		traits:  traits{hidesRetries: true},
	}
}

func fieldsTensorZero(body map[string]any, t Tags) {
	body["tensorzero::tags"] = t.object(512)
	body["tensorzero::cache_options"] = map[string]any{"enabled": "off"}
}

// readTensorZero: a model by itself is named as it was asked for; a function
// names its variant, which is a deployment, and no model.
func readTensorZero(r *response, c *newel.Call) {
	unsaid(c)
	c.RequestID = r.text("id")
	c.TraceID = r.text("episode_id")
	name := r.text("model")
	if model, ok := strings.CutPrefix(name, "tensorzero::model_name::"); ok {
		name = model
	}
	if _, variant, ok := strings.Cut(name, "::variant_name::"); ok {
		c.Deployment, c.ModelUsed, c.ModelSource = variant, "", "unknown"
	} else {
		used(c, name, "body")
	}
	charged(c, r.money("usage", "tensorzero_cost"), "gateway_body")
	if cachedTensorZero(r) {
		c.Cache = "hit"
	}
}

// cachedTensorZero: an answer without a single token came from its cache.
func cachedTensorZero(r *response) bool {
	in, out := r.int("usage", "prompt_tokens"), r.int("usage", "completion_tokens")
	return r.status < 300 && in != nil && out != nil && *in == 0 && *out == 0 && nth(r.at("choices"), 0) != nil
}
