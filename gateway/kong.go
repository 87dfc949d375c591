package gateway

import (
	"strings"

	"newel"
)

// kongDialect reads Kong's AI proxy. Money is only in its log, and there 0 stands for
// a model without a price as well as for a free one, so it is not asked.
func kongDialect() *dialect {
	return &dialect{
		name: "kong",
		knows: func(r *response) bool {
			return heads(r.header, "X-Kong-")
		},
		ask:    askPlain,
		read:   readKong,
		traits: traits{fullPriceForCached: true, hidesRetries: true},
	}
}

// readKong takes the model from the body: the header shows the configured one,
// which is kept as the deployment.
func readKong(r *response, c *newel.Call) {
	c.RequestID = r.head("X-Kong-Request-Id")
	c.Deployment = r.head("X-Kong-Llm-Model")
	if provider, model, ok := strings.Cut(c.Deployment, "/"); ok {
		c.Provider = provider
		if c.ModelUsed == "" {
			used(c, model, "header")
		}
	}
	sparse(r, c)
	kongLatency(r, c)
	if word := r.head("X-Cache-Status"); word != "" {
		c.Cache = cacheWord(word)
	}
	// Kong tells the first of these only of what it answers by itself.
	r.own = r.status >= 400 && r.status < 500 && r.head("X-Kong-Response-Latency") != "" && r.head("X-Kong-Upstream-Latency") == ""
	if r.status == 400 {
		note(c, "kong_guard_or_client_error")
	}
}

// kongLatency: what Kong waited for headers of the upstream and its own share,
// or the time of an answer it gave itself. Neither holds the body's time.
func kongLatency(r *response, c *newel.Call) {
	if own := r.headFloat("X-Kong-Response-Latency"); own != nil {
		c.GatewayMS, c.GatewayScope = own, "to_headers"
	}
	up, share := r.headFloat("X-Kong-Upstream-Latency"), r.headFloat("X-Kong-Proxy-Latency")
	if up != nil {
		c.UpstreamMS, c.UpstreamScope = up, "unknown"
	}
	if up != nil && share != nil {
		sum := *up + *share
		c.GatewayMS, c.GatewayScope = &sum, "to_headers"
	}
}
