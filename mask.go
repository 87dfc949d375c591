package newel

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Secrets takes the values of environment variables out of what the far end of
// a connection said: ${NAME} stands in their place. It finds a value however it
// was written on the way: percent-encoded, escaped for HTML or JSON, these over
// one another, or within Base64. It never keeps a value: each call looks them up.
type Secrets struct {
	names  []string // sorted
	lookup func(name string) (string, bool)
}

// How long a value must be to be taken out, in bytes. A shorter one is a number
// or a flag and would be found everywhere. Replies are scored, so there a value
// has to be longer than in messages; Base64 of a short value is a plain word.
const (
	minInMessage = 4
	minInReply   = 6
	minInBase64  = 6
)

// NewSecrets returns the secrets that the named variables hold, as lookup finds
// them.
func NewSecrets(names []string, lookup func(name string) (string, bool)) *Secrets {
	sorted := slices.Sorted(slices.Values(names))
	return &Secrets{slices.Compact(sorted), lookup}
}

// Names lists the variables, sorted.
func (s *Secrets) Names() []string { return s.names }

// Lookup returns a variable's value.
func (s *Secrets) Lookup(name string) (string, bool) { return s.lookup(name) }

// Mask returns a message without the values of at least 4 bytes. It is for the
// whole message: half a value, as cutting leaves it, is not found.
func (s *Secrets) Mask(text string) string { return s.mask(minInMessage).text(text) }

// MaskReply returns a decoded JSON value, as ParseJSON gives it, whose texts and
// names are without the values of at least 6 bytes, and whether it had any; a
// number that is a value becomes a text. What was handed in is not changed.
func (s *Secrets) MaskReply(v any) (masked any, found bool) {
	m := s.mask(minInReply)
	if len(m.forms) == 0 {
		return v, false
	}
	masked = m.value(v)
	return masked, m.found
}

// mask is the values of one moment, the longest form first.
type mask struct {
	forms []form
	first [256]bool // bytes that a form may begin with, escaped or not
	found bool      // something was replaced
}

// form is one way in which a value may stand in a text.
type form struct {
	text, name string
	// left and right say that the character before or after holds bits of the
	// value, as in Base64.
	base64, left, right bool
}

func (s *Secrets) mask(least int) *mask {
	m := &mask{}
	for _, name := range s.names {
		value, _ := s.lookup(name)
		for _, part := range secretParts(value) {
			if len(part) >= least {
				m.add(part, "${"+name+"}")
			}
		}
	}
	slices.SortStableFunc(m.forms, func(a, b form) int { return len(b.text) - len(a.text) })
	for _, f := range m.forms {
		m.first[f.text[0]] = true
	}
	for _, c := range []byte(escapes) {
		m.first[c] = true
	}
	return m
}

// secretParts lists what is secret of a value: the value, and of a URL its
// password and what Basic authentication sends.
func secretParts(value string) []string {
	parts := []string{value, strings.TrimSpace(value)}
	if u, err := url.Parse(value); err == nil && u.User != nil {
		password, _ := u.User.Password()
		parts = append(parts, u.User.String(), u.User.Username()+":"+password, password)
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}

func (m *mask) add(part, name string) {
	m.forms = append(m.forms, form{text: part, name: name})
	if strings.Contains(part, " ") {
		m.forms = append(m.forms, form{text: strings.ReplaceAll(part, " ", "+"), name: name})
	}
	if len(part) < minInBase64 {
		return
	}
	for before := range 3 {
		std := base64Form(base64.RawStdEncoding, part, name, before)
		m.forms = append(m.forms, std)
		if to := base64Form(base64.RawURLEncoding, part, name, before); to.text != std.text {
			m.forms = append(m.forms, to)
		}
	}
}

// base64Form is the characters that stand for a part alone, where as many bytes
// come before it, modulo 3.
func base64Form(enc *base64.Encoding, part, name string, before int) form {
	all := enc.EncodeToString(append(make([]byte, before), part...))
	from, to := (before*8+5)/6, (before+len(part))*8/6
	return form{text: all[from:to], name: name, base64: true, left: before > 0, right: (before+len(part))%3 != 0}
}

func (m *mask) value(v any) any {
	switch v := v.(type) {
	case string:
		return m.text(v)
	case json.Number, float64:
		text, err := json.Marshal(v)
		if f, end := m.at(string(text), 0); err == nil && f != nil && end == len(text) {
			m.found = true
			return f.name
		}
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = m.value(e)
		}
		return list
	case map[string]any:
		fields := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) { // of two that become one, always the same stays
			fields[m.text(name)] = m.value(v[name])
		}
		return fields
	}
	return v
}

// text replaces the forms, at each place the longest.
func (m *mask) text(text string) string {
	var out strings.Builder
	last := 0 // what comes before is written
	for p := 0; p < len(text); p++ {
		if !m.first[text[p]] {
			continue
		}
		f, end := m.at(text, p)
		if f == nil {
			continue
		}
		start := p
		if f.base64 {
			start, end = f.whole(text, last, start, end)
		}
		out.WriteString(text[last:start])
		out.WriteString(f.name)
		last, p = end, end-1
	}
	if last == 0 {
		return text
	}
	m.found = true
	out.WriteString(text[last:])
	return out.String()
}

// at finds the longest form that stands at p.
func (m *mask) at(text string, p int) (found *form, end int) {
	if p == len(text) || len(m.forms) == 0 {
		return nil, 0
	}
	heads := headsAt(text, p)
	for i := range m.forms {
		f := &m.forms[i]
		if !heads.has(f.text[0]) {
			continue
		}
		s := comparison{text: text, form: f.text, steps: 64*len(f.text) + 1024}
		if end, ok := s.from(p, 0); ok {
			return f, end
		}
	}
	return nil, 0
}

// heads are the bytes that what stands at a place begins with, at each level.
type heads [levels + 1]byte

func headsAt(text string, p int) (h heads) {
	c := text[p]
	for level := range h {
		if level > 0 && isEscape(text[p]) {
			found, _ := unescaped(text, p, level)
			c = found[0]
		}
		h[level] = c
	}
	return h
}

func (h *heads) has(c byte) bool { return h[0] == c || h[1] == c || h[2] == c || h[3] == c }

// whole widens what was found by the characters that hold the rest of the
// value's bits, and the padding.
func (f *form) whole(text string, least, start, end int) (int, int) {
	if f.left && start > least && inBase64(text[start-1]) {
		start--
	}
	if f.right {
		end = after(text, end, inBase64)
		for range 2 {
			end = after(text, end, func(c byte) bool { return c == '=' })
		}
	}
	return start, end
}

// after is p, or where the character that stands there ends if it is one of
// those.
func after(text string, p int, is func(byte) bool) int {
	for level := levels; level >= 0 && p < len(text); level-- {
		if c, end := unescaped(text, p, level); len(c) == 1 && is(c[0]) {
			return end
		}
	}
	return p
}

func inBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("+/-_", c) >= 0
}
