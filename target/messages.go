package target

import (
	"strings"

	"newel"
)

func message(role, text string) map[string]any {
	return map[string]any{"role": role, "content": text}
}

// chatOf reads a case's input as chat messages: a text is what the user says, a
// message or a list of them stands as it is. Anything else is no chat.
func chatOf(input newel.Raw) ([]any, bool) {
	v, err := newel.ParseJSON(input)
	if err != nil {
		return nil, false
	}
	switch v := v.(type) {
	case string:
		return []any{message("user", v)}, true
	case map[string]any:
		return []any{v}, isMessage(v)
	case []any:
		for _, e := range v {
			if !isMessage(e) {
				return nil, false
			}
		}
		return v, len(v) > 0
	}
	return nil, false
}

func isMessage(v any) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	_, ok = m["role"].(string)
	return ok
}

func lastRole(messages []any) string {
	if len(messages) == 0 {
		return ""
	}
	last, _ := messages[len(messages)-1].(map[string]any)
	role, _ := last["role"].(string)
	return role
}

// callsIn returns the tool calls of the last message.
func callsIn(messages []any) []any {
	last, _ := messages[len(messages)-1].(map[string]any)
	calls, _ := last["tool_calls"].([]any)
	return calls
}

func lastUserText(messages []any) string {
	if lastRole(messages) != "user" {
		return ""
	}
	last := messages[len(messages)-1].(map[string]any)
	return contentText(last["content"])
}

// contentText returns a message's content as text: of a list of parts, the
// texts.
func contentText(content any) string {
	if text, ok := content.(string); ok {
		return text
	}
	parts, _ := content.([]any)
	var texts []string
	for _, p := range parts {
		if m, ok := p.(map[string]any); ok {
			if text, ok := m["text"].(string); ok {
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, "\n")
}

// assistantMessage turns an output into the message that the next turn follows.
func assistantMessage(output newel.Raw) (any, error) {
	v, err := newel.ParseJSON(output)
	switch {
	case err != nil:
		return nil, err
	case isMessage(v):
		return v, nil
	}
	if text, ok := v.(string); ok {
		return message("assistant", text), nil
	}
	return message("assistant", string(output)), nil
}

// addRun adds what one call told to what earlier calls of the same
// conversation told: numbers are summed, of anything else the newest stands. A
// cost that one call did not tell is unknown for the whole.
func addRun(sum, one map[string]any, first bool) {
	_, known := sum["cost_usd"]
	_, told := one["cost_usd"]
	for name, v := range one {
		sum[name] = plus(sum[name], v)
	}
	if !told || (!first && !known) {
		delete(sum, "cost_usd")
	}
}

// plus adds numbers, also those within maps; of anything else b stands.
func plus(a, b any) any {
	if m, ok := b.(map[string]any); ok {
		old, _ := a.(map[string]any)
		sum := make(map[string]any, len(m))
		for name, v := range old {
			sum[name] = v
		}
		for name, v := range m {
			sum[name] = plus(sum[name], v)
		}
		return sum
	}
	x, okX := newel.Float(a)
	y, okY := newel.Float(b)
	if okX && okY {
		return x + y
	}
	return b
}
