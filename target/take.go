package target

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"newel"
)

// take says where in a JSON response things are.
type take struct {
	output  *pointer // nil: only the calls are taken
	context *pointer
	calls   *pointer
	run     map[string]*pointer
}

// pointer is a JSON Pointer (/answer/0/text, empty for the whole response) or
// a path (answer.0.text).
type pointer struct {
	text  string
	steps []string
}

var (
	takeKeys = []string{"output", "context", "output_calls", "run.cost_usd", "run.latency_ms", "run.usage", "run.model"}
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// parseTake reads a map of what to take from where; a text alone is where the
// output is.
func parseTake(n *newel.Node, m *newel.Mistakes) *take {
	t := &take{run: map[string]*pointer{}}
	if n.IsScalar() {
		t.output = parsePointer(n, m)
		return t
	}
	fieldsOf(n, "take", takeKeys, m)
	for _, e := range n.Fields {
		p := parsePointer(e.Node, m)
		switch e.Name {
		case "output":
			t.output = p
		case "context":
			t.context = p
		case "output_calls":
			t.calls = p
		}
		if name, ok := strings.CutPrefix(e.Name, "run."); ok {
			t.run[name] = p
		}
	}
	if n.Lacks("output", takeKeys) && n.Lacks("output_calls", takeKeys) {
		m.Add(n.Pos, "take needs output or output_calls: where the answer is in the response")
	}
	return t
}

func parsePointer(n *newel.Node, m *newel.Mistakes) *pointer {
	text, ok := n.Text()
	if !ok {
		m.Add(n.Pos, "a place in the response is a text such as /answer/text; this is %s", n.Kind())
		return &pointer{}
	}
	p := &pointer{text: text}
	switch {
	case text == "":
	case strings.HasPrefix(text, "/"):
		for _, step := range strings.Split(text[1:], "/") {
			p.steps = append(p.steps, unescape.Replace(step))
		}
	default:
		p.steps = strings.Split(text, ".")
	}
	return p
}

// in returns what is there; null and nothing are both absent.
func (p *pointer) in(v any) (any, bool) {
	if p == nil {
		return nil, false
	}
	found, ok := newel.Walk(v, p.steps)
	return found, ok && found != nil
}

// from takes a response apart. Without output it is no answer; everything else
// may be absent.
func (t *take) from(v any) (*reply, *fault) {
	output, f := t.outputIn(v)
	if f != nil {
		return nil, f
	}
	r := &reply{output: output, run: map[string]any{}}
	if found, ok := t.context.in(v); ok {
		if r.context, f = passages(found); f != nil {
			return nil, f
		}
	}
	for name, p := range t.run {
		found, ok := p.in(v)
		if !ok {
			continue
		}
		if name == "cost_usd" || name == "latency_ms" {
			if found, f = number(p.text, found); f != nil {
				return nil, f
			}
		}
		r.run[name] = found
	}
	return r, nil
}

// outputIn returns the output. With calls it is a message, so that text and
// calls can both be read from it.
func (t *take) outputIn(v any) (newel.Raw, *fault) {
	output, found := t.output.in(v)
	calls, called := t.calls.in(v)
	if list, ok := calls.([]any); ok && len(list) == 0 {
		called = false
	}
	if called {
		if _, err := newel.CallsOf(calls); err != nil {
			return nil, &fault{kind: newel.KindProtocol, text: fmt.Sprintf("%s holds no tool calls: %v", t.calls.text, err)}
		}
	}
	switch {
	case called:
		content, f := contentOf(output)
		if f != nil {
			return nil, f
		}
		return encoded(map[string]any{"role": "assistant", "content": content, "tool_calls": calls})
	case found:
		return encoded(output)
	case t.output == nil:
		return encoded(message("assistant", ""))
	}
	return nil, &fault{kind: newel.KindProtocol, text: fmt.Sprintf("the response has nothing at %q%s", t.output.text, t.output.nearby(v))}
}

// nearby says how far into a response a place leads that is not there, and what
// is there instead.
func (p *pointer) nearby(v any) string {
	depth, at := 0, v
	for depth < len(p.steps) {
		next, ok := newel.Walk(at, p.steps[depth:depth+1])
		if !ok {
			break
		}
		depth, at = depth+1, next
	}
	where := "it"
	if depth > 0 {
		where = fmt.Sprintf("%q", strings.Join(p.steps[:depth], "."))
	}
	switch at := at.(type) {
	case map[string]any:
		return ": " + where + " has " + keysOf(at)
	case []any:
		return fmt.Sprintf(": %s is a list of %d", where, len(at))
	case nil:
		return ": " + where + " is null"
	}
	return ": " + where + " is no map or list"
}

// maxKeys is how many names a message lists.
const maxKeys = 10

// keysOf lists the names in a map, in order.
func keysOf(m map[string]any) string {
	keys := slices.Sorted(maps.Keys(m))
	more := ""
	if len(keys) > maxKeys {
		more = fmt.Sprintf(" and %d more", len(keys)-maxKeys)
		keys = keys[:maxKeys]
	}
	for i, k := range keys {
		keys[i] = strconv.Quote(k) // whole: a half of a secret would not be found
	}
	if len(keys) == 0 {
		return "no members"
	}
	return strings.Join(keys, ", ") + more
}

// contentOf returns an output as the content of a message: null, or a text.
func contentOf(output any) (any, *fault) {
	switch output.(type) {
	case nil, string:
		return output, nil
	}
	return jsonText(output)
}

func encoded(v any) (newel.Raw, *fault) {
	raw, err := newel.CanonicalOf(v)
	if err != nil {
		return nil, &fault{kind: newel.KindProtocol, text: err.Error()}
	}
	return raw, nil
}

// passages checks that a value is a context: a text, or a list of texts and
// {id, text}.
func passages(v any) ([]any, *fault) {
	raw, f := encoded(v)
	if f != nil {
		return nil, f
	}
	if _, err := newel.ParsePassages(raw); err != nil {
		return nil, &fault{kind: newel.KindProtocol, text: "the response's context: " + err.Error()}
	}
	if list, ok := v.([]any); ok {
		return list, nil
	}
	return []any{v}, nil
}
