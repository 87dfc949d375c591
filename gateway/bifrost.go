package gateway

import (
	"cmp"
	"net/http"

	"newel"
)

// bifrostDialect reads Bifrost: cost, identity and fallback in headers, the same in
// the body's extra_fields. Headers of the identity come on errors too, so that a
// missing fallback index means that none fired as soon as one of them is there.
func bifrostDialect() *dialect {
	return &dialect{
		name: "bifrost",
		knows: func(r *response) bool {
			return heads(r.header, "X-Bifrost-") || r.object["is_bifrost_error"] != nil
		},
		ask:     askBifrost,
		read:    readBifrost,
		refused: refusedGuard,
		traits:  traits{hidesRetries: true},
	}
}

// askBifrost keeps to labels of few values for Prometheus: those of a case or
// a run would be series without end. x-request-id becomes the id of its log.
func askBifrost(h http.Header, t Tags) {
	h.Set("X-Request-Id", t.Key.String())
	h.Set("X-Bf-Cache-No-Store", "true")
	for _, p := range t.pairs() {
		switch p.name {
		case "suite", "rubric", "runner":
			h.Set("X-Bf-Prom-"+p.name, headerText(p.value))
		}
		h.Set("X-Bf-Maxim-"+p.name, headerText(p.value))
	}
}

func readBifrost(r *response, c *newel.Call) {
	extra := r.object["extra_fields"]
	c.RequestID = r.head("X-Bifrost-Request-Id")
	c.TraceID = r.head("X-Bifrost-Trace-Id")
	used(c, cmp.Or(textOf(dig(extra, "routing_info", "model")), textOf(dig(extra, "resolved_model_used"))), "body")
	used(c, cmp.Or(r.head("X-Bifrost-Routing-Info-Model"), r.head("X-Bifrost-Resolved-Model")), "header")
	c.Provider = cmp.Or(r.head("X-Bifrost-Routing-Info-Provider"), r.head("X-Bifrost-Provider"), textOf(dig(extra, "provider")))
	c.Deployment = r.head("X-Bifrost-Routing-Info-Alias-Model-Id")
	unsaid(c)
	bifrostFallback(r, c)
	// Who would have answered is told as soon as somebody was asked.
	r.own = r.status >= 400 && r.status < 500 && c.Fallback == "unknown" && heads(r.header, "X-Bifrost-")
	bifrostCost(r, c)
	bifrostCache(extra, c)
	if up := r.headFloat("X-Bifrost-Upstream-Latency-Ms"); up != nil {
		c.UpstreamMS, c.UpstreamScope = up, "cumulative"
	}
	if last := millisOf(extra, "latency"); last != nil && !r.stream {
		c.GatewayMS, c.GatewayScope = last, "last_attempt"
	}
}

// bifrostFallback knows three kinds: by its own list, by its routing, and by
// the provider itself, which answers with another model than it was asked for.
func bifrostFallback(r *response, c *newel.Call) {
	if heads(r.header, "X-Bifrost-Routing-Info-") || c.Provider != "" {
		c.Fallback = "no"
	}
	step(c, r.headInt("X-Bifrost-Fallback-Index"))
	if r.head("X-Bifrost-Routing-Info-Is-Fallback") == "true" {
		c.Fallback = "yes"
	}
	if served := r.head("X-Bifrost-Routing-Info-Server-Side-Fallback-Model"); served != "" {
		c.Fallback = "yes"
		used(c, served, "header")
	}
	if c.Fallback == "yes" {
		c.FallbackFrom = cmp.Or(r.head("X-Bifrost-Routing-Info-Primary-Model"), r.head("X-Bifrost-Original-Model"))
	}
}

// bifrostCost takes the header, else usage.cost, which is an object of
// Bifrost's or a bare number of the provider's. Both leave out what is 0, so that a
// missing amount may be either.
func bifrostCost(r *response, c *newel.Call) {
	charged(c, r.money("usage", "cost"), "gateway_body")
	charged(c, r.money("usage", "cost", "total_cost"), "gateway_body")
	charged(c, r.headMoney("X-Bifrost-Cost-Usd"), "gateway_header")
}

func bifrostCache(extra any, c *newel.Call) {
	hit, ok := dig(extra, "cache_debug", "cache_hit").(bool)
	switch {
	case !ok:
	case !hit:
		c.Cache = "miss"
	case textOf(dig(extra, "cache_debug", "hit_type")) == "semantic":
		c.Cache = "hit_semantic"
	case textOf(dig(extra, "cache_debug", "hit_type")) == "direct":
		c.Cache = "hit_exact"
	default:
		c.Cache = "hit"
	}
}
