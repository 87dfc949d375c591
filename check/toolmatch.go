package check

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"newel"
)

// callMatcher compares calls with what is wanted.
type callMatcher struct {
	tools       *toolset // nil: any tool may be called
	bfcl        bool
	ignoreExtra bool
}

// fit says which call names no tool or, with schemas, has arguments that do
// not fit; empty when all is well.
func (m *callMatcher) fit(ctx context.Context, calls []newel.ToolCall, schemas bool) (string, error) {
	if m.tools == nil {
		return "", nil
	}
	for _, c := range calls {
		t := m.tools.tools[c.Name]
		if t == nil {
			return fmt.Sprintf("%s is called and is not among the tools%s", show(c.Name), newel.DidYouMean(c.Name, m.tools.names)), nil
		}
		if !schemas {
			continue
		}
		if fault, err := t.fault(ctx, c); fault != "" || err != nil {
			return fault, err
		}
	}
	return "", nil
}

// compare says how calls differ from what is wanted; empty when they do not.
func (m *callMatcher) compare(calls []newel.ToolCall, wanted []wantedCall, anyOrder bool) string {
	switch {
	case len(wanted) == 0 && len(calls) > 0:
		return "no call may be made, and " + callNames(calls) + " is called"
	case len(calls) == 0 && len(wanted) > 0:
		return "no call is made, and " + wantedNames(wanted) + " is wanted"
	case len(calls) != len(wanted):
		return fmt.Sprintf("%d calls are made (%s), and %d wanted (%s)", len(calls), callNames(calls), len(wanted), wantedNames(wanted))
	case anyOrder:
		return m.assign(calls, wanted)
	}
	for i, c := range calls {
		if fault := m.differs(c, &wanted[i]); fault != "" {
			return fmt.Sprintf("call %d: %s", i+1, fault)
		}
	}
	return ""
}

// assign finds for each wanted call one of its own.
func (m *callMatcher) assign(calls []newel.ToolCall, wanted []wantedCall) string {
	p := pairing{fits: make([][]bool, len(wanted)), taken: make([]int, len(calls))}
	for i := range wanted {
		p.fits[i] = make([]bool, len(calls))
		for j, c := range calls {
			p.fits[i][j] = m.differs(c, &wanted[i]) == ""
		}
	}
	for i := range wanted {
		if !p.place(i, make([]bool, len(calls))) {
			return "no call is left that fits " + wanted[i].name + ": " + m.closest(calls, &wanted[i])
		}
	}
	return ""
}

// pairing gives wanted calls one call each, along augmenting paths.
type pairing struct {
	fits  [][]bool // by wanted call and call
	taken []int    // by call: the wanted call that has it, counted from 1
}

func (p *pairing) place(i int, tried []bool) bool {
	for j, fits := range p.fits[i] {
		if tried[j] || !fits {
			continue
		}
		tried[j] = true
		if p.taken[j] == 0 || p.place(p.taken[j]-1, tried) {
			p.taken[j] = i + 1
			return true
		}
	}
	return false
}

// closest says why the call that comes closest does not fit.
func (m *callMatcher) closest(calls []newel.ToolCall, w *wantedCall) string {
	for _, c := range calls {
		if fault := m.differs(c, w); c.Name == w.name && fault != "" {
			return fault
		}
	}
	return callNames(calls) + " is called"
}

// differs says how a call differs from a wanted one; empty when it does not.
func (m *callMatcher) differs(c newel.ToolCall, w *wantedCall) string {
	if c.Name != w.name {
		return fmt.Sprintf("%s is called, and %s is wanted", show(c.Name), show(w.name))
	}
	arguments, ok := c.Arguments.(map[string]any)
	if !ok {
		if w.exact != nil && equalJSON(c.Arguments, w.exact) {
			return ""
		}
		return fmt.Sprintf("%s has for arguments no map but %s", c.Name, kindOf(c.Arguments))
	}
	fault := ""
	if w.accepted != nil {
		fault = m.acceptedFault(c.Name, arguments, w.accepted)
	} else {
		fault = m.exactFault(arguments, w.exact)
	}
	if fault != "" {
		return c.Name + " " + fault
	}
	return ""
}

func (m *callMatcher) exactFault(arguments map[string]any, want any) string {
	exact, ok := want.(map[string]any)
	if !ok {
		return "has a map of arguments, and wanted is " + kindOf(want)
	}
	for _, name := range slices.Sorted(maps.Keys(exact)) {
		got, given := arguments[name]
		if !given {
			return fmt.Sprintf("lacks the argument %s", show(name))
		}
		if !equalJSON(got, exact[name]) {
			return fmt.Sprintf("has %s for %s, and wanted is %s", show(got), show(name), show(exact[name]))
		}
	}
	return m.extra(arguments, func(name string) bool { _, ok := exact[name]; return ok })
}

func (m *callMatcher) extra(arguments map[string]any, known func(name string) bool) string {
	if m.ignoreExtra {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		if !known(name) {
			return fmt.Sprintf("has the argument %s, which is not wanted", show(name))
		}
	}
	return ""
}

// acceptedFault compares arguments with lists of accepted values. Where the
// tool is known, what it requires must be there whatever is accepted.
func (m *callMatcher) acceptedFault(name string, arguments map[string]any, accepted map[string][]any) string {
	var t *tool
	if m.tools != nil {
		t = m.tools.tools[name]
	}
	if t != nil {
		if missing := t.missing(arguments); missing != "" {
			return fmt.Sprintf("lacks the argument %s, which the tool requires", show(missing))
		}
	}
	for _, argument := range slices.Sorted(maps.Keys(accepted)) {
		got, given := arguments[argument]
		switch values := accepted[argument]; {
		case !given && !mayLack(values):
			return fmt.Sprintf("lacks the argument %s", show(argument))
		case given && !acceptedAmong(got, values):
			return fmt.Sprintf("has %s for %s, and accepted is one of %s", show(got), show(argument), show(values))
		}
	}
	return m.extra(arguments, func(argument string) bool {
		_, ok := accepted[argument]
		return ok && (t == nil || t.has(argument))
	})
}

// mayLack reports whether accepted values let the argument be left out.
func mayLack(values []any) bool {
	return slices.ContainsFunc(values, func(v any) bool { return v == "" })
}

func acceptedAmong(got any, values []any) bool {
	return slices.ContainsFunc(values, func(v any) bool { return acceptable(got, v) })
}

// acceptable reports whether got is as good as the accepted value want: texts
// folded, lists item by item, maps with lists of accepted values.
func acceptable(got, want any) bool {
	switch want := want.(type) {
	case string:
		text, ok := got.(string)
		return ok && foldBFCL(text) == foldBFCL(want)
	case []any:
		list, ok := got.([]any)
		return ok && len(list) == len(want) && allPairs(list, want, acceptable)
	case map[string]any:
		m, ok := got.(map[string]any)
		return ok && acceptableMap(m, want)
	}
	return equalJSON(got, want)
}

func acceptableMap(got, want map[string]any) bool {
	for key := range got {
		if _, ok := want[key]; !ok {
			return false
		}
	}
	for key, v := range want {
		values, ok := v.([]any)
		if !ok {
			values = []any{v}
		}
		value, given := got[key]
		if given && !acceptedAmong(value, values) || !given && !mayLack(values) {
			return false
		}
	}
	return true
}

func allPairs(a, b []any, same func(x, y any) bool) bool {
	for i := range a {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}

// foldBFCL makes texts alike as the leaderboard does: no blanks, none of
// ,./-_*^, lower case, one kind of quotes.
func foldBFCL(text string) string {
	dropped := strings.Map(func(r rune) rune {
		switch r {
		case ' ', ',', '.', '/', '-', '_', '*', '^':
			return -1
		case '\'':
			return '"'
		}
		return r
	}, text)
	return strings.ToLower(dropped)
}

// equalJSON reports whether two decoded values are the same JSON; numbers
// count by value.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case []any:
		list, ok := b.([]any)
		return ok && len(a) == len(list) && allPairs(a, list, equalJSON)
	case map[string]any:
		m, ok := b.(map[string]any)
		if !ok || len(a) != len(m) {
			return false
		}
		for k, v := range a {
			other, ok := m[k]
			if !ok || !equalJSON(v, other) {
				return false
			}
		}
		return true
	case float64, json.Number:
		return equalNumber(a, b)
	}
	switch b.(type) {
	case []any, map[string]any, float64, json.Number:
		return false
	}
	return a == b
}

func equalNumber(a, b any) bool {
	x, ok := a.(float64)
	y, also := b.(float64)
	if ok && also {
		return x == y
	}
	if a == b { // two long integers, written alike
		return true
	}
	left, ok := ratOf(a)
	right, also := ratOf(b)
	return ok && also && left.Cmp(right) == 0
}

func ratOf(v any) (*big.Rat, bool) {
	switch n := v.(type) {
	case float64:
		r := new(big.Rat).SetFloat64(n)
		return r, r != nil
	case json.Number:
		if !shortNumber(n.String()) {
			return nil, false
		}
		return new(big.Rat).SetString(n.String())
	}
	return nil, false
}

func callNames(calls []newel.ToolCall) string {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = c.Name
	}
	return Clip(strings.Join(names, ", "), 200)
}

func wantedNames(wanted []wantedCall) string {
	names := make([]string, len(wanted))
	for i, w := range wanted {
		names[i] = w.name
	}
	return Clip(strings.Join(names, ", "), 200)
}
