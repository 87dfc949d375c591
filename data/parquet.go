package data

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
)

// readParquet reads the rows of a Parquet file, row group by row group, as
// JSON objects. The line of a record is its row, counted from 1.
func readParquet(r io.Reader, s *sink) (err error) {
	file, ok := r.(*os.File)
	if !ok {
		return errors.New("read Parquet: want a file")
	}
	p := &parquetRows{sink: s}
	// The library panics on some broken files. What it says then is about its
	// own insides, so all that is told is where it stopped.
	defer func() {
		if broken := recover(); broken != nil {
			p.broken(fmt.Errorf("its structure is damaged (%v)", broken))
			err = nil
		}
	}()
	return p.read(file)
}

// parquetRows reads one file.
type parquetRows struct {
	sink    *sink
	row     int
	columns []*parquetNode
	leaves  [][]parquet.Value // of the row under way, by column
	out     []byte
}

// broken notes that the rest of the file cannot be read.
func (p *parquetRows) broken(err error) {
	if p.row == 0 {
		p.sink.wrong(0, 0, "cannot be read as Parquet: %v", err)
		return
	}
	p.sink.wrong(p.row+1, 0, "cannot be read as Parquet from this row on: %v", err)
}

func (p *parquetRows) read(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return failed(p.sink.file.dataFile, err)
	}
	if info.Size() == 0 {
		return nil // the sink notes that there are no records
	}
	if what := footerTrouble(file, info.Size()); what != "" {
		p.broken(errors.New(what))
		return nil
	}
	in := &ioReaderAt{ReaderAt: file}
	f, err := parquet.OpenFile(in, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	switch {
	case in.err != nil:
		return failed(p.sink.file.dataFile, in.err)
	case err != nil:
		p.broken(err)
		return nil
	}
	if !p.header(f) {
		return nil
	}
	for _, group := range f.RowGroups() {
		if err := p.group(group, in); err != nil {
			if errors.Is(err, errBroken) {
				return nil
			}
			return err
		}
	}
	return nil
}

// footerTrouble looks at the end of a file before the library does, which would
// make room for any footer of up to 4 GiB that the file claims to have. The end
// is the footer's length in four bytes, then PAR1.
func footerTrouble(file io.ReaderAt, size int64) string {
	var end [8]byte
	if size < 12 {
		return "it is too short"
	}
	if _, err := file.ReadAt(end[:], size-8); err != nil {
		return "" // the library will meet it too
	}
	switch length := int64(binary.LittleEndian.Uint32(end[:4])); {
	case string(end[4:]) != "PAR1":
		return "it does not end like a Parquet file: it is of another kind, or was not copied whole"
	case length > size-12:
		return "its footer is damaged"
	}
	return ""
}

// errBroken ends a file whose mistake is noted.
var errBroken = errors.New("the file is broken")

func (p *parquetRows) header(f *parquet.File) bool {
	var names []string
	leaf := 0
	for _, field := range f.Root().Fields() {
		n := newParquetNode(field, field.Name(), 0, 0, &leaf)
		p.columns = append(p.columns, n)
		names = append(names, n.name)
	}
	p.leaves = make([][]parquet.Value, leaf)
	if len(names) == 0 {
		p.broken(errors.New("it has no columns"))
		return false
	}
	if p.sink.columns != nil {
		p.sink.columns(names)
	}
	return true
}

func (p *parquetRows) group(group parquet.RowGroup, in *ioReaderAt) (err error) {
	rows := group.Rows()
	defer func() { err = errors.Join(err, rows.Close()) }()
	batch := make([]parquet.Row, 64)
	for {
		n, readErr := rows.ReadRows(batch)
		for _, row := range batch[:n] {
			if err := p.hand(row); err != nil {
				return err
			}
		}
		switch {
		case in.err != nil:
			return failed(p.sink.file.dataFile, in.err)
		case readErr == io.EOF:
			return nil
		case readErr == nil && n == 0:
			readErr = io.ErrNoProgress
		}
		if readErr != nil {
			p.broken(readErr)
			return errBroken
		}
	}
}

// hand hands on one row.
func (p *parquetRows) hand(row parquet.Row) error {
	for i := range p.leaves {
		p.leaves[i] = nil
	}
	row.Range(func(column int, values []parquet.Value) bool {
		if column < len(p.leaves) {
			p.leaves[column] = values
		}
		return true
	})
	p.out = append(p.out[:0], '{')
	for i, n := range p.columns {
		if i > 0 {
			p.out = append(p.out, ',')
		}
		p.out = append(p.out, n.quoted...)
		if err := p.node(n); err != nil {
			p.sink.wrong(p.row+1, 0, "%s: %v", n.name, err)
			p.row++
			return p.sink.poll()
		}
	}
	p.row++
	if len(p.out) >= maxRecord {
		p.sink.wrong(p.row, 0, "%s", recordTooLong)
		return p.sink.poll()
	}
	return p.sink.copied(record{raw: append(p.out, '}'), line: p.row})
}

// ioReaderAt remembers what the machine said, as ioReader does.
type ioReaderAt struct {
	io.ReaderAt
	err error
}

func (r *ioReaderAt) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, off)
	var path *os.PathError
	// An offset that lies outside comes from broken data, not from the machine.
	if err != nil && err != io.EOF && off >= 0 && errors.As(err, &path) {
		r.err = err
	}
	return n, err
}
