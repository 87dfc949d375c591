package gateway

import (
	"net/http"
	"strings"
	"time"

	"newel"
)

// reading is what is needed to read an answer besides the answer.
type reading struct {
	name   string // of the gateway in the suite
	model  string // that was asked
	tags   Tags
	prices *Prices
	mask   *newel.Secrets
}

// read turns an answer into a reply. It is a function of the answer alone: it
// neither sends nor waits.
func (g *reading) read(d *dialect, r *response) Reply {
	c := newCall(g, d, r)
	if d.read != nil {
		d.read(r, c)
	}
	reply := Reply{Fault: fault(d, r, c)}
	if reply.Fault == nil {
		take(r, &reply, c)
	}
	unasked(d, r, c, reply.Fault)
	doubt(&reply, c)
	settle(c, r, d.traits, g.prices, reply.Fault != nil && reply.Fault.MayCost)
	c.Raw = rawOf(r)
	if reply.Fault != nil {
		g.tell(reply.Fault, r, c)
	}
	reply.Call = *c
	return reply
}

// newCall begins the record of a call with what all gateways tell alike.
func newCall(g *reading, d *dialect, r *response) *newel.Call {
	c := &newel.Call{
		Key: g.tags.Key, Kind: "judge", Gateway: g.name, Dialect: d.name,
		ModelAsked: g.model, ModelSource: "unknown", Fallback: "unknown", Guardrail: "unknown", Cache: "unknown",
		Attempts: 1, GatewayScope: "unknown", UpstreamScope: "unknown",
		Status: r.status, Usage: readUsage(r), Limits: limitsOf(r),
	}
	c.UpstreamID = firstHead(r, "X-Request-Id", "Request-Id")
	c.Tier = r.text("service_tier")
	if tier := r.text("usage", "service_tier"); tier != "" {
		c.Tier = tier
	}
	c.Batch = c.Tier == "batch"
	if r.ok() && !r.failed() {
		c.Guardrail = "none"
		if model := r.text("model"); model != "" {
			c.ModelUsed, c.ModelSource = model, "body"
		}
	}
	return c
}

func firstHead(r *response, names ...string) string {
	for _, name := range names {
		if v := r.head(name); v != "" {
			return v
		}
	}
	return ""
}

// take reads the answer itself, in the order in which an answer can go wrong:
// no choices, a refusal, the reason it ended, then the text.
func take(r *response, reply *Reply, c *newel.Call) {
	if c.Outcome == "" {
		c.Outcome = "ok"
	}
	if isMessages(r) {
		takeMessage(r, reply, c)
	} else {
		takeChoice(r, reply, c)
	}
	if reply.Fault != nil {
		return
	}
	c.Finish = reply.Finish
	switch {
	case reply.Refused:
		c.Outcome = "refused"
	case reply.Finish == "content_filter":
		c.Outcome, c.Guardrail = "blocked", "upstream_filtered"
	case reply.Finish == "length":
		c.Outcome = "truncated"
	case reply.Text == "" && reply.Finish != "tool_calls":
		c.Outcome = "bad_output"
	}
	refused := reply.Refused
	c.Refusal = &refused
	if c.Fallback == "unknown" && otherFamily(c.ModelAsked, c.ModelUsed) {
		c.Fallback = "yes"
	}
}

// takeChoice reads an answer of the chat-completions wire.
func takeChoice(r *response, reply *Reply, c *newel.Call) {
	choices := r.list("choices")
	if len(choices) == 0 {
		reply.Fault = noAnswer(r)
		c.Outcome = "bad_output"
		return
	}
	choice := choices[0]
	reply.Finish = chatFinish(textOf(dig(choice, "finish_reason")))
	reply.Text = contentText(dig(choice, "message", "content"))
	if reply.Text == "" {
		reply.Text = textOf(dig(choice, "text"))
	}
	if refusal := textOf(dig(choice, "message", "refusal")); refusal != "" {
		reply.Refused, reply.Text = true, refusal
	}
	reply.Tokens = tokensOf(dig(choice, "logprobs"))
}

// contentText joins the texts of a content: one text, or a list of parts.
func contentText(content any) string {
	parts, ok := content.([]any)
	if !ok {
		return textOf(content)
	}
	var b strings.Builder
	for _, part := range parts {
		if kind := textOf(dig(part, "type")); kind == "text" || kind == "output_text" || kind == "" {
			b.WriteString(textOf(dig(part, "text")))
		}
	}
	return b.String()
}

// chatFinish maps the words of other APIs that gateways pass on unchanged.
func chatFinish(reason string) string {
	switch reason {
	case "end_turn", "stop_sequence", "eos", "STOP", "eos_token":
		return "stop"
	case "max_tokens", "MAX_TOKENS", "model_context_window_exceeded", "model_length":
		return "length"
	case "tool_use", "function_call":
		return "tool_calls"
	case "SAFETY", "PROHIBITED_CONTENT", "content_filtered":
		return "content_filter"
	}
	return reason
}

// doubt takes back a usage that cannot be true: an answer of no tokens.
func doubt(reply *Reply, c *newel.Call) {
	u := &c.Usage
	switch {
	case reply.Fault != nil || strings.HasPrefix(c.Cache, "hit") || u.Input == nil || u.Output == nil:
	case *u.Input == 0, *u.Output == 0 && reply.Text != "":
		u.Consistent = false
	}
}

// families are the beginnings of model names that no two makers share.
var families = [...]string{"gpt", "claude", "gemini", "gemma", "mistral", "mixtral", "llama", "qwen", "deepseek", "grok", "command", "nova", "phi"}

// otherFamily reports whether the model that answered is of another make than
// the one that was asked; false where either name says nothing.
func otherFamily(asked, used string) bool {
	a, u := family(asked), family(used)
	return a != "" && u != "" && a != u
}

func family(model string) string {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, f := range families {
		if strings.HasPrefix(name, f) {
			return f
		}
	}
	return ""
}

// clockOf returns when an answer came, by the far end's clock where it tells
// one: instants that it names are by that clock.
func clockOf(h http.Header, now time.Time) time.Time {
	if t, err := http.ParseTime(h.Get("Date")); err == nil {
		return t
	}
	return now
}
