package gateway

import (
	"fmt"
	"strconv"
	"strings"

	"newel"
)

// fault classes an answer that is none, nil where it is one, and sets the call's
// Outcome. The error's type and code are read before the status, which gateways
// use as they please.
func fault(d *dialect, r *response, c *newel.Call) *Fault {
	bad := !r.ok() || r.failed()
	if d.refused != nil {
		if f, sure := d.refused(r, c); sure {
			return after(&f, r)
		}
	}
	switch {
	case r.status == 246:
		c.Outcome, c.Guardrail = "flagged", "flagged"
	case bad:
		f := classify(r, c)
		// What began within a success may have been billed, whatever it says now.
		f.MayCost = f.MayCost || r.ok()
		return after(f, r)
	case r.cut:
		c.Outcome = "upstream_error"
		return &Fault{Kind: newel.KindGateway, Message: "the stream broke off before its end", Again: true, MayCost: true}
	case r.object == nil:
		c.Outcome = "bad_output"
		return noAnswer(r)
	}
	return nil
}

// noAnswer is for a success that holds no answer.
func noAnswer(r *response) *Fault {
	message := "the answer holds no choices"
	if r.object == nil {
		message = "the answer is no JSON object"
		if text := strings.TrimSpace(r.errorMessage()); text != "" {
			message += ": " + text
		}
	}
	return &Fault{Kind: newel.KindGateway, Message: message, Again: true, MayCost: true}
}

// classify goes by what the error says of itself, then by the status.
func classify(r *response, c *newel.Call) *Fault {
	kind, code := strings.ToLower(r.errorType()), strings.ToLower(r.errorCode())
	is := func(words []string) bool { return contains(words, kind) || contains(words, code) }
	switch {
	case is(budgetWords), r.effective() == 429 && budgetMessage(r.errorMessage()):
		c.Outcome = "budget"
		return &Fault{Kind: newel.KindLimit}
	case is(filterWords):
		c.Outcome, c.Guardrail = "blocked", "upstream_filtered"
		return &Fault{Kind: newel.KindGateway}
	case is(blockWords), r.status == 446:
		c.Outcome = "blocked"
		if c.Guardrail != "blocked_output" {
			c.Guardrail = "blocked_input"
		}
		return &Fault{Kind: newel.KindGateway}
	case is(tooLongWords):
		c.Outcome = "client_error"
		return &Fault{Kind: newel.KindTooLarge}
	case is(timeoutWords):
		c.Outcome = "timeout"
		return &Fault{Kind: newel.KindTimeout, Again: true, MayCost: true}
	case is(rateWords):
		return limited(c)
	}
	return byStatus(r.effective(), r, c)
}

var (
	budgetWords = []string{"budget_exceeded", "org_budget_exceeded", "insufficient_quota", "insufficient_credits", "payment_required",
		"billing_error", "billing_hard_limit_reached", "credit_balance_too_low", "quota_exceeded"}
	filterWords  = []string{"content_filter", "content_policy_violation", "responsibleaipolicyviolation", "content_policy_violation_error"}
	blockWords   = []string{"content_blocked", "guardrail_error", "guardrail_triggered", "hooks_failed", "moderation_blocked"}
	tooLongWords = []string{"context_length_exceeded", "request_too_large", "string_above_max_length"}
	timeoutWords = []string{"timeout_error", "gateway_timeout", "request_timeout", "timeout"}
	rateWords    = []string{"rate_limit_exceeded", "throttling_error", "too_many_requests"}
)

func contains(words []string, word string) bool {
	if word == "" {
		return false
	}
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

// budgetMessage reads what neither status nor type of some gateways say.
func budgetMessage(text string) bool {
	text = strings.ToLower(text)
	for _, phrase := range []string{"crossed budget", "exceeded budget", "budget has been exceeded", "budget exceeded", "exceeded your current quota", "credit balance is too low"} {
		if strings.Contains(text, phrase) {
			return true
		}
	}
	return false
}

// effective is the status, or of an error within a success the one that its code
// names.
func (r *response) effective() int {
	if !r.ok() {
		return r.status
	}
	if code, err := strconv.Atoi(r.errorCode()); err == nil && code >= 400 && code <= 599 {
		return code
	}
	switch r.errorType() {
	case "overloaded_error":
		return 529
	case "api_error", "server_error":
		return 500
	case "rate_limit_error":
		return 429
	}
	return 502
}

func limited(c *newel.Call) *Fault {
	c.Outcome = "rate_limited"
	return &Fault{Kind: newel.KindGateway, Again: true, Throttled: true}
}

func byStatus(status int, r *response, c *newel.Call) *Fault {
	f := &Fault{Kind: newel.KindGateway}
	switch {
	case status == 402, status == 412:
		c.Outcome, f.Kind = "budget", newel.KindLimit
	case status == 429:
		return limited(c)
	case status == 408, status == 504, status == 524:
		c.Outcome, f.Kind, f.Again, f.MayCost = "timeout", newel.KindTimeout, true, true
	case status == 413:
		c.Outcome, f.Kind = "client_error", newel.KindTooLarge
	case status == 409, status == 425:
		c.Outcome, f.Again = "client_error", true
	case status == 503, status == 529:
		c.Outcome, f.Again = "upstream_error", true
		f.Throttled = status == 529 || retryAfter(r) > 0
		// Envoy's words for a connection that was lost with the request on it.
		f.MayCost = hasAny(r.errorMessage(), "connection termination", "remote reset")
	case status == 501, status == 505:
		c.Outcome = "gateway_error"
	case status == 401, status == 403, status == 404, status == 405:
		c.Outcome, f.Never = "client_error", true
	case status >= 500:
		c.Outcome, f.Again, f.MayCost = "upstream_error", true, true
	default:
		c.Outcome, f.Never = "client_error", neverWords(r)
	}
	return f
}

// neverWords reports whether a bad request is one because of the model's name, a
// parameter or the key: not because of the case.
func neverWords(r *response) bool {
	kind, code := strings.ToLower(r.errorType()), strings.ToLower(r.errorCode())
	if contains(setupWords, kind) || contains(setupWords, code) {
		return true
	}
	text := strings.ToLower(r.errorMessage())
	if hasAny(text, "unsupported parameter", "unrecognized request argument", "extra inputs are not permitted") {
		return true
	}
	if !strings.Contains(text, "model") {
		return strings.Contains(text, "api key") && hasAny(text, "invalid", "incorrect", "not valid")
	}
	return hasAny(text, "invalid model", "unknown model", "no such model", "not a valid model", "model not found", "model_not_found",
		"unsupported model", "model not supported") || hasAny(text, "the model `", "the model '", "the model \"", "model:") && hasAny(text, "does not exist", "not found")
}

var setupWords = []string{"model_not_found", "invalid_model", "unknown_model", "model_not_supported", "unsupported_model", "model_not_available",
	"unsupported_parameter", "unsupported_value", "invalid_api_key", "authentication_error", "permission_error", "no_db_connection"}

// after adds how long the far end wants to be left alone.
func after(f *Fault, r *response) *Fault {
	if r.head("X-Should-Retry") == "false" {
		f.Again = false // a provider's own word
	}
	if !f.Again {
		f.After = 0
		return f
	}
	if f.After == 0 {
		f.After = retryAfter(r)
	}
	if f.After == 0 && f.Throttled {
		f.After = limitReset(r)
	}
	return f
}

// maxShown is how much of an error's message is told, in bytes.
const maxShown = 500

// tell writes the message of a fault where there is none yet, takes secrets out
// of it, and puts into the call how long to wait.
func (g *reading) tell(f *Fault, r *response, c *newel.Call) {
	if f.Message == "" {
		f.Message = r.told()
	}
	f.Message = clip(strings.Join(strings.Fields(g.mask.Mask(f.Message)), " "), maxShown)
	if f.After > 0 {
		ms := f.After.Milliseconds()
		c.RetryAfterMS = &ms
	}
}

// told is the message of an answer that tells of an error.
func (r *response) told() string {
	words := fmt.Sprintf("HTTP %d", r.status)
	for _, w := range []string{r.errorType(), r.errorCode()} {
		if w != "" && w != strconv.Itoa(r.status) && w != "error" {
			words += " " + w
		}
	}
	if text := strings.TrimSpace(r.errorMessage()); text != "" {
		words += ": " + text
	}
	return words
}

// clip bounds a text, whole characters of it.
func clip(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
