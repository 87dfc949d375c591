package gateway

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"newel"
)

// portkeyDialect reads Portkey: no money, the model in the body, retries of the
// last target in a header, and a path through the config from which a fallback
// has to be inferred: only whoever sent the config knows what an index means.
func portkeyDialect() *dialect {
	return &dialect{
		name:    "portkey",
		knows:   func(r *response) bool { return heads(r.header, "X-Portkey-") },
		key:     keyPortkey,
		ask:     askPortkey,
		read:    readPortkey,
		refused: refusedPortkey,
		config:  "X-Portkey-Config",
		traits:  traits{hidesRetries: true},
	}
}

// keyPortkey sends Portkey's own key to Portkey's service, and to a gateway that
// a team runs itself the provider's, as it wants it.
func keyPortkey(h http.Header, key string, to *url.URL) {
	if host := to.Hostname(); host == "portkey.ai" || strings.HasSuffix(host, ".portkey.ai") {
		h.Set("X-Portkey-Api-Key", key)
		return
	}
	h.Set("Authorization", "Bearer "+key)
}

func askPortkey(h http.Header, t Tags) {
	h.Set("X-Portkey-Trace-Id", t.Key.String())
	meta := map[string]string{}
	for _, p := range t.pairs() {
		meta[p.name] = cut(p.value, 128)
	}
	h.Set("X-Portkey-Metadata", headerJSON(meta))
}

func readPortkey(r *response, c *newel.Call) {
	c.TraceID, c.Provider = r.head("X-Portkey-Trace-Id"), r.head("X-Portkey-Provider")
	c.RequestID = c.TraceID
	c.Cache = portkeyCache(r.head("X-Portkey-Cache-Status"))
	portkeyHooks(r, c)
	// What it does not take by itself, such as a config, it says without an error.
	r.own = r.status >= 400 && r.status < 500 && r.text("status") == "failure" && r.at("provider") == nil
	path := r.head("X-Portkey-Last-Used-Option-Index")
	portkeyFallback(r.config, path, c)
	if n := r.headInt("X-Portkey-Retry-Attempt-Count"); n != nil && *n >= 0 {
		// The retries are those of the last target: with others before it the least.
		attempts := int(*n) + 1 + count64(c.FallbackIndex)
		c.UpstreamAttempts, c.AttemptsExact = &attempts, c.Fallback == "no"
		if c.AttemptsExact && attempts == 1 {
			c.Cost.Excludes = "no"
		}
	}
}

func portkeyCache(word string) string {
	switch word {
	case "HIT":
		return "hit_exact"
	case "SEMANTIC HIT":
		return "hit_semantic"
	case "SEMANTIC MISS":
		return "miss"
	}
	return cacheWord(word)
}

// portkeyHooks reads what the guardrails of the config found.
func portkeyHooks(r *response, c *newel.Call) {
	for _, side := range []string{"before_request_hooks", "after_request_hooks"} {
		for _, hook := range r.list("hook_results", side) {
			if id := textOf(dig(hook, "id")); id != "" {
				c.GuardrailNames = append(c.GuardrailNames, id)
			}
			if c.Guardrail == "none" {
				c.Guardrail = "ran"
			}
			if passed, told := dig(hook, "verdict").(bool); told && !passed && c.Guardrail == "ran" {
				c.Guardrail = "flagged"
			}
		}
	}
}

// portkeyFallback follows the path, such as config.targets[1].targets[0], through
// the config that was sent. A step beyond the first is a fallback only where the
// strategy at that place is one; where targets share the load it is not.
func portkeyFallback(config, path string, c *newel.Call) {
	if path == "" {
		return
	}
	var here any = decodeObject([]byte(config))
	c.Fallback = "no"
	for _, part := range strings.Split(path, ".")[1:] {
		text, ok := strings.CutPrefix(strings.TrimSuffix(part, "]"), "targets[")
		k, err := strconv.Atoi(text)
		if !ok || err != nil || k < 0 {
			c.Fallback = "unknown"
			return
		}
		if k > 0 {
			switch textOf(dig(here, "strategy", "mode")) {
			case "fallback":
				c.Fallback, c.FallbackIndex = "yes", &k
			case "loadbalance", "conditional", "single":
			default:
				if c.Fallback == "no" {
					c.Fallback = "unknown"
				}
			}
		}
		here = nth(dig(here, "targets"), k)
	}
}

// refusedPortkey tells a denied answer, which was paid for, from a denied
// question, and the gateway's own failures, which have no error object.
func refusedPortkey(r *response, c *newel.Call) (Fault, bool) {
	page := r.text("html-message")
	switch {
	case r.status == 446:
		if denied(r.list("hook_results", "before_request_hooks")) {
			return blocked(c, "blocked_input"), true
		}
		return blocked(c, "blocked_output"), true
	case r.head("X-Portkey-Gateway-Exception") != "":
		c.Outcome = "gateway_error"
		return Fault{Kind: newel.KindGateway, Again: true, MayCost: true}, true
	case page != "":
		c.Outcome = "upstream_error"
		return Fault{Kind: newel.KindGateway, Again: true, MayCost: !strings.Contains(page, "ECONNREFUSED")}, true
	}
	return Fault{}, false
}

func denied(hooks []any) bool {
	for _, hook := range hooks {
		if passed, told := dig(hook, "verdict").(bool); told && !passed && isTrue(hook, "deny") {
			return true
		}
	}
	return false
}
