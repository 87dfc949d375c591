// Package pack holds the bytes of plans and rows: chunks of items with their
// cases, and one packed record of results for each item.
//
// It decides how things are laid out, not where they are kept (store) nor how
// they are compressed (each store's business).
package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"newel"
)

// A chunk closes at MaxItems, or with the item that takes it past MaxBytes.
const (
	MaxItems = 256
	MaxBytes = 1 << 20
)

// chunkVersion is the first byte of every chunk.
const chunkVersion = 1

// Entry is one item of a chunk as the plan knows it.
type Entry struct {
	CaseIndex   int // among the chunk's cases
	Matrix      []newel.Dim
	Trial       int
	Quarantined bool
	Applies     newel.Bitmap // rubrics that have a row of this item
}

// About is what a report needs of a case: everything but what was scored.
type About struct {
	ID      string
	Cluster string
	Dims    []newel.Dim
	Tags    []string
	Labels  []newel.Named
	Raters  []newel.Named
	Run     newel.Raw
}

// Builder collects the items of one chunk.
type Builder struct {
	rubrics int
	index   []byte
	bodies  []byte
	items   []byte
	ends    []int // of each case's body
	count   int
	last    *newel.Case
}

// NewBuilder returns a builder for a plan of so many rubrics.
func NewBuilder(rubrics int) *Builder { return &Builder{rubrics: rubrics} }

// Next returns a builder for the chunk after this one, with room for as much.
func (b *Builder) Next() *Builder {
	room := func(n int) []byte { return make([]byte, 0, n+n/16) }
	return &Builder{rubrics: b.rubrics, index: room(len(b.index)), bodies: room(len(b.bodies)), items: room(len(b.items)),
		ends: make([]int, 0, len(b.ends))}
}

// Len is how many items are in.
func (b *Builder) Len() int { return b.count }

// Cases is how many different cases are in.
func (b *Builder) Cases() int { return len(b.ends) }

// Full reports whether the chunk has to close.
func (b *Builder) Full() bool { return b.count >= MaxItems || len(b.bodies) > MaxBytes }

// Add puts an item in. Items of one case that follow each other share it.
func (b *Builder) Add(c *newel.Case, e Entry) error {
	if b.last != c {
		body, err := AppendBody(b.bodies, c, c.Output, c.Context)
		if err != nil {
			return err
		}
		start := len(b.bodies)
		b.bodies = body
		b.index = appendAbout(b.index, c)
		b.index = binary.AppendUvarint(b.index, uint64(len(body)-start))
		b.ends = append(b.ends, len(body))
		b.last = c
	}
	b.items = binary.AppendUvarint(b.items, uint64(len(b.ends)-1))
	b.items = appendDims(b.items, e.Matrix)
	b.items = binary.AppendUvarint(b.items, uint64(e.Trial))
	b.items = append(b.items, boolByte(e.Quarantined))
	b.items = append(b.items, e.Applies...)
	b.count++
	return nil
}

// Hashes returns the hash of what is scored of each case.
func (b *Builder) Hashes() []newel.Hash {
	out := make([]newel.Hash, len(b.ends))
	start := 0
	for i, end := range b.ends {
		out[i], start = newel.HashOf(b.bodies[start:end]), end
	}
	return out
}

// Bytes returns the chunk: its index, and the bodies of its cases. The index
// holds the hash of the bodies, so that its own hash stands for both.
func (b *Builder) Bytes() (index, bodies []byte) {
	out := make([]byte, 0, len(b.index)+len(b.items)+64)
	out = append(out, chunkVersion)
	hash := newel.HashOf(b.bodies)
	out = append(out, hash[:]...)
	out = binary.AppendUvarint(out, uint64(b.rubrics))
	out = binary.AppendUvarint(out, uint64(len(b.ends)))
	out = binary.AppendUvarint(out, uint64(b.count))
	out = append(out, b.index...)
	return append(out, b.items...), b.bodies
}

// Chunk is a chunk's index read back.
type Chunk struct {
	About   []About
	Entries []Entry
	Bodies  newel.Hash // of the bodies
	sizes   []int
}

// errTorn says that a chunk or record ends before it should.
var errTorn = errors.New("packed data is torn")

// ReadChunk reads a chunk's index.
func ReadChunk(index []byte) (*Chunk, error) {
	r := &reader{b: index}
	if v := r.byte(); v != chunkVersion {
		return nil, fmt.Errorf("chunk of version %d: this binary reads version %d", v, chunkVersion)
	}
	c := &Chunk{}
	copy(c.Bodies[:], r.take(len(c.Bodies)))
	rubrics, cases, items := r.length(), r.length(), r.length()
	if r.err != nil || cases > len(r.b) || items > len(r.b) {
		return nil, errTorn
	}
	c.About, c.Entries, c.sizes = make([]About, 0, cases), make([]Entry, 0, items), make([]int, 0, cases)
	for range cases {
		c.About = append(c.About, r.about())
		c.sizes = append(c.sizes, r.size())
		if r.err != nil {
			return nil, r.err
		}
	}
	for range items {
		e := Entry{CaseIndex: r.length(), Matrix: r.dims(), Trial: r.length(), Quarantined: r.byte() == 1}
		e.Applies = newel.Bitmap(r.take((rubrics + 7) / 8))
		if r.err != nil || e.CaseIndex >= cases {
			return nil, errTorn
		}
		c.Entries = append(c.Entries, e)
	}
	if len(r.b) > 0 {
		return nil, errTorn
	}
	return c, nil
}

// Cases decodes the chunk's cases from their bodies, with the hash of what is
// scored of each.
func (c *Chunk) Cases(bodies []byte) ([]*newel.Case, []newel.Hash, error) {
	if newel.HashOf(bodies) != c.Bodies {
		return nil, nil, errTorn
	}
	out, hashes := make([]*newel.Case, len(c.About)), make([]newel.Hash, len(c.About))
	rest := bodies
	for i, about := range c.About {
		if c.sizes[i] > len(rest) {
			return nil, nil, errTorn
		}
		hashes[i] = newel.HashOf(rest[:c.sizes[i]])
		one, err := readBody(rest[:c.sizes[i]])
		if err != nil {
			return nil, nil, fmt.Errorf("case %q: %w", about.ID, err)
		}
		one.Dims, one.Tags, one.Labels, one.Raters, one.Run = about.Dims, about.Tags, about.Labels, about.Raters, about.Run
		out[i], rest = one, rest[c.sizes[i]:]
	}
	return out, hashes, nil
}

// Batch is the items of a chunk, ready to be scored.
type Batch struct {
	Items   []*newel.Item
	Entries []Entry
	Scored  []newel.Hash // by case index, for cases that bring their output
}

// Batch returns the chunk's items with their cases, numbered from first.
func (c *Chunk) Batch(first int, bodies []byte) (*Batch, error) {
	cases, hashes, err := c.Cases(bodies)
	if err != nil {
		return nil, err
	}
	b := &Batch{Items: make([]*newel.Item, len(c.Entries)), Entries: c.Entries, Scored: hashes}
	for i, e := range c.Entries {
		b.Items[i] = &newel.Item{N: first + i, Case: cases[e.CaseIndex], Matrix: e.Matrix, Trial: e.Trial}
	}
	return b, nil
}

func appendAbout(b []byte, c *newel.Case) []byte {
	b = appendText(b, c.ID)
	b = appendText(b, c.Cluster)
	b = appendDims(b, c.Dims)
	b = binary.AppendUvarint(b, uint64(len(c.Tags)))
	for _, t := range c.Tags {
		b = appendText(b, t)
	}
	b = appendNamed(b, c.Labels)
	b = appendNamed(b, c.Raters)
	return appendText(b, string(c.Run))
}

func (r *reader) about() About {
	a := About{ID: r.text(), Cluster: r.text(), Dims: r.dims()}
	for range r.length() {
		a.Tags = append(a.Tags, r.text())
	}
	a.Labels, a.Raters = r.named(), r.named()
	if run := r.text(); run != "" {
		a.Run = newel.Raw(run)
	}
	return a
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func appendDims(b []byte, dims []newel.Dim) []byte {
	b = binary.AppendUvarint(b, uint64(len(dims)))
	for _, d := range dims {
		b = appendText(appendText(b, d.Name), d.Value)
	}
	return b
}

func appendNamed(b []byte, list []newel.Named) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, n := range list {
		b = appendText(appendText(b, n.Name), string(n.Value))
	}
	return b
}

func boolByte(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// reader takes values off the front of b; the first fault sticks.
type reader struct {
	b   []byte
	err error
}

func (r *reader) take(n int) []byte {
	if r.err != nil || n > len(r.b) {
		r.err = errTorn
		return make([]byte, min(n, 64))
	}
	out := r.b[:n:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) byte() byte { return r.take(1)[0] }

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || r.err != nil {
		r.err = errTorn
		return 0
	}
	r.b = r.b[n:]
	return v
}

// length is a number that cannot be above what is left to read, so that torn
// data never asks for memory.
func (r *reader) length() int {
	v := r.uvarint()
	if v > math.MaxInt32 || int(v) > len(r.b)+math.MaxInt16 {
		r.err = errTorn
		return 0
	}
	return int(v)
}

// size is the length of something that lies elsewhere.
func (r *reader) size() int {
	v := r.uvarint()
	if v > math.MaxInt32 {
		r.err = errTorn
		return 0
	}
	return int(v)
}

func (r *reader) text() string {
	n := r.length()
	if r.err != nil || n > len(r.b) {
		r.err = errTorn
		return ""
	}
	return string(r.take(n))
}

func (r *reader) dims() []newel.Dim {
	n := r.length()
	if n == 0 || r.err != nil {
		return nil
	}
	out := make([]newel.Dim, 0, min(n, 64))
	for range n {
		out = append(out, newel.Dim{Name: r.text(), Value: r.text()})
		if r.err != nil {
			return nil
		}
	}
	return out
}

func (r *reader) named() []newel.Named {
	n := r.length()
	if n == 0 || r.err != nil {
		return nil
	}
	out := make([]newel.Named, 0, min(n, 64))
	for range n {
		out = append(out, newel.Named{Name: r.text(), Value: newel.Raw(r.text())})
		if r.err != nil {
			return nil
		}
	}
	return out
}
