package gateway

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"newel"
)

// litellmDialect reads the LiteLLM proxy: cost, model and attempts in headers of
// a success, nothing but ids on an error. Its body names the alias that was asked
// for, so the header is believed. Seen with 1.106; older versions lack headers,
// which leaves what they would say unknown.
func litellmDialect() *dialect {
	return &dialect{
		name:    "litellm",
		knows:   func(r *response) bool { return heads(r.header, "X-Litellm-") },
		ask:     askLiteLLM,
		fields:  func(body map[string]any, _ Tags) { body["cache"] = map[string]any{"no-cache": true} },
		read:    readLiteLLM,
		refused: refusedLiteLLM,
		traits:  traits{zeroOnErrors: true},
	}
}

// litellmRetries is how often the proxy may try again. Its errors do not say
// how often it did, so that one may have been billed for an answer that was lost:
// newel tries again by itself.
const litellmRetries = "X-Litellm-Num-Retries"

// askLiteLLM groups the proxy's spend by tags and names the call in its log.
func askLiteLLM(h http.Header, t Tags) {
	h.Set("X-Litellm-Call-Id", t.Key.String())
	h.Set(litellmRetries, "0")
	var tags []string
	meta := map[string]string{"call": t.Key.String()}
	for _, p := range t.pairs() {
		meta[p.name] = p.value
		if p.name != "case" {
			tags = append(tags, p.name+":"+strings.ReplaceAll(headerText(p.value), ",", "%2C"))
		}
	}
	if len(tags) > 0 {
		h.Set("X-Litellm-Tags", strings.Join(tags, ","))
	}
	h.Set("X-Litellm-Spend-Logs-Metadata", headerJSON(meta))
}

func readLiteLLM(r *response, c *newel.Call) {
	c.RequestID, c.Version = r.head("X-Litellm-Call-Id"), r.head("X-Litellm-Version")
	if id := firstHead(r, "Llm_provider-X-Request-Id", "Llm_provider-Request-Id"); id != "" {
		c.UpstreamID = id
	}
	c.Deployment = r.head("X-Litellm-Model-Id")
	if names := r.head("X-Litellm-Applied-Guardrails"); names != "" {
		c.GuardrailNames = strings.Split(names, ",")
		if c.Guardrail == "none" {
			c.Guardrail = "ran"
		}
	}
	if !r.ok() || r.failed() {
		litellmError(r, c) // its numbers mean nothing then
		return
	}
	litellmFallback(r, c)
	litellmModel(r, c)
	c.Cache = "miss"
	if r.head("X-Litellm-Cache-Key") != "" {
		c.Cache = "hit" // sent on hits only, with the price of a call that was not made
	}
	litellmLatency(r, c)
	litellmCost(r, c)
}

// litellmModel takes the model from the header. The body repeats what was asked;
// only a name that differs says something.
func litellmModel(r *response, c *newel.Call) {
	name := r.head("X-Litellm-Model-Name")
	if provider, _, ok := strings.Cut(name, "/"); ok {
		c.Provider = provider
	}
	if name == "" && c.ModelUsed == c.ModelAsked {
		c.ModelUsed, c.ModelSource = "", "unknown"
	}
	used(c, name, "header")
}

// litellmFallback counts attempts. The retries are those of the group that
// answered: without a fallback the count is exact, else it is the least.
func litellmFallback(r *response, c *newel.Call) {
	fallbacks, retries := r.headInt("X-Litellm-Attempted-Fallbacks"), r.headInt("X-Litellm-Attempted-Retries")
	step(c, fallbacks)
	if c.Fallback == "yes" {
		c.FallbackFrom = c.ModelAsked
	}
	if retries == nil || *retries < 0 {
		return
	}
	n := int(*retries+count(fallbacks)) + 1
	c.UpstreamAttempts, c.AttemptsExact = &n, c.Fallback == "no"
}

// litellmLatency reads the whole window; what is left of it without the overhead
// is the last attempt alone, as failed ones count as overhead.
func litellmLatency(r *response, c *newel.Call) {
	whole, over := r.headFloat("X-Litellm-Response-Duration-Ms"), r.headFloat("X-Litellm-Overhead-Duration-Ms")
	if whole != nil {
		c.GatewayMS, c.GatewayScope = whole, "total_incl_retries"
	}
	if last := less(whole, over); last != nil && c.Cache != "hit" {
		c.UpstreamMS, c.UpstreamScope = last, "last"
	}
}

// litellmCost reads the one header that is the amount; -original, -margin-amount
// and the parts are not. A stream tells it in its last chunk; in a whole answer
// the same field is what the provider said of itself.
func litellmCost(r *response, c *newel.Call) {
	inBody := r.money("usage", "cost")
	charged(c, r.headMoney("X-Litellm-Response-Cost"), "gateway_header")
	if r.stream && c.Cost.Gateway == nil {
		charged(c, inBody, "gateway_body")
	} else if inBody != nil {
		c.Cost.Upstream = inBody
	}
}

// refusedLiteLLM finds guardrails, which look like a bad request.
func refusedLiteLLM(r *response, c *newel.Call) (Fault, bool) {
	fields := dig(r.errorObject(), "provider_specific_fields")
	name := textOf(dig(fields, "guardrail_name"))
	if name == "" {
		return Fault{}, false
	}
	c.GuardrailNames = []string{name}
	// A mode is a name or a list of them. One that runs during the call does not
	// keep the model from being asked.
	if hasAny(fmt.Sprint(dig(fields, "guardrail_mode")), "post_call", "during_call") {
		return blocked(c, "blocked_output"), true
	}
	return blocked(c, "blocked_input"), true
}

// litellmError counts the attempts behind an error. Whatever came of asking a
// model begins with litellm; the rest is the proxy's own, such as a limit, a wrong
// key or no deployment to ask, which may come after others were.
func litellmError(r *response, c *newel.Call) {
	text := r.errorMessage()
	once := r.sent != nil && r.sent.Header.Get(litellmRetries) == "0"
	switch {
	case hasAny(text, "LiteLLM Retried:", "also failed:", "Fallback model group(s) configured"):
	case !strings.HasPrefix(text, "litellm.") && !strings.Contains(text, "Exception - ") && !heads(r.header, "Llm_provider-"):
		r.own = r.status < 500 && (once || !strings.Contains(text, "No deployments"))
	case hasAny(text, litellmNoFallback...), disablesFallbacks(r):
		c.Fallback = "no"
		if once {
			oneAttempt(c)
		}
	}
}

// litellmNoFallback is how the proxy says that it asked no other model: since
// 1.106, and before.
var litellmNoFallback = []string{"no fallback model group was found", "No fallback was attempted", "Available Model Group Fallbacks=None"}

// disablesFallbacks reports whether the suite's params do so; the proxy then
// says nothing of them.
func disablesFallbacks(r *response) bool {
	if r.sent == nil || r.sent.GetBody == nil {
		return false
	}
	body, err := r.sent.GetBody()
	if err != nil {
		return false
	}
	defer body.Close()
	data, err := io.ReadAll(body)
	return err == nil && isTrue(decodeObject(data), "disable_fallbacks")
}
