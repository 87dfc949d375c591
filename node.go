package newel

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Pos is a place in a file. Line and Column count from 1; a zero Line means
// the file as a whole.
type Pos struct {
	File         string
	Line, Column int
}

// String returns file:line:column, as far as known.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Node is one value of a definition with the place where it was written.
type Node struct {
	Pos    Pos
	Value  any      // of a scalar: nil, bool, float64, json.Number or string
	List   []*Node  // of a list; not nil, even when empty
	Fields []*Field // of a map, in the order written; not nil, even when empty
}

// Field is one entry of a map node.
type Field struct {
	Name string
	Pos  Pos // of the name
	Node *Node
}

// IsMap, IsList and IsScalar tell what a node is.
func (n *Node) IsMap() bool    { return n.Fields != nil }
func (n *Node) IsList() bool   { return n.List != nil }
func (n *Node) IsScalar() bool { return n.Fields == nil && n.List == nil }

// Text returns the string that n holds.
func (n *Node) Text() (string, bool) {
	s, ok := n.Value.(string)
	return s, ok && n.IsScalar()
}

// Field returns the value of a map's entry, nil if there is none.
func (n *Node) Field(name string) *Node {
	for _, f := range n.Fields {
		if f.Name == name {
			return f.Node
		}
	}
	return nil
}

// Lacks reports whether a map has neither an entry called name nor one among
// its unknown names that seems to mean it: for that there is a mistake already.
func (n *Node) Lacks(name string, known []string) bool {
	for _, f := range n.Fields {
		if f.Name == name || !slices.Contains(known, f.Name) && Nearest(f.Name, known) == name {
			return false
		}
	}
	return true
}

// Kind names what n holds, for messages.
func (n *Node) Kind() string {
	switch {
	case n.IsMap():
		return "a map"
	case n.IsList():
		return "a list"
	}
	switch v := n.Value.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		if v == "" {
			return "an empty text"
		}
		return "a text"
	}
	return "a number"
}

// Any returns n as nil, bool, float64, json.Number, string, []any and
// map[string]any.
func (n *Node) Any() any {
	switch {
	case n.IsMap():
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Name] = f.Node.Any()
		}
		return m
	case n.IsList():
		l := make([]any, len(n.List))
		for i, e := range n.List {
			l[i] = e.Any()
		}
		return l
	}
	return n.Value
}

// NodeOf turns a decoded JSON value into nodes that all stand at pos, map
// entries in order of name.
func NodeOf(v any, pos Pos) *Node {
	n := &Node{Pos: pos}
	switch v := v.(type) {
	case map[string]any:
		n.Fields = make([]*Field, 0, len(v))
		for name, e := range v {
			n.Fields = append(n.Fields, &Field{name, pos, NodeOf(e, pos)})
		}
		slices.SortFunc(n.Fields, func(a, b *Field) int { return strings.Compare(a.Name, b.Name) })
	case []any:
		n.List = make([]*Node, len(v))
		for i, e := range v {
			n.List[i] = NodeOf(e, pos)
		}
	default:
		n.Value = v
	}
	return n
}

// MarshalJSON writes n as the JSON it stands for.
func (n *Node) MarshalJSON() ([]byte, error) { return json.Marshal(n.Any()) }

// Mistake is one thing wrong with what a user wrote.
type Mistake struct {
	Pos Pos
	Msg string // what is wrong and what to do
}

func (m Mistake) String() string { return m.Pos.String() + ": " + m.Msg }

// maxMistakes is how many mistakes are listed; the rest are counted.
const maxMistakes = 100

// Mistakes collects everything wrong with a definition or a data file, so that
// all of it is reported at once. The zero value is ready.
type Mistakes struct {
	list []Mistake
	more int
}

// maxMessage bounds one mistake's message, in bytes: what was written may be
// quoted in it.
const maxMessage = 1000

// Add notes a mistake.
func (m *Mistakes) Add(pos Pos, format string, args ...any) {
	if len(m.list) >= maxMistakes {
		m.more++
		return
	}
	msg := fmt.Sprintf(format, args...)
	if len(msg) > maxMessage {
		msg = strings.ToValidUTF8(msg[:maxMessage], "") + "…"
	}
	m.list = append(m.list, Mistake{pos, msg})
}

// Merge adds all of other's.
func (m *Mistakes) Merge(other *Mistakes) {
	for _, one := range other.list {
		m.Add(one.Pos, "%s", one.Msg)
	}
	m.more += other.more
}

// Len returns how many were noted.
func (m *Mistakes) Len() int { return len(m.list) + m.more }

// List returns the mistakes in order of file and line.
func (m *Mistakes) List() []Mistake {
	sorted := slices.Clone(m.list)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i].Pos, sorted[j].Pos
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	return sorted
}

// Err ends the collection: it returns nil when nothing is wrong, else m as an
// error. A mistake noted twice, as in a value that stands in two places by an
// alias, then counts once.
func (m *Mistakes) Err() error {
	if m.Len() == 0 {
		return nil
	}
	var once []Mistake
	for _, one := range m.list {
		if !slices.Contains(once, one) {
			once = append(once, one)
		}
	}
	m.list = once
	return m
}

// Error lists the mistakes, one a line.
func (m *Mistakes) Error() string {
	var b strings.Builder
	for i, one := range m.List() {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(one.String())
	}
	if m.more > 0 {
		fmt.Fprintf(&b, "\nand %d more", m.more)
	}
	return b.String()
}

// DidYouMean returns ` (did you mean "x"?)` for a word near one of list, else
// nothing.
func DidYouMean(word string, list []string) string {
	if near := Nearest(word, list); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}
