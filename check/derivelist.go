package check

import (
	"fmt"
	"slices"
	"strings"

	"newel"
)

// derivedList is Derived for a parameter that is a text or a list of texts.
type derivedList[T any] struct {
	arg     Arg[[]string]
	fixed   []T
	compile func(text string) (T, error)
	cache   *cache[T]
}

// deriveList compiles each text of a parameter. A constant that does not
// compile is a mistake at its own place in the list.
func deriveList[T any](a *Args, name string, compile func(text string) (T, error)) *derivedList[T] {
	d := &derivedList[T]{arg: Texts(a, name), compile: compile, cache: newCache[T](cacheSize)}
	list, constant := d.arg.Constant()
	if !constant || !d.arg.Set() {
		return d
	}
	n := a.Node(name)
	if len(list) == 0 {
		a.Wrong(n.Pos, "%s: %s is empty", a.spec.Name, name)
	}
	for i, text := range list {
		v, err := compile(text)
		if err != nil {
			at := n
			if n.IsList() {
				at = n.List[i]
			}
			a.Wrong(at.Pos, "%s: %s: %v", a.spec.Name, name, err)
		}
		d.fixed = append(d.fixed, v)
	}
	return d
}

// At returns the compiled texts for s. A list that is empty is the case's
// mistake: it would be met by anything or by nothing.
func (d *derivedList[T]) At(s *newel.Subject) ([]T, error) {
	if _, constant := d.arg.Constant(); constant {
		return d.fixed, nil
	}
	texts, err := d.arg.At(s)
	if err != nil {
		return nil, err
	}
	if len(texts) == 0 {
		return nil, &ParamError{d.arg.path.String() + " is an empty list"}
	}
	out := make([]T, len(texts))
	for i, text := range texts {
		if out[i], err = d.cache.get(text, d.compile); err != nil {
			return nil, &ParamError{err.Error()}
		}
	}
	return out, nil
}

// chosen returns a parameter that is one or several of words; all of them
// where it is not written.
func chosen(a *Args, name string, words []string) Arg[[]string] {
	return argOf(a, name, words, func(v any) ([]string, error) {
		picked, err := readTexts(v)
		if err == nil && len(picked) == 0 {
			err = fmt.Errorf("is empty: leave it out for all")
		}
		for _, p := range picked {
			if err == nil && !slices.Contains(words, p) {
				err = fmt.Errorf("has no %q%s; there are %s", p, newel.DidYouMean(p, words), strings.Join(words, ", "))
			}
		}
		return picked, err
	})
}
