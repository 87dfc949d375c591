package data

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"newel"
)

// nodeReader turns a value of a record into nodes with their places. It goes
// through the text once.
type nodeReader struct {
	text    newel.Raw // the record
	in      origin
	dec     *jsontext.Decoder
	base    int // where in the text the decoder began
	counted int // up to where lines and characters are counted, which is line:col
	pos     newel.Pos
}

// read returns the value at an offset, nil where there is none.
func (r *nodeReader) read(offset int) *newel.Node {
	r.dec, r.base, r.pos = jsontext.NewDecoder(bytes.NewBuffer(r.text[offset:])), offset, r.in.pos()
	r.pos.Column = max(r.pos.Column, 1)
	return r.value()
}

// next is the place of the value or name that is read next.
func (r *nodeReader) next() newel.Pos {
	to := r.base + nextAt(r.dec, r.text[r.base:])
	part := r.text[r.counted:to]
	if last := bytes.LastIndexByte(part, '\n'); last >= 0 {
		r.pos.Line += bytes.Count(part, []byte("\n"))
		r.pos.Column, part = 1, part[last+1:]
	}
	r.pos.Column += utf8.RuneCount(part)
	r.counted = to
	return r.pos
}

func (r *nodeReader) value() *newel.Node {
	n := &newel.Node{Pos: r.next()}
	switch r.dec.PeekKind() {
	case '{':
		n.Fields = []*newel.Field{}
		_, _ = r.dec.ReadToken()
		for r.dec.PeekKind() == '"' {
			f := &newel.Field{Pos: r.next()}
			name, _ := r.dec.ReadToken()
			f.Name = name.String()
			f.Node = r.value()
			n.Fields = append(n.Fields, f)
		}
		_, _ = r.dec.ReadToken()
	case '[':
		n.List = []*newel.Node{}
		_, _ = r.dec.ReadToken()
		for kind := r.dec.PeekKind(); kind != ']' && kind != 0; kind = r.dec.PeekKind() {
			n.List = append(n.List, r.value())
		}
		_, _ = r.dec.ReadToken()
	default:
		raw, _ := r.dec.ReadValue()
		n.Value, _ = newel.ParseJSON(newel.Raw(raw))
	}
	return n
}
