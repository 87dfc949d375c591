package check

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"newel"
)

// csvColumnsSpec asks for a table.
func csvColumnsSpec() *Spec {
	return &Spec{
		Name: "csv-columns", Family: "schema", Main: "columns",
		About:  "The text is a table with a header that has the columns, and every row has as many fields as the header. Empty lines do not count. Its value is the number of rows below the header.",
		Source: "RFC 4180; the separator may be another, a line may end in LF alone",
		Params: append([]Param{
			{Name: "columns", Type: "text or list", About: "names that the header must have, in any order"},
			{Name: "exact", Type: "true or false", About: "the header is the columns, in order, and no others", Default: "false"},
			{Name: "ignore_case", Type: "true or false", About: "compare names of columns without regard to case", Default: "false"},
			{Name: "separator", Type: "one character, or tab", About: "what stands between fields", Default: ","},
		}, boundParams...),
		Extra:   readingParams,
		Example: `csv-columns: {columns: [id, amount], min: 1}`,
		Build: func(a *Args) Func {
			t := tableCheckOf(a)
			return func(_ context.Context, s *newel.Subject) newel.Score {
				score, err := t.score(s)
				if err != nil {
					return Because(err)
				}
				return score
			}
		},
	}
}

// tableCheck is one check, built.
type tableCheck struct {
	reading   *Reading
	columns   Arg[[]string]
	exact     Arg[bool]
	fold      Arg[bool]
	separator Arg[rune]
	rows      Bounds
}

func tableCheckOf(a *Args) *tableCheck {
	return &tableCheck{
		reading: ReadingOf(a), columns: Texts(a, "columns"), exact: Flag(a, "exact", false), fold: Flag(a, "ignore_case", false),
		separator: argOf(a, "separator", ',', readSeparator), rows: BoundsOf(a),
	}
}

func readSeparator(v any) (rune, error) {
	text, _ := v.(string)
	if text == "tab" {
		return '\t', nil
	}
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 || size != len(text) || r == utf8.RuneError || strings.ContainsRune("\"\r\n", r) {
		return ',', fmt.Errorf("is one character, or tab, not %s", show(v))
	}
	return r, nil
}

func (t *tableCheck) score(s *newel.Subject) (newel.Score, error) {
	text, err := boundedText(t.reading, s)
	if err != nil {
		return newel.Score{}, err
	}
	separator, err := t.separator.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	header, rows, err := readTable(text, separator)
	if err != nil {
		return newel.Missed("the text is no table: " + err.Error()), nil
	}
	fault, err := t.headerFault(s, header)
	if err != nil {
		return newel.Score{}, err
	}
	score := t.rows.Judge(s, "the number of rows", float64(rows))
	if score.Verdict == newel.Undecided {
		score.Verdict = newel.Pass
	}
	if fault != "" && score.Verdict.Settled() {
		score.Verdict, score.Explanation = newel.Fail, fault
		score.Evidence = []newel.Evidence{{Path: "output", Got: showList(header)}}
	}
	return score, nil
}

// readTable returns the header and the number of rows below it.
func readTable(text string, separator rune) (header []string, rows int, err error) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	r.Comma = separator
	r.ReuseRecord = true
	first, err := r.Read()
	if err == io.EOF {
		return nil, 0, errors.New("it is empty")
	}
	header = slices.Clone(first)
	for ; err == nil; rows++ {
		_, err = r.Read()
	}
	if err == io.EOF {
		return header, rows - 1, nil
	}
	return nil, 0, tableFault(r, err, len(header))
}

func tableFault(r *csv.Reader, err error, columns int) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	if errors.Is(err, csv.ErrFieldCount) {
		return fmt.Errorf("line %d has not as many fields as the header, which has %d", parse.Line, columns)
	}
	return fmt.Errorf("line %d, column %d: %w", parse.Line, parse.Column, parse.Err)
}

func (t *tableCheck) headerFault(s *newel.Subject, header []string) (string, error) {
	columns, err := t.columns.At(s)
	if err != nil {
		return "", err
	}
	exact, err := t.exact.At(s)
	if err != nil {
		return "", err
	}
	fold, err := t.fold.At(s)
	if err != nil {
		return "", err
	}
	same := func(a, b string) bool { return a == b || fold && strings.EqualFold(a, b) }
	if exact && !slices.EqualFunc(header, columns, same) {
		return fmt.Sprintf("the header is %s, not %s", showList(header), showList(columns)), nil
	}
	var missing []string
	for _, c := range columns {
		if !slices.ContainsFunc(header, func(h string) bool { return same(h, c) }) {
			missing = append(missing, c)
		}
	}
	if len(missing) > 0 {
		return "the header has no column " + showList(missing), nil
	}
	return "", nil
}
