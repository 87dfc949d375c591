package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// diff is the first place where two JSON values differ.
type diff struct {
	steps     []string // from the top down
	what      string   // what is wrong there
	got, want string   // as JSON; empty where there is nothing
}

// difference returns the first place where got differs from want, which it
// does: in the order of lists, and of keys by name. Numbers count by value.
func difference(got, want any) diff {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			return mapDifference(g, w)
		}
	case []any:
		if g, ok := got.([]any); ok {
			return listDifference(g, w)
		}
	}
	d := diff{got: show(got), want: show(want)}
	d.what = "is " + d.got + ", not " + d.want
	return d
}

func mapDifference(got, want map[string]any) diff {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		g, ok := got[name]
		if !ok {
			return diff{steps: []string{name}, what: "is missing; wanted is " + show(want[name]), want: show(want[name])}
		}
		if !equalJSON(g, want[name]) {
			return difference(g, want[name]).below(name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			return diff{steps: []string{name}, what: "is there and not wanted: " + show(got[name]), got: show(got[name])}
		}
	}
	return diff{}
}

func listDifference(got, want []any) diff {
	for i := range min(len(got), len(want)) {
		if !equalJSON(got[i], want[i]) {
			return difference(got[i], want[i]).below(strconv.Itoa(i))
		}
	}
	if len(got) < len(want) {
		next := show(want[len(got)])
		return diff{steps: []string{strconv.Itoa(len(got))}, what: "is missing; wanted is " + next, want: next}
	}
	next := show(got[len(want)])
	return diff{steps: []string{strconv.Itoa(len(want))}, what: "is there and not wanted: " + next, got: next}
}

// below returns d as seen from one step further up.
func (d diff) below(step string) diff {
	d.steps = append([]string{step}, d.steps...)
	return d
}

// say returns d for people.
func (d diff) say() string {
	if len(d.steps) == 0 {
		return "the value " + d.what
	}
	if _, err := strconv.Atoi(d.steps[0]); err == nil {
		return "element " + d.under("") + " " + d.what
	}
	return d.under("") + " " + d.what
}

// under returns the path of d below at: with points, or as a JSON Pointer where
// a key asks for it.
func (d diff) under(at string) string {
	pointer := strings.HasPrefix(at, "/")
	for _, step := range d.steps {
		pointer = pointer || step == "" || strings.ContainsAny(step, "./~")
	}
	if !pointer {
		return strings.TrimPrefix(strings.Join(append([]string{at}, d.steps...), "."), ".")
	}
	if at != "" && !strings.HasPrefix(at, "/") {
		at = "/" + strings.ReplaceAll(at, ".", "/")
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for _, step := range d.steps {
		at += "/" + escape.Replace(step)
	}
	return at
}
