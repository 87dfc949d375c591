package gateway

import "newel"

// anthropicDialect is the Messages API of Anthropic itself. It has no gateway in
// between: no fallback, no cache of answers, one attempt.
func anthropicDialect() *dialect {
	return &dialect{
		name: "anthropic",
		knows: func(r *response) bool {
			return (r.head("Anthropic-Organization-Id") != "" || r.head("Anthropic-Ratelimit-Requests-Limit") != "") && r.at("choices") == nil
		},
		ask:    askByID,
		read:   readAnthropic,
		traits: traits{once: true},
	}
}

func readAnthropic(r *response, c *newel.Call) {
	c.RequestID = firstHead(r, "Request-Id")
	if c.RequestID == "" {
		c.RequestID = r.text("request_id")
	}
	one := 1
	c.Fallback, c.Cache, c.UpstreamAttempts, c.AttemptsExact = "no", "miss", &one, true
	if r.text("usage", "speed") == "fast" {
		c.Tier = "fast"
	}
	if n := r.int("usage", "server_tool_use", "web_search_requests"); n != nil && *n > 0 {
		r.extra = true
	}
}
