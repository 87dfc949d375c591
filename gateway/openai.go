package gateway

import "newel"

// openaiDialect is chat completions without a gateway that says anything of
// itself: a provider, vLLM, llama.cpp, or one of the gateways that only pass on.
// It tells no cost, so the table does.
func openaiDialect() *dialect {
	return &dialect{name: "openai", ask: askByID, read: readPlain, traits: traits{once: true}}
}

// readPlain reads what a provider tells of its own call.
func readPlain(r *response, c *newel.Call) {
	c.RequestID = c.UpstreamID
	unsaid(c)
	c.UpstreamMS = r.headFloat("Openai-Processing-Ms")
	if c.UpstreamMS != nil {
		c.UpstreamScope = "last"
	}
}
