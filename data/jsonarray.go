package data

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// arrayScan cuts a list of JSON values into its elements by brackets and
// quotes alone. Whether an element is JSON is for the decoder to say.
type arrayScan struct {
	buf      []byte
	at       int // the next byte to look at
	start    int // of the element
	state    arrayState
	inString bool
	depth    int
	counted  int // bytes of buf whose lines and characters are counted
	line     int
	col      int // characters of the line before what is counted
	elements int
}

type arrayState uint8

const (
	beforeList arrayState = iota
	beforeElement
	inElement
	behindList
)

// readJSONArray reads a file that is one list of records.
func readJSONArray(r io.Reader, s *sink) error {
	s.file.whole = true
	a := &arrayScan{buf: make([]byte, 0, blockBytes), line: 1}
	for {
		n, err := r.Read(a.buf[len(a.buf):cap(a.buf)])
		a.buf = a.buf[:len(a.buf)+n]
		more, failed := a.scan(s)
		if failed != nil || !more {
			return failed
		}
		switch {
		case err == io.EOF:
			a.end(s)
			return nil
		case err != nil:
			return err
		}
		if !a.room(s) {
			return nil
		}
	}
}

// place counts up to an offset of buf and returns its line and column.
func (a *arrayScan) place(to int) (line, col int) {
	for {
		i := bytes.IndexByte(a.buf[a.counted:to], '\n')
		if i < 0 {
			a.col += utf8.RuneCount(a.buf[a.counted:to])
			a.counted = to
			return a.line, a.col + 1
		}
		a.counted += i + 1
		a.line, a.col = a.line+1, 0
	}
}

// wrong notes a mistake at an offset of buf.
func (a *arrayScan) wrong(s *sink, at int, msg string) {
	line, col := a.place(at)
	s.wrong(line, col, "%s", msg)
}

// scan goes through what was read. It returns false when the rest of the file
// cannot be read.
func (a *arrayScan) scan(s *sink) (bool, error) {
	for a.at < len(a.buf) {
		if a.state == inElement {
			if err := a.element(s); err != nil {
				return false, err
			}
			continue
		}
		c := a.buf[a.at]
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			a.at++
			continue
		}
		if !a.between(c, s) {
			return false, nil
		}
	}
	return true, nil
}

// between takes a byte that is in no element.
func (a *arrayScan) between(c byte, s *sink) bool {
	switch {
	case a.state == behindList:
		a.wrong(s, a.at, "text after the list: a .json file is one list of records")
		return false
	case a.state == beforeList && c != '[':
		a.wrong(s, a.at, "want a list of records that begins with [; name the file .jsonl when it holds one record a line")
		return false
	case a.state == beforeList:
		a.state = beforeElement
	case c == ']' && a.elements > 0, c == ',':
		a.wrong(s, a.at, "a record is missing at this comma or bracket")
		return false
	case c == ']':
		a.state = behindList
	default:
		a.state, a.start, a.depth, a.inString = inElement, a.at, 0, false
		return true
	}
	a.at++
	return true
}

// element goes on through an element, up to its end or that of buf.
func (a *arrayScan) element(s *sink) error {
	for a.at < len(a.buf) {
		if a.inString {
			a.string()
			continue
		}
		c := a.buf[a.at]
		switch {
		case c == '"':
			a.inString = true
		case c == '{' || c == '[':
			a.depth++
		case a.depth == 0 && (c == ',' || c == ']'):
			return a.finish(c, s)
		case (c == '}' || c == ']') && a.depth > 0:
			a.depth--
		}
		a.at++
	}
	return nil
}

// string goes to the end of a string: a quote with an even number of
// backslashes before it.
func (a *arrayScan) string() {
	i := bytes.IndexByte(a.buf[a.at:], '"')
	if i < 0 {
		a.at = len(a.buf)
		return
	}
	quote := a.at + i
	slashes := 0
	for p := quote - 1; p > a.start && a.buf[p] == '\\'; p-- {
		slashes++
	}
	a.inString = slashes%2 == 1
	a.at = quote + 1
}

func (a *arrayScan) finish(c byte, s *sink) error {
	end := a.at
	line, col := a.place(a.start)
	a.elements++
	a.state = beforeElement
	if c == ']' {
		a.state = behindList
	}
	a.at++
	if end-a.start > maxRecord {
		s.wrong(line, col, "%s", recordTooLong)
		return nil
	}
	return s.record(a.buf[a.start:end:end], line, col)
}

// end is the end of the file.
func (a *arrayScan) end(s *sink) {
	switch {
	case a.state == beforeList:
		return // empty, which the sink notes
	case a.state != behindList:
		a.wrong(s, len(a.buf), "the list is not closed: the file ends in the middle")
	}
}

// room makes a new buffer when this one is full. It returns false for an
// element that is too long: where it ends cannot be told.
func (a *arrayScan) room(s *sink) bool {
	if len(a.buf) < cap(a.buf) {
		return true
	}
	if a.state != inElement {
		a.start = a.at
	}
	rest := a.buf[a.start:]
	if len(rest) > maxRecord {
		a.wrong(s, a.start, recordTooLong)
		return false
	}
	a.place(a.start)
	next := make([]byte, len(rest), bufferFor(len(rest)))
	copy(next, rest)
	a.buf = next
	a.at, a.counted, a.start = a.at-a.start, 0, 0
	return true
}
