package gateway

import (
	"net/http"
	"strings"

	"newel"
)

// blocked is the fault of a call that a guardrail refused: asking again brings
// the same. Where the model had answered already it was paid for, and nobody
// tells the amount.
func blocked(c *newel.Call, where string) Fault {
	c.Guardrail, c.Outcome = where, "blocked"
	return Fault{Kind: newel.KindGateway, MayCost: where != "blocked_input"}
}

// overspent is the fault of a call for which a budget or quota of the gateway
// does not suffice; waiting a little does not help.
func overspent(c *newel.Call) Fault {
	c.Outcome = "budget"
	return Fault{Kind: newel.KindLimit}
}

// refusedGuard finds guardrails and budgets in the words of an error, for
// gateways that have a status of their own for neither.
func refusedGuard(r *response, c *newel.Call) (Fault, bool) {
	words := errorWords(r)
	switch {
	case r.status < 400:
		return Fault{}, false
	case strings.Contains(words, "guardrail"):
		return blocked(c, side(words)), true
	case r.status == http.StatusPaymentRequired, r.status == http.StatusTooManyRequests && strings.Contains(words, "budget"):
		return overspent(c), true
	}
	return Fault{}, false
}

// side is the half of a call at which a guardrail fired. Words that do not say
// so leave the output, which is the dearer mistake to miss.
func side(words string) string {
	if hasAny(words, "input", "prompt", "request", "before", "pre_", "pre-") {
		return "blocked_input"
	}
	return "blocked_output"
}

// hasAny reports whether one of the words is in a text.
func hasAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
