package judge

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v4"

	"newel"
	"newel/gateway"
	"newel/paid"
)

// readYAML turns a document into nodes, as suite does for whole files.
func readYAML(file string, text []byte, m *newel.Mistakes) *newel.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		m.Add(newel.Pos{File: file}, "not YAML: %v", err)
		return nil
	}
	if len(doc.Content) == 0 {
		m.Add(newel.Pos{File: file}, "nothing")
		return nil
	}
	return nodeOf(file, doc.Content[0], 0)
}

func nodeOf(file string, y *yaml.Node, depth int) *newel.Node {
	n := &newel.Node{Pos: newel.Pos{File: file, Line: y.Line, Column: y.Column}}
	switch {
	case depth > 50 || y.Kind == yaml.AliasNode:
	case y.Kind == yaml.MappingNode:
		n.Fields = []*newel.Field{}
		for i := 0; i+1 < len(y.Content); i += 2 {
			k := y.Content[i]
			n.Fields = append(n.Fields, &newel.Field{Name: k.Value, Pos: newel.Pos{File: file, Line: k.Line, Column: k.Column}, Node: nodeOf(file, y.Content[i+1], depth+1)})
		}
	case y.Kind == yaml.SequenceNode:
		n.List = []*newel.Node{}
		for _, e := range y.Content {
			n.List = append(n.List, nodeOf(file, e, depth+1))
		}
	case y.ShortTag() == "!!int" || y.ShortTag() == "!!float":
		n.Value = newel.ParseNumber(y.Value)
	case y.ShortTag() == "!!bool":
		n.Value = y.Value == "true"
	case y.ShortTag() != "!!null":
		n.Value = y.Value
	}
	return n
}

// builtin is a built-in prompt.
func builtin(t testing.TB, name string) *Prompt {
	t.Helper()
	p, err := Builtin(name, "1", readYAML)
	if err != nil || p == nil {
		t.Fatalf("builtin %s: %v", name, err)
	}
	return p
}

// asked is what a scripted judge sees of a call.
type asked struct {
	model, system, user string
	mark                string
	turns               int

	schema newel.Raw
}

// desk is a gateway and a journal: a scripted judge behind a real client's body.
type desk struct {
	*gateway.Client
	judge func(a asked) gateway.Reply
	err   error // of Ask

	mu       sync.Mutex
	requests map[string]gateway.Request
	replies  map[newel.Hash][]byte
	reads    []bool
	keys     []newel.Hash
	tags     []gateway.Tags
}

func newDesk(t testing.TB, judge func(a asked) gateway.Reply) *desk {
	t.Helper()
	client, err := gateway.New(gateway.Options{Name: "main", URL: "http://localhost:1/v1"})
	if err != nil {
		t.Fatal(err)
	}
	return &desk{Client: client, judge: judge, requests: map[string]gateway.Request{}, replies: map[newel.Hash][]byte{}}
}

func (d *desk) Body(r gateway.Request) (gateway.Body, error) {
	b, err := d.Client.Body(r)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.requests[string(b.Keyed)] = r
	return b, err
}

func (d *desk) Send(_ context.Context, b gateway.Body, t gateway.Tags) gateway.Reply {
	d.mu.Lock()
	r := d.requests[string(b.Keyed)]
	d.tags = append(d.tags, t)
	d.mu.Unlock()
	a := asked{model: r.Model, schema: r.Schema, turns: len(r.Messages), system: r.Messages[0].Parts[0].Text, user: r.Messages[1].Parts[0].Text}
	a.mark = markIn(a.user)
	return d.judge(a)
}

// markIn is the mark that a message names in its first line.
func markIn(user string) string {
	rest := strings.TrimPrefix(user, "The mark of this case is ")
	mark, _, _ := strings.Cut(rest, ".")
	return mark
}

func (d *desk) ask(ctx context.Context, q paid.Question) (paid.Answer, error) {
	if d.err != nil {
		return paid.Answer{}, d.err
	}
	d.mu.Lock()
	d.keys = append(d.keys, q.Key)
	known, ok := d.replies[q.Key]
	d.mu.Unlock()
	if !ok {
		a := q.Send(ctx)
		if a.Fault != nil {
			return paid.Answer{Fault: &newel.ScoreError{Kind: a.Fault.Kind, Message: a.Fault.Message}}, nil
		}
		known = a.Reply
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.replies[q.Key] = known
	d.reads = append(d.reads, q.Reads(known))
	return paid.Answer{Reply: known, Ref: newel.CallRef{Key: q.Key, Reply: newel.HashOf(known)}}, nil
}

// judgeOf is the judge of a definition before a desk.
func judgeOf(t testing.TB, def Definition, d *desk) *Judge {
	t.Helper()
	if len(def.Models) == 0 {
		def.Models = []Text{{Const: "m"}}
	}
	def.Gateway = "main"
	j, err := New(def, Env{Ask: d.ask, Client: d, Tags: gateway.Tags{Suite: "s", Run: "r"}})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// says is a reply of a judge that does as it is told.
func says(a asked, field string, result any) gateway.Reply {
	raw, err := newel.CanonicalOf(map[string]any{"analysis": "Because.", field: result, "check": a.mark})
	if err != nil {
		panic(err)
	}
	return gateway.Reply{Text: strings.TrimSpace(string(raw)), Finish: "stop"}
}

// quoted is text as a JSON string.
func quoted(text string) newel.Raw { return newel.Raw(newel.AppendString(nil, text)) }

// subject is an item of a case.
func subject(c newel.Case) *newel.Subject {
	if c.ID == "" {
		c.ID = "a"
	}
	return newel.NewSubject(&newel.Item{Case: &c, Trial: 1})
}

// answered is a case with an input and an output.
func answered(input, output string) *newel.Subject {
	return subject(newel.Case{Input: quoted(input), Output: quoted(output)})
}

func named(values map[string]newel.Raw) []newel.Named {
	var out []newel.Named
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out = append(out, newel.Named{Name: name, Value: values[name]})
	}
	return out
}

func pathOf(t testing.TB, text string) newel.Path {
	t.Helper()
	p, err := newel.ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var errBroken = errors.New("the store is gone")
