package gateway

import "newel"

// envoyDialect reads Envoy AI Gateway, which counts tokens for limits and tells
// neither money nor model with an answer. Headers of plain Envoy prove nothing:
// providers have it before their own doors.
func envoyDialect() *dialect {
	return &dialect{
		name: "envoy",
		knows: func(r *response) bool {
			return heads(r.header, "X-Ai-Eg-") || r.head("X-Envoy-Ratelimited") != ""
		},
		ask:    askPlain,
		read:   readEnvoy,
		traits: traits{hidesRetries: true},
	}
}

func readEnvoy(r *response, c *newel.Call) {
	sparse(r, c)
	r.own = r.head("X-Envoy-Ratelimited") != ""
	readAttempts(r.head("X-Envoy-Attempt-Count"), c)
	if up := r.headFloat("X-Envoy-Upstream-Service-Time"); up != nil {
		c.UpstreamMS, c.UpstreamScope = up, "unknown"
	}
}
