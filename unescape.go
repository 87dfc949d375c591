package newel

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
)

// levels is how many escapes over one another are undone: JSON within JSON, say,
// on an HTML page.
const levels = 3

// escapes are the bytes that an escape begins with.
const escapes = `%&\`

func isEscape(c byte) bool { return c == '%' || c == '&' || c == '\\' }

// unescaped reads the character at p with so many levels of escapes undone, and
// returns where what stands for it ends. It is a byte where no escape names more.
func unescaped(text string, p, level int) (c string, end int) {
	c, end = text[p:p+1], p+1
	if level == 0 || !isEscape(text[p]) {
		return c, end
	}
	c, end = unescaped(text, p, level-1)
	found, to := "", 0
	switch c {
	case "%":
		found, to = percent(text, end, level-1)
	case "&":
		found, to = entity(text, end, level-1)
	case `\`:
		found, to = backslash(text, end, level-1)
	}
	if found == "" {
		return c, end
	}
	return found, to
}

// some reads n characters from p.
func some(text string, p, n, level int) (read string, end int) {
	if p+n <= len(text) && !strings.ContainsAny(text[p:p+n], escapes) {
		return text[p : p+n], p + n
	}
	for range n {
		if p >= len(text) {
			return "", 0
		}
		var c string
		c, p = unescaped(text, p, level)
		read += c
	}
	return read, p
}

func percent(text string, p, level int) (string, int) {
	digits, end := some(text, p, 2, level)
	v, err := strconv.ParseUint(digits, 16, 8)
	if err != nil || len(digits) != 2 {
		return "", 0
	}
	return string([]byte{byte(v)}), end
}

// maxEntity is how long an entity's name may be.
const maxEntity = 32

func entity(text string, p, level int) (string, int) {
	if p >= len(text) || !isAlnum(text[p]) && text[p] != '#' && !isEscape(text[p]) {
		return "", 0
	}
	name := "&"
	for range maxEntity {
		if p >= len(text) {
			return "", 0
		}
		var c string
		c, p = unescaped(text, p, level)
		name += c
		if c == ";" {
			if found := html.UnescapeString(name); found != name {
				return found, p
			}
			return "", 0
		}
		if b := c[0]; b != '#' && (b >= 0x80 || !isAlnum(b)) {
			return "", 0
		}
	}
	return "", 0
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

var controls = strings.NewReplacer("b", "\b", "f", "\f", "n", "\n", "r", "\r", "t", "\t")

func backslash(text string, p, level int) (string, int) {
	c, end := some(text, p, 1, level)
	switch {
	case c == "u":
		return unicodeEscape(text, end, level)
	case len(c) == 1 && strings.Contains(`"'\/`, c):
		return c, end
	case len(c) == 1 && strings.Contains("bfnrt", c):
		return controls.Replace(c), end
	}
	return "", 0
}

// unicodeEscape reads the digits of \uXXXX, and of the second half of a pair.
func unicodeEscape(text string, p, level int) (string, int) {
	r, end := fourDigits(text, p, level)
	if !utf16.IsSurrogate(r) {
		if end == 0 {
			return "", 0
		}
		return string(r), end
	}
	mark, next := some(text, end, 2, level)
	if mark != `\u` {
		return "", 0
	}
	low, next := fourDigits(text, next, level)
	if next == 0 {
		return "", 0
	}
	return string(utf16.DecodeRune(r, low)), next
}

func fourDigits(text string, p, level int) (rune, int) {
	digits, end := some(text, p, 4, level)
	v, err := strconv.ParseUint(digits, 16, 16)
	if err != nil || len(digits) != 4 {
		return 0, 0
	}
	return rune(v), end
}

// comparison holds a text against a form, each character at whatever level fits.
type comparison struct {
	text, form string
	failed     map[[2]int]bool // places of both from which they differ
	steps      int             // left; they bound what escapes within the form could cost
}

// from reports whether the form from its byte i on stands at p, and where that
// ends.
func (s *comparison) from(p, i int) (end int, ok bool) {
	for i < len(s.form) && p < len(s.text) && !isEscape(s.text[p]) {
		if s.text[p] != s.form[i] {
			return 0, false
		}
		p, i = p+1, i+1
	}
	if i == len(s.form) {
		return p, true
	}
	if p == len(s.text) || s.failed[[2]int{p, i}] {
		return 0, false
	}
	last := p
	for level := levels; level >= 0; level-- { // what is longest first: no half of an escape stays
		c, next := unescaped(s.text, p, level)
		if next == last || !strings.HasPrefix(s.form[i:], c) {
			continue
		}
		last = next
		if s.steps--; s.steps < 0 {
			return 0, false
		}
		if end, ok := s.from(next, i+len(c)); ok {
			return end, true
		}
	}
	s.fail(p, i)
	return 0, false
}

func (s *comparison) fail(p, i int) {
	if i == 0 {
		return // nothing comes here again
	}
	if s.failed == nil {
		s.failed = map[[2]int]bool{}
	}
	s.failed[[2]int{p, i}] = true
}
