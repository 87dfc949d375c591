package gateway

import (
	"net/http"

	"newel"
)

// agentccDialect reads Future AGI's agentcc gateway: the facts are headers of a
// success; on any error only the two ids are left. Its cost has six decimals and
// takes cached tokens for plain ones; retries inside it are in no count.
func agentccDialect() *dialect {
	return &dialect{
		name:    "agentcc",
		knows:   func(r *response) bool { return heads(r.header, "X-Agentcc-") },
		ask:     askAgentcc,
		read:    readAgentcc,
		refused: refusedAgentcc,
		traits:  traits{fullPriceForCached: true, hidesRetries: true, step: newel.Dollar / 1_000_000},
	}
}

// askAgentcc sends texts only: one value of another kind would drop them all.
func askAgentcc(h http.Header, t Tags) {
	meta := map[string]string{}
	for _, p := range t.pairs() {
		meta[p.name] = p.value
	}
	h.Set("X-Agentcc-Metadata", headerJSON(meta))
	h.Set("X-Agentcc-Trace-Id", t.Key.String())
	h.Set("X-Agentcc-Include-Metadata", "true")
	h.Set("Cache-Control", "no-store")
}

func readAgentcc(r *response, c *newel.Call) {
	c.RequestID, c.TraceID = r.head("X-Agentcc-Request-Id"), r.head("X-Agentcc-Trace-Id")
	c.Provider = r.head("X-Agentcc-Provider")
	if !r.ok() || r.failed() {
		// Of the limits it tells its own only, and a provider's headers are gone.
		r.own = r.status == http.StatusTooManyRequests && r.head("X-Ratelimit-Remaining-Requests") == "0"
		return
	}
	used(c, r.head("X-Agentcc-Model-Used"), "header")
	c.Fallback = "no" // told only when true
	if r.head("X-Agentcc-Fallback-Used") == "true" {
		c.Fallback, c.FallbackFrom = "yes", c.ModelAsked
	}
	if r.head("X-Agentcc-Guardrail-Triggered") == "true" {
		c.Guardrail, c.Outcome = "flagged", "flagged"
	}
	c.Cache = agentccCache(r.head("X-Agentcc-Cache"))
	if isMessages(r) {
		r.extra = true // that route counts no cached tokens: there may have been some
	}
	agentccNumbers(r, c)
}

// agentccNumbers reads cost and latency. A stream has them in its last chunk; its
// header's latency ends at the first.
func agentccNumbers(r *response, c *newel.Call) {
	charged(c, r.headMoney("X-Agentcc-Cost"), "gateway_header")
	if ms := r.headFloat("X-Agentcc-Latency-Ms"); ms != nil {
		c.GatewayMS, c.GatewayScope = ms, "total_incl_retries"
		if r.stream {
			c.FirstTokenMS, c.GatewayScope = ms, "to_headers"
		}
	}
	charged(c, r.money("agentcc_metadata", "cost"), "gateway_body")
	if ms := r.float("agentcc_metadata", "latency_ms"); ms != nil {
		c.GatewayMS, c.GatewayScope = ms, "total_incl_retries"
	}
}

func agentccCache(word string) string {
	switch word {
	case "hit_exact", "hit_semantic", "miss":
		return word
	case "hit_conditional":
		return "hit"
	case "skip", "skip_org_disabled":
		return "bypass"
	}
	return "unknown"
}

// refusedAgentcc knows that a blocked answer comes as an internal error like any
// other: the model was paid for, and no sign says why.
func refusedAgentcc(r *response, c *newel.Call) (Fault, bool) {
	if r.status == http.StatusInternalServerError && r.errorCode() == "internal_error" {
		c.Outcome = "gateway_error"
		return Fault{Kind: newel.KindGateway, Again: true, MayCost: true}, true
	}
	return Fault{}, false
}
