package data

import (
	"bytes"
	"io"
)

// spoolMemory is how much a spool keeps in memory.
const spoolMemory = 32 << 20

// spool keeps texts, in memory first, then in a temporary file. It is written
// before it is read; reads may run side by side.
type spool struct {
	text []byte
	file *temporary
	size int64
}

func (s *spool) add(text []byte) (offset int64, err error) {
	offset = s.size
	s.size += int64(len(text))
	if s.file == nil && s.size <= spoolMemory {
		s.text = append(s.text, text...)
		return offset, nil
	}
	if s.file == nil {
		if s.file, err = tempFile(); err != nil {
			return 0, err
		}
	}
	s.text = append(s.text, text...)
	if len(s.text) < blockBytes {
		return offset, nil
	}
	_, err = s.file.Write(s.text)
	s.text = s.text[:0]
	return offset, err
}

func (s *spool) read(offset int64, size int) ([]byte, error) {
	if s.file == nil {
		return bytes.Clone(s.text[offset : offset+int64(size)]), nil
	}
	out := make([]byte, size)
	written := s.size - int64(len(s.text))
	if offset >= written {
		copy(out, s.text[offset-written:])
		return out, nil
	}
	_, err := s.file.ReadAt(out, offset)
	if err == io.EOF {
		err = nil
	}
	return out, err
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}
