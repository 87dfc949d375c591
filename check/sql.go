package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"newel"
	"newel/check/sqltext"
)

// maxSQL is how long a text of SQL may be, in bytes.
const maxSQL = 256 << 10

// sqlSpec asks for SQL that parses.
func sqlSpec() *Spec {
	return &Spec{
		Name: "sql", Family: "schema", Main: "dialect",
		About:  "The text is SQL that parses, one or more statements divided by semicolons, and does nothing but what is allowed. It is never run.",
		Source: "newel's own parser (package sqltext) of what PostgreSQL, MySQL, SQLite and SQL Server document",
		Params: []Param{
			{Name: "dialect", Type: strings.Join(sqltext.Dialects(), ", "), About: "whose SQL; any takes what any of the others does, where they do not conflict", Default: "any"},
			{Name: "statements", Type: "text or list", About: "what statements may do, those within others too: select, insert, update, delete, merge, create, or the word that one begins with (drop, grant, …); [select] is a query that changes nothing", Default: "anything"},
			{Name: "single", Type: "true or false", About: "there is one statement only", Default: "false"},
			{Name: "tables", Type: "text or list", About: "the only tables that may be named; orders also covers shop.orders"},
			{Name: "forbid_tables", Type: "text or list", About: "tables that may not be named"},
		},
		Extra:       readingParams,
		Example:     `sql: {dialect: postgres, statements: [select], single: true}`,
		Approximate: "No server's grammar to the letter: of each dialect the common part is read and the rest not (PIVOT, CONNECT BY, procedures), and some combinations that a server refuses pass. Of statements other than queries, INSERT, UPDATE, DELETE, MERGE, CREATE TABLE and CREATE VIEW only the first word and the brackets are checked, and their tables are not known: where tables or forbid_tables are given they fail unless statements allows them. Names are not resolved: a query may still fail, and a function that it calls may change data.",
		Build: func(a *Args) Func {
			q := sqlCheckOf(a)
			return func(_ context.Context, s *newel.Subject) newel.Score {
				score, err := q.score(s)
				if err != nil {
					return Because(err)
				}
				return score
			}
		},
	}
}

// sqlCheck is one check, built.
type sqlCheck struct {
	reading    *Reading
	dialect    Arg[string]
	statements Arg[[]string]
	single     Arg[bool]
	tables     Arg[[]string]
	forbidden  Arg[[]string]
}

func sqlCheckOf(a *Args) *sqlCheck {
	return &sqlCheck{
		reading: ReadingOf(a), dialect: Word(a, "dialect", sqltext.Dialects()...),
		statements: argOf(a, "statements", nil, readKinds), single: Flag(a, "single", false),
		tables: Texts(a, "tables"), forbidden: Texts(a, "forbid_tables"),
	}
}

func readKinds(v any) ([]string, error) {
	words, err := readTexts(v)
	if err != nil {
		return nil, err
	}
	known := sqltext.Kinds()
	for _, w := range words {
		if !slices.Contains(known, w) {
			return nil, fmt.Errorf("has %s, which begins no statement%s", show(w), newel.DidYouMean(w, known))
		}
	}
	return words, nil
}

func (q *sqlCheck) score(s *newel.Subject) (newel.Score, error) {
	text, err := q.reading.Text(s)
	if err != nil {
		return newel.Score{}, err
	}
	if len(text) > maxSQL {
		return newel.Score{}, &LimitError{fmt.Sprintf("the SQL has %d bytes; at most %d are read", len(text), maxSQL)}
	}
	name, err := q.dialect.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	dialect, _ := sqltext.ParseDialect(name)
	statements, err := sqltext.Parse(text, dialect)
	if errors.Is(err, sqltext.ErrTooDeep) {
		return newel.Score{}, &LimitError{err.Error()}
	}
	if err != nil {
		return newel.Missed("the text is no SQL that parses: " + err.Error()), nil
	}
	fault, err := q.fault(s, statements)
	if fault != "" && err == nil {
		return newel.Missed(fault), nil
	}
	return newel.Passed(), err
}

// fault says what statements do that they may not; empty when nothing.
func (q *sqlCheck) fault(s *newel.Subject, statements []sqltext.Statement) (string, error) {
	single, err := q.single.At(s)
	if err != nil {
		return "", err
	}
	if single && len(statements) > 1 {
		return fmt.Sprintf("there are %d statements, not one", len(statements)), nil
	}
	kinds, err := q.statements.At(s)
	if err != nil {
		return "", err
	}
	tables, err := q.tables.At(s)
	if err != nil {
		return "", err
	}
	forbidden, err := q.forbidden.At(s)
	if err != nil {
		return "", err
	}
	for i, one := range statements {
		for _, kind := range one.Kinds {
			if q.statements.Set() && !slices.Contains(kinds, kind) {
				return fmt.Sprintf("statement %d does %s, and may do %s only", i+1, strings.ToUpper(kind), strings.ToUpper(strings.Join(kinds, ", "))), nil
			}
		}
		if one.Loose && !q.statements.Set() && (q.tables.Set() || q.forbidden.Set()) {
			return fmt.Sprintf("statement %d is %s, whose tables are not known: statements must allow it", i+1, strings.ToUpper(one.Kinds[0])), nil
		}
		for _, table := range one.Tables {
			switch {
			case q.tables.Set() && !namesTable(tables, table):
				return fmt.Sprintf("statement %d names the table %s, which is none of %s", i+1, show(table), showList(tables)), nil
			case namesTable(forbidden, table):
				return fmt.Sprintf("statement %d names the table %s, which it may not", i+1, show(table)), nil
			}
		}
	}
	return "", nil
}

// namesTable reports whether a list has a table, by its whole name or its
// last part, without regard to case.
func namesTable(list []string, table string) bool {
	return slices.ContainsFunc(list, func(name string) bool {
		last := table[strings.LastIndexByte(table, '.')+1:]
		return strings.EqualFold(name, table) || strings.EqualFold(name, last)
	})
}
