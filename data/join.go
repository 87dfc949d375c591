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

// keyOf returns the text of a key, and how it is shown. The value of each path
// must be there and a scalar: 17 and "17" are the same.
func keyOf(cells []cell, paths [][]string, names []string) (key, shown string, err error) {
	var k, s strings.Builder
	for i, path := range paths {
		var v newel.Raw
		for _, c := range cells {
			if c.name == path[0] {
				v = dig(c.value, path[1:])
			} else if c.name == names[i] {
				v = c.value // a flat file's column with a dot
			}
			if v != nil {
				break
			}
		}
		if !isScalar(v) {
			what := "no " + names[i]
			if v != nil && v.Kind() != 'n' {
				what = kindOf(v) + " under " + names[i]
			}
			return "", "", fmt.Errorf("the record has %s to join on", what)
		}
		text := scalarText(v)
		fmt.Fprintf(&k, "%d:%s", len(text), text)
		if i > 0 {
			s.WriteString(", ")
		}
		fmt.Fprintf(&s, "%s = %s", names[i], quote(shorten(text)))
	}
	return k.String(), s.String(), nil
}

func shorten(text string) string {
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return text
}

// sides returns the paths and names of one side of the key.
func (j *join) sides(right bool) (paths [][]string, names []string) {
	for _, p := range j.on {
		if right {
			paths, names = append(paths, p.right), append(names, p.rightText)
		} else {
			paths, names = append(paths, p.left), append(names, p.leftText)
		}
	}
	return paths, names
}

// joinedRecord is the other file's record, for expressions.
type joinedRecord struct {
	raw  newel.Raw
	as   string
	keys []string // columns that say no more than the record's own
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
