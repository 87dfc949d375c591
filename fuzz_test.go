package newel_test

import (
	"testing"

	"newel"
)

// FuzzPath reads any text as a path and follows it into a value: no panic, and
// what was read is written as it stood.
func FuzzPath(f *testing.F) {
	for _, text := range []string{"reference.amount", "case.dims.language", "/vars/a.b/0", "context.0.text", "case", "", ".", "/", "~", "/vars/~1~0~2", "output_json.-1", "vars.99999999999999999999"} {
		f.Add(text)
	}
	value := map[string]any{"a": []any{1.0, map[string]any{"": "x"}}}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := newel.ParsePath(text)
		if err != nil {
			return
		}
		if p.String() != text || p.IsZero() || p.Field() == "" {
			t.Errorf("%q is read as %q of %q", text, p, p.Field())
		}
		s := newel.NewSubject(&newel.Item{Trial: 1, Case: &newel.Case{ID: "a", Output: newel.Raw(`{"a":[1]}`), Vars: []newel.Named{{Name: "a", Value: newel.Raw(`{"b":[]}`)}}}})
		if _, err := s.Lookup(p); err != nil && err.Error() == "" {
			t.Errorf("%q: an error without a message", text)
		}
		newel.Walk(value, []string{text, "0", text})
	})
}

// FuzzNearest proposes only words of its list.
func FuzzNearest(f *testing.F) {
	for _, word := range []string{"regx", "maximum", "", "ü", "con"} {
		f.Add(word)
	}
	words := []string{"regex", "max", "contains", "contains-any", ""}
	f.Fuzz(func(t *testing.T, word string) {
		near := newel.Nearest(word, words)
		for _, w := range words {
			if w == near {
				return
			}
		}
		t.Errorf("%q for %q", near, word)
	})
}
