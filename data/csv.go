package data

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// readCSV reads comma-separated values (RFC 4180) under a line of column
// names. A cell is a text, an empty one absent.
func readCSV(r io.Reader, s *sink) error { return readTable(r, ',', s) }

// readTSV reads values separated by tabs, quoted like CSV.
func readTSV(r io.Reader, s *sink) error { return readTable(r, '\t', s) }

// rowLimit ends a stream within which one row is too long: an open quote
// takes in the rest of a file.
type rowLimit struct {
	r    io.Reader
	left int
}

var errRowTooLong = errors.New("row too long")

func (l *rowLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errRowTooLong
	}
	n, err := l.r.Read(p)
	l.left -= n
	return n, err
}

// tableRows reads the rows of a table.
type tableRows struct {
	csv    *csv.Reader
	limit  *rowLimit
	header []string
	quoted [][]byte // the header's names as JSON, with a colon
	row    []byte
	line   int // the last row's
}

func readTable(r io.Reader, comma rune, s *sink) error {
	limit := &rowLimit{r: r}
	t := &tableRows{limit: limit, csv: csv.NewReader(bufio.NewReaderSize(limit, 64<<10))}
	t.csv.Comma, t.csv.FieldsPerRecord, t.csv.ReuseRecord = comma, -1, true
	ok, err := t.readHeader(s)
	if err != nil || !ok {
		return err
	}
	for {
		cells, err := t.next(s)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case cells == nil:
			continue
		}
		if err := t.hand(cells, s); err != nil {
			return err
		}
	}
}

// next returns the next row, or nil for one that cannot be read.
func (t *tableRows) next(s *sink) ([]string, error) {
	t.limit.left = maxRecord + 64<<10
	cells, err := t.csv.Read()
	var wrong *csv.ParseError
	switch {
	case errors.Is(err, errRowTooLong):
		s.wrong(t.line, 0, "behind this line a row is longer than %d MiB: a quote may not be closed", maxRecord>>20)
		return nil, io.EOF
	case errors.As(err, &wrong):
		s.wrong(wrong.Line, wrong.Column, "%s", quoteTrouble(wrong))
		return nil, nil
	}
	if err == nil {
		t.line, _ = t.csv.FieldPos(0)
	}
	return cells, err
}

func quoteTrouble(err *csv.ParseError) string {
	switch {
	case errors.Is(err.Err, csv.ErrBareQuote):
		return `a quote inside a cell that is not quoted: put the cell in quotes and double those inside ("")`
	case errors.Is(err.Err, csv.ErrQuote):
		if err.StartLine != err.Line {
			return `a quoted cell is not closed, or a quote in it is not doubled ("")`
		}
		return `text behind a closing quote, or a quoted cell that is not closed: double the quotes inside a cell ("")`
	}
	return err.Err.Error()
}

// readHeader reads the column names. It returns false when they are of no use.
func (t *tableRows) readHeader(s *sink) (bool, error) {
	names, err := t.next(s)
	if err == io.EOF || (err == nil && names == nil) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	ok := true
	for i, name := range names {
		line, col := t.csv.FieldPos(i)
		switch {
		case !utf8.ValidString(name):
			s.wrong(line, col, "the column names are not UTF-8 text")
			return false, nil
		case name != "" && slices.Contains(names[:i], name):
			s.wrong(line, col, "two columns are called %q", name)
			ok = false
		}
		t.header = append(t.header, strings.Clone(name))
		quoted, _ := jsontext.AppendQuote(nil, name)
		t.quoted = append(t.quoted, append(quoted, ':'))
	}
	if ok && s.columns != nil {
		s.columns(t.header)
	}
	return ok, nil
}

// hand hands on a row as a JSON object. Columns without a name, such as an
// exported index, are left out.
func (t *tableRows) hand(cells []string, s *sink) error {
	if len(cells) != len(t.header) {
		s.wrong(t.line, 0, "want %d cells, one for each column of the first line, got %d", len(t.header), len(cells))
		return nil
	}
	t.row = append(t.row[:0], '{')
	for i, text := range cells {
		if text == "" || t.header[i] == "" {
			continue
		}
		if len(t.row) > 1 {
			t.row = append(t.row, ',')
		}
		var err error
		if t.row, err = jsontext.AppendQuote(append(t.row, t.quoted[i]...), text); err != nil {
			line, col := t.csv.FieldPos(i)
			s.wrong(line, col, "%s: the text is not UTF-8", t.header[i])
			return nil
		}
	}
	return s.copied(append(t.row, '}'), t.line, 1)
}
