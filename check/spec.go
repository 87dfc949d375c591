package check

import (
	"fmt"
	"slices"
	"sync"

	"newel"
)

// Spec documents one kind of check and builds it.
type Spec struct {
	Name   string
	Family string // one of Families
	About  string // a sentence or two
	Source string // where the definition comes from; empty where it is newel's own
	Main   string // the parameter that a bare scalar or list stands for; empty: none
	Params []Param
	Extra  []Param // shared parameters it takes: see readingParams, foldParams, …
	// Example is a YAML list entry that builds.
	Example string
	// Compares marks the reference family's comparisons: under a higher layer
	// settles must be written when they compare with a value of the case.
	Compares bool
	// Metric marks a check that gives a number: without min and max it only
	// reports.
	Metric bool
	// Approximate says what is not exact about it, for the reference page.
	Approximate string
	// Build reads the arguments and returns the check's function. On mistakes,
	// which it notes through a, the function is not used.
	Build func(a *Args) Func
}

// Param documents one parameter.
type Param struct {
	Name     string
	Type     string // text, number, whole number, true or false, list, map, any, path, …
	About    string
	Default  string // empty: none
	Required bool
}

// Families lists the families in the order of the reference page.
func Families() []string {
	return []string{"schema", "regex", "structural", "citation", "reference", "run", "group"}
}

// common are the parameters of every check.
var common = []Param{
	{Name: "name", Type: "text", About: "the scorer's name in rows and reports", Default: "the check's name, numbered when it repeats"},
	{Name: "settles", Type: "fail, pass, both or none", About: "what the verdict decides under a classifier or judge", Default: "fail"},
	{Name: "allow", Type: "number", About: "share of wrong passes that the audit may show, for a check that settles pass", Default: "0.02"},
}

// lists are everything the check takes: its own parameters, shared ones, and
// those of every check.
func (s *Spec) lists() [3][]Param { return [3][]Param{s.Params, s.Extra, common} }

// All returns every parameter of the check in the order of the reference page.
func (s *Spec) All() []Param { return slices.Concat(s.Params, s.Extra, common) }

func (s *Spec) names() []string {
	all := s.All()
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
	}
	return names
}

// index is the table by name. It is made once, when first asked for: among the
// variables of the package it would be a cycle, since groups build what it lists.
var index struct {
	once   sync.Once
	names  []string
	byName map[string]*Spec
}

func indexed() {
	table := Table()
	index.byName = make(map[string]*Spec, len(table))
	for _, s := range table {
		index.names = append(index.names, s.Name)
		index.byName[s.Name] = s
	}
}

// Find returns the spec called name.
func Find(name string) (*Spec, bool) {
	index.once.Do(indexed)
	s, ok := index.byName[name]
	return s, ok
}

// Names lists all checks.
func Names() []string {
	index.once.Do(indexed)
	return slices.Clone(index.names)
}

// Env is what building a check may reach.
type Env struct {
	// ReadFile returns a file of the suite's folder; its errors begin with the
	// path. Nil where files are not
	// to be had, as for checks that a case brings.
	ReadFile func(path string) ([]byte, error)
	// ReadFolder reads every file below a folder of the suite's folder, so that
	// ReadFile has them later, when the folder is out of reach. Nil as ReadFile.
	ReadFolder func(path string) error
	// Above says that a classifier or judge stands above the floor.
	Above bool
	// OfCase says that the list is a case's own.
	OfCase bool

	outer      *Check // the group that settles for its members
	outerAbove bool
	negated    bool // a pass is a fail: it has to say what was found
}

// BuildList compiles a list of checks, noting every mistake.
func BuildList(n *newel.Node, env *Env, m *newel.Mistakes) []*Check {
	if !n.IsList() {
		m.Add(n.Pos, "checks are a list, each a name or {name: parameters}; this is %s", n.Kind())
		return nil
	}
	list := make([]*Check, 0, len(n.List))
	for _, e := range n.List {
		if c := Build(e, env, m); c != nil {
			list = append(list, c)
		}
	}
	number(list, n, m)
	return list
}

// number makes names unique: length, length#2, … Two equal written names are
// a mistake.
func number(list []*Check, n *newel.Node, m *newel.Mistakes) {
	seen := make(map[string]int, len(list))
	for _, c := range list {
		seen[c.name]++
		count := seen[c.name]
		if count == 1 {
			continue
		}
		if c.name != c.spec.Name {
			m.Add(n.Pos, "two checks are called %q", c.name)
		}
		c.name = fmt.Sprintf("%s#%d", c.name, count)
	}
}

// Build compiles one check: a name, or a map of a name to parameters. It
// returns nil when something is wrong.
func Build(n *newel.Node, env *Env, m *newel.Mistakes) *Check {
	name, params, pos, ok := entry(n, m)
	if !ok {
		return nil
	}
	spec, ok := Find(name)
	if !ok {
		m.Add(pos, "unknown check %q%s; newel checks lists them", name, newel.DidYouMean(name, Names()))
		return nil
	}
	before := m.Len()
	a := newArgs(spec, params, pos, env, m)
	c := &Check{name: spec.Name, spec: spec, allow: 0.02}
	a.check = c
	c.readCommon(a)
	c.reports = spec.Metric && !a.Has("min") && !a.Has("max")
	c.run = spec.Build(a)
	a.finish()
	if m.Len() > before {
		return nil
	}
	return c
}

// entry splits a list entry into the check's name and its parameters.
func entry(n *newel.Node, m *newel.Mistakes) (name string, params *newel.Node, pos newel.Pos, ok bool) {
	if name, ok := n.Text(); ok {
		return name, nil, n.Pos, true
	}
	if n.IsMap() && len(n.Fields) == 1 {
		return n.Fields[0].Name, n.Fields[0].Node, n.Fields[0].Pos, true
	}
	if n.IsMap() && len(n.Fields) > 1 {
		m.Add(n.Pos, "a check is a map of one name to its parameters; this map has %d keys: indent the parameters under the name", len(n.Fields))
		return "", nil, n.Pos, false
	}
	m.Add(n.Pos, "a check is a name or {name: parameters}; this is %s", n.Kind())
	return "", nil, n.Pos, false
}

func (c *Check) readCommon(a *Args) {
	if n := a.fixed("name"); n != nil {
		name, ok := n.Text()
		if !ok || name == "" {
			a.Wrong(n.Pos, "%s: name is a text; this is %s", a.spec.Name, n.Kind())
		} else {
			c.name = name
		}
	}
	if n := a.fixed("settles"); n != nil {
		word, _ := n.Text()
		s, ok := newel.ParseSettles(word)
		if !ok {
			a.Wrong(n.Pos, "%s: settles is one of fail, pass, both, none%s, not %s", a.spec.Name, newel.DidYouMean(word, newel.SettlesWords()), show(n.Any()))
		}
		if ok && !a.env.Above && !a.env.OfCase {
			a.Wrong(n.Pos, "%s: settles: in a rubric with no layer above, checks settle both ways; remove it", a.spec.Name)
		}
		c.settles, c.given = s, true
	}
	if n := a.fixed("allow"); n != nil {
		f, ok := newel.Float(n.Value)
		if !ok || f < 0 || f > 1 {
			a.Wrong(n.Pos, "%s: allow is a share from 0 to 1, not %s", a.spec.Name, show(n.Any()))
		}
		c.allow = f
	}
}
