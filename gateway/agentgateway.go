package gateway

import (
	"net/http"
	"strings"

	"newel"
)

// agentGatewayDialect reads agentgateway, which tells nothing with an answer: cost
// and model are in its log and traces. Only its guardrail's usual refusal shows
// whose it is.
func agentGatewayDialect() *dialect {
	return &dialect{
		name:    "agentgateway",
		knows:   agentGatewayRefusal,
		ask:     askPlain,
		read:    readAgentGateway,
		refused: refusedAgentGateway,
		traits:  traits{hidesRetries: true},
	}
}

// readAgentGateway knows that what it refuses by itself, it says in plain text.
func readAgentGateway(r *response, c *newel.Call) {
	sparse(r, c)
	r.own = r.status >= 400 && r.status < 500 && r.object == nil
}

// agentGatewayRefusal knows the text that stands in a refusal unless the
// operator chose another.
func agentGatewayRefusal(r *response) bool {
	return r.status == http.StatusForbidden && strings.Contains(string(r.body), "rejected due to inappropriate content")
}

// refusedAgentGateway takes a 403 for a guardrail, unless it speaks of
// authorization or is a provider's error, which has a type or code. The same refusal
// stands for both sides of a call, so the dearer one is assumed.
func refusedAgentGateway(r *response, c *newel.Call) (Fault, bool) {
	if r.status != http.StatusForbidden {
		return Fault{}, false
	}
	words := errorWords(r)
	provider := r.errorType()+r.errorCode() != ""
	if strings.Contains(words, "authoriz") || provider && !hasAny(words, "guard", "reject") {
		return Fault{}, false
	}
	return blocked(c, "blocked_output"), true
}
