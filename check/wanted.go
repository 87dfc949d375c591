package check

import (
	"errors"

	"newel"
)

// wantedParams are taken by every comparison.
var wantedParams = []Param{
	{Name: "value", Type: "any", About: "what to compare with; a list means any of its texts, for text checks"},
	{Name: "from", Type: "path", About: "where the case holds what to compare with", Default: "reference"},
}

// Wanted is what a comparison compares with: value, from, or without either
// the case's reference.
type Wanted struct {
	value Arg[any]
	from  newel.Path
}

// WantedOf reads value and from. Under a higher layer, comparing with
// something of the case asks for settles: whether a miss is wrong or only
// unknown is the author's to say.
func WantedOf(a *Args) *Wanted {
	w := &Wanted{value: Any(a, "value")}
	if w.value.Set() && a.Has("from") {
		a.Wrong(a.pos, "%s has both value and from: keep one", a.spec.Name)
	}
	if !w.value.Set() {
		w.from = a.Path("from", "reference")
	}
	if w.OfCase() {
		a.askSettles()
	}
	return w
}

// askSettles notes a mistake where settles must be written and is not.
func (a *Args) askSettles() {
	check, above := a.check, a.env.Above
	if a.env.outer != nil {
		check, above = a.env.outer, a.env.outerAbove
	}
	if above && !check.given {
		a.Wrong(a.pos, "%s compares with the case under a classifier or judge: write settles: fail, pass, both or none among the parameters of %q, to say what a miss means", a.spec.Name, check.name)
	}
}

// OfCase reports whether it compares with something of the case.
func (w *Wanted) OfCase() bool {
	_, constant := w.value.Constant()
	return !w.value.Set() || !constant
}

// Any returns what to compare with, decoded.
func (w *Wanted) Any(s *newel.Subject) (any, error) {
	if w.value.Set() {
		return w.value.At(s)
	}
	return s.Lookup(w.from)
}

// Texts returns what to compare with as texts, any of which will do. Null is
// as good as missing; an empty list, which anything or nothing would meet, is
// the case's mistake.
func (w *Wanted) Texts(s *newel.Subject) ([]string, error) {
	v, err := w.Any(s)
	if err != nil {
		return nil, err
	}
	texts, err := textsOf(v)
	if err != nil {
		return nil, w.wrong(err)
	}
	return texts, nil
}

// errNull is for a value that holds nothing to compare with.
var errNull = errors.New("null is nothing to compare with")

// wrong says what is wrong with the value to compare with.
func (w *Wanted) wrong(err error) error {
	if !errors.Is(err, errNull) {
		return &ParamError{w.place() + ": " + err.Error()}
	}
	return &newel.MissingError{Path: w.place() + ": " + err.Error()}
}

// place names where the value to compare with stands.
func (w *Wanted) place() string {
	switch {
	case !w.value.Set():
		return w.from.String()
	case w.OfCase():
		return w.value.path.String()
	}
	return "value"
}

// wantTexts notes a constant value that no text can be compared with.
func (w *Wanted) wantTexts(a *Args) {
	if w.OfCase() {
		return
	}
	v, _ := w.value.Constant()
	if _, err := textsOf(v); err != nil {
		a.Wrong(a.Node("value").Pos, "%s: value: %v", a.spec.Name, err)
	}
}

func textsOf(v any) ([]string, error) {
	if text, ok := v.(string); ok {
		return []string{text}, nil
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	if len(list) == 0 {
		return nil, errors.New("an empty list is nothing to compare with")
	}
	out := make([]string, len(list))
	for i, e := range list {
		if e == nil {
			return nil, errNull
		}
		text, err := textOf(e)
		if err != nil {
			return nil, err
		}
		out[i] = text
	}
	return out, nil
}
