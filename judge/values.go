package judge

import (
	"strings"

	"newel"
)

// ReadScale reads {min, max, pass}. Nil: something is wrong with it.
func ReadScale(n *newel.Node, m *newel.Mistakes) *Scale {
	if !n.IsMap() {
		m.Add(n.Pos, "score is a map of min, max, pass; this is %s", n.Kind())
		return nil
	}
	keys := []string{"min", "max", "pass"}
	ok := true
	for _, f := range n.Fields {
		if f.Name != "min" && f.Name != "max" && f.Name != "pass" && !strings.HasPrefix(f.Name, "x-") {
			m.Add(f.Pos, "score has no key %q%s", f.Name, newel.DidYouMean(f.Name, keys))
			ok = false
		}
	}
	var v [3]float64
	for i, key := range keys {
		e := n.Field(key)
		if e == nil {
			if n.Lacks(key, keys) {
				m.Add(n.Pos, "score needs %s", key)
			}
			ok = false
			continue
		}
		f, isNumber := newel.Float(e.Value)
		if !isNumber || !e.IsScalar() || f < -1e9 || f > 1e9 {
			m.Add(e.Pos, "score: %s is a number from -1000000000 to 1000000000; this is %s", key, shown(e))
			ok = false
		}
		v[i] = f
	}
	s := Scale{Min: v[0], Max: v[1], Pass: v[2]}
	if ok && (s.Min >= s.Max || s.Pass < s.Min || s.Pass > s.Max) {
		m.Add(n.Pos, "score: min is below max, and pass between them; here are min %s, max %s, pass %s", plain(s.Min), plain(s.Max), plain(s.Pass))
		ok = false
	}
	if !ok {
		return nil
	}
	return &s
}

// ReadOptions reads a list of choices, or a map of choice to the replies that
// mean it. Nil: something is wrong with it.
func ReadOptions(n *newel.Node, m *newel.Mistakes) []Option {
	var out []Option
	ok := true
	switch {
	case n.IsMap():
		for _, f := range n.Fields {
			words, fine := optionWords(f.Node, m)
			ok = ok && fine
			out = append(out, Option{f.Name, words})
		}
	case n.IsList():
		for _, e := range n.List {
			if !e.IsScalar() {
				m.Add(e.Pos, "choices: a choice is a text; this is %s: to say which replies mean it, write a map of choice to replies", e.Kind())
				ok = false
				continue
			}
			words, fine := optionWords(e, m)
			if ok = ok && fine; ok {
				out = append(out, Option{Name: words[0]})
			}
		}
	default:
		m.Add(n.Pos, "choices is a list, or a map of choice to the replies that mean it; this is %s", n.Kind())
		return nil
	}
	switch {
	case !ok:
		return nil
	case len(out) == 0:
		m.Add(n.Pos, "choices is empty")
		return nil
	case len(out) > 100:
		m.Add(n.Pos, "choices has %d entries; it has at most 100", len(out))
		return nil
	}
	if twice := Twice(out); twice != "" {
		m.Add(n.Pos, "choices: %q means two of them", twice)
		return nil
	}
	return out
}

// optionWords reads a text or a list of texts; numbers count as text, since
// many judges reply with one.
func optionWords(n *newel.Node, m *newel.Mistakes) ([]string, bool) {
	list := n.List
	if !n.IsList() {
		list = []*newel.Node{n}
	}
	var out []string
	for _, e := range list {
		word, ok := e.Text()
		if f, isNumber := newel.Float(e.Value); isNumber && e.IsScalar() {
			word, ok = plain(f), true
		}
		if !ok || strings.TrimSpace(word) == "" {
			m.Add(e.Pos, "choices: a choice is a text that is not empty; this is %s: put it in quotes", e.Kind())
			return nil, false
		}
		out = append(out, word)
	}
	return out, true
}

// shown is a scalar as written, and the kind of anything else.
func shown(n *newel.Node) string {
	if t, ok := n.Text(); ok {
		return `"` + t + `"`
	}
	if f, ok := newel.Float(n.Value); ok && n.IsScalar() {
		return plain(f)
	}
	return n.Kind()
}
