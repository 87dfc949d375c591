package data

import (
	"bytes"
	"io"
)

// lines cuts a stream into lines. Lines are slices of a buffer that is left to
// them: a new one is made when it is full.
type lines struct {
	buf   []byte
	start int // of the line that is not complete
	line  int
	skip  bool // inside a line that is too long
}

// readJSONL reads one record a line.
func readJSONL(r io.Reader, s *sink) error {
	l := &lines{buf: make([]byte, 0, blockBytes), line: 1}
	for {
		n, err := r.Read(l.buf[len(l.buf):cap(l.buf)])
		l.buf = l.buf[:len(l.buf)+n]
		if failed := l.cut(len(l.buf)-n, s); failed != nil {
			return failed
		}
		switch {
		case err == io.EOF:
			return l.last(s)
		case err != nil:
			return err
		}
		if stop := l.room(s); stop != nil {
			return stop
		}
	}
}

// cut hands on the lines that are complete; what stands before from has no
// line end behind start.
func (l *lines) cut(from int, s *sink) error {
	for {
		end := bytes.IndexByte(l.buf[from:], '\n')
		if end < 0 {
			return nil
		}
		end += from
		if err := l.hand(l.buf[l.start:end:end], s); err != nil {
			return err
		}
		l.line++
		l.start, from = end+1, end+1
		l.skip = false
	}
}

func (l *lines) hand(text []byte, s *sink) error {
	if l.skip || isBlank(text) {
		return nil
	}
	if len(text) > maxRecord {
		l.tooLong(s)
		return nil
	}
	return s.record(text, l.line, 1)
}

func (l *lines) tooLong(s *sink) {
	s.wrong(l.line, 1, "the line is longer than %d MiB: write one record a line, or name the file .json when it holds one list", maxRecord>>20)
}

// last hands on a line that has no end.
func (l *lines) last(s *sink) error {
	return l.hand(l.buf[l.start:len(l.buf):len(l.buf)], s)
}

// room makes a new buffer when this one is full, and begins to skip a line
// that is too long.
func (l *lines) room(s *sink) error {
	rest := l.buf[l.start:]
	switch {
	case len(l.buf) < cap(l.buf):
		return nil
	case l.skip:
		l.buf, l.start = l.buf[:0], 0
		return s.poll()
	case len(rest) > maxRecord:
		l.tooLong(s)
		l.skip = true
		l.buf, l.start = make([]byte, 0, blockBytes), 0
		if s.file.packing != plain {
			return s.giveUp()
		}
		return nil
	}
	next := make([]byte, len(rest), bufferFor(len(rest)))
	copy(next, rest)
	l.buf, l.start = next, 0
	return nil
}
