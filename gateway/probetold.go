package gateway

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"newel"
)

// What a gateway tells of each answer, as the calls of a self-test show it.

func (p *probe) modelFact() Fact {
	return p.of("model used", func(c *newel.Call) (string, string) {
		places := map[string]string{"header": "in a header", "body": "in the body", "lookup": "by a look-up after the call"}
		if at := places[c.ModelSource]; at != "" && c.ModelUsed != "" {
			return toldYes, at + ": " + clip(c.ModelUsed, 100)
		}
		return toldNo, "not told"
	})
}

func (p *probe) fallbackFact() Fact {
	return p.of("fallback", func(c *newel.Call) (string, string) {
		switch c.Fallback {
		case "no":
			return toldYes, "there was none"
		case "yes":
			return toldYes, "another target than the first answered"
		}
		return toldNo, "not told"
	})
}

func (p *probe) guardrailFact() Fact {
	return p.of("guardrail", func(c *newel.Call) (string, string) {
		words := map[string]string{"none": "none objected", "ran": "ran, and told no objection", "flagged": "objected, and let it pass", "upstream_filtered": "the provider's filter"}
		about, ok := words[c.Guardrail]
		if !ok {
			return toldNo, "not told of an answer that passed"
		}
		if len(c.GuardrailNames) > 0 {
			about += ": " + strings.Join(c.GuardrailNames, ", ")
		}
		return toldYes, about
	})
}

func (p *probe) attemptsFact() Fact {
	return p.of("attempts", func(c *newel.Call) (string, string) {
		switch {
		case c.UpstreamAttempts == nil:
			return toldNo, "not told: those that fail within the gateway stay hidden"
		case c.AttemptsExact:
			return toldYes, strconv.Itoa(*c.UpstreamAttempts) + ", all of them counted"
		}
		return toldPartly, "at least " + strconv.Itoa(*c.UpstreamAttempts)
	})
}

func (p *probe) latencyFact() Fact {
	return p.of("latency", func(c *newel.Call) (string, string) {
		var parts []string
		told := toldYes
		if c.GatewayMS != nil {
			covers := map[string]string{"total_incl_retries": "with retries", "last_attempt": "last attempt",
				"to_headers": "up to the headers", "cached_original": "of the call that filled the cache"}
			parts = append(parts, fmt.Sprintf("gateway %.0f ms (%s)", *c.GatewayMS, cmp.Or(covers[c.GatewayScope], "not said of what")))
			if covers[c.GatewayScope] == "" {
				told = toldPartly
			}
		}
		if c.UpstreamMS != nil {
			covers := map[string]string{"cumulative": "all attempts", "last": "last attempt"}
			parts = append(parts, fmt.Sprintf("provider %.0f ms (%s)", *c.UpstreamMS, cmp.Or(covers[c.UpstreamScope], "not said of what")))
		}
		if len(parts) == 0 {
			told = toldNo
		} else if c.GatewayMS == nil {
			told = toldPartly
		}
		return told, strings.Join(append(parts, fmt.Sprintf("newel's clock %.0f ms", c.ClientMS)), ", ")
	})
}

// cacheFact tells what the gateway's cache did with one prompt sent twice.
func (p *probe) cacheFact() Fact {
	return p.of("gateway cache", func(c *newel.Call) (string, string) {
		again := p.call(probeAgain)
		switch {
		case again == nil || again.reply.Fault != nil:
			return toldNever, "the prompt that is sent twice was not answered twice"
		case strings.HasPrefix(again.Call.Cache, "hit"):
			return toldYes, again.Call.Cache + " for the same prompt, though it was asked to stay out where it can be asked: such rows have another latency and no cost"
		case again.Call.Cache == "unknown":
			return toldNo, "not told"
		}
		return toldYes, again.Call.Cache + " for the same prompt"
	})
}

func (p *probe) usageFact() Fact {
	return p.of("usage", func(c *newel.Call) (string, string) {
		u := c.Usage
		switch {
		case u.Source == "none" || u.Source == "":
			return toldNo, "not told: no table can say what a call costs"
		case !u.Consistent:
			return toldPartly, "in the " + u.Source + "; it does not add up, so that no cost is computed from it"
		}
		words := map[string]string{"inclusive": "input as told has cached tokens in it", "exclusive": "input as told leaves cached tokens out"}
		return toldYes, "in the " + u.Source + ", " + u.Convention + ": " + cmp.Or(words[u.Convention], "how cached tokens count is not known")
	})
}

// cachedFact tells of the provider's cache, as the second of two equal prompts
// shows it.
func (p *probe) cachedFact() Fact {
	again := p.call(probeAgain)
	if again == nil || again.reply.Fault != nil {
		return Fact{"cached tokens", toldNever, "the prompt that is sent twice was not answered twice"}
	}
	u := again.Call.Usage
	switch {
	case u.CacheRead == nil:
		return Fact{"cached tokens", toldNo, "not told"}
	case *u.CacheRead == 0:
		return Fact{"cached tokens", toldPartly, "told as 0 for a prompt sent twice: the provider caches it not, or not yet, or the gateway hides it"}
	case u.Input == nil:
		return Fact{"cached tokens", toldYes, fmt.Sprintf("%d of the second of two equal prompts", *u.CacheRead)}
	}
	return Fact{"cached tokens", toldYes, fmt.Sprintf("%d of %d input tokens of the second of two equal prompts", *u.CacheRead, *u.Input)}
}

// ids lists which ids a call brought.
func ids(c *newel.Call) []string {
	var list []string
	for _, id := range []struct{ of, value string }{
		{"of the gateway", c.RequestID}, {"of the provider", c.UpstreamID}, {"of a trace", c.TraceID}, {"for a later look-up", c.Generation},
	} {
		if id.value != "" && !(id.of == "of the gateway" && c.RequestID == c.UpstreamID) {
			list = append(list, id.of)
		}
	}
	return list
}

func (p *probe) idFact() Fact {
	return p.of("request id", func(c *newel.Call) (string, string) {
		list := ids(c)
		if len(list) == 0 {
			return toldNo, "none: a call is not found again in the gateway's log"
		}
		return toldYes, strings.Join(list, ", ")
	})
}

func (p *probe) limitsFact() Fact {
	var after, limits string
	for i := range p.Calls {
		c := &p.Calls[i].Call
		if c.RetryAfterMS != nil && after == "" {
			after = fmt.Sprintf("Retry-After of %s", seconds(*c.RetryAfterMS))
		}
		if c.Limits != nil && limits == "" {
			limits = limitText(c.Limits)
		}
	}
	switch {
	case after+limits == "" && p.answered() == nil:
		return Fact{"limits", toldNever, "no call was answered"}
	case after+limits == "":
		return Fact{"limits", toldNo, "not told of these calls; a Retry-After comes, if at all, with a refusal"}
	case after == "":
		return Fact{"limits", toldYes, limits}
	case limits == "":
		return Fact{"limits", toldYes, after}
	}
	return Fact{"limits", toldYes, after + "; " + limits}
}

func limitText(l *newel.Limits) string {
	var parts []string
	for _, n := range []struct {
		name  string
		value *int64
	}{{"limit", l.Limit}, {"remaining", l.Remaining}} {
		if n.value != nil {
			parts = append(parts, n.name+" "+strconv.FormatInt(*n.value, 10))
		}
	}
	if l.ResetMS != nil {
		parts = append(parts, "full again in "+seconds(*l.ResetMS))
	}
	return strings.Join(parts, ", ")
}

func seconds(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) + " s" }
