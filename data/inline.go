package data

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"newel"
)

// readInline turns the cases that stand in the suite into records.
func readInline(list []*newel.Node, s *sink) error {
	for _, n := range list {
		raw, err := nodeJSON(nil, n)
		if err != nil {
			s.wrongAt(n.Pos, "cases: %v", err)
			continue
		}
		if !n.IsMap() {
			s.wrongAt(n.Pos, "cases: want a case such as {id: a, input: …}, got %s", n.Kind())
			continue
		}
		if err := s.add(record{raw: raw, line: n.Pos.Line, col: n.Pos.Column, node: n}); err != nil {
			return err
		}
	}
	return nil
}

// wrongAt notes a mistake at a place that may be one of another file.
func (s *sink) wrongAt(pos newel.Pos, format string, args ...any) {
	s.wrongs++
	s.block().wrong.Add(pos, format, args...)
}

// nodeJSON writes a node as JSON, keys in the order written.
func nodeJSON(dst []byte, n *newel.Node) ([]byte, error) {
	var err error
	switch {
	case n.IsMap():
		dst = append(dst, '{')
		for i, f := range n.Fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = jsontext.AppendQuote(dst, f.Name); err != nil {
				return dst, err
			}
			if dst, err = nodeJSON(append(dst, ':'), f.Node); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	case n.IsList():
		dst = append(dst, '[')
		for i, e := range n.List {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = nodeJSON(dst, e); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	}
	if text, ok := n.Value.(string); ok {
		return jsontext.AppendQuote(dst, text)
	}
	text, err := json.Marshal(n.Value)
	return append(dst, text...), err
}
