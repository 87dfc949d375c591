package data

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds the memory of a zstd stream; it is what zstd --long=27 uses.
const maxWindow = 128 << 20

// ioReader reads a file and remembers what the machine said, so that its errors
// are not mistaken for broken data.
type ioReader struct {
	io.Reader
	err error
}

func (r *ioReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// read reads the sink's file from open to close.
func (f *Folders) read(s *sink) (err error) {
	file, err := f.open(s.file.at)
	if err != nil {
		s.wrong(0, 0, "%s", openTrouble(err))
		return s.close()
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if s.file.format.random {
		err = readRandom(file, s)
	} else {
		err = readStream(file, s)
	}
	if err != nil {
		return err
	}
	return s.close()
}

func openTrouble(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "may not be read: permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "was removed meanwhile"
	}
	return err.Error()
}

// readStream unpacks a file, looks at how it begins and has it read.
func readStream(file io.Reader, s *sink) error {
	in := &ioReader{Reader: file}
	text, done, err := unpack(in, s.file.packing)
	if err == nil {
		defer done()
		err = readText(text, s)
	}
	if err == nil || errors.Is(err, errStop) || s.ctx.Err() != nil {
		return err
	}
	if in.err != nil {
		return failed(s.file.dataFile, in.err)
	}
	s.broken(err)
	return nil
}

// broken notes that a compressed stream cannot be read on.
func (s *sink) broken(err error) {
	name := "gzip"
	if s.file.packing == zstandard {
		name = "zstd"
	}
	switch {
	case s.rows == 0 && (errors.Is(err, gzip.ErrHeader) || errors.Is(err, zstd.ErrMagicMismatch)):
		s.wrong(0, 0, "is no %s data, whatever its name says", name)
	case errors.Is(err, io.ErrUnexpectedEOF):
		s.wrong(0, 0, "ends in the middle of the %s data: it was not copied whole", name)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		s.wrong(0, 0, "needs a zstd window of more than %d MiB: pack it without --ultra or --long", maxWindow>>20)
	default:
		s.wrong(0, 0, "is broken %s data: %v", name, err)
	}
}

// unpack returns the text of a compressed file, and what ends its reader.
func unpack(in io.Reader, how packing) (io.Reader, func(), error) {
	switch how {
	case gzipped:
		peek := bufio.NewReaderSize(in, 64<<10)
		magic, err := peek.Peek(2)
		switch {
		case len(magic) == 0:
			return peek, func() {}, nil // empty, or an error that comes again
		case string(magic) != "\x1f\x8b":
			return nil, nil, errors.Join(gzip.ErrHeader, err)
		}
		r, err := gzip.NewReader(peek)
		return r, func() {}, err
	case zstandard:
		r, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return r, r.Close, nil
	}
	return in, func() {}, nil
}

// readText skips a byte order mark and reads the rest, unless it begins like
// something that is no text.
func readText(r io.Reader, s *sink) error {
	head := make([]byte, 512)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) && s.file.packing != plain {
		// ReadFull says the same of a short text and of a torn stream.
		if _, again := r.Read(make([]byte, 1)); again != io.EOF {
			return again
		}
	}
	head = head[:n]
	if what := notText(head); what != "" {
		s.wrong(0, 0, "%s", what)
		return nil
	}
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	return s.file.format.read(io.MultiReader(bytes.NewReader(head), r), s)
}

// notText says what a file is that is no text.
func notText(head []byte) string {
	for _, kind := range []struct{ magic, what string }{
		{"\x1f\x8b", "holds gzip data: let its name end in .gz"},
		{"\x28\xb5\x2f\xfd", "holds zstd data: let its name end in .zst"},
		{"PAR1", "holds Parquet data: let its name end in .parquet"},
		{"PK\x03\x04", "is a zip file or an Excel workbook: save it as CSV, or unpack it"},
		{"\xff\xfe", "is UTF-16 text: save it as UTF-8"},
		{"\xfe\xff", "is UTF-16 text: save it as UTF-8"},
	} {
		if bytes.HasPrefix(head, []byte(kind.magic)) {
			return kind.what
		}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return "is binary data, not text"
	}
	return ""
}

// maxUnpacked is how large a compressed file may be that must be unpacked to a
// temporary file.
const maxUnpacked = 1 << 30

// readRandom reads a format that needs a file: a compressed one is unpacked
// first.
func readRandom(file *os.File, s *sink) (err error) {
	if s.file.packing == plain {
		return s.file.format.read(file, s)
	}
	in := &ioReader{Reader: file}
	text, done, err := unpack(in, s.file.packing)
	if err != nil {
		s.broken(err)
		return nil
	}
	defer done()
	temp, err := tempFile()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, temp.Close()) }()
	n, err := io.Copy(writerOnly{temp}, io.LimitReader(text, maxUnpacked+1))
	switch {
	case err != nil && in.err == nil && temp.err == nil:
		s.broken(err)
		return nil
	case err != nil:
		return failed(s.file.dataFile, err)
	case n > maxUnpacked:
		s.wrong(0, 0, "is larger than %d GiB unpacked: Parquet compresses by itself, so unpack it", maxUnpacked>>30)
		return nil
	}
	return s.file.format.read(temp.File, s)
}

// writerOnly hides File.ReadFrom, which would go around the recorded error.
type writerOnly struct{ io.Writer }
