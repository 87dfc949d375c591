package data

import (
	"errors"
	"slices"
	"strings"

	"newel"
	"newel/expr"
)

// rank orders values of one name: what a map says, what stands in a field of
// that kind, what is left over.
type rank uint8

const (
	mapped rank = iota
	written
	leftOver
)

type ranked struct {
	newel.Named
	rank rank
}

// builder makes cases from cells.
type builder struct {
	d     *decoder
	block *block
	cases slab[newel.Case]
	named slab[newel.Named]
	dims  slab[newel.Dim]

	// of the record under way
	r    *record
	with *joinedRecord // the other file's, if it was joined
	c    *newel.Case
	bad  bool // it has mistakes
	set  [fieldCount]bool
	list [fieldCount][]ranked // of fields that have parts
}

// slab hands out parts of larger allocations.
type slab[T any] struct{ free []T }

func (s *slab[T]) take(n int) []T {
	if n > len(s.free) {
		s.free = make([]T, max(n, blockRecords))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// begin starts a block. Slabs are not shared between blocks, so that a case
// that is kept does not keep other blocks.
func (b *builder) begin(d *decoder, block *block, records int) {
	b.d, b.block = d, block
	b.cases.free = make([]newel.Case, records)
	b.named.free, b.dims.free = nil, nil
	block.entries = make([]Entry, 0, records)
}

// record makes a case from the cells of a record and adds it to the block,
// unless it has mistakes or where leaves it out.
func (b *builder) record(r *record, with *joinedRecord, cells []cell) {
	b.r, b.with, b.bad, b.set = r, with, false, [fieldCount]bool{}
	for f := range b.list {
		b.list[f] = b.list[f][:0]
	}
	b.c = &b.cases.take(1)[0]
	for i := range cells {
		b.cell(&cells[i])
	}
	mapping := b.block.src.mapping
	if mapping.exprs {
		b.exprs(mapping)
	}
	b.lists()
	b.identify(mapping)
	if b.bad || !b.wanted() {
		return
	}
	b.block.entries = append(b.block.entries, Entry{Case: b.c, Pos: b.origin().pos(), in: b.origin(), mapping: mapping})
}

// origin is the record as it stands in its file.
func (b *builder) origin() origin { return origin{b.r, b.block.file} }

// wrong notes a mistake in the value that a path leads to. What a join brought
// is told by the place of the key that it was joined on.
func (b *builder) wrong(p route, msg string) {
	b.bad = true
	pos, ok := b.origin().place(p)
	if !ok {
		pos = b.origin().pos()
		if from, there := b.with.place(p); there {
			pos, _ = b.origin().place(b.block.src.join.left(0))
			msg += " (in " + from.String() + ")"
		}
	}
	b.block.wrong.Add(pos, "%s", msg)
}

// failed notes that a part of the suite could not be asked of the record.
func (b *builder) failed(key string, at newel.Pos, err error) {
	b.bad = true
	b.block.wrong.Add(b.origin().pos(), "%s (%s): %v%s", key, at, err, expr.AskFirst(err))
}

// cell puts one column where it belongs. Null is absent.
func (b *builder) cell(c *cell) {
	for _, f := range c.feeds {
		if f.entry.part != "" || !b.set[f.entry.to] {
			b.feed(f, c)
		}
	}
	if c.value.Kind() == 'n' {
		return
	}
	switch {
	case c.own != noField:
		b.field(c.own, slot{key: c.name, dir: c.dir}, c.value, written)
	case c.vars:
		if v, ok := b.text(slot{key: c.name, dir: c.dir}, c.value); ok {
			b.add(fieldVars, c.name, v, leftOver)
		}
	}
}

// feed gives an entry of the map its value.
func (b *builder) feed(f feed, c *cell) {
	v := dig(c.value, f.rest)
	if v == nil || v.Kind() == 'n' {
		return
	}
	e := f.entry
	at := slot{key: e.key, from: e.source, dir: c.dir}
	if e.file {
		name, ok := unquote(v)
		if !ok {
			at.wrong(b, "want the name of a file, got %s", kindOf(v))
			return
		}
		if v, ok = b.fileText(at, name); !ok {
			return
		}
		at.literal = true
	}
	b.put(e, at, v)
}

func (b *builder) put(e *entry, at slot, v newel.Raw) {
	if e.part == "" {
		b.field(e.to, at, v, mapped)
		return
	}
	if v, ok := b.part(e.to, at, v); ok {
		b.add(e.to, e.part, v, mapped)
	}
}

func (b *builder) add(f field, name string, v newel.Raw, r rank) {
	b.list[f] = append(b.list[f], ranked{newel.Named{Name: name, Value: v}, r})
}

// exprs evaluates the map's expressions over the record.
func (b *builder) exprs(mapping *mapping) {
	record, err := b.decoded()
	if err != nil {
		b.failed("map", b.block.src.pos, err)
		return
	}
	for i := range mapping.entries {
		e := &mapping.entries[i]
		if e.expr == nil {
			continue
		}
		v, err := e.expr.EvalRecord(b.d.ctx, record, b.block.file.captures, b.r.row)
		var missing *newel.MissingError
		switch {
		case errors.As(err, &missing), err == nil && v == nil:
			continue
		case err != nil:
			b.failed(e.key, e.pos, err)
			continue
		}
		raw, err := rawOf(v)
		if err != nil {
			b.failed(e.key, e.pos, err)
			continue
		}
		b.put(e, slot{key: e.key, expr: e, dir: b.block.file.at.dir(), literal: true}, raw)
	}
}

// decoded returns the record as an expression sees it.
func (b *builder) decoded() (any, error) {
	v, err := newel.ParseJSON(b.r.raw)
	if err != nil || b.with == nil {
		return v, err
	}
	return v, b.with.into(v)
}

// lists sorts the fields that have parts and writes them into the case.
func (b *builder) lists() {
	for f := range b.list {
		if len(b.list[f]) == 0 {
			continue
		}
		list := b.unique(field(f))
		switch field(f) {
		case fieldOutputs:
			b.c.Outputs = b.keep(list)
		case fieldVars:
			b.c.Vars = b.keep(list)
		case fieldLabels:
			b.c.Labels = b.keep(list)
		case fieldRaters:
			b.c.Raters = b.keep(list)
		case fieldDims:
			b.c.Dims = b.keepDims(list)
		}
	}
}

// unique sorts by name and keeps one value a name: the map's, else the only
// one.
func (b *builder) unique(f field) []ranked {
	list := b.list[f]
	slices.SortFunc(list, func(x, y ranked) int {
		if c := strings.Compare(x.Name, y.Name); c != 0 {
			return c
		}
		return int(x.rank) - int(y.rank)
	})
	out := list[:1]
	for _, next := range list[1:] {
		last := out[len(out)-1]
		if next.Name != last.Name {
			out = append(out, next)
			continue
		}
		if last.rank != mapped {
			b.wrong(route{f.String(), []string{f.String(), next.Name}}, f.String()+": "+quote(next.Name)+" stands under vars and is a column too: map one of them to another name")
		}
	}
	return out
}

func (b *builder) keep(list []ranked) []newel.Named {
	out := b.named.take(len(list))
	for i := range list {
		out[i] = list[i].Named
	}
	return out
}

func (b *builder) keepDims(list []ranked) []newel.Dim {
	out := b.dims.take(len(list))
	for i := range list {
		out[i] = newel.Dim{Name: list[i].Name, Value: scalarText(list[i].Value)}
	}
	return out
}

// identify sees to the id.
func (b *builder) identify(mapping *mapping) {
	hashed := false
	for i := range mapping.entries {
		hashed = hashed || mapping.entries[i].hash
	}
	if hashed || b.r.node != nil && b.c.ID == "hash" {
		id, err := contentID(b.c)
		if err != nil {
			b.bad = true
			b.block.wrong.Add(b.origin().pos(), "id: %v", err)
		}
		b.c.ID = id
		return
	}
	if b.c.ID == "" && !b.bad {
		b.bad = true
		if b.r.node != nil {
			b.block.wrong.Add(b.origin().pos(), "the case has no id: write one, such as id: refund-1, or have it made from the content (id: hash)")
			return
		}
		b.block.wrong.Add(b.origin().pos(), "the case has no id: name the column that holds one (map: {id: COLUMN}), or have it made from the content (map: {id: hash})")
	}
}

// wanted asks where.
func (b *builder) wanted() bool {
	where := b.block.src.where
	if where == nil {
		return true
	}
	ok, err := where.Bool(b.d.ctx, newel.NewSubject(&newel.Item{Case: b.c}))
	if err != nil {
		b.failed("where", b.block.src.wherePos, err)
	}
	return ok && err == nil
}
