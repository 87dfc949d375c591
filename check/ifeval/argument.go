package ifeval

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"newel"
)

// Kind is what an argument holds.
type Kind string

// The kinds of argument.
const (
	Text     Kind = "text"     // a string that is not blank, up to 1 MiB of UTF-8
	Texts    Kind = "texts"    // a list of at least one such string
	Count    Kind = "count"    // a whole number from 0 to 1,000,000,000
	Relation Kind = "relation" // "at least" or its like, in the words of the family's language
	Letter   Kind = "letter"   // a string of one character
	Accents  Kind = "accents"  // a map from words without accents to the same words with them
)

// Arg is one required argument of a family.
type Arg struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
}

// compare is a relation between a number found and the number demanded.
type compare func(found, demanded int) bool

func atLeast(found, demanded int) bool  { return found >= demanded }
func lessThan(found, demanded int) bool { return found < demanded }
func atMost(found, demanded int) bool   { return found <= demanded }

// relations lists the words for a relation in each language.
func relations(lang string) map[string]compare {
	switch lang {
	case "es":
		return map[string]compare{"al menos": atLeast, "como máximo": atMost}
	case "fr":
		return map[string]compare{"au moins": atLeast, "moins de": lessThan}
	case "ja":
		return map[string]compare{"以上": atLeast, "未満": lessThan}
	}
	return map[string]compare{"at least": atLeast, "less than": lessThan}
}

// values are the arguments of one instruction after validation, by name.
type values struct {
	lang  string
	given map[string]any
}

func (v values) text(name string) string    { s, _ := v.given[name].(string); return s }
func (v values) texts(name string) []string { s, _ := v.given[name].([]string); return s }
func (v values) count(name string) int      { n, _ := v.given[name].(int); return n }
func (v values) accents(name string) map[string]string {
	m, _ := v.given[name].(map[string]string)
	return m
}

// compare gives the relation that the argument names.
func (v values) compare(name string) compare { return relations(v.lang)[v.text(name)] }

// compareOr gives the relation of the argument "relation" where the family takes one.
func (v values) compareOr(otherwise compare) compare {
	if v.given["relation"] == nil {
		return otherwise
	}
	return v.compare("relation")
}

// read validates args against the family's list; every mistake is reported at once.
func (f family) read(lang string, args map[string]any) (values, error) {
	v := values{lang: lang, given: map[string]any{}}
	var errs []error
	for _, a := range f.args {
		raw := args[a.Name]
		if raw == nil {
			errs = append(errs, fmt.Errorf("missing argument %q (%s)", a.Name, a.Kind))
			continue
		}
		read, err := a.read(lang, raw)
		if err != nil {
			errs = append(errs, fmt.Errorf("argument %q: %w", a.Name, err))
		}
		v.given[a.Name] = read
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if args[name] != nil && !f.takes(name) {
			errs = append(errs, f.unknown(name))
		}
	}
	return v, errors.Join(errs...)
}

func (f family) takes(name string) bool {
	return slices.ContainsFunc(f.args, func(a Arg) bool { return a.Name == name })
}

func (f family) unknown(name string) error {
	var known []string
	for _, a := range f.args {
		known = append(known, a.Name)
	}
	switch near := newel.Nearest(name, known); {
	case near != "":
		return fmt.Errorf("unknown argument %q (did you mean %q?)", name, near)
	case len(known) == 0:
		return fmt.Errorf("unknown argument %q (it takes none)", name)
	}
	return fmt.Errorf("unknown argument %q (it takes %s)", name, strings.Join(known, ", "))
}

// read converts raw to the argument's Go type.
func (a Arg) read(lang string, raw any) (any, error) {
	switch a.Kind {
	case Count:
		return wholeNumber(raw)
	case Texts:
		return textList(raw)
	case Accents:
		return textMap(raw)
	}
	s, ok := raw.(string)
	switch {
	case !ok || unusable(s):
		return nil, fmt.Errorf("want %s, got %s", a.Kind, show(raw))
	case a.Kind == Letter && utf8.RuneCountInString(s) != 1:
		return nil, fmt.Errorf("want one character, got %q", s)
	case a.Kind == Relation && relations(lang)[s] == nil:
		words := slices.Sorted(maps.Keys(relations(lang)))
		return nil, fmt.Errorf("want %q or %q, got %q", words[0], words[1], s)
	}
	return s, nil
}

// maxText bounds every text, in bytes.
const maxText = 1 << 20

// unusable reports a text that cannot be sought: blank, over the bound or not UTF-8.
func unusable(s string) bool { return len(s) > maxText || !utf8.ValidString(s) || blank(s) }

// maxCount bounds every demanded number, so that arithmetic on it cannot overflow.
const maxCount = 1_000_000_000

func wholeNumber(raw any) (any, error) {
	n := math.NaN()
	switch x := raw.(type) {
	case int:
		n = float64(x)
	case int32:
		n = float64(x)
	case int64:
		n = float64(x)
	case uint64:
		n = float64(x)
	case float64:
		n = x
	case interface{ Float64() (float64, error) }: // a JSON number kept as text
		if f, err := x.Float64(); err == nil {
			n = f
		}
	}
	if n != math.Trunc(n) || n < 0 || n > maxCount {
		return nil, fmt.Errorf("want a whole number from 0 to %d, got %s", maxCount, show(raw))
	}
	return int(n), nil
}

func textList(raw any) (any, error) {
	var out []string
	switch x := raw.(type) {
	case []string:
		out = slices.Clone(x)
	case []any:
		for _, e := range x {
			s, _ := e.(string) // anything else reads as empty and is refused below
			out = append(out, s)
		}
	}
	if len(out) == 0 || slices.ContainsFunc(out, unusable) {
		return nil, fmt.Errorf("want a list of texts, got %s", show(raw))
	}
	return out, nil
}

func textMap(raw any) (any, error) {
	out := map[string]string{}
	switch x := raw.(type) {
	case map[string]string:
		maps.Copy(out, x)
	case map[string]any:
		for k, e := range x {
			out[k], _ = e.(string) // anything else reads as empty and is refused below
		}
	}
	for k, s := range out {
		if unusable(k) || unusable(s) {
			return nil, fmt.Errorf("want a map of texts, got %s", show(raw))
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("want a map of texts, got %s", show(raw))
	}
	return out, nil
}

// show renders a refused value in at most 60 runes.
func show(raw any) string {
	s := []rune(fmt.Sprintf("%#v", raw))
	if len(s) > 60 {
		return string(s[:59]) + "…"
	}
	return string(s)
}
