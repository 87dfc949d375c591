package gateway

import (
	"slices"
	"strings"

	"newel"
)

// A refusal tells of the last attempt. One before it, inside the gateway, may have
// been answered and billed, and then lost: by a connection that was cut, or a
// time limit. So a refusal costs nothing only where it is known to be all there was.

// unasked notes that no model was at work for an answer or a refusal, and says of
// a refusal that it may have cost something where an attempt before it may have.
func unasked(d *dialect, r *response, c *newel.Call, f *Fault) {
	if d.traits.once {
		d = behind(d, r, c)
	}
	switch {
	case f == nil && strings.HasPrefix(c.Cache, "hit"):
		noAttempt(c)
	case f == nil || f.MayCost:
	case refusedByItself(d, r, c):
		noAttempt(c)
	case !firstWord(d, r, c):
		f.MayCost = true
	}
}

// behind is the gateway that an answer shows, where the suite names a provider:
// what that one does once, it may have done more often.
func behind(d *dialect, r *response, c *newel.Call) *dialect {
	by := recognise(dialects(), r)
	if by == nil || by.traits.once {
		return d
	}
	c.UpstreamAttempts, c.AttemptsExact, c.Fallback = nil, false, "unknown"
	return by
}

func noAttempt(c *newel.Call) {
	none := 0
	c.UpstreamAttempts, c.AttemptsExact = &none, true
}

// oneAttempt notes that there can have been no other.
func oneAttempt(c *newel.Call) {
	one := 1
	c.UpstreamAttempts, c.AttemptsExact, c.Fallback = &one, true, "no"
}

// refusedByItself reports whether the gateway asked nobody: it did not let its
// caller in, or not the prompt, or has a limit of its own.
func refusedByItself(d *dialect, r *response, c *newel.Call) bool {
	switch {
	case d.traits.once, c.Fallback == "yes":
		return false
	case r.own:
		return true
	case c.Outcome == "budget":
		return !slices.ContainsFunc(providerBudgets, func(w string) bool { return strings.Contains(errorWords(r), w) })
	}
	return c.Outcome == "blocked" && c.Guardrail == "blocked_input"
}

// providerBudgets are words of providers, which a gateway passes on, and of a
// LiteLLM that has nobody left to ask.
var providerBudgets = []string{"insufficient_quota", "exceeded your current quota", "billing_error", "billing_hard_limit_reached",
	"credit_balance_too_low", "credit balance is too low", "no deployments"}

// firstWord reports whether a refusal is of the only attempt, or whether those
// before it, where there were any, are known to have cost nothing.
func firstWord(d *dialect, r *response, c *newel.Call) bool {
	switch {
	case d.traits.once, d.traits.billed, r.harmless:
		return true
	case c.AttemptsExact && count64(c.UpstreamAttempts) <= 1:
		return true
	}
	// What one target does not take now, it took no better before.
	return c.Fallback == "no" && lasting(r.status)
}

// lasting reports whether a status says that the request, not the moment, is
// wrong.
func lasting(status int) bool {
	switch status {
	case 400, 401, 403, 404, 405, 413, 415, 422:
		return true
	}
	return false
}
