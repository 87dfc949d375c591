package data

import (
	"encoding/json"
	"errors"

	"newel"
	"newel/expr"
)

// Env is what the data key of a suite may reach.
type Env struct {
	Folders *Folders // the suite's folder and the data roots
}

// Set is the data of a suite: one source or several, read in the order in
// which they were written.
type Set struct {
	folders *Folders
	list    []*source
}

// source is one entry of the data key.
type source struct {
	pos      newel.Pos
	files    []*dataFile
	inline   []*newel.Node // instead of files
	mapping  *mapping
	where    *expr.Program
	wherePos newel.Pos
	limit    int // 0: all
	join     *join
}

// sourceKeys lists what a source may hold.
var sourceKeys = [...]string{"file", "cases", "map", "where", "limit", "join"}

// ParseSources reads the data key: one source or a list of them. What is wrong
// goes to m; the set can be read only when nothing was.
func ParseSources(n *newel.Node, env Env, m *newel.Mistakes) *Set {
	set := &Set{folders: env.Folders}
	list := []*newel.Node{n}
	if n.IsList() {
		list = n.List
		if len(list) == 0 {
			m.Add(n.Pos, "data: the list is empty: name a file, or write cases")
		}
	}
	for _, one := range list {
		if s := parseSource(one, env.Folders, m); s != nil {
			set.list = append(set.list, s)
		}
	}
	return set
}

func parseSource(n *newel.Node, folders *Folders, m *newel.Mistakes) *source {
	if !n.IsMap() {
		m.Add(n.Pos, "data: want a source such as {file: cases.jsonl} or {cases: […]}, got %s", n.Kind())
		return nil
	}
	s := &source{pos: n.Pos, mapping: newMapping()}
	for _, f := range n.Fields {
		s.parseKey(f, folders, m)
	}
	switch file, cases := n.Field("file"), n.Field("cases"); {
	case file == nil && cases == nil:
		if n.Lacks("file", sourceKeys[:]) && n.Lacks("cases", sourceKeys[:]) {
			m.Add(n.Pos, "data: a source needs file or cases")
		}
	case file != nil && cases != nil:
		m.Add(cases.Pos, "data: a source has file or cases, not both: write them as two sources")
	}
	return s
}

func (s *source) parseKey(f *newel.Field, folders *Folders, m *newel.Mistakes) {
	n := f.Node
	switch f.Name {
	case "file":
		s.files = parseFile("file", n, folders, m)
	case "cases":
		s.inline = parseInline(n, m)
	case "map":
		s.mapping = parseMapping(n, m)
	case "where":
		s.where, s.wherePos = parseWhere(n, m), n.Pos
	case "limit":
		s.limit = parseLimit(n, m)
	case "join":
		s.join = parseJoin(n, folders, m)
	default:
		if !isExtra(f.Name) {
			m.Add(f.Pos, "data: a source has no key %q%s", f.Name, newel.DidYouMean(f.Name, sourceKeys[:]))
		}
	}
}

// isExtra reports whether a key belongs to the user.
func isExtra(name string) bool { return len(name) > 2 && name[:2] == "x-" }

func parseFile(key string, n *newel.Node, folders *Folders, m *newel.Mistakes) []*dataFile {
	text, ok := n.Text()
	if !ok {
		m.Add(n.Pos, "%s: want the path of a data file, got %s", key, n.Kind())
		return nil
	}
	files, err := folders.expand(text, n.Pos.File)
	if err != nil {
		m.Add(n.Pos, "%s: %v", key, err)
	}
	return files
}

func parseInline(n *newel.Node, m *newel.Mistakes) []*newel.Node {
	if !n.IsList() {
		m.Add(n.Pos, "cases: want a list of cases, got %s", n.Kind())
		return nil
	}
	if len(n.List) == 0 {
		m.Add(n.Pos, "cases: the list is empty")
	}
	return n.List
}

func parseWhere(n *newel.Node, m *newel.Mistakes) *expr.Program {
	p := parseExpr("where", n, expr.CaseScope, m)
	if p != nil && !p.MayBeBool() {
		m.Add(n.Pos, "where: the expression gives a value of type %s: want true or false", p.Type())
		return nil
	}
	return p
}

func parseExpr(key string, n *newel.Node, scope expr.Scope, m *newel.Mistakes) *expr.Program {
	text, ok := n.Text()
	if !ok {
		m.Add(n.Pos, "%s: want an expression, got %s", key, n.Kind())
		return nil
	}
	p, err := expr.Compile(text, scope)
	if err != nil {
		m.Add(n.Pos, "%s: %v", key, err)
		return nil
	}
	return p
}

func parseLimit(n *newel.Node, m *newel.Mistakes) int {
	limit, err := wholeNumber(n)
	if err != nil || limit < 1 {
		m.Add(n.Pos, "limit: want a whole number of at least 1")
	}
	return limit
}

func wholeNumber(n *newel.Node) (int, error) {
	if !n.IsScalar() {
		return 0, errors.New("not a number")
	}
	switch v := n.Value.(type) {
	case float64:
		if i := int(v); float64(i) == v {
			return i, nil
		}
	case json.Number:
		i, err := v.Int64()
		return int(i), err
	}
	return 0, errors.New("not a whole number")
}
