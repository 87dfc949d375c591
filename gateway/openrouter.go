package gateway

import (
	"cmp"
	"net/http"
	"strings"

	"newel"
)

// openRouterDialect reads OpenRouter: the charge is in usage.cost, which for a
// provider key of one's own is only OpenRouter's fee; what happened on the way is in
// openrouter_metadata, which ask wants.
func openRouterDialect() *dialect {
	return &dialect{
		name: "openrouter",
		knows: func(r *response) bool {
			return heads(r.header, "X-Openrouter-") || r.at("openrouter_metadata") != nil ||
				strings.HasPrefix(cmp.Or(r.head("X-Generation-Id"), r.text("id")), "gen-")
		},
		ask:     func(h http.Header, _ Tags) { h.Set("X-OpenRouter-Metadata", "enabled") },
		fields:  func(body map[string]any, t Tags) { body["metadata"] = t.object(512) },
		read:    readOpenRouter,
		refused: refusedOpenRouter,
		lookup:  &lookup{ask: askGeneration, read: lateOpenRouter},
		traits:  traits{billed: true},
	}
}

func readOpenRouter(r *response, c *newel.Call) {
	if e := dig(nth(r.at("choices"), 0), "error"); e != nil && r.at("error") == nil {
		r.object["error"] = e // generation broke off: the text is a part of an answer
	}
	c.Generation = cmp.Or(r.head("X-Generation-Id"), r.text("id"))
	c.Provider = r.text("provider")
	if word := r.head("X-OpenRouter-Cache-Status"); word != "" {
		c.Cache = cacheWord(word)
	}
	charged(c, r.money("usage", "cost"), "gateway_body")
	r.byok = isTrue(r.object, "usage", "is_byok") || isTrue(r.object, "openrouter_metadata", "is_byok")
	c.Cost.Upstream = r.money("usage", "cost_details", "upstream_inference_cost")
	if ms := r.float("openrouter_metadata", "generation_time"); ms != nil {
		c.UpstreamMS, c.UpstreamScope = ms, "last"
	}
	openRouterFallback(r, c)
	openRouterGuard(r, c)
}

// openRouterFallback believes the trace of attempts. Without one only another
// model than was asked for shows, never another provider.
func openRouterFallback(r *response, c *newel.Call) {
	meta := r.at("openrouter_metadata")
	if n := intOf(dig(meta, "attempt")); n != nil && *n > 0 && *n < 1000 {
		openRouterAttempts(meta, int(*n), c)
		return
	}
	if c.ModelUsed != "" && !strings.HasPrefix(c.ModelAsked, "openrouter/") && !sameModel(c.ModelAsked, c.ModelUsed) {
		c.Fallback, c.FallbackFrom = "yes", c.ModelAsked
	}
}

// openRouterAttempts reads the trace: the n-th attempt answered.
func openRouterAttempts(meta any, n int, c *newel.Call) {
	index := int64(n - 1)
	step(c, &index)
	c.UpstreamAttempts, c.AttemptsExact = &n, true
	attempts := dig(meta, "attempts")
	if n > 1 {
		c.FallbackFrom = cmp.Or(textOf(dig(nth(attempts, 0), "model")), textOf(dig(meta, "requested")))
	}
	c.Provider = cmp.Or(c.Provider, textOf(dig(nth(attempts, n-1), "provider")))
}

// openRouterGuard reads the stages that a call went through.
func openRouterGuard(r *response, c *newel.Call) {
	stages, ok := r.at("openrouter_metadata", "pipeline").([]any)
	if !ok {
		unsaid(c)
		return
	}
	for _, s := range stages {
		if textOf(dig(s, "type")) != "guardrail" {
			continue
		}
		if c.Guardrail != "flagged" {
			c.Guardrail = "ran"
		}
		if isTrue(s, "data", "flagged") {
			c.Guardrail = "flagged"
		}
		c.GuardrailNames = append(c.GuardrailNames, cmp.Or(textOf(dig(s, "guardrail_id")), textOf(dig(s, "name"))))
	}
}

// refusedOpenRouter tells the kinds of 403 apart; the others go by their code,
// which in a 200 stands for the status.
func refusedOpenRouter(r *response, c *newel.Call) (Fault, bool) {
	if r.errorCode() != "403" && r.status != http.StatusForbidden {
		return Fault{}, false
	}
	words, more := errorWords(r), r.errorObject()["metadata"]
	switch {
	case dig(more, "flagged_input") != nil, dig(more, "reasons") != nil, hasAny(words, "guardrail", "moderation", "flagged"):
		return blocked(c, "blocked_input"), true
	case strings.Contains(words, "limit"):
		return overspent(c), true
	}
	return Fault{}, false
}

// lateOpenRouter reads a generation. Its latency is that of the whole call.
func lateOpenRouter(r *response, c *newel.Call) bool {
	data := r.at("data")
	if data == nil {
		return false
	}
	used(c, textOf(dig(data, "model")), "lookup")
	c.Provider = cmp.Or(textOf(dig(data, "provider_name")), c.Provider)
	ownKey(r, c, data)
	if tries, ok := dig(data, "provider_responses").([]any); ok && len(tries) > 0 {
		n, index := len(tries), int64(len(tries)-1)
		c.UpstreamAttempts, c.AttemptsExact = &n, true
		step(c, &index)
	}
	if ms := millisOf(data, "latency"); ms != nil {
		c.GatewayMS, c.GatewayScope = ms, "total_incl_retries"
	}
	if ms := millisOf(data, "generation_time"); ms != nil {
		c.UpstreamMS, c.UpstreamScope = ms, "last"
	}
	return true
}

// sameModel reports whether b is a, or a dated or otherwise longer name of it.
// The maker before the slash counts only where both have one.
func sameModel(a, b string) bool {
	makerA, nameA, okA := strings.Cut(a, "/")
	makerB, nameB, okB := strings.Cut(b, "/")
	if !okA {
		nameA = a
	}
	if !okB {
		nameB = b
	}
	if okA && okB && makerA != makerB {
		return false
	}
	nameA, _, _ = strings.Cut(nameA, ":")
	nameB, _, _ = strings.Cut(nameB, ":")
	return nameA == nameB || dated(nameA, nameB) || dated(nameB, nameA)
}

// dated reports whether long is short with a date behind it.
func dated(short, long string) bool {
	rest, ok := strings.CutPrefix(long, short+"-")
	return ok && rest != "" && strings.Trim(rest, "0123456789-") == ""
}
