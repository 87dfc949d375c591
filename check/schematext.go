package check

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxPattern is the longest regular expression of a schema, in bytes.
const maxPattern = 64 << 10

// White space of ECMA-262 and everything else, as class members: Go's \s is
// ASCII only.
const (
	ecmaSpace    = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	ecmaNotSpace = `\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}` +
		`\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
	anyRune = `\x{0}-\x{10ffff}`
)

// compileECMA compiles a regular expression of a schema, which is written in
// the dialect of ECMA-262 with Unicode, for Go's engine, which takes linear
// time. What that engine cannot do (look-around, back-references) is an error.
func compileECMA(pattern string) (*regexp.Regexp, error) {
	if len(pattern) > maxPattern {
		return nil, fmt.Errorf("the pattern has %d bytes; at most %d are read", len(pattern), maxPattern)
	}
	t := ecma{in: pattern}
	for t.at < len(t.in) {
		if err := t.next(); err != nil {
			return nil, err
		}
	}
	re, err := regexp.Compile(t.out.String())
	if err != nil {
		return nil, fmt.Errorf("%w (patterns are matched in linear time: no look-around, no back-references)", err)
	}
	return re, nil
}

// ecma rewrites a pattern piece by piece.
type ecma struct {
	in    string
	at    int
	out   strings.Builder
	class bool // inside [ ]
}

func (t *ecma) next() error {
	c := t.in[t.at]
	switch {
	case c == '\\':
		return t.escape()
	case t.class && c == '[':
		t.out.WriteString(`\[`)
	case t.class && c == ']':
		t.class = false
		t.out.WriteByte(c)
	case t.class:
		t.out.WriteByte(c)
	case c == '[':
		t.open()
		return nil
	case c == '.':
		t.out.WriteString(`[^\n\r\x{2028}\x{2029}]`)
	default:
		t.out.WriteByte(c)
	}
	t.at++
	return nil
}

// open begins a class. [] matches nothing and [^] anything.
func (t *ecma) open() {
	switch rest := t.in[t.at:]; {
	case strings.HasPrefix(rest, "[^]"):
		t.out.WriteString("[" + anyRune + "]")
		t.at += 3
	case strings.HasPrefix(rest, "[]"):
		t.out.WriteString("[^" + anyRune + "]")
		t.at += 2
	default:
		t.class = true
		t.out.WriteByte('[')
		t.at++
		if strings.HasPrefix(t.in[t.at:], "^") {
			t.out.WriteByte('^')
			t.at++
		}
	}
}

// escape rewrites what begins with a backslash.
func (t *ecma) escape() error {
	if t.at+1 == len(t.in) {
		return fmt.Errorf("the pattern ends in a backslash")
	}
	r, size := utf8.DecodeRuneInString(t.in[t.at+1:])
	whole := t.in[t.at : t.at+1+size]
	switch {
	case strings.ContainsRune("dDwWtnvfr", r), r == 'B' && !t.class, r == 'b' && !t.class:
		t.out.WriteString(whole)
	case r == 'b':
		t.out.WriteString(`\x08`)
	case r == 's':
		t.set(ecmaSpace)
	case r == 'S':
		t.set(ecmaNotSpace)
	case r == '0':
		t.out.WriteString(`\x00`)
	case r == '-':
		t.out.WriteString(`\-`)
	case strings.ContainsRune("cxupP", r):
		return t.longEscape(byte(r))
	case r >= '1' && r <= '9', r == 'k':
		return fmt.Errorf("%s is a back-reference: it cannot be matched in linear time", whole)
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		return fmt.Errorf("%s is no escape of ECMA-262", whole)
	default:
		t.out.WriteString(regexp.QuoteMeta(string(r)))
	}
	t.at += 1 + size
	return nil
}

func (t *ecma) set(members string) {
	if t.class {
		t.out.WriteString(members)
		return
	}
	t.out.WriteString("[" + members + "]")
}

// longEscape rewrites \cX, \xHH, \uHHHH, \u{H…}, \p{…} and \P{…}.
func (t *ecma) longEscape(kind byte) error {
	rest := t.in[t.at+2:]
	switch kind {
	case 'c':
		if rest == "" || !isLetter(rest[0]) {
			return fmt.Errorf(`\c takes a letter`)
		}
		t.rune(rune(rest[0]%32), 3)
		return nil
	case 'p', 'P':
		return t.property(kind, rest)
	case 'x':
		r, ok := hexRune(rest, 2)
		if !ok {
			return fmt.Errorf(`\x takes two hexadecimal digits`)
		}
		t.rune(r, 4)
		return nil
	}
	if end := strings.IndexByte(rest, '}'); strings.HasPrefix(rest, "{") && end > 0 {
		r, ok := hexRune(rest[1:], end-1)
		if !ok || r > utf8.MaxRune {
			return fmt.Errorf(`\u%s is no code point`, rest[:end+1])
		}
		t.rune(r, 3+end)
		return nil
	}
	r, ok := hexRune(rest, 4)
	if !ok {
		return fmt.Errorf(`\u takes four hexadecimal digits or {…}`)
	}
	if len(rest) > 6 && rest[4:6] == `\u` && utf16.IsSurrogate(r) {
		low, ok := hexRune(rest[6:], 4)
		if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
			t.rune(pair, 12)
			return nil
		}
	}
	t.rune(r, 6)
	return nil
}

func (t *ecma) rune(r rune, size int) {
	fmt.Fprintf(&t.out, `\x{%x}`, r)
	t.at += size
}

// property rewrites a Unicode property: a general category or a script.
func (t *ecma) property(kind byte, rest string) error {
	end := strings.IndexByte(rest, '}')
	if !strings.HasPrefix(rest, "{") || end < 0 {
		return fmt.Errorf(`\%c takes {property}`, kind)
	}
	name := rest[1:end]
	if key, value, ok := strings.Cut(name, "="); ok {
		switch key {
		case "Script", "sc", "General_Category", "gc":
			name = value
		default:
			return fmt.Errorf(`\%c{%s}: only general categories and scripts are known`, kind, name)
		}
	}
	fmt.Fprintf(&t.out, `\%c{%s}`, kind, name)
	t.at += 3 + end
	return nil
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// hexRune reads the first n bytes of text as a hexadecimal code point.
func hexRune(text string, n int) (rune, bool) {
	if n < 1 || n > 6 || len(text) < n {
		return 0, false
	}
	v, err := strconv.ParseUint(text[:n], 16, 32)
	return rune(v), err == nil
}
