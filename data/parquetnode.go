package data

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// parquetNode is a node of a file's schema with its levels (Dremel, Melnik et
// al. 2010): a value is there when its definition level reaches def, and it
// begins a new element of the list when its repetition level is below rep.
type parquetNode struct {
	name     string
	quoted   []byte // the name as JSON, with a colon
	optional bool
	repeated bool
	shape    shape
	def, rep int
	fields   []*parquetNode
	from, to int // its leaf columns
	leaf     leaf
}

type shape uint8

const (
	isLeaf shape = iota
	isGroup
	isListOf // a group around a repeated node: LIST
	isMapOf  // a group around repeated keys and values: MAP
)

func newParquetNode(n parquet.Node, name string, def, rep int, next *int) *parquetNode {
	p := &parquetNode{name: name, optional: n.Optional(), repeated: n.Repeated(), from: *next}
	quoted, _ := jsontext.AppendQuote(nil, name)
	p.quoted = append(quoted, ':')
	if p.optional || p.repeated {
		def++
	}
	if p.repeated {
		rep++
	}
	p.def, p.rep = def, rep
	if n.Leaf() {
		*next++
		p.to, p.leaf = *next, leafOf(n.Type())
		return p
	}
	for _, f := range n.Fields() {
		p.fields = append(p.fields, newParquetNode(f, f.Name(), def, rep, next))
	}
	p.to, p.shape = *next, p.groupShape(n)
	return p
}

func (p *parquetNode) groupShape(n parquet.Node) shape {
	lt := n.Type().LogicalType()
	if lt == nil || len(p.fields) != 1 || !p.fields[0].repeated {
		return isGroup
	}
	switch lt.Value.(type) {
	case *format.ListType:
		return isListOf
	case *format.MapType:
		if f := p.fields[0].fields; len(f) == 2 && f[0].shape == isLeaf && !f[0].repeated {
			return isMapOf
		}
	}
	return isGroup
}

var errLevels = errors.New("the row is damaged: a value is missing")

// first returns the next value of a node's first column.
func (p *parquetRows) first(n *parquetNode) (parquet.Value, error) {
	if n.from == n.to {
		return parquet.Value{}, errors.New("a group has no columns")
	}
	if len(p.leaves[n.from]) == 0 {
		return parquet.Value{}, errLevels
	}
	return p.leaves[n.from][0], nil
}

// skip passes over a node that is not there: one value in each of its columns.
func (p *parquetRows) skip(n *parquetNode) error {
	for i := n.from; i < n.to; i++ {
		if len(p.leaves[i]) == 0 {
			return errLevels
		}
		p.leaves[i] = p.leaves[i][1:]
	}
	return nil
}

// node writes what stands at a node.
func (p *parquetRows) node(n *parquetNode) error {
	v, err := p.first(n)
	switch {
	case err != nil:
		return err
	case n.repeated:
		return p.repeated(n, '[', ']', p.content)
	case n.optional && v.DefinitionLevel() < n.def:
		p.out = append(p.out, "null"...)
		return p.skip(n)
	}
	return p.content(n)
}

// repeated writes the elements of a repeated node.
func (p *parquetRows) repeated(n *parquetNode, open, end byte, element func(*parquetNode) error) error {
	p.out = append(p.out, open)
	v, err := p.first(n)
	if err != nil {
		return err
	}
	if v.DefinitionLevel() < n.def {
		p.out = append(p.out, end)
		return p.skip(n)
	}
	for i := 0; ; i++ {
		if i > 0 {
			p.out = append(p.out, ',')
		}
		if err := element(n); err != nil {
			return err
		}
		rest := p.leaves[n.from]
		if len(rest) == 0 || rest[0].RepetitionLevel() < n.rep {
			break
		}
	}
	p.out = append(p.out, end)
	return nil
}

// content writes one value of a node that is there.
func (p *parquetRows) content(n *parquetNode) error {
	switch n.shape {
	case isLeaf:
		v, err := p.first(n)
		if err != nil {
			return err
		}
		p.leaves[n.from] = p.leaves[n.from][1:]
		p.out, err = n.leaf(p.out, v)
		return err
	case isListOf:
		return p.repeated(n.fields[0], '[', ']', p.listElement)
	case isMapOf:
		return p.repeated(n.fields[0], '{', '}', p.mapEntry)
	}
	p.out = append(p.out, '{')
	for i, f := range n.fields {
		if i > 0 {
			p.out = append(p.out, ',')
		}
		p.out = append(p.out, f.quoted...)
		if err := p.node(f); err != nil {
			return err
		}
	}
	p.out = append(p.out, '}')
	return nil
}

// listElement writes an element of a LIST: its repeated group holds one field,
// the element; in files of older writers it is the element.
func (p *parquetRows) listElement(n *parquetNode) error {
	if n.shape == isGroup && len(n.fields) == 1 {
		return p.node(n.fields[0])
	}
	return p.content(n)
}

// mapEntry writes a key and its value.
func (p *parquetRows) mapEntry(n *parquetNode) error {
	start := len(p.out)
	if err := p.node(n.fields[0]); err != nil {
		return err
	}
	if p.out[start] != '"' {
		key := string(p.out[start:])
		p.out, _ = jsontext.AppendQuote(p.out[:start], key)
	}
	p.out = append(p.out, ':')
	return p.node(n.fields[1])
}
