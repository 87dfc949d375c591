package gateway

import (
	"net/http"
	"strings"

	"newel"
)

// What the readers of several gateways have in common.

// heads reports whether a header with this prefix, in canonical form, came.
func heads(h http.Header, prefix string) bool {
	for name := range h {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// nth is an element of a list; nil where there is none.
func nth(v any, i int) any {
	list, _ := v.([]any)
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// isTrue reports whether true stands at a path.
func isTrue(v any, path ...string) bool {
	b, _ := dig(v, path...).(bool)
	return b
}

// millisOf is the number of milliseconds at a path, finite and not below 0.
func millisOf(v any, path ...string) *float64 { return finite(numberText(dig(v, path...))) }

// moneyOf is the amount of dollars at a path, a number or a text.
func moneyOf(v any, path ...string) *newel.Money { return amount(numberText(dig(v, path...))) }

// step says that the target with this index answered, the first being 0.
func step(c *newel.Call, index *int64) {
	if index == nil || *index < 0 {
		return
	}
	i := int(*index)
	c.FallbackIndex, c.Fallback = &i, "no"
	if i > 0 {
		c.Fallback = "yes"
	}
}

// used says which model answered, by what source; nothing where name is empty.
func used(c *newel.Call, name, source string) {
	if name != "" {
		c.ModelUsed, c.ModelSource = name, source
	}
}

// charged notes the amount a gateway reports; nothing where it is nil.
func charged(c *newel.Call, amount *newel.Money, source string) {
	if amount != nil {
		c.Cost.Gateway, c.Cost.Source = amount, source
	}
}

// unsaid takes back that no guardrail fired, where a gateway lets an answer
// pass without saying whether one objected.
func unsaid(c *newel.Call) {
	if c.Guardrail == "none" {
		c.Guardrail = "unknown"
	}
}

// sparse is for gateways that tell neither money nor guardrails: what the body
// passes on as a cost is kept as evidence of whoever stands behind, not as this
// gateway's word.
func sparse(r *response, c *newel.Call) {
	unsaid(c)
	if m := r.money("usage", "cost"); m != nil && *m > 0 {
		c.Cost.Upstream = m
	}
}

// less is a − b, not below 0; nil where either is unknown.
func less(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	d := max(*a-*b, 0)
	return &d
}

// cacheWord reads the words that gateways have for what their cache did.
func cacheWord(text string) string {
	switch strings.ToLower(text) {
	case "hit", "true":
		return "hit"
	case "miss", "refresh", "expired", "false":
		return "miss"
	case "bypass", "disabled", "skip":
		return "bypass"
	}
	return "unknown"
}

// errorWords is what an error says of itself: type, code and message, in lower
// case.
func errorWords(r *response) string {
	return strings.ToLower(r.errorType() + " " + r.errorCode() + " " + textOf(r.errorObject()["error_code"]) + " " + r.errorMessage())
}
