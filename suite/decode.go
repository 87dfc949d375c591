package suite

import (
	"math"
	"strings"
	"time"

	"newel"
)

// decoder reads nodes strictly and notes every mistake.
type decoder struct {
	m *newel.Mistakes
}

func (d *decoder) wrong(pos newel.Pos, format string, args ...any) { d.m.Add(pos, format, args...) }

// object checks that n is a map of known keys and returns whether it is a map
// at all. Keys that begin with x- are the author's own.
func (d *decoder) object(n *newel.Node, what string, known ...string) bool {
	if !n.IsMap() {
		d.wrong(n.Pos, "%s is a map of %s; this is %s", what, strings.Join(known, ", "), n.Kind())
		return false
	}
	for _, f := range n.Fields {
		if strings.HasPrefix(f.Name, "x-") || contains(known, f.Name) {
			continue
		}
		d.wrong(f.Pos, "%s has no key %q%s", what, f.Name, newel.DidYouMean(f.Name, known))
	}
	return true
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// text reads a text that is not empty; absent is "".
func (d *decoder) text(n *newel.Node, what string) string {
	if n == nil {
		return ""
	}
	t, ok := n.Text()
	if !ok || strings.TrimSpace(t) == "" {
		d.wrong(n.Pos, "%s is a text that is not empty; this is %s", what, n.Kind())
	}
	return t
}

func (d *decoder) number(n *newel.Node, what string, low, high float64) float64 {
	f, ok := newel.Float(n.Value)
	if !ok || !n.IsScalar() {
		d.wrong(n.Pos, "%s is a number; this is %s", what, n.Kind())
		return low
	}
	if f < low || f > high {
		d.wrong(n.Pos, "%s is %v; it must be from %v to %v", what, f, low, high)
	}
	return f
}

func (d *decoder) whole(n *newel.Node, what string, low, high int) int {
	f := d.number(n, what, float64(low), float64(high))
	if f != math.Trunc(f) {
		d.wrong(n.Pos, "%s is a whole number; this is %v", what, f)
	}
	return int(f)
}

func (d *decoder) flag(n *newel.Node, what string) bool {
	b, ok := n.Value.(bool)
	if !ok || !n.IsScalar() {
		d.wrong(n.Pos, "%s is true or false; this is %s", what, n.Kind())
	}
	return b
}

// duration reads 30s, 5m, 1h30m, and 30d.
func (d *decoder) duration(n *newel.Node, what string) time.Duration {
	if f, ok := newel.Float(n.Value); ok && f == 0 {
		return 0
	}
	text, _ := n.Text()
	span, err := parseDuration(text)
	if err != nil || span < 0 {
		d.wrong(n.Pos, "%s is a time span such as 500ms, 30s, 5m, 2h or 30d", what)
	}
	return span
}

func parseDuration(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		span, err := time.ParseDuration(days + "h")
		return 24 * span, err
	}
	return time.ParseDuration(text)
}

// texts reads a text or a list of texts.
func (d *decoder) texts(n *newel.Node, what string) []string {
	list := n.List
	if !n.IsList() {
		list = []*newel.Node{n}
	}
	out := make([]string, 0, len(list))
	for _, e := range list {
		out = append(out, d.text(e, what))
	}
	return out
}

// items returns the entries of a list that must not be empty.
func (d *decoder) items(n *newel.Node, what string) []*newel.Node {
	if !n.IsList() {
		d.wrong(n.Pos, "%s is a list; this is %s", what, n.Kind())
		return nil
	}
	if len(n.List) == 0 {
		d.wrong(n.Pos, "%s is an empty list", what)
	}
	return n.List
}
