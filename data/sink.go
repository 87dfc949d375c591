package data

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"

	"newel"
)

const (
	// maxRecord is how long one record may be, in bytes.
	maxRecord = 64 << 20
	// blockBytes and blockRecords are when a block of records is handed on.
	blockBytes   = 256 << 10
	blockRecords = 256
)

// recordTooLong is said of a record that is.
const recordTooLong = "the record is longer than 64 MiB"

// bufferFor returns how large a buffer must be to go on with an incomplete
// record, the longest one included.
func bufferFor(rest int) int { return max(blockBytes, min(2*rest, maxRecord+blockBytes)) }

// errStop ends the reading of a source or file of which no more is wanted.
var errStop = errors.New("no more is wanted")

// record is one record as JSON text, with its place.
type record struct {
	raw       []byte
	line, col int
	row       int         // its number in the file, from 0
	text      []byte      // the row of a table as written, of which raw was made
	node      *newel.Node // of an inline case
}

// block is a run of records of one file, on its way from the reader through a
// worker to whoever takes the cases.
type block struct {
	src     *sourceRun
	file    *fileRun
	records []record
	size    int64
	wrong   newel.Mistakes // the reader's, then the worker's
	entries []Entry
	decoded int  // how many records were decoded, before where
	broken  bool // the rest of the file cannot be read
	done    chan struct{}
}

// sourceRun is a source while it is read.
type sourceRun struct {
	*source
	index   int
	lookup  *lookup // of its join
	stopped atomic.Bool
	extra   atomic.Int64 // bytes that decoded records brought from other files
	decoded atomic.Int64
	// what follows belongs to whoever takes the cases
	given, seen int
	wrong       int
}

// fileRun is a file while it is read.
type fileRun struct {
	*dataFile
	whole   bool   // one broken record breaks the rest
	header  header // of a table
	stopped atomic.Bool
	dead    bool // belongs to whoever takes the cases
}

// sink takes the records of one file from its reader and hands them on in
// blocks.
type sink struct {
	ctx     context.Context
	src     *sourceRun
	file    *fileRun
	hand    func(*block) error
	columns func(names []string) // told the columns of files that fix them
	now     *block
	arena   []byte
	rows    int
	last    int // records of the last block
	wrongs  int
}

// record hands on one record. raw must not change afterwards.
func (s *sink) record(raw []byte, line, col int) error {
	return s.add(record{raw: raw, line: line, col: col})
}

// copied hands on a record whose raw will be overwritten.
func (s *sink) copied(r record) error {
	raw := r.raw
	if cap(s.arena)-len(s.arena) < len(raw) {
		s.arena = make([]byte, 0, max(blockBytes/4, len(raw)))
	}
	start := len(s.arena)
	s.arena = append(s.arena, raw...)
	r.raw = s.arena[start:len(s.arena):len(s.arena)]
	return s.add(r)
}

func (s *sink) add(r record) error {
	r.row = s.rows
	s.rows++
	b := s.block()
	b.records = append(b.records, r)
	b.size += int64(len(r.raw)+len(r.text)) + 64 + s.src.brought()
	if b.size >= blockBytes || len(b.records) >= min(blockRecords, max(8, s.rows/8)) {
		return s.flush()
	}
	return nil
}

// brought is how many bytes a record brought along from other files, on
// average so far. The first blocks are small, so that this is known before
// many are under way.
func (s *sourceRun) brought() int64 { return s.extra.Load() / max(1, s.decoded.Load()) }

func (s *sink) block() *block {
	if s.now == nil {
		s.now = &block{src: s.src, file: s.file, records: make([]record, 0, s.last), done: make(chan struct{})}
	}
	return s.now
}

// wrong notes a mistake at a place of the file; line 0 is the file as a whole.
func (s *sink) wrong(line, col int, format string, args ...any) {
	s.wrongs++
	s.block().wrong.Add(newel.Pos{File: s.file.shown, Line: line, Column: col}, format, args...)
}

// flush hands on what there is, and tells when no more is wanted.
func (s *sink) flush() error {
	if b := s.now; b != nil {
		s.now, s.last = nil, len(b.records)
		if err := s.hand(b); err != nil {
			return err
		}
	}
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if s.file.stopped.Load() || s.src.stopped.Load() {
		return errStop
	}
	return nil
}

// close hands on the last block. A file without records is a mistake.
func (s *sink) close() error {
	if s.rows == 0 && s.wrongs == 0 {
		s.wrong(0, 0, "holds no records")
	}
	return s.flush()
}

// isBlank reports whether a line holds nothing but white space.
func isBlank(line []byte) bool { return len(bytes.TrimLeft(line, " \t\r\n")) == 0 }

// poll is for readers that go on for long without a record.
func (s *sink) poll() error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return nil
}

// giveUp ends a file behind a mistake: a few packed bytes may stand for
// terabytes of it.
func (s *sink) giveUp() error {
	s.file.stopped.Store(true)
	return s.flush()
}
