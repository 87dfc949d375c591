package data

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"newel"
)

// readCSV reads comma-separated values (RFC 4180) under a line of column
// names. A cell is a text, an empty one absent.
func readCSV(r io.Reader, s *sink) error { return readTable(r, ',', s) }

// readTSV reads values separated by tabs, quoted like CSV.
func readTSV(r io.Reader, s *sink) error { return readTable(r, '\t', s) }

// rowStream is the text of a table. It keeps what was read of it until the row
// is cut out, and ends within one that is too long: an open quote takes in the
// rest of a file.
type rowStream struct {
	r    io.Reader
	left int
	buf  []byte // what was read and is in no row yet
	base int64  // its offset in the stream
}

var errRowTooLong = errors.New("row too long")

func (s *rowStream) Read(p []byte) (int, error) {
	if s.left <= 0 {
		return 0, errRowTooLong
	}
	n, err := s.r.Read(p)
	s.left -= n
	if rest := len(s.buf); rest+n > cap(s.buf) {
		s.buf = append(make([]byte, 0, bufferFor(rest)), s.buf...)
	}
	s.buf = append(s.buf, p[:n]...)
	return n, err
}

// cut returns the text up to an offset of the stream, empty lines before a row
// left out. It is never written to again.
func (s *rowStream) cut(to int64) []byte {
	n := int(to - s.base)
	row := s.buf[:n:n]
	s.buf, s.base = s.buf[n:], to
	for {
		rest := bytes.TrimPrefix(row, []byte("\r"))
		if !bytes.HasPrefix(rest, []byte("\n")) {
			return row
		}
		row = rest[1:]
	}
}

// tableRows reads the rows of a table.
type tableRows struct {
	csv    *csv.Reader
	stream *rowStream
	header []string
	quoted [][]byte // the header's names as JSON, with a colon
	row    []byte   // as JSON
	now    record   // the last row
}

func readTable(r io.Reader, comma byte, s *sink) error {
	stream := &rowStream{r: r}
	t := &tableRows{stream: stream, csv: csv.NewReader(bufio.NewReaderSize(stream, 64<<10))}
	t.csv.Comma, t.csv.FieldsPerRecord, t.csv.ReuseRecord = rune(comma), -1, true
	s.file.header.comma = comma
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
	t.stream.left = maxRecord + 64<<10
	cells, err := t.csv.Read()
	var wrong *csv.ParseError
	switch {
	case errors.Is(err, errRowTooLong):
		s.wrong(t.now.line+bytes.Count(t.now.text, []byte("\n")), 1, "the row that begins here is longer than %d MiB: a quote may not be closed", maxRecord>>20)
		return nil, io.EOF
	case errors.As(err, &wrong):
		t.now = record{text: t.stream.cut(t.csv.InputOffset()), line: wrong.StartLine, col: 1}
		s.wrongAt(t.quoteAt(wrong, s), "%s", quoteTrouble(wrong))
		return nil, nil
	}
	if err == nil {
		t.now = record{text: t.stream.cut(t.csv.InputOffset()), col: 1}
		t.now.line, _ = t.csv.FieldPos(0)
	}
	return cells, err
}

// quoteAt is where a row stops being one: the reader counts bytes of a line.
func (t *tableRows) quoteAt(wrong *csv.ParseError, s *sink) newel.Pos {
	at, text := 0, bytes.TrimRight(t.now.text, "\r\n")
	for range wrong.Line - wrong.StartLine {
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
	return origin{&t.now, s.file}.at(text, min(at+wrong.Column-1, len(text)))
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
		switch {
		case !utf8.ValidString(name):
			s.wrongAt(t.cell(i, s), "the column names are not UTF-8 text")
			return false, nil
		case name != "" && slices.Contains(names[:i], name):
			s.wrongAt(t.cell(i, s), "two columns are called %q", name)
			ok = false
		}
		t.header = append(t.header, strings.Clone(name))
		quoted, _ := jsontext.AppendQuote(nil, name)
		t.quoted = append(t.quoted, append(quoted, ':'))
	}
	s.file.header.names = t.header
	if ok && s.columns != nil {
		s.columns(t.header)
	}
	return ok, nil
}

// hand hands on a row as a JSON object. Columns without a name, such as an
// exported index, are left out.
func (t *tableRows) hand(cells []string, s *sink) error {
	if len(cells) != len(t.header) {
		s.wrongAt(t.cell(min(len(cells), len(t.header)), s), "want %d cells, one for each column of the first line, got %d", len(t.header), len(cells))
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
			s.wrongAt(t.cell(i, s), "%s: the text is not UTF-8", t.header[i])
			return nil
		}
	}
	t.now.raw = append(t.row, '}')
	return s.copied(t.now)
}

// cell is where a cell of the row begins, or the row's end.
func (t *tableRows) cell(i int, s *sink) newel.Pos { return origin{&t.now, s.file}.cell(i) }
