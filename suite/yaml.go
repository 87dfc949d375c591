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

	"go.yaml.in/yaml/v4"

	"newel"
)

// maxNodes is how many values a suite may hold, maxAliased how many of them
// its aliases may stand for, so that a few lines cannot mean billions.
const (
	maxNodes   = 1_000_000
	maxAliased = 100_000
)

// maxDepth is how deep values may be nested.
const maxDepth = 100

// ParseYAML reads one YAML or JSON document into nodes with their places.
// Mistakes of the document itself are noted in m, and nil is returned.
func ParseYAML(file string, text []byte, m *newel.Mistakes) *newel.Node {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if pos, trouble := unreadable(file, text); trouble != "" {
		m.Add(pos, "%s", trouble)
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, next yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		m.Add(newel.Pos{File: file}, "the file holds no definition; newel init DIR writes one to start from")
		return nil
	case err != nil:
		addYAMLError(file, text, err, m)
		return nil
	}
	switch err := dec.Decode(&next); {
	case err == nil:
		m.Add(newel.Pos{File: file, Line: next.Line, Column: next.Column}, "a second document begins here; a suite is one document")
		return nil
	case !errors.Is(err, io.EOF):
		addYAMLError(file, text, err, m)
		return nil
	}
	c := &converter{file: file, m: m}
	n := c.node(&doc, 0)
	if c.stopped {
		return nil
	}
	return n
}

// converter turns the library's nodes into ours.
type converter struct {
	file    string
	m       *newel.Mistakes
	count   int
	within  int // aliases that the node under way stands in
	aliased int // values that stand in an alias
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
	if c.within > 0 {
		c.aliased++
	}
	switch {
	case c.stopped:
		return &newel.Node{}
	case c.count > maxNodes:
		c.wrong(y, "the file holds more than %d values", maxNodes)
		c.stopped = true
		return &newel.Node{}
	case c.aliased > maxAliased:
		c.wrong(y, "written out, the aliases (*) of the file hold more than %d values", maxAliased)
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
		c.within++
		defer func() { c.within-- }()
		return c.node(y.Alias, depth+1)
	case yaml.SequenceNode:
		c.plainTag(y, "!!seq")
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
	c.plainTag(y, "!!map")
	n := &newel.Node{Pos: c.pos(y), Fields: make([]*newel.Field, 0, len(y.Content)/2)}
	seen := make(map[string]int, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		if key.Kind != yaml.ScalarNode {
			c.wrong(key, "a key is a plain text; put a text that begins with { or [ in quotes")
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

// plainTag notes any tag but the one that goes without saying.
func (c *converter) plainTag(y *yaml.Node, plain string) {
	if tag := y.ShortTag(); tag != plain {
		c.wrong(y, "%s is a tag, which has no meaning here; put a text that begins with ! in quotes", tag)
	}
}

func (c *converter) scalar(y *yaml.Node) *newel.Node {
	n := &newel.Node{Pos: c.pos(y), Value: y.Value}
	tag := y.ShortTag()
	if tag != "!!str" && leadingZero.MatchString(y.Value) {
		c.wrong(y, "%s begins with a zero: put it in quotes if it is a text, else write the number without it", y.Value)
		n.Value = 1.0
		return n
	}
	switch tag {
	case "!!null":
		n.Value = nil
	case "!!bool":
		n.Value = strings.EqualFold(y.Value, "true")
		if n.Value != true && !strings.EqualFold(y.Value, "false") {
			c.wrong(y, "%s is neither true nor false", y.Value)
		}
	case "!!int":
		n.Value = c.whole(y)
	case "!!float":
		n.Value = c.number(y)
		if wholeNumber.MatchString(y.Value) { // of more digits than the library's integers have
			n.Value = c.whole(y)
		}
	case "!!str", "!!timestamp":
	default:
		c.plainTag(y, "!!str")
		n.Value = strings.TrimSpace(y.Tag + " " + y.Value)
	}
	return n
}

var wholeNumber = regexp.MustCompile(`^[-+]?[0-9]+$`)

// leadingZero is a number that one reader takes as octal and another does not.
var leadingZero = regexp.MustCompile(`^[-+]?0[0-9_]+$`)

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
		c.wrong(y, "%s is not a finite number; put it in quotes if it is a text", y.Value)
		return 1.0 // one that is mostly allowed, so that no second mistake follows from it
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
