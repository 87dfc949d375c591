package data

import (
	"bytes"
	"context"
	"errors"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"newel"
)

// decoder turns the records of blocks into cases. Each worker has its own.
type decoder struct {
	ctx     context.Context
	folders *Folders
	json    *jsontext.Decoder
	in      bytes.Buffer
	tables  map[tableKey]*table
	cells   []cell // of the record
	build   builder
	extra   int64 // bytes that the block's records brought from other files
}

// cell is a column of one record with its value.
type cell struct {
	*column
	value newel.Raw
	dir   place // what a path in the value is relative to
}

type tableKey struct {
	source int
	flat   bool
}

// table knows the columns of a source. Records mostly have the same columns in
// the same order, so each is first compared with the one that stood there in
// the record before.
type table struct {
	mapping *mapping
	flat    bool
	byName  map[string]*column
	last    []*column
	joined  *table // the same, for the columns of a joined record
}

// maxColumns bounds what a table remembers, for data with keys that are
// values.
const maxColumns = 4096

func newDecoder(ctx context.Context, folders *Folders) *decoder {
	return &decoder{ctx: ctx, folders: folders, json: new(jsontext.Decoder), tables: map[tableKey]*table{}}
}

// names adds the columns that were met in a source.
func (d *decoder) names(src *sourceRun, to map[string]bool) {
	for key, t := range d.tables {
		if key.source == src.index {
			for name := range t.byName {
				to[name] = true
			}
		}
	}
}

func (d *decoder) table(b *block) *table {
	key := tableKey{b.src.index, b.file.format.flat}
	t := d.tables[key]
	if t == nil {
		t = &table{mapping: b.src.mapping, flat: key.flat, byName: map[string]*column{}}
		d.tables[key] = t
	}
	return t
}

// decode turns a block's records into entries, leaving out those that where
// leaves out.
func (d *decoder) decode(b *block) {
	if b.src.stopped.Load() || b.file.stopped.Load() || d.ctx.Err() != nil {
		return
	}
	t := d.table(b)
	d.build.begin(d, b, len(b.records))
	for i := range b.records {
		r := &b.records[i]
		if !d.record(r, b, t) {
			b.broken = true
			if b.file.whole {
				return
			}
			continue
		}
		b.decoded++
	}
	b.src.extra.Add(d.extra)
	b.src.decoded.Add(int64(b.decoded))
	b.records, d.extra = nil, 0
}

// record decodes one record. It returns false when it is no JSON object.
func (d *decoder) record(r *record, b *block, t *table) bool {
	d.cells = d.cells[:0]
	if err := d.object(r.raw, b.file.at.dir(), t); err != nil {
		line, col, msg := explain(r, err)
		b.wrong.Add(newel.Pos{File: b.file.shown, Line: line, Column: col}, "%s", msg)
		return false
	}
	var with *joinedRecord
	if b.src.lookup != nil {
		var err error
		if with, err = d.join(b, t); err != nil {
			b.wrong.Add(placeOf(err, origin{r, b.file}), "join: %v", err)
			return true
		}
	}
	d.build.record(r, with, d.cells)
	return true
}

var (
	errNotObject = errors.New("a record is an object with a value for each column")
	errTrailing  = errors.New("text after the record")
)

// object adds the members of a JSON object to the cells.
func (d *decoder) object(raw []byte, dir place, t *table) error {
	d.in = *bytes.NewBuffer(raw)
	dec := d.json
	dec.Reset(&d.in)
	if kind := dec.PeekKind(); kind != '{' {
		if _, err := dec.ReadValue(); err != nil {
			return err
		}
		return errNotObject
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for i := 0; dec.PeekKind() != '}'; i++ {
		name, err := dec.ReadValue()
		if err != nil {
			return err
		}
		c := t.column(i, name)
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		d.cells = append(d.cells, cell{c, value[:len(value):len(value)], dir})
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	if !isBlank(raw[dec.InputOffset():]) {
		return &jsontext.SyntacticError{ByteOffset: dec.InputOffset(), Err: errTrailing}
	}
	return nil
}

// column returns the column of a quoted name that stands in place i.
func (t *table) column(i int, quoted []byte) *column {
	if i < len(t.last) && bytes.Equal(t.last[i].quoted, quoted) {
		return t.last[i]
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	c := t.named(string(text))
	switch {
	case i < len(t.last):
		t.last[i] = c
	case i == len(t.last) && i < maxColumns:
		t.last = append(t.last, c)
	}
	return c
}

func (t *table) named(name string) *column {
	c := t.byName[name]
	if c == nil {
		c = t.mapping.column(name, t.flat)
		if len(t.byName) < maxColumns {
			t.byName[name] = c
		}
	}
	return c
}

// explain says where in a file a record stops being JSON, and why.
func explain(r *record, err error) (line, col int, msg string) {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errNotObject):
		return r.line, r.col, "want a record, an object such as {\"id\": …}, got " + kindOf(bytes.TrimLeft(r.raw, " \t\r\n"))
	case !errors.As(err, &syntax):
		return r.line, r.col, err.Error()
	}
	at := min(int(syntax.ByteOffset), len(r.raw))
	line, col = placeIn(r.raw, r.line, r.col, at)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) && isBlank(bytes.TrimLeft(r.raw, "[")):
		return line, col, "the line only opens a list: write one record a line, or name the file .json when it holds one list"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return line, col, "not JSON: the record ends in the middle of a text, list or object"
	case errors.Is(err, jsontext.ErrDuplicateName):
		return line, col, "the key " + quote(syntax.JSONPointer.LastToken()) + " stands twice"
	case errors.Is(err, errTrailing):
		return line, col, "text after the record: write one record a line"
	}
	return line, col, "not JSON: " + syntax.Err.Error() + hint(r.raw[at:])
}

// hint says what to do about common slips.
func hint(rest []byte) string {
	for _, slip := range []struct{ text, hint string }{
		{"NaN", " (JSON has no NaN: write null)"}, {"Infinity", " (JSON has no infinity: write null)"},
		{"-Infinity", " (JSON has no infinity: write null)"}, {"None", " (JSON writes null)"},
		{",}", " (there is a comma too many)"}, {",]", " (there is a comma too many)"}, {"\t", " (within a text write \\t)"},
		{"True", " (JSON writes true)"}, {"False", " (JSON writes false)"}, {"'", " (JSON's texts stand in double quotes)"},
	} {
		if bytes.HasPrefix(rest, []byte(slip.text)) {
			return slip.hint
		}
	}
	if len(rest) > 0 && rest[0] < utf8.RuneSelf && unicode.IsLetter(rune(rest[0])) {
		return " (names and texts stand in double quotes)"
	}
	return ""
}
