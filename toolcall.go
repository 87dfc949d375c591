package newel

import "fmt"

// ToolCall is one call that an output asks for.
type ToolCall struct {
	Name      string
	Arguments any // decoded JSON; an object in every dialect we know
}

// Calls returns the tool calls of the output, in order. It reads a list of
// {name, arguments}, of OpenAI's {function: {name, arguments}} and of
// {name: arguments}; a message or conversation with tool_calls; and a text
// that holds any of these as JSON. Arguments given as text are parsed. An
// output with none of it gives an OutputError; an empty list, a text that is
// no JSON and a message without calls ask for nothing.
func (s *Subject) Calls() ([]ToolCall, error) {
	if !s.called {
		s.called = true
		s.calls, s.callErr = s.readCalls()
	}
	return s.calls, s.callErr
}

func (s *Subject) readCalls() ([]ToolCall, error) {
	v, err := s.JSON()
	if err != nil {
		if s.Output.Kind() == '"' {
			return nil, nil
		}
		return nil, err
	}
	switch v.(type) {
	case map[string]any, []any:
		return CallsOf(v)
	}
	if s.Output.Kind() == '"' {
		return nil, nil // a text such as 17: JSON by chance
	}
	return CallsOf(v)
}

// CallsOf reads tool calls from decoded JSON as Subject.Calls does.
func CallsOf(v any) ([]ToolCall, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return callsOfObject(v)
	case []any:
		return callsOfList(v)
	}
	return nil, &OutputError{fmt.Sprintf("the output holds %T where tool calls were expected", v)}
}

func callsOfObject(v map[string]any) ([]ToolCall, error) {
	if calls, ok := v["tool_calls"]; ok {
		return CallsOf(calls)
	}
	if _, isMessage := v["role"]; isMessage {
		return nil, nil
	}
	call, err := callOf(v)
	if err != nil {
		return nil, err
	}
	return []ToolCall{call}, nil
}

func callsOfList(list []any) ([]ToolCall, error) {
	calls := []ToolCall{}
	for _, e := range list {
		m, ok := e.(map[string]any)
		if !ok {
			return nil, &OutputError{"a tool call is not an object"}
		}
		some, err := callsOfObject(m)
		if err != nil {
			return nil, err
		}
		calls = append(calls, some...)
	}
	return calls, nil
}

func callOf(m map[string]any) (ToolCall, error) {
	if f, ok := m["function"].(map[string]any); ok {
		m = f
	}
	if name, ok := m["name"].(string); ok {
		args, given := m["arguments"]
		if !given {
			args = m["input"]
		}
		return callWith(name, args)
	}
	if len(m) == 1 {
		for name, args := range m {
			return callWith(name, args)
		}
	}
	return ToolCall{}, &OutputError{"a tool call has no name"}
}

func callWith(name string, args any) (ToolCall, error) {
	if text, ok := args.(string); ok {
		v, err := ParseJSON([]byte(text))
		if err != nil {
			return ToolCall{}, &OutputError{fmt.Sprintf("the arguments of %s are not JSON: %v", name, err)}
		}
		args = v
	}
	if args == nil {
		args = map[string]any{}
	}
	return ToolCall{Name: name, Arguments: args}, nil
}

// CallsAny returns calls as decoded JSON: a list of {name, arguments}.
func CallsAny(calls []ToolCall) any {
	l := make([]any, len(calls))
	for i, c := range calls {
		l[i] = map[string]any{"name": c.Name, "arguments": c.Arguments}
	}
	return l
}
