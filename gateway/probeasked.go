package gateway

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"newel"
)

// What a gateway does with what is asked of it, and what its errors keep.

// structuredFact looks whether the answer has the form that was asked for.
func (p *probe) structuredFact() Fact {
	const name = "structured output"
	c := p.call(probeSchema)
	switch {
	case c == nil:
		return Fact{name, toldNever, "not asked"}
	case c.reply.Fault != nil && c.reply.Fault.Again:
		return Fact{name, toldNever, c.Error}
	case c.reply.Fault != nil:
		return Fact{name, toldNo, "refused: " + c.Error}
	case inForm(c.reply.Text):
		return Fact{name, toldYes, "the answer has the form that the schema asks for"}
	case c.Call.Outcome == "truncated":
		return Fact{name, toldNever, fmt.Sprintf("the answer was cut off at %d tokens: a model that thinks needs more", p.o.MaxTokens)}
	}
	return Fact{name, toldNo, "the schema was accepted and not kept: the answer has another form"}
}

func inForm(text string) bool {
	v, err := newel.ParseJSON(newel.Raw(text))
	object, ok := v.(map[string]any)
	return err == nil && ok && len(object) == 1 && (object["verdict"] == "pass" || object["verdict"] == "fail")
}

func (p *probe) logprobsFact() Fact {
	const name = "logprobs"
	c := p.call(probeLogprobs)
	switch {
	case c == nil && p.client.messages:
		return Fact{name, toldNo, "the Messages wire has none"}
	case c == nil:
		return Fact{name, toldNever, "not asked"}
	case c.reply.Fault != nil && c.reply.Fault.Again:
		return Fact{name, toldNever, c.Error}
	case c.reply.Fault != nil:
		return Fact{name, toldNo, "refused: " + c.Error}
	case len(c.reply.Tokens) == 0:
		return Fact{name, toldNo, "asked for and not told"}
	}
	tops := 0
	for _, t := range c.reply.Tokens {
		tops = max(tops, len(t.Top))
	}
	if tops == 0 {
		return Fact{name, toldPartly, "of the answer's tokens; not of the likeliest in their places"}
	}
	return Fact{name, toldYes, fmt.Sprintf("with up to %d of 20 likeliest tokens in a place", tops)}
}

// errorsFact tells which facts an error keeps of those that answers have.
func (p *probe) errorsFact() Fact {
	const name = "errors"
	c := p.call(probeError)
	switch {
	case c == nil:
		return Fact{name, toldNever, "not asked"}
	case c.reply.Fault == nil:
		return Fact{name, toldNever, "a model that does not exist was answered by " + cmp.Or(clip(c.Call.ModelUsed, 100), "one that is not told")}
	case c.Call.Status == 0:
		return Fact{name, toldNo, c.Error}
	}
	about := fmt.Sprintf("HTTP %d, read as %s", c.Call.Status, c.Call.Outcome)
	if c.reply.Fault.Again {
		about += ", which is tried again"
	}
	first := p.answered()
	if first == nil {
		return Fact{name, toldNever, about}
	}
	kept, dropped := compareFacts(&first.Call, &c.Call)
	told := toldYes
	if len(dropped) > 0 {
		told, dropped[0] = toldPartly, "drop "+dropped[0]
	}
	if len(kept) > 0 {
		kept[0] = "keep " + kept[0]
	} else {
		told = toldNo
	}
	for _, list := range [][]string{kept, dropped} {
		if len(list) > 0 {
			about += "; " + strings.Join(list, ", ")
		}
	}
	return Fact{name, told, about}
}

// compareFacts says which of the facts that an answer has an error has too.
func compareFacts(answer, failure *newel.Call) (kept, dropped []string) {
	has := func(c *newel.Call) []bool {
		return []bool{c.RequestID != "" || c.UpstreamID != "", c.Cost.Gateway != nil, c.ModelUsed != "", c.Fallback != "unknown", c.Guardrail != "unknown",
			c.UpstreamAttempts != nil, c.GatewayMS != nil, c.Cache != "unknown", c.Limits != nil}
	}
	names := []string{"request id", "cost", "model", "fallback", "guardrail", "attempts", "latency", "cache", "limits"}
	before, after := has(answer), has(failure)
	for i, name := range names {
		switch {
		case after[i]:
			kept = append(kept, name)
		case before[i]:
			dropped = append(dropped, name)
		}
	}
	return kept, dropped
}

// maxHidden is how much of a value is shown, once secrets are out of it.
const maxHidden = 300

// hidden returns a call without the secrets that the far end may have written
// into it.
func hidden(c newel.Call, m *newel.Secrets) newel.Call {
	mask := func(text string) string { return clip(m.Mask(text), maxHidden) }
	for _, s := range []*string{&c.Version, &c.RequestID, &c.UpstreamID, &c.TraceID, &c.Generation, &c.ModelUsed, &c.Provider, &c.Deployment,
		&c.FallbackFrom, &c.Finish, &c.Tier} {
		*s = mask(*s)
	}
	c.GuardrailNames = slices.Clone(c.GuardrailNames)
	for i, name := range c.GuardrailNames {
		c.GuardrailNames[i] = mask(name)
	}
	raw := maps.Clone(c.Raw)
	clear(raw)
	for name, v := range c.Raw {
		raw[mask(name)] = mask(v)
	}
	c.Raw = raw
	return c
}
