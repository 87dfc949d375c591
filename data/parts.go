package data

import (
	"slices"

	"newel"
)

// parts reads a field that is an object of named values. Null is absent.
func (b *builder) parts(f field, at slot, v newel.Raw, r rank) {
	if v.Kind() != '{' {
		at.wrong(b, "want an object of names and values, got %s", kindOf(v))
		return
	}
	for _, e := range members(v) {
		if e.Value.Kind() == 'n' {
			continue
		}
		if value, ok := b.namedPart(f, at, e); ok {
			b.add(f, e.Name, value, r)
		}
	}
}

func (b *builder) namedPart(f field, at slot, e newel.Named) (newel.Raw, bool) {
	if want := badPart(f, e.Value); want != "" {
		at.wrongAt(b, []string{e.Name}, "%s: want %s, got %s", e.Name, want, kindOf(e.Value))
		return nil, false
	}
	if f == fieldVars || f == fieldOutputs {
		return b.text(at, e.Value)
	}
	return e.Value, true
}

// part reads the value of dims.NAME and its like.
func (b *builder) part(f field, at slot, v newel.Raw) (newel.Raw, bool) {
	if want := badPart(f, v); want != "" {
		at.wrong(b, "want %s, got %s", want, kindOf(v))
		return nil, false
	}
	if f == fieldVars || f == fieldOutputs {
		return b.text(at, v)
	}
	return v, true
}

// badPart says what a named value of a field must be, "" when v is that. A
// label may be anything: only those named like a rubric are ever compared.
func badPart(f field, v newel.Raw) string {
	switch f {
	case fieldDims:
		if !isScalar(v) {
			return "a text, a number, true or false"
		}
	case fieldRaters:
		if !isLabels(v) {
			return "a list of labels, or an object of raters and labels"
		}
	}
	return ""
}

// isLabels reports whether a value holds several people's labels. Null stands
// for one that is missing.
func isLabels(v newel.Raw) bool {
	var list []newel.Raw
	switch v.Kind() {
	case '[':
		list = elements(v)
	case '{':
		for _, m := range members(v) {
			list = append(list, m.Value)
		}
	default:
		return false
	}
	return !slices.ContainsFunc(list, func(e newel.Raw) bool { return e.Kind() != 'n' && !isScalar(e) })
}
