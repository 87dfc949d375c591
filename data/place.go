package data

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"

	"newel"
)

// origin is a record as it stands in its file. Places are worked out from it
// only where something is wrong: while all is well they cost nothing.
type origin struct {
	record *record
	file   *fileRun
}

// pos is where the record begins. Of a Parquet file that is the row, counted
// from 1, which has no column.
func (o origin) pos() newel.Pos {
	if o.record.node != nil {
		return o.record.node.Pos
	}
	return newel.Pos{File: o.file.shown, Line: o.record.line, Column: o.record.col}
}

// at is the place of an offset of text, which begins where the record does.
func (o origin) at(text []byte, offset int) newel.Pos {
	line, col := placeIn(text, o.record.line, o.record.col, offset)
	return newel.Pos{File: o.file.shown, Line: line, Column: col}
}

// place is where the record has a value: as far along the path as it goes. It
// returns false where not even the path's first step is there.
func (o origin) place(p route) (newel.Pos, bool) {
	switch {
	case o.record.node != nil:
		n := reach(o.record.node, p.steps)
		return n.Pos, n != o.record.node
	case o.file.format.random:
		return o.pos(), slices.ContainsFunc(members(o.record.raw), func(m newel.Named) bool { return m.Name == p.steps[0] })
	case o.file.format.flat:
		i := o.file.header.index(p)
		return o.cell(max(i, 0)), i >= 0
	}
	offset := reachJSON(o.record.raw, p.steps)
	return o.at(o.record.raw, max(offset, 0)), offset >= 0
}

// cell is where cell i of a table's row begins, or the row's end.
func (o origin) cell(i int) newel.Pos {
	return o.at(o.record.text, cellAt(o.record.text, o.file.header.comma, i))
}

// route leads to a value of a record. In a table it may also be a column's
// name, dots included.
type route struct {
	source string
	steps  []string
}

// header is the first line of a table.
type header struct {
	names []string
	comma byte
}

// index is the column that a path leads to, or -1.
func (h *header) index(p route) int {
	if i := slices.Index(h.names, p.source); i >= 0 {
		return i
	}
	return slices.Index(h.names, p.steps[0])
}

// cellAt returns the offset of cell i in the text of a row that is well formed,
// or that of the row's end.
func cellAt(row []byte, comma byte, i int) int {
	quoted := false
	for at, c := range row {
		switch {
		case i == 0:
			return at
		case c == '"':
			quoted = !quoted // twice at a doubled one
		case c == comma && !quoted:
			i--
		}
	}
	return len(bytes.TrimRight(row, "\r\n"))
}

// reach follows steps into a node, as far as they lead.
func reach(n *newel.Node, steps []string) *newel.Node {
	for _, step := range steps {
		next := n.Field(step)
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.List) {
			next = n.List[i]
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// placeIn returns the line and column, in characters, of an offset of a text
// that begins at another place.
func placeIn(text []byte, line, col, offset int) (int, int) {
	before := text[:offset]
	last := bytes.LastIndexByte(before, '\n')
	if last < 0 {
		return line, max(col, 1) + utf8.RuneCount(before)
	}
	return line + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[last+1:])
}

// Place returns where a field of the case was written, or a part of it that
// steps lead to, as far as the format tells; where the record begins for a
// field that is not in it, but made by an expression or brought by a join. In
// a Parquet file it is the row alone.
//
// It is worked out at each call, for messages, and only while the batch is
// there.
func (e *Entry) Place(field string, steps ...string) newel.Pos {
	if p, ok := e.source(field); ok {
		p.steps = slices.Concat(p.steps, steps)
		if pos, ok := e.in.place(p); ok {
			return pos
		}
	}
	return e.Pos
}

// source is the path of the record's value that became a field. It returns
// false for one that an expression made.
func (e *Entry) source(name string) (route, bool) {
	for i := range e.mapping.entries {
		if m := &e.mapping.entries[i]; m.part == "" && m.to.String() == name {
			return route{m.source, slices.Clone(m.path)}, m.path != nil && !m.file
		}
	}
	return route{name, []string{name}}, true
}

// Node returns a field of the case with the places of all values in it, nil
// where the format has no places within a field. It is for messages, as Place.
func (e *Entry) Node(field string) *newel.Node {
	p, ok := e.source(field)
	r := e.in.record
	switch {
	case !ok || e.in.file.format.flat || e.in.file.format.random:
		return nil
	case r.node != nil:
		n := reach(r.node, p.steps)
		if n == r.node {
			return nil
		}
		return n
	}
	offset := reachJSON(r.raw, p.steps)
	if offset < 0 {
		return nil
	}
	c := &nodeReader{text: r.raw, in: e.in}
	return c.read(offset)
}
