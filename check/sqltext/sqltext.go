// Package sqltext reads SQL far enough to say whether it parses, what each
// statement does and which tables it names. It knows the common ground of
// PostgreSQL, MySQL, SQLite and SQL Server and much of what each has to
// itself; it is stricter than a list of words and more lenient than a server.
//
// It resolves no names, checks no types and runs nothing. Queries and changes
// of data are read by their grammar, CREATE TABLE and CREATE VIEW too; of all
// other statements only the first words and the brackets are checked.
package sqltext

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Dialect is whose SQL is read.
type Dialect uint8

const (
	Any Dialect = iota // what any of the others reads, where they do not conflict
	Postgres
	MySQL
	SQLite
	SQLServer
)

var dialectNames = [...]string{"any", "postgres", "mysql", "sqlite", "sqlserver"}

// String returns the dialect's name.
func (d Dialect) String() string { return dialectNames[min(int(d), len(dialectNames)-1)] }

// ParseDialect reads a dialect's name.
func ParseDialect(name string) (Dialect, bool) {
	i := slices.Index(dialectNames[:], name)
	return Dialect(max(i, 0)), i >= 0
}

// Dialects lists the names that ParseDialect reads.
func Dialects() []string { return dialectNames[:] }

// Statement is one statement of a text.
type Statement struct {
	// Kinds are what it and the statements within it do, in the order in which
	// they stand, each once: select, insert, update, delete, merge, create
	// (SELECT INTO too), explain, or in lower case the word that it begins
	// with.
	Kinds []string
	// Tables are the tables it names, in lower case unless quoted and without
	// those that it defines by WITH, sorted.
	Tables []string
	// Loose says that the statement, or one within it, was read by its first
	// word and its brackets only: it may name other tables.
	Loose bool
}

// Error says why and where a text does not parse. Line and Column count from
// 1, columns in characters.
type Error struct {
	Line, Column int
	Msg          string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg) }

func newError(in string, at int, msg string) *Error {
	head := in[:at]
	start := strings.LastIndexByte(head, '\n') + 1
	return &Error{strings.Count(head, "\n") + 1, utf8.RuneCountInString(head[start:]) + 1, msg}
}

// ErrTooDeep is for a text nested deeper than 200 levels.
var ErrTooDeep = errors.New("the SQL is nested deeper than 200 levels")

const maxDepth = 200

// Parse reads the statements of a text, divided by semicolons. A text without
// any is an error. The time it takes grows with the text's length alone.
func Parse(in string, d Dialect) ([]Statement, error) {
	tokens, err := lex(in, d)
	if err != nil {
		return nil, err
	}
	p := &parser{in: in, tokens: tokens, dialect: d, queryEnd: -1}
	var out []Statement
	for p.err == nil && p.tok().kind != atEnd {
		if p.takeOp(";") {
			continue
		}
		out = append(out, p.one())
		if p.tok().kind != atEnd && !p.takeOp(";") {
			p.unexpected("the end of the statement")
		}
	}
	if p.err == nil && len(out) == 0 {
		p.fail("there is no statement")
	}
	if p.err != nil {
		return nil, p.err
	}
	return out, nil
}

// parser reads tokens. After the first error every token is the end, so that
// whatever is under way comes to one.
type parser struct {
	in       string
	tokens   []token
	at       int
	dialect  Dialect
	depth    int
	err      error
	queryEnd int // where the last query in brackets ended

	kinds   []string
	tables  map[string]bool
	with    map[string]bool
	aliases map[string]bool
	loosely bool
}

func (p *parser) one() Statement {
	p.kinds, p.tables, p.with, p.aliases = nil, map[string]bool{}, map[string]bool{}, map[string]bool{}
	p.loosely = false
	p.statement()
	s := Statement{Kinds: p.kinds, Loose: p.loosely}
	// MySQL and SQL Server name the table that they change by its alias.
	changes := (slices.Contains(s.Kinds, "update") || slices.Contains(s.Kinds, "delete")) && p.dialect != Postgres && p.dialect != SQLite
	for name := range p.tables {
		if !p.with[name] && !(changes && p.aliases[name]) {
			s.Tables = append(s.Tables, name)
		}
	}
	slices.Sort(s.Tables)
	return s
}

func (p *parser) does(kind string) {
	if !slices.Contains(p.kinds, kind) {
		p.kinds = append(p.kinds, kind)
	}
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = newError(p.in, p.tok().start, fmt.Sprintf(format, args...))
		p.at = len(p.tokens) - 1
	}
}

// unexpected fails at the current token.
func (p *parser) unexpected(wanted string) {
	t := p.tok()
	if t.kind == atEnd {
		p.fail("the text ends where %s was expected", wanted)
		return
	}
	p.fail("%q stands where %s was expected", clip(t.raw), wanted)
}

func clip(text string) string {
	runes := []rune(text)
	if len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}

// enter goes one level down; leave must follow.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth && p.err == nil {
		p.fail("")
		p.err = ErrTooDeep
	}
	return p.err == nil
}

func (p *parser) leave() { p.depth-- }

func (p *parser) tok() token { return p.tokens[p.at] }

func (p *parser) ahead(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) skip() {
	if p.at < len(p.tokens)-1 {
		p.at++
	}
}

// is reports whether the next tokens are these words.
func (p *parser) is(words ...string) bool {
	for i, w := range words {
		if t := p.ahead(i); t.kind != word || t.text != w {
			return false
		}
	}
	return true
}

// isAny reports whether the next token is one of these words.
func (p *parser) isAny(words ...string) bool {
	return p.tok().kind == word && slices.Contains(words, p.tok().text)
}

// take skips these words if they come next.
func (p *parser) take(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	for range words {
		p.skip()
	}
	return true
}

// takeAny skips the next token if it is one of these words.
func (p *parser) takeAny(words ...string) bool {
	if !p.isAny(words...) {
		return false
	}
	p.skip()
	return true
}

func (p *parser) need(words ...string) {
	if !p.take(words...) {
		p.unexpected(strings.Join(words, " "))
	}
}

func (p *parser) isOp(op string) bool { return p.tok().kind == operator && p.tok().text == op }

func (p *parser) takeOp(op string) bool {
	if !p.isOp(op) {
		return false
	}
	p.skip()
	return true
}

func (p *parser) needOp(op string) {
	if !p.takeOp(op) {
		p.unexpected(op)
	}
}

// list reads one or more of what one reads, divided by commas.
func (p *parser) list(one func()) {
	for one(); p.err == nil && p.takeOp(","); {
		one()
	}
}

// isName reports whether a token can be a name.
func isName(t token) bool { return t.kind == quoted || t.kind == word && !reserved[t.text] }

// name reads one name that is no reserved word.
func (p *parser) name() string {
	t := p.tok()
	if !isName(t) {
		p.unexpected("a name")
		return ""
	}
	p.skip()
	if t.kind == quoted {
		return t.text
	}
	return strings.ToLower(t.raw)
}

// dotted reads a name of one or more parts.
func (p *parser) dotted() string {
	name := p.name()
	for p.err == nil && p.isOp(".") {
		p.skip()
		part := p.tok()
		if part.kind != word && part.kind != quoted {
			p.unexpected("a name")
			return ""
		}
		p.skip()
		if part.kind == word {
			part.text = strings.ToLower(part.raw)
		}
		name += "." + part.text
	}
	return name
}

// table reads the name of a table and notes it.
func (p *parser) table() {
	if name := p.dotted(); name != "" {
		p.tables[name] = true
	}
}

// names reads a list of names in brackets, if one comes next.
func (p *parser) names() {
	if p.takeOp("(") {
		p.list(func() { p.name() })
		p.needOp(")")
	}
}

// reserved words are no names unless quoted.
var reserved = wordSet("SELECT FROM WHERE GROUP HAVING ORDER BY LIMIT UNION EXCEPT INTERSECT JOIN INNER LEFT RIGHT FULL CROSS NATURAL OUTER ON USING " +
	"AS AND OR NOT IN IS LIKE ILIKE BETWEEN CASE WHEN THEN ELSE END SET INTO WITH WINDOW RETURNING DISTINCT ALL EXISTS DESC ASC NULL TRUE FALSE CREATE TABLE " +
	"INSERT UPDATE DELETE DROP ALTER FOR FETCH OFFSET QUALIFY LATERAL TABLESAMPLE UNIQUE PRIMARY FOREIGN REFERENCES CHECK CONSTRAINT DEFAULT COLLATE VALUES")

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
