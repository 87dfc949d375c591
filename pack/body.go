package pack

import (
	"fmt"

	"newel"
)

// AppendBody adds what is scored of a case as canonical JSON: everything but
// dims, tags, labels, raters and the recorded run, with the given output and
// context. Its hash stands in rows.
func AppendBody(dst []byte, c *newel.Case, output newel.Raw, context []newel.Passage) ([]byte, error) {
	w := &writer{b: append(dst, '{')}
	w.raw("checks", c.Checks)
	w.text("cluster", c.Cluster)
	if context != nil {
		w.key("context")
		w.passages(context)
	}
	w.raw("criteria", c.Criteria)
	w.key("id")
	w.b = newel.AppendString(w.b, c.ID)
	w.raw("input", c.Input)
	if c.Media != nil {
		w.key("media")
		w.media(c.Media)
	}
	w.raw("output", output)
	w.named("outputs", c.Outputs)
	w.raw("reference", c.Reference)
	if c.Turns != nil {
		w.key("turns")
		w.texts(c.Turns)
	}
	w.named("vars", c.Vars)
	w.b = append(w.b, '}')
	if w.err != nil {
		return nil, fmt.Errorf("case %q: %w", c.ID, w.err)
	}
	return w.b, nil
}

// writer adds members of one object in order of name.
type writer struct {
	b    []byte
	some bool
	err  error
}

func (w *writer) key(name string) {
	if w.some {
		w.b = append(w.b, ',')
	}
	w.some = true
	w.b = append(newel.AppendString(w.b, name), ':')
}

func (w *writer) value(v newel.Raw) {
	b, err := newel.AppendCanonical(w.b, v)
	if err != nil {
		w.err = err
		return
	}
	w.b = b
}

func (w *writer) raw(name string, v newel.Raw) {
	if v != nil {
		w.key(name)
		w.value(v)
	}
}

func (w *writer) text(name, v string) {
	if v != "" {
		w.key(name)
		w.b = newel.AppendString(w.b, v)
	}
}

func (w *writer) passages(list []newel.Passage) {
	w.b = append(w.b, '[')
	for i, p := range list {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		if p.ID == "" {
			w.b = newel.AppendString(w.b, p.Text)
			continue
		}
		w.b = newel.AppendString(append(w.b, `{"id":`...), p.ID)
		w.b = newel.AppendString(append(w.b, `,"text":`...), p.Text)
		w.b = append(w.b, '}')
	}
	w.b = append(w.b, ']')
}

func (w *writer) media(list []newel.Media) {
	v, err := newel.CanonicalOf(list)
	if err != nil {
		w.err = err
	}
	w.b = append(w.b, v...)
}

func (w *writer) texts(list []string) {
	w.b = append(w.b, '[')
	for i, t := range list {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = newel.AppendString(w.b, t)
	}
	w.b = append(w.b, ']')
}

func (w *writer) named(name string, list []newel.Named) {
	if list == nil {
		return
	}
	w.key(name)
	if !sortedASCII(list) {
		w.namedSlow(list)
		return
	}
	w.b = append(w.b, '{')
	for i, n := range list {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = append(newel.AppendString(w.b, n.Name), ':')
		w.value(n.Value)
	}
	w.b = append(w.b, '}')
}

// sortedASCII reports whether names stand in order and are ASCII, where byte
// order is the canonical one.
func sortedASCII(list []newel.Named) bool {
	for i, n := range list {
		if i > 0 && list[i-1].Name >= n.Name {
			return false
		}
		for j := range len(n.Name) {
			if n.Name[j] >= 0x80 {
				return false
			}
		}
	}
	return true
}

func (w *writer) namedSlow(list []newel.Named) {
	m := make(map[string]newel.Raw, len(list))
	for _, n := range list {
		m[n.Name] = n.Value
	}
	v, err := newel.CanonicalOf(m)
	if err != nil {
		w.err = err
	}
	w.b = append(w.b, v...)
}
