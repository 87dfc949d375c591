package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"newel"
)

// maxCalls bounds the tool calls of one output, and those wanted.
const maxCalls = 200

// toolCallsSpec compares the tool calls of an output.
func toolCallsSpec() *Spec {
	return &Spec{
		Name: "tool-calls", Family: "schema", Main: "value", Compares: true,
		About:  "The output asks for the wanted tool calls: names, arguments, how many, in order. With tools, every call must name one of them and its arguments must fit that tool's schema; with tools alone nothing else is asked. An empty list of wanted calls means that none may be made; a text that is no JSON makes none.",
		Source: "dialect: bfcl and accept follow the AST evaluation of the Berkeley Function Calling Leaderboard (Patil et al.): texts are compared without case, blanks and the characters , . / - _ * ^ and with both quotes alike, lists item by item, objects key by key",
		Params: append([]Param{
			{Name: "tools", Type: "list, or file name", About: "the tools that may be called: {name, parameters}, also within function: and with input_schema for parameters, or just names"},
			{Name: "accept", Type: "list", About: "the wanted calls as [{tool: {argument: [accepted values]}}]; an empty text among the values means that the argument may be left out"},
			{Name: "order", Type: "strict or any", About: "whether the calls must come in the order of the wanted ones", Default: "strict"},
			{Name: "dialect", Type: "openai or bfcl", About: "openai: wanted calls are {name, arguments} and arguments must be equal; bfcl: wanted calls are written as under accept, and tools may use the types dict, float, tuple and any", Default: "openai"},
			{Name: "ignore_extra", Type: "true or false", About: "arguments beyond the wanted ones do not count", Default: "false"},
			{Name: "at", Type: "path", About: "where the calls stand", Default: "output"},
		}, wantedParams...),
		Example:     `tool-calls: {value: [{name: get_order, arguments: {id: 17}}], order: any}`,
		Approximate: "Against the published evaluation: a whole number is an integer however it is written (5.0 is 5); nested objects are compared key by key at any depth; a list must match item by item where the original also lets a wrongly typed item pass its type check. Calls are read from JSON, not from source code.",
		Build: func(a *Args) Func {
			t := toolCallsOf(a)
			return func(ctx context.Context, s *newel.Subject) newel.Score {
				score, err := t.score(ctx, s)
				if err != nil {
					return Because(err)
				}
				return score
			}
		},
	}
}

// toolCalls is one check, built.
type toolCalls struct {
	at      newel.Path
	tools   *toolSource
	accept  Arg[any]
	wanted  *Wanted // nil when accept says what is wanted, or tools alone are given
	order   Arg[string]
	dialect Arg[string]
	extra   Arg[bool]
}

func toolCallsOf(a *Args) *toolCalls {
	t := &toolCalls{
		at:      a.Path("at", "output"),
		accept:  Any(a, "accept"),
		order:   Word(a, "order", "strict", "any"),
		dialect: Word(a, "dialect", "openai", "bfcl"),
		extra:   Flag(a, "ignore_extra", false),
	}
	t.tools = toolSourceOf(a, t.dialect)
	compares := a.Has("value") || a.Has("from")
	switch {
	case t.accept.Set() && compares:
		a.Wrong(a.Pos(), "tool-calls has both accept and value or from: keep one")
	case t.accept.Set():
		if _, constant := t.accept.Constant(); !constant {
			a.askSettles()
		}
	case compares || !t.tools.arg.Set():
		t.wanted = WantedOf(a)
	}
	t.checkConstants(a)
	return t
}

// checkConstants notes wanted calls that cannot be read.
func (t *toolCalls) checkConstants(a *Args) {
	dialect, fixed := t.dialect.Constant()
	if v, constant := t.accept.Constant(); constant && t.accept.Set() {
		if _, err := readAccepted(v); err != nil {
			a.Wrong(a.Node("accept").Pos, "tool-calls: accept %v", err)
		}
	}
	if t.wanted == nil || t.wanted.OfCase() || !fixed {
		return
	}
	v, _ := t.wanted.value.Constant()
	if _, err := readWanted(v, dialect); err != nil {
		a.Wrong(a.Node("value").Pos, "tool-calls: value %v", err)
	}
}

func (t *toolCalls) score(ctx context.Context, s *newel.Subject) (newel.Score, error) {
	calls, err := t.calls(s)
	if err != nil {
		return newel.Score{}, err
	}
	tools, err := t.tools.at(s)
	if err != nil {
		return newel.Score{}, err
	}
	m := callMatcher{tools: tools}
	dialect, err := t.dialect.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	m.bfcl = dialect == "bfcl"
	if m.ignoreExtra, err = t.extra.At(s); err != nil {
		return newel.Score{}, err
	}
	wanted, compares, err := t.want(s, dialect)
	if err != nil {
		return newel.Score{}, err
	}
	if fault, err := m.fit(ctx, calls, !m.bfcl || !compares); fault != "" || err != nil {
		return callScore(fault, calls, wanted), err
	}
	if !compares {
		return newel.Passed(), nil
	}
	order, err := t.order.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	return callScore(m.compare(calls, wanted, order == "any"), calls, wanted), nil
}

func callScore(fault string, calls []newel.ToolCall, wanted []wantedCall) newel.Score {
	if fault == "" {
		return newel.Passed()
	}
	want := make([]any, len(wanted))
	for i, w := range wanted {
		want[i] = map[string]any{w.name: w.shown()}
	}
	return newel.Score{Verdict: newel.Fail, Explanation: fault, Evidence: []newel.Evidence{{Path: "output_calls", Want: show(want), Got: show(newel.CallsAny(calls))}}}
}

// calls returns the calls that the output makes.
func (t *toolCalls) calls(s *newel.Subject) ([]newel.ToolCall, error) {
	calls, err := t.read(s)
	if err != nil {
		return nil, err
	}
	if len(calls) > maxCalls {
		return nil, &LimitError{fmt.Sprintf("the output makes %d tool calls; at most %d are compared", len(calls), maxCalls)}
	}
	arguments := make([]any, len(calls))
	for i, c := range calls {
		arguments[i] = c.Arguments
	}
	return calls, boundJSON("the tool calls' arguments", arguments)
}

func (t *toolCalls) read(s *newel.Subject) ([]newel.ToolCall, error) {
	if t.at.String() == "output" {
		return s.Calls()
	}
	v, err := s.Lookup(t.at)
	if err != nil {
		return nil, err
	}
	if text, ok := v.(string); ok {
		if v, err = newel.ParseJSON([]byte(text)); err != nil {
			return nil, nil // as Subject.Calls: a text that is no JSON asks for nothing
		}
	}
	calls, err := newel.CallsOf(v)
	if err != nil && !t.at.OfOutput() {
		return nil, &ParamError{fmt.Sprintf("%s: %v", t.at, err)}
	}
	return calls, err
}

// want returns the wanted calls; ok is false where only tools are given.
func (t *toolCalls) want(s *newel.Subject, dialect string) (wanted []wantedCall, ok bool, err error) {
	var v any
	name := "accept"
	switch {
	case t.accept.Set():
		dialect = "bfcl"
		v, err = t.accept.At(s)
	case t.wanted != nil:
		name = "what is wanted"
		v, err = t.wanted.Any(s)
	default:
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	wanted, err = readWanted(v, dialect)
	if err != nil {
		return nil, false, &ParamError{name + " " + err.Error()}
	}
	return wanted, true, nil
}

// wantedCall is one call that must be made.
type wantedCall struct {
	name     string
	exact    any              // arguments, when they must be equal
	accepted map[string][]any // else for each argument what is accepted
}

func (w *wantedCall) shown() any {
	if w.accepted != nil {
		return w.accepted
	}
	return w.exact
}

func readWanted(v any, dialect string) ([]wantedCall, error) {
	if err := boundJSON("it", v); err != nil {
		return nil, err
	}
	if dialect == "bfcl" {
		return readAccepted(v)
	}
	calls, err := newel.CallsOf(v)
	if err != nil {
		return nil, fmt.Errorf("is a list of {name, arguments}: %s", strings.ReplaceAll(err.Error(), "the output holds", "it holds"))
	}
	if len(calls) > maxCalls {
		return nil, fmt.Errorf("is a list of at most %d calls", maxCalls)
	}
	out := make([]wantedCall, len(calls))
	for i, c := range calls {
		out[i] = wantedCall{name: c.Name, exact: c.Arguments}
	}
	return out, nil
}

// readAccepted reads [{tool: {argument: [accepted values]}}].
func readAccepted(v any) ([]wantedCall, error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	if len(list) > maxCalls {
		return nil, fmt.Errorf("is a list of at most %d calls", maxCalls)
	}
	out := make([]wantedCall, len(list))
	for i, e := range list {
		m, ok := e.(map[string]any)
		if !ok || len(m) != 1 {
			return nil, errors.New("is a list of {tool: {argument: [accepted values]}}, one tool each; this is not: " + show(e))
		}
		for name, arguments := range m {
			accepted, err := acceptedValues(name, arguments)
			if err != nil {
				return nil, err
			}
			out[i] = wantedCall{name: name, accepted: accepted}
		}
	}
	return out, nil
}

func acceptedValues(name string, v any) (map[string][]any, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("has for %s no map of arguments but %s", name, kindOf(v))
	}
	out := make(map[string][]any, len(m))
	for argument, values := range m {
		list, ok := values.([]any)
		if !ok {
			return nil, fmt.Errorf("has for %s.%s no list of accepted values but %s", name, argument, show(values))
		}
		out[argument] = list
	}
	return out, nil
}
