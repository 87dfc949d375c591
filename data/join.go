package data

import (
	"errors"
	"fmt"
	"strings"

	"newel"
)

// join adds to each record the one record of other files that has the same
// key.
type join struct {
	pos   newel.Pos
	files []*dataFile
	as    string // the column that takes the whole record; empty: its columns are added
	on    []keyPair
}

// keyPair is a path into the record and one into the other, whose values must
// be the same.
type keyPair struct {
	left, right         []string
	leftText, rightText string
}

var joinKeys = [...]string{"file", "on", "as"}

func parseJoin(n *newel.Node, folders *Folders, m *newel.Mistakes) *join {
	if !n.IsMap() {
		m.Add(n.Pos, "join: want {file: FILE, on: COLUMN}, got %s", n.Kind())
		return nil
	}
	j := &join{pos: n.Pos}
	for _, f := range n.Fields {
		switch f.Name {
		case "file":
			j.files = parseFile("join: file", f.Node, folders, m)
		case "on":
			j.on = parseOn(f.Node, m)
		case "as":
			j.as, _ = f.Node.Text()
			if j.as == "" {
				m.Add(f.Node.Pos, "join: as: want the name of a column, got %s", f.Node.Kind())
			}
		default:
			if !isExtra(f.Name) {
				m.Add(f.Pos, "join has no key %q%s", f.Name, newel.DidYouMean(f.Name, joinKeys[:]))
			}
		}
	}
	for _, key := range joinKeys[:2] {
		if n.Lacks(key, joinKeys[:]) {
			m.Add(n.Pos, "join needs %s, as in {file: gold.csv, on: id}", key)
		}
	}
	return j
}

// parseOn reads a column, or a map of columns to those of the other file.
func parseOn(n *newel.Node, m *newel.Mistakes) []keyPair {
	if text, ok := n.Text(); ok {
		return onPair(nil, text, text, n.Pos, m)
	}
	var pairs []keyPair
	for _, f := range n.Fields {
		right, ok := f.Node.Text()
		if !ok {
			m.Add(f.Node.Pos, "join: on: want a column of the other file, got %s", f.Node.Kind())
			continue
		}
		pairs = onPair(pairs, f.Name, right, f.Pos, m)
	}
	if len(n.Fields) == 0 {
		m.Add(n.Pos, "join: on: want a column, or {column: column of the other file}, got %s", n.Kind())
	}
	return pairs
}

func onPair(pairs []keyPair, left, right string, pos newel.Pos, m *newel.Mistakes) []keyPair {
	l, err := recordPath(left)
	r, errRight := recordPath(right)
	if err := errors.Join(err, errRight); err != nil {
		m.Add(pos, "join: on: %v", err)
		return pairs
	}
	return append(pairs, keyPair{l, r, left, right})
}

// left is the path of key i in the record that is joined.
func (j *join) left(i int) route { return route{j.on[i].leftText, j.on[i].left} }

// right is that in the other record.
func (j *join) right(i int) route { return route{j.on[i].rightText, j.on[i].right} }

// joinError is why a record has no partner, and which of its values says so.
type joinError struct {
	at  route
	msg string
}

func (e *joinError) Error() string { return e.msg }

// placeOf is where a record has what an error of a join speaks of.
func placeOf(err error, in origin) newel.Pos {
	var e *joinError
	if errors.As(err, &e) {
		if pos, ok := in.place(e.at); ok {
			return pos
		}
	}
	return in.pos()
}

// keyOf returns the text of a key, and how it is shown. The value of each path
// must be there and a scalar: 17 and "17" are the same.
func keyOf(cells []cell, keys []route) (key, shown string, err error) {
	var k, s strings.Builder
	for i, key := range keys {
		var v newel.Raw
		for _, c := range cells {
			if c.name == key.steps[0] {
				v = dig(c.value, key.steps[1:])
			} else if c.name == key.source {
				v = c.value // a flat file's column with a dot
			}
			if v != nil {
				break
			}
		}
		if !isScalar(v) {
			what := "no " + key.source
			if v != nil && v.Kind() != 'n' {
				what = kindOf(v) + " under " + key.source
			}
			return "", "", &joinError{key, "the record has " + what + " to join on"}
		}
		text := scalarText(v)
		fmt.Fprintf(&k, "%d:%s", len(text), text)
		if i > 0 {
			s.WriteString(", ")
		}
		fmt.Fprintf(&s, "%s = %s", key.source, quote(shorten(text)))
	}
	return k.String(), s.String(), nil
}

func shorten(text string) string {
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return text
}

// keys returns the paths of the key in the record, or in the other one.
func (j *join) keys(of func(i int) route) []route {
	out := make([]route, len(j.on))
	for i := range out {
		out[i] = of(i)
	}
	return out
}

// joinedRecord is the other file's record, for expressions and for places.
type joinedRecord struct {
	raw    newel.Raw
	as     string   // the column that takes it whole
	keys   []string // columns that say no more than the record's own
	lookup *lookup
	at     spot
}

// place is where the other record has a value of the joined one.
func (j *joinedRecord) place(p route) (newel.Pos, bool) {
	if j == nil || j.as != "" && p.steps[0] != j.as {
		return newel.Pos{}, false
	}
	in, err := j.origin()
	switch {
	case err != nil:
		return newel.Pos{}, false
	case j.as == "":
		return in.place(p)
	case len(p.steps) == 1:
		return in.pos(), true
	}
	pos, _ := in.place(route{strings.Join(p.steps[1:], "."), p.steps[1:]})
	return pos, true
}

// into adds the record to the decoded one that it was joined to.
func (j *joinedRecord) into(to any) error {
	v, err := newel.ParseJSON(j.raw)
	if err != nil {
		return err
	}
	record, ok := to.(map[string]any)
	other, isObject := v.(map[string]any)
	switch {
	case !ok || !isObject:
		return errNotObject
	case j.as != "":
		record[j.as] = v
		return nil
	}
	for _, key := range j.keys {
		delete(other, key)
	}
	for name, value := range other {
		record[name] = value
	}
	return nil
}

// dropped returns the columns of the other record that hold the key.
func (j *join) dropped() []string {
	var names []string
	for _, p := range j.on {
		if len(p.right) == 1 {
			names = append(names, p.right[0])
		}
	}
	return names
}
