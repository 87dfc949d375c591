package sqltext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind classes what the lexer finds.
type tokenKind uint8

const (
	atEnd    tokenKind = iota
	word               // a name or keyword without quotes
	quoted             // a name in quotes
	text               // a string
	number             // of any form
	param              // a placeholder: $1, :name, @name, %s
	operator           // also brackets and commas
)

// token is one word of a statement.
type token struct {
	kind  tokenKind
	text  string // of a word in upper case, of a quoted name without its quotes
	raw   string // as written
	start int
}

// lexer splits a text into tokens.
type lexer struct {
	in      string
	at      int
	dialect Dialect
	out     []token
}

// operators lists those of more than one character, the longest first.
var operators = []string{
	"!~~*", "<=>", "->>", "#>>", "!~*", "!~~", "~~*", "<<=", ">>=", "||/",
	"::", ":=", "=>", "<=", ">=", "<>", "!=", "==", "||", "->", "#>", "@>", "<@", "?|", "?&", "&&", "~*", "!~", "~~", "<<", ">>", "@@", "|/", "#-", "@?",
}

// lex returns the tokens of a text, the last being its end.
func lex(in string, d Dialect) ([]token, error) {
	l := &lexer{in: in, dialect: d}
	for {
		if err := l.blank(); err != nil {
			return nil, err
		}
		if l.at >= len(l.in) {
			l.emit(atEnd, "", len(l.in))
			return l.out, nil
		}
		if err := l.next(); err != nil {
			return nil, err
		}
	}
}

// emit adds the token that ends at end.
func (l *lexer) emit(kind tokenKind, value string, end int) {
	l.out = append(l.out, token{kind, value, l.in[l.at:end], l.at})
	l.at = end
}

func (l *lexer) fault(format string, args ...any) error {
	return newError(l.in, l.at, fmt.Sprintf(format, args...))
}

// blank skips white space and comments.
func (l *lexer) blank() error {
	for l.at < len(l.in) {
		rest := l.in[l.at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r) || r == '\ufeff':
			l.at += size
		case strings.HasPrefix(rest, "--"), r == '#' && l.hashComments(rest):
			i := strings.IndexByte(rest, '\n')
			if i < 0 {
				i = len(rest)
			}
			l.at += i
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest[2:], "*/")
			if i < 0 {
				return l.fault("a comment is never closed")
			}
			l.at += i + 4
		default:
			return nil
		}
	}
	return nil
}

func (l *lexer) hashComments(rest string) bool {
	return l.dialect == MySQL || l.dialect == Any && strings.HasPrefix(rest, "# ")
}

func (l *lexer) next() error {
	rest := l.in[l.at:]
	r, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == '\'':
		return l.text(l.at, l.dialect == MySQL)
	case r == '"':
		return l.doubleQuoted()
	case r == '`':
		if l.dialect == Postgres || l.dialect == SQLServer {
			return l.fault("a name in backticks is not of this dialect")
		}
		return l.name('`')
	case r == '[' && l.bracketName(rest):
		return l.name(']')
	case r == '$':
		return l.dollar(rest)
	case r >= '0' && r <= '9', r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		l.number(rest)
		return nil
	case nameStart(r), r == '#' && l.dialect == SQLServer && len(rest) > 1 && nameStart(rune(rest[1])): // #temporary
		return l.word(rest)
	case r == ':' || r == '@' || r == '%':
		if n := placeholder(rest); n > 0 {
			l.emit(param, rest[:n], l.at+n)
			return nil
		}
	}
	return l.operator(rest)
}

func (l *lexer) operator(rest string) error {
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			l.emit(operator, op, l.at+len(op))
			return nil
		}
	}
	if !strings.Contains("()[]{},;.=<>+-*/%^&|~!?:@#", rest[:1]) {
		r, _ := utf8.DecodeRuneInString(rest)
		return l.fault("%q belongs to no SQL", r)
	}
	l.emit(operator, rest[:1], l.at+1)
	return nil
}

// text reads a string that begins with the quote at from; a prefix such as E
// may stand before it.
func (l *lexer) text(from int, backslash bool) error {
	end, ok := closing(l.in, from+1, '\'', backslash)
	if !ok {
		return l.fault("a text is never closed")
	}
	l.emit(text, "", end)
	return nil
}

// closing returns the place after the quote that closes a text or name. A
// quote written twice stands for itself.
func closing(in string, at int, quote byte, backslash bool) (int, bool) {
	for at < len(in) {
		switch {
		case backslash && in[at] == '\\':
			at += 2
		case in[at] != quote:
			at++
		case at+1 < len(in) && in[at+1] == quote:
			at += 2
		default:
			return at + 1, true
		}
	}
	return at, false
}

func (l *lexer) doubleQuoted() error {
	if l.dialect != MySQL {
		return l.name('"')
	}
	end, ok := closing(l.in, l.at+1, '"', true)
	if !ok {
		return l.fault("a text is never closed")
	}
	l.emit(text, "", end)
	return nil
}

// name reads a quoted name; close is the character that ends it.
func (l *lexer) name(close byte) error {
	end, ok := closing(l.in, l.at+1, close, false)
	if !ok {
		return l.fault("a quoted name is never closed")
	}
	value := strings.ReplaceAll(l.in[l.at+1:end-1], string(close)+string(close), string(close))
	l.emit(quoted, value, end)
	return nil
}

// bracketName reports whether a bracket begins a name, as it does in SQL
// Server and SQLite, and not a subscript or an array.
func (l *lexer) bracketName(rest string) bool {
	if l.dialect == SQLServer || l.dialect == SQLite {
		return true
	}
	if l.dialect != Any || len(rest) < 2 || !nameStart(rune(rest[1])) {
		return false
	}
	if n := len(l.out); n > 0 {
		last := l.out[n-1]
		if last.kind == quoted || last.kind == word && !reserved[last.text] || last.text == ")" || last.text == "]" {
			return false
		}
		if last.kind == word && last.text == "ARRAY" {
			return false
		}
	}
	end := strings.IndexByte(rest, ']')
	return end > 0 && !strings.ContainsAny(rest[:end], ",'\"()\n")
}

// dollar reads $1, $name and $tag$text$tag$.
func (l *lexer) dollar(rest string) error {
	n := 1
	for n < len(rest) && nameByte(rest[n]) {
		n++
	}
	if n < len(rest) && rest[n] == '$' && (l.dialect == Any || l.dialect == Postgres) {
		tag := rest[:n+1]
		end := strings.Index(rest[len(tag):], tag)
		if end < 0 {
			return l.fault("a text in %s is never closed", tag)
		}
		l.emit(text, "", l.at+end+2*len(tag))
		return nil
	}
	if n == 1 {
		return l.fault("%q belongs to no SQL", '$')
	}
	l.emit(param, rest[:n], l.at+n)
	return nil
}

func (l *lexer) number(rest string) {
	n := 0
	for n < len(rest) && (nameByte(rest[n]) || rest[n] == '.' || (rest[n] == '+' || rest[n] == '-') && exponent(rest[:n])) {
		if c := rest[n]; c|0x20 >= 'a' && c|0x20 <= 'z' && !numeral(rest[:n], c|0x20) {
			break
		}
		n++
	}
	l.emit(number, "", l.at+n)
}

// exponent reports whether a number so far ends in the e of an exponent.
func exponent(so string) bool {
	return len(so) > 1 && so[len(so)-1]|0x20 == 'e' && !strings.HasPrefix(strings.ToLower(so), "0x")
}

// numeral reports whether letter c may go on a number: 0xFF, 1e9.
func numeral(so string, c byte) bool {
	hex := len(so) > 1 && so[0] == '0' && so[1]|0x20 == 'x'
	return hex && c >= 'a' && c <= 'f' || so == "0" && c == 'x' || !hex && c == 'e' && !strings.ContainsAny(so, "eE")
}

// word reads a name, or a text with a prefix such as E'…'.
func (l *lexer) word(rest string) error {
	_, n := utf8.DecodeRuneInString(rest)
	for n < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[n:])
		if !nameStart(r) && !unicode.IsDigit(r) && r != '$' {
			break
		}
		n += size
	}
	value := strings.ToUpper(rest[:n])
	if n < len(rest) && rest[n] == '\'' && len(value) == 1 && strings.Contains("ENXBR", value) {
		return l.text(l.at+n, value == "E" || l.dialect == MySQL)
	}
	l.emit(word, value, l.at+n)
	return nil
}

// placeholder returns the length of :name, @name, @@name, %s or %(name)s at
// the head of a text, else 0.
func placeholder(rest string) int {
	if strings.HasPrefix(rest, "%(") {
		if i := strings.Index(rest, ")s"); i > 0 && i < 80 {
			return i + 2
		}
		return 0
	}
	if strings.HasPrefix(rest, "%s") && (len(rest) == 2 || !nameByte(rest[2])) {
		return 2
	}
	n := 1
	if strings.HasPrefix(rest, "@@") {
		n = 2
	}
	head := n
	for n < len(rest) && nameByte(rest[n]) {
		n++
	}
	if rest[0] == '%' || n == head || rest[0] == ':' && rest[1] >= '0' && rest[1] <= '9' {
		return 0
	}
	return n
}

func nameStart(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func nameByte(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}
