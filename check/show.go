package check

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"newel"
)

// kindOf names a decoded value's kind, for messages.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "a text"
	case []any:
		return "a list"
	case map[string]any:
		return "a map"
	}
	return "a number"
}

// numberText returns a number as JSON writes it.
func numberText(v any) (string, bool) {
	switch n := v.(type) {
	case json.Number:
		return n.String(), true
	case float64:
		b, err := json.Marshal(n)
		return string(b), err == nil
	}
	return "", false
}

// show returns v for an explanation, at most 200 bytes.
func show(v any) string {
	if text, ok := v.(string); ok {
		return fmt.Sprintf("%q", Clip(text, 200))
	}
	b, err := newel.CanonicalOf(v)
	if err != nil {
		return kindOf(v)
	}
	return Clip(string(b), 200)
}

// Clip shortens text to about n bytes at a rune's border.
func Clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// showList returns texts for an explanation.
func showList(texts []string) string {
	switch len(texts) {
	case 0:
		return "nothing"
	case 1:
		return show(texts[0])
	}
	list := make([]any, len(texts))
	for i, t := range texts {
		list[i] = t
	}
	return show(list)
}
