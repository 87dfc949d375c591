package data

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"newel"
	"newel/expr"
)

// mapping says where the fields of a case come from. What it does not name
// comes from the column of its name; other columns become vars, unless an entry
// takes them whole. One of which only a part is taken, or that only an
// expression reads, stays in vars.
type mapping struct {
	entries []entry
	mapped  [fieldCount]bool // fields that are mapped as a whole
	exprs   bool
}

// entry is one line of a map.
type entry struct {
	to     field
	part   string // of dims.NAME and its like
	key    string // as written
	pos    newel.Pos
	source string   // the path as written, for messages
	path   []string // into the record
	file   bool     // the path leads to the name of a file, whose text is taken
	hash   bool     // the id is made from the content
	expr   *expr.Program
}

func newMapping() *mapping { return &mapping{} }

func parseMapping(n *newel.Node, m *newel.Mistakes) *mapping {
	out := newMapping()
	if !n.IsMap() {
		m.Add(n.Pos, "map: want a map of fields to paths, such as {input: question}, got %s", n.Kind())
		return out
	}
	for _, f := range n.Fields {
		if e, ok := parseEntry(f, m); ok && !isExtra(f.Name) {
			out.add(e)
		}
	}
	return out
}

func (mp *mapping) add(e entry) {
	if e.part == "" {
		mp.mapped[e.to] = true
	}
	mp.exprs = mp.exprs || e.expr != nil
	mp.entries = append(mp.entries, e)
}

func parseEntry(f *newel.Field, m *newel.Mistakes) (entry, bool) {
	e := entry{key: f.Name, pos: f.Node.Pos}
	if isExtra(f.Name) {
		return e, true
	}
	name, part, hasPart := strings.Cut(f.Name, ".")
	e.to, e.part = fieldOf(name), part
	switch {
	case e.to == noField:
		m.Add(f.Pos, "map: a case has no field %q%s; other values go to vars.NAME", f.Name, newel.DidYouMean(name, fieldNames[1:]))
		return e, false
	case hasPart && !e.to.hasParts():
		m.Add(f.Pos, "map: %s has no parts: map %s as a whole", name, name)
		return e, false
	case hasPart && part == "":
		m.Add(f.Pos, "map: %q lacks the name behind the dot", f.Name)
		return e, false
	}
	return e, e.parseValue(f.Node, m)
}

// parseValue reads a path, {expr: CEL} or {file: PATH}.
func (e *entry) parseValue(n *newel.Node, m *newel.Mistakes) bool {
	if text, ok := n.Text(); ok {
		if e.to == fieldID && text == "hash" {
			e.hash = true
			return true
		}
		return e.parsePath(text, n.Pos, m)
	}
	if !n.IsMap() || len(n.Fields) != 1 {
		m.Add(n.Pos, "map: %s: want a path into the record, {expr: CEL} or {file: PATH}, got %s", e.key, n.Kind())
		return false
	}
	f := n.Fields[0]
	switch f.Name {
	case "expr":
		e.pos = f.Node.Pos
		e.expr = parseExpr("map: "+e.key, f.Node, expr.RecordScope, m)
		return e.expr != nil
	case "file":
		e.file = true
		text, ok := f.Node.Text()
		if !ok {
			m.Add(f.Node.Pos, "map: %s: file: want a path into the record that leads to a file's name, got %s", e.key, f.Node.Kind())
			return false
		}
		return e.parsePath(text, f.Node.Pos, m)
	}
	m.Add(f.Pos, "map: %s has no key %q%s", e.key, f.Name, newel.DidYouMean(f.Name, []string{"expr", "file"}))
	return false
}

func (e *entry) parsePath(text string, pos newel.Pos, m *newel.Mistakes) bool {
	path, err := recordPath(text)
	if err != nil {
		m.Add(pos, "map: %s: %v", e.key, err)
		return false
	}
	e.source, e.path = text, path
	return true
}

// recordPath splits a path into a record: a.b.0, or a JSON Pointer for keys
// with a dot.
func recordPath(text string) ([]string, error) {
	if strings.HasPrefix(text, "/") {
		parts := strings.Split(text[1:], "/")
		for i := range parts {
			parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(parts[i])
		}
		return parts, nil
	}
	parts := strings.Split(text, ".")
	if slices.Contains(parts, "") {
		return nil, fmt.Errorf("path %q has an empty part", text)
	}
	return parts, nil
}

// takes reports what an entry takes of a column: nothing, all of it, or the
// part that rest leads to. In a flat file a path may also be a column's name,
// dots included.
func (e *entry) takes(column string, flat bool) (rest []string, ok bool) {
	switch {
	case e.path == nil:
		return nil, false
	case flat && e.source == column:
		return nil, true
	case e.path[0] == column:
		return e.path[1:], true
	}
	return nil, false
}

// column is what a mapping does with one column.
type column struct {
	name   string
	quoted []byte // as JSON
	own    field  // the field that it is named like
	vars   bool   // it becomes a variable
	feeds  []feed
}

// feed is one entry that takes a column or a part of it.
type feed struct {
	entry *entry
	rest  []string
}

func (mp *mapping) column(name string, flat bool) *column {
	c := &column{name: name}
	c.quoted, _ = jsontext.AppendQuote(nil, name)
	whole := false
	for i := range mp.entries {
		e := &mp.entries[i]
		if rest, ok := e.takes(name, flat); ok {
			c.feeds = append(c.feeds, feed{e, rest})
			whole = whole || len(rest) == 0
		}
	}
	f := fieldOf(name)
	switch {
	case f != noField && !mp.mapped[f]:
		c.own = f
	case !whole:
		c.vars = true
	}
	return c
}

// lacking notes the columns that the mapping names and a file with fixed
// columns does not have.
func (mp *mapping) lacking(file string, columns []string, flat bool, m *newel.Mistakes) {
	for i := range mp.entries {
		e := &mp.entries[i]
		found := e.path == nil || slices.ContainsFunc(columns, func(name string) bool {
			_, ok := e.takes(name, flat)
			return ok
		})
		if !found {
			m.Add(e.pos, "map: %s: %s has no column %q%s", e.key, file, e.path[0], columnHint(e.path[0], columns))
		}
	}
}

// columnHint proposes a column, or says which there are.
func columnHint(name string, columns []string) string {
	if near := newel.DidYouMean(name, columns); near != "" {
		return near
	}
	shown := columns
	if len(shown) > 10 {
		shown = shown[:10]
	}
	more := ""
	if n := len(columns) - len(shown); n > 0 {
		more = " and " + strconv.Itoa(n) + " more"
	}
	return "; it has " + strings.Join(shown, ", ") + more
}

// misspelt notes mapped columns that no record had while another of nearly
// that name is there. A column that is merely absent is no mistake.
func (mp *mapping) misspelt(seen map[string]bool, m *newel.Mistakes) {
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := range mp.entries {
		e := &mp.entries[i]
		if e.path == nil || seen[e.path[0]] || seen[e.source] {
			continue
		}
		if near := slices.IndexFunc(names, func(name string) bool { return slip(e.path[0], name) }); near >= 0 {
			m.Add(e.pos, "map: %s: no record has a column %q (did you mean %q?)", e.key, e.path[0], names[near])
		}
	}
}

// slip reports whether two names are one but for letter case, a letter more,
// less or other, or two swapped. Names under four letters are too short to
// tell.
func slip(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return a[i+1:] == b[i+1:] || len(a)-i >= 2 && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
