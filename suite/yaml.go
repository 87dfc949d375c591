package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"newel"
)

// maxNodes is how many values a suite may hold once its aliases are written
// out, so that a few lines cannot stand for billions.
const maxNodes = 1_000_000

// maxDepth is how deep values may be nested.
const maxDepth = 100

// ParseYAML reads one YAML or JSON document into nodes with their places.
// Mistakes of the document itself are noted in m, and nil is returned.
func ParseYAML(file string, text []byte, m *newel.Mistakes) *newel.Node {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	whole := newel.Pos{File: file}
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		m.Add(whole, "the file is empty; newel init writes a suite to start from")
		return nil
	case !utf8.Valid(text):
		m.Add(badUTF8(file, text), "the file is not UTF-8 text")
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, next yaml.Node
	if err := dec.Decode(&doc); err != nil {
		addYAMLError(file, err, m)
		return nil
	}
	if err := dec.Decode(&next); !errors.Is(err, io.EOF) {
		m.Add(newel.Pos{File: file, Line: max(next.Line, 1)}, "a suite is one document; this file holds more")
		return nil
	}
	c := &converter{file: file, m: m}
	n := c.node(&doc, 0)
	if c.stopped {
		return nil
	}
	return n
}

func badUTF8(file string, text []byte) newel.Pos {
	pos := newel.Pos{File: file, Line: 1, Column: 1}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			break
		}
		pos.Column++
		if r == '\n' {
			pos.Line, pos.Column = pos.Line+1, 1
		}
		text = text[size:]
	}
	return pos
}

// linePattern finds the place in the library's message.
var linePattern = regexp.MustCompile(`(?s)^(?:yaml: )?(?:.*?)line (\d+)(?:, column (\d+))?:? ?(.*)$`)

func addYAMLError(file string, err error, m *newel.Mistakes) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	pos := newel.Pos{File: file}
	if found := linePattern.FindStringSubmatch(text); found != nil {
		pos.Line, _ = strconv.Atoi(found[1])
		pos.Column, _ = strconv.Atoi(found[2])
		if found[3] != "" {
			text = found[3]
		}
	}
	m.Add(pos, "not YAML: %s", text)
}

// converter turns the library's nodes into ours.
type converter struct {
	file    string
	m       *newel.Mistakes
	count   int
	stopped bool
}

func (c *converter) pos(y *yaml.Node) newel.Pos {
	return newel.Pos{File: c.file, Line: y.Line, Column: y.Column}
}

func (c *converter) wrong(y *yaml.Node, format string, args ...any) {
	c.m.Add(c.pos(y), format, args...)
}

func (c *converter) node(y *yaml.Node, depth int) *newel.Node {
	c.count++
	switch {
	case c.stopped:
		return &newel.Node{}
	case c.count > maxNodes:
		c.wrong(y, "with its aliases written out the file holds more than %d values", maxNodes)
		c.stopped = true
		return &newel.Node{}
	case depth > maxDepth:
		c.wrong(y, "values are nested more than %d deep, or an alias holds itself", maxDepth)
		c.stopped = true
		return &newel.Node{}
	}
	switch y.Kind {
	case yaml.DocumentNode:
		return c.node(y.Content[0], depth)
	case yaml.AliasNode:
		return c.node(y.Alias, depth+1)
	case yaml.SequenceNode:
		n := &newel.Node{Pos: c.pos(y), List: make([]*newel.Node, 0, len(y.Content))}
		for _, e := range y.Content {
			n.List = append(n.List, c.node(e, depth+1))
		}
		return n
	case yaml.MappingNode:
		return c.mapping(y, depth)
	}
	return c.scalar(y)
}

func (c *converter) mapping(y *yaml.Node, depth int) *newel.Node {
	n := &newel.Node{Pos: c.pos(y), Fields: make([]*newel.Field, 0, len(y.Content)/2)}
	seen := make(map[string]int, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		if key.Kind != yaml.ScalarNode {
			c.wrong(key, "a key is a plain text")
			continue
		}
		if key.Tag == "!!merge" {
			c.wrong(key, "merge keys (<<) are not part of YAML 1.2: repeat the keys, or alias a whole value")
			continue
		}
		if line, twice := seen[key.Value]; twice {
			c.wrong(key, "%q stands twice in this map, first on line %d", key.Value, line)
			continue
		}
		seen[key.Value] = key.Line
		n.Fields = append(n.Fields, &newel.Field{Name: key.Value, Pos: c.pos(key), Node: c.node(y.Content[i+1], depth+1)})
	}
	return n
}

func (c *converter) scalar(y *yaml.Node) *newel.Node {
	n := &newel.Node{Pos: c.pos(y), Value: y.Value}
	switch y.ShortTag() {
	case "!!null":
		n.Value = nil
	case "!!bool":
		n.Value = strings.EqualFold(y.Value, "true")
	case "!!int":
		n.Value = c.whole(y)
	case "!!float":
		n.Value = c.number(y)
	case "!!str", "!!timestamp":
	default:
		c.wrong(y, "the tag %s is not known here: write plain text, numbers, true, false, lists and maps", y.Tag)
	}
	return n
}

func (c *converter) whole(y *yaml.Node) any {
	i, ok := new(big.Int).SetString(strings.TrimPrefix(y.Value, "+"), 0)
	if !ok {
		return c.number(y)
	}
	if f := new(big.Float).SetInt(i); i.IsInt64() {
		if v, acc := f.Float64(); acc == big.Exact {
			return v
		}
	}
	return json.Number(i.String())
}

func (c *converter) number(y *yaml.Node) any {
	f, err := strconv.ParseFloat(strings.ReplaceAll(y.Value, "_", ""), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		c.wrong(y, "%s is not a finite number; quote it if it is a text", y.Value)
		return 0.0
	}
	return f
}

// json writes n as JSON with map entries in the order written, which loses no
// number's digits.
func jsonOf(n *newel.Node) (newel.Raw, error) {
	raw, err := json.Marshal(n)
	if err != nil {
		return nil, fmt.Errorf("write %s as JSON: %w", n.Pos, err)
	}
	return newel.Canonical(raw)
}
