package target

import (
	"encoding/json"
	"math"
	"strings"
	"time"

	"newel"
)

// fields reads the entries of one map of the suite and notes what is wrong.
type fields struct {
	what  string
	node  *newel.Node
	known []string
	m     *newel.Mistakes
}

// fieldsOf checks that n is a map of known keys; keys that start with x- are
// the author's own.
func fieldsOf(n *newel.Node, what string, known []string, m *newel.Mistakes) fields {
	f := fields{what, n, known, m}
	if !n.IsMap() {
		m.Add(n.Pos, "%s is a map of %s; this is %s", what, strings.Join(known, ", "), n.Kind())
		return f
	}
	for _, e := range n.Fields {
		if !strings.HasPrefix(e.Name, "x-") && !contains(known, e.Name) {
			m.Add(e.Pos, "%s has no key %q%s", what, e.Name, f.hint(e.Name, known))
		}
	}
	return f
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

func (f fields) hint(name string, known []string) string {
	if contains(commonKeys, name) && !contains(known, name) {
		return ": it stands beside " + f.what + ", one level up"
	}
	return newel.DidYouMean(name, known)
}

func (f fields) at(name string) *newel.Node {
	if f.node.IsMap() {
		return f.node.Field(name)
	}
	return nil
}

// required returns a key's value, nil with a mistake where it is not written.
func (f fields) required(name, about string) *newel.Node {
	n := f.at(name)
	if n == nil && f.node.IsMap() && f.node.Lacks(name, f.known) {
		f.m.Add(f.node.Pos, "%s needs %s: %s", f.what, name, about)
	}
	return n
}

// text returns a key's text, empty where it is not written.
func (f fields) text(name string) string {
	n := f.at(name)
	if n == nil {
		return ""
	}
	text, ok := n.Text()
	if !ok || text == "" {
		f.m.Add(n.Pos, "%s: %s is a text; this is %s", f.what, name, n.Kind())
	}
	return text
}

// whole returns a key's whole number between low and high.
func (f fields) whole(name string, fallback, low, high int) int {
	n := f.at(name)
	if n == nil {
		return fallback
	}
	v, ok := newel.Float(n.Value)
	if !ok || v != math.Trunc(v) || v < float64(low) || v > float64(high) {
		f.m.Add(n.Pos, "%s is a whole number from %d to %d; this is %s", name, low, high, written(n))
		return fallback
	}
	return int(v)
}

// written shows a scalar as JSON, and of anything else what it is.
func written(n *newel.Node) string {
	raw, err := json.Marshal(n)
	if err != nil || !n.IsScalar() || len(raw) > 100 {
		return n.Kind()
	}
	return string(raw)
}

// maxTimeout is the longest time that an attempt may be given.
const maxTimeout = 24 * time.Hour

func (f fields) duration(name string, fallback time.Duration) time.Duration {
	n := f.at(name)
	if n == nil {
		return fallback
	}
	text, _ := n.Text()
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > maxTimeout {
		f.m.Add(n.Pos, "%s is a time span with its unit, such as 30s or 2m, up to 24h; this is %s", name, written(n))
		return fallback
	}
	return d
}
