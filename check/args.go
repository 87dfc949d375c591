package check

import (
	"fmt"
	"slices"
	"strings"

	"newel"
)

// Args hands a builder the parameters of one check, each a constant or, written
// {from: PATH}, a value of the case. It notes mistakes with their place.
type Args struct {
	spec  *Spec
	check *Check
	pos   newel.Pos
	nodes map[string]*newel.Node
	// misspelt holds the parameters that unknown ones seem to mean.
	misspelt map[string]bool
	env      *Env
	m        *newel.Mistakes
}

func newArgs(spec *Spec, params *newel.Node, pos newel.Pos, env *Env, m *newel.Mistakes) *Args {
	a := &Args{spec: spec, pos: pos, nodes: map[string]*newel.Node{}, misspelt: map[string]bool{}, env: env, m: m}
	switch {
	case params == nil, params.IsScalar() && params.Value == nil && spec.Main == "":
	case params.IsMap() && !a.isMain(params):
		a.readMap(params)
	case spec.Main != "":
		a.nodes[spec.Main] = params
	default:
		a.Wrong(params.Pos, "%s takes a map of parameters, or nothing; this is %s", spec.Name, params.Kind())
	}
	return a
}

// isMain reports whether a map stands for the main parameter: it is {from: …}
// where no parameter is called from, or the main parameter is a map itself
// and no key is a parameter.
func (a *Args) isMain(params *newel.Node) bool {
	if a.spec.Main == "" {
		return false
	}
	known := 0
	for _, f := range params.Fields {
		if a.knows(f.Name) {
			known++
		}
	}
	if known > 0 {
		return false
	}
	return len(params.Fields) == 1 && params.Fields[0].Name == "from" || a.mainIsMap()
}

func (a *Args) mainIsMap() bool {
	for _, p := range a.spec.Params {
		if p.Name == a.spec.Main {
			return strings.Contains(p.Type, "map")
		}
	}
	return false
}

func (a *Args) knows(name string) bool {
	for _, list := range a.spec.lists() {
		for i := range list {
			if list[i].Name == name {
				return true
			}
		}
	}
	return false
}

func (a *Args) readMap(params *newel.Node) {
	for _, f := range params.Fields {
		if !a.knows(f.Name) {
			a.Wrong(f.Pos, "%s has no parameter %q%s", a.spec.Name, f.Name, newel.DidYouMean(f.Name, a.spec.names()))
			a.misspelt[newel.Nearest(f.Name, a.spec.names())] = true
			continue
		}
		a.nodes[f.Name] = f.Node
	}
}

// Wrong notes a mistake.
func (a *Args) Wrong(pos newel.Pos, format string, args ...any) { a.m.Add(pos, format, args...) }

// Pos is the place of the check.
func (a *Args) Pos() newel.Pos { return a.pos }

// Env is what the check may reach.
func (a *Args) Env() *Env { return a.env }

// Mistakes is where nested builders note theirs.
func (a *Args) Mistakes() *newel.Mistakes { return a.m }

// Has reports whether a parameter was written.
func (a *Args) Has(name string) bool { return a.nodes[name] != nil }

// Node returns a parameter as written, nil if it was not.
func (a *Args) Node(name string) *newel.Node { return a.nodes[name] }

// fixed returns a parameter that is the same for all cases, nil where it is
// not written. {from: PATH} is a mistake, and then as if it were not there.
func (a *Args) fixed(name string) *newel.Node {
	n := a.nodes[name]
	if n != nil && n.IsMap() && len(n.Fields) == 1 && n.Fields[0].Name == "from" {
		a.Wrong(n.Pos, "%s: %s is the same for all cases: write it here, not {from: …}", a.spec.Name, name)
		return nil
	}
	return n
}

// fixedOf reads a parameter that is the same for all cases.
func fixedOf[T any](a *Args, name string, fallback T, read func(any) (T, error)) T {
	n := a.fixed(name)
	if n == nil {
		return fallback
	}
	v, err := read(n.Any())
	if err != nil {
		a.Wrong(n.Pos, "%s: %s %v", a.spec.Name, name, err)
		return fallback
	}
	return v
}

func (a *Args) take(name string) *newel.Node { return a.nodes[name] }

// finish notes required parameters that are not there; no shared one is.
func (a *Args) finish() {
	for _, p := range a.spec.Params {
		if p.Required && a.nodes[p.Name] == nil && !a.misspelt[p.Name] {
			a.Wrong(a.pos, "%s needs %s: %s", a.spec.Name, p.Name, p.About)
		}
	}
}

// Arg is a parameter's value: a constant, or read from each case.
type Arg[T any] struct {
	constant T
	path     newel.Path
	read     func(v any) (T, error)
	set      bool
}

// Const returns an Arg that is always v.
func Const[T any](v T) Arg[T] { return Arg[T]{constant: v, set: true} }

// Set reports whether the parameter was written.
func (p Arg[T]) Set() bool { return p.set }

// Constant returns the value when it does not depend on the case.
func (p Arg[T]) Constant() (T, bool) { return p.constant, p.path.IsZero() }

// At returns the parameter's value for s.
func (p Arg[T]) At(s *newel.Subject) (T, error) {
	if p.path.IsZero() {
		return p.constant, nil
	}
	var zero T
	v, err := s.Lookup(p.path)
	if err != nil {
		return zero, err
	}
	out, err := p.read(v)
	if err != nil {
		return zero, &ParamError{fmt.Sprintf("%s: %v", p.path, err)}
	}
	return out, nil
}

// argOf reads one parameter with read, which turns a decoded JSON value into
// a T or says what it should be.
func argOf[T any](a *Args, name string, fallback T, read func(any) (T, error)) Arg[T] {
	n := a.take(name)
	if n == nil {
		return Const(fallback).unset()
	}
	if path, ok := a.fromPath(n); ok {
		return Arg[T]{path: path, read: read, set: true}
	}
	v, err := read(n.Any())
	if err != nil {
		a.Wrong(n.Pos, "%s: %s %v", a.spec.Name, name, err)
		return Const(v).unset()
	}
	return Const(v)
}

func (p Arg[T]) unset() Arg[T] {
	p.set = false
	return p
}

// fromPath reads {from: PATH}.
func (a *Args) fromPath(n *newel.Node) (newel.Path, bool) {
	if !n.IsMap() || len(n.Fields) != 1 || n.Fields[0].Name != "from" {
		return newel.Path{}, false
	}
	return a.path(n.Fields[0].Node), true
}

func (a *Args) path(n *newel.Node) newel.Path {
	text, ok := n.Text()
	if !ok {
		a.Wrong(n.Pos, "a path is a text such as reference.amount; this is %s", n.Kind())
		text = "output"
	}
	p, err := newel.ParsePath(text)
	if err != nil {
		a.Wrong(n.Pos, "%v", err)
		p, _ = newel.ParsePath("output")
	}
	return p
}

// Path returns a parameter that is a path; fallback where it is not written.
func (a *Args) Path(name, fallback string) newel.Path {
	if n := a.take(name); n != nil {
		return a.path(n)
	}
	if fallback == "" {
		return newel.Path{}
	}
	p, err := newel.ParsePath(fallback)
	if err != nil {
		panic("check: " + err.Error())
	}
	return p
}

// Text returns a text parameter.
func Text(a *Args, name, fallback string) Arg[string] { return argOf(a, name, fallback, readText) }

// Texts returns a parameter that is a text or a list of texts.
func Texts(a *Args, name string) Arg[[]string] { return argOf(a, name, nil, readTexts) }

// Number returns a number parameter.
func Number(a *Args, name string, fallback float64) Arg[float64] {
	return argOf(a, name, fallback, readNumber)
}

// Whole returns a parameter that is a whole number of at least zero.
func Whole(a *Args, name string, fallback int) Arg[int] { return argOf(a, name, fallback, readWhole) }

// Flag returns a parameter that is true or false.
func Flag(a *Args, name string, fallback bool) Arg[bool] { return argOf(a, name, fallback, readFlag) }

// Any returns a parameter that is any JSON.
func Any(a *Args, name string) Arg[any] {
	return argOf(a, name, nil, func(v any) (any, error) { return v, nil })
}

// Word returns a parameter that is one of words, the first being the default.
func Word(a *Args, name string, words ...string) Arg[string] {
	return argOf(a, name, words[0], readWord(words))
}

func readWord(words []string) func(any) (string, error) {
	return func(v any) (string, error) {
		word, _ := v.(string)
		if slices.Contains(words, word) {
			return word, nil
		}
		hint := newel.DidYouMean(word, words)
		if hint == "" {
			hint = ", not " + show(v)
		}
		return words[0], fmt.Errorf("is one of %s%s", strings.Join(words, ", "), hint)
	}
}
