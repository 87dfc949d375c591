package check

import (
	"context"
	"strings"

	"newel"
)

var stepOrders = []string{"exact", "in-order", "any-order", "subset"}

// stepsSpec asks which tools the output calls, and in which order.
func stepsSpec() *Spec {
	return &Spec{
		Name: "steps", Family: "structural", Main: "names",
		About: "The tools that the output calls. exact: these and no others, in this order; in-order: these, in this order, others may come between; any-order: each of these at least as often as it is listed, others may come too; subset: no tool that is not listed, however often. What the calls' arguments are is for tool-calls to say.",
		Params: []Param{
			{Name: "names", Type: "text or list of texts", About: "names of tools", Required: true},
			{Name: "order", Type: "one of " + strings.Join(stepOrders, ", "), About: "how the calls must follow the list", Default: "exact"},
		},
		Example: "steps: {names: [search_orders, refund], order: in-order}",
		Build: func(a *Args) Func {
			names, order := Texts(a, "names"), Word(a, "order", stepOrders...)
			list, fixedNames := names.Constant()
			word, fixedOrder := order.Constant()
			if names.Set() && fixedNames && fixedOrder && len(list) == 0 && (word == "in-order" || word == "any-order") {
				a.Wrong(a.Node("names").Pos, "steps: %s with no names is met by any calls", word)
			}
			return func(_ context.Context, s *newel.Subject) newel.Score { return stepsScore(s, names, order) }
		},
	}
}

func stepsScore(s *newel.Subject, names Arg[[]string], order Arg[string]) newel.Score {
	calls, err := s.Calls()
	if err != nil {
		return Because(err)
	}
	wanted, err := names.At(s)
	if err != nil {
		return Because(err)
	}
	word, err := order.At(s)
	if err != nil {
		return Because(err)
	}
	got := make([]string, len(calls))
	for i, c := range calls {
		got[i] = c.Name
	}
	reason := stepsMiss(word, wanted, got)
	if reason == "" {
		return newel.Passed()
	}
	return newel.Score{
		Verdict:     newel.Fail,
		Explanation: reason,
		Evidence:    []newel.Evidence{{Path: "output_calls", Want: word + ": " + listed(wanted), Got: listed(got)}},
	}
}

// stepsMiss says why calls do not follow a list of names, or "".
func stepsMiss(order string, wanted, got []string) string {
	switch order {
	case "in-order":
		return missInOrder(wanted, got)
	case "any-order":
		return missAnyOrder(wanted, got)
	case "subset":
		return missSubset(wanted, got)
	}
	for i := range max(len(wanted), len(got)) {
		switch {
		case i >= len(got):
			return "there is no call " + ordinal(i) + ", which should be " + show(wanted[i])
		case i >= len(wanted):
			return "call " + ordinal(i) + ", " + show(got[i]) + ", is one too many"
		case wanted[i] != got[i]:
			return "call " + ordinal(i) + " is " + show(got[i]) + ", not " + show(wanted[i])
		}
	}
	return ""
}

func missInOrder(wanted, got []string) string {
	next := 0
	for _, name := range got {
		if next < len(wanted) && name == wanted[next] {
			next++
		}
	}
	if next == len(wanted) {
		return ""
	}
	after := ""
	if next > 0 {
		after = " after " + show(wanted[next-1])
	}
	return show(wanted[next]) + " is not called" + after
}

func missAnyOrder(wanted, got []string) string {
	left := map[string]int{}
	for _, name := range got {
		left[name]++
	}
	for _, name := range wanted {
		if left[name]--; left[name] < 0 {
			return show(name) + " is not called as often as it is listed"
		}
	}
	return ""
}

func missSubset(wanted, got []string) string {
	for i, name := range got {
		if !contained(wanted, name) {
			return "call " + ordinal(i) + " is " + show(name) + ", which is not listed"
		}
	}
	return ""
}

func listed(names []string) string {
	if len(names) == 0 {
		return "no calls"
	}
	return Clip(strings.Join(names, ", "), 400)
}
