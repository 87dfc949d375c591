package gateway

import "newel"

// mlflowDialect reads MLflow's AI gateway, which puts durations in headers and all
// else in traces.
func mlflowDialect() *dialect {
	return &dialect{
		name:    "mlflow",
		knows:   func(r *response) bool { return heads(r.header, "X-Mlflow-Gateway-") },
		ask:     askPlain,
		read:    readMLflow,
		refused: refusedGuard,
		traits:  traits{hidesRetries: true},
	}
}

// readMLflow: the provider's part is measured for whole answers only; in a
// stream the overhead is all.
func readMLflow(r *response, c *newel.Call) {
	sparse(r, c)
	all := r.headFloat("X-Mlflow-Gateway-Duration-Ms")
	if all == nil {
		return
	}
	c.GatewayMS, c.GatewayScope = all, "total_incl_retries"
	if r.stream {
		c.GatewayScope = "to_headers"
		return
	}
	if up := less(all, r.headFloat("X-Mlflow-Gateway-Overhead-Duration-Ms")); up != nil {
		c.UpstreamMS, c.UpstreamScope = up, "unknown"
	}
}
