package suite

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"newel"
)

// decoder reads nodes strictly and notes every mistake.
type decoder struct {
	m     *newel.Mistakes
	files *Files
}

func (d *decoder) wrong(pos newel.Pos, format string, args ...any) { d.m.Add(pos, format, args...) }

// object checks that n is a map of known keys and returns whether it is a map
// at all. Keys that begin with x- are the author's own.
func (d *decoder) object(n *newel.Node, what string, known ...string) bool {
	if !n.IsMap() {
		some, more := known, ""
		if len(known) > 8 {
			some, more = known[:6], ", …"
		}
		d.wrong(n.Pos, "%s is a map of %s%s; this is %s", what, strings.Join(some, ", "), more, n.Kind())
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
	switch {
	case ok && strings.TrimSpace(t) == "":
		d.wrong(n.Pos, "%s is empty", what)
	case !ok && n.IsScalar() && n.Value != nil:
		d.wrong(n.Pos, "%s is a text; this is %s: put it in quotes if it is one", what, n.Kind())
	case !ok:
		d.wrong(n.Pos, "%s is a text; this is %s", what, n.Kind())
	}
	return t
}

// number reads a number within bounds; ok is false where there is none, which
// is noted.
func (d *decoder) number(n *newel.Node, what string, low, high float64) (f float64, ok bool) {
	f, ok = newel.Float(n.Value)
	if !ok || !n.IsScalar() {
		d.wrong(n.Pos, "%s is a number from %s to %s; this is %s", what, plain(low), plain(high), shown(n))
		return low, false
	}
	if f < low || f > high {
		d.wrong(n.Pos, "%s is %s; it must be from %s to %s", what, plain(f), plain(low), plain(high))
		return low, false
	}
	return f, true
}

func (d *decoder) whole(n *newel.Node, what string, low, high int) int {
	f, ok := d.number(n, what, float64(low), float64(high))
	if exact, large := n.Value.(json.Number); ok && large {
		// A whole number that a float64 does not hold lies beyond any bound.
		d.wrong(n.Pos, "%s is %s; it must be from %d to %d", what, exact, low, high)
		return low
	}
	if ok && f != math.Trunc(f) {
		d.wrong(n.Pos, "%s is a whole number; this is %s", what, plain(f))
	}
	return int(f)
}

// plain writes a number without an exponent.
func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

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
		d.wrong(n.Pos, "%s is a time span with its unit, such as 500ms, 30s, 5m, 2h or 30d; this is %s", what, shown(n))
		return 0
	}
	return span
}

// shown is a scalar as written, and the kind of anything else.
func shown(n *newel.Node) string {
	if t, ok := n.Text(); ok {
		return strconv.Quote(t)
	}
	if t, ok := scalarText(n); ok {
		return t
	}
	return n.Kind()
}

func parseDuration(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		span, err := time.ParseDuration(days + "h")
		if err == nil && span > math.MaxInt64/24 {
			err = errors.New("a time span of more than 292 years")
		}
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

// textOrFrom reads a text that may come from the case; it is then "".
func (d *decoder) textOrFrom(n *newel.Node, what string) string {
	if d.from(n) {
		return ""
	}
	return d.text(n, what)
}

func (d *decoder) textsOrFrom(n *newel.Node, what string) {
	if d.from(n) {
		return
	}
	if n.IsList() && len(n.List) == 0 {
		d.wrong(n.Pos, "%s is an empty list", what)
	}
	d.texts(n, what)
}

// from reads {from: PATH}; it returns false for anything else.
func (d *decoder) from(n *newel.Node) bool {
	if !n.IsMap() || len(n.Fields) != 1 || n.Fields[0].Name != "from" {
		return false
	}
	d.path(n.Fields[0].Node)
	return true
}

func (d *decoder) path(n *newel.Node) {
	text, ok := n.Text()
	if !ok {
		d.wrong(n.Pos, "a path is a text such as reference.amount; this is %s", n.Kind())
		return
	}
	if _, err := newel.ParsePath(text); err != nil {
		d.wrong(n.Pos, "%v", err)
	}
}

// word reads one of a few words.
func (d *decoder) word(n *newel.Node, what string, words ...string) {
	text, _ := n.Text()
	if !contains(words, text) {
		d.wrong(n.Pos, "%s is one of %s%s; this is %s", what, strings.Join(words, ", "), newel.DidYouMean(text, words), shown(n))
	}
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
