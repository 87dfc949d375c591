package data

import (
	"errors"
	"os"
)

// temporary is a file that is gone when it is closed.
type temporary struct {
	*os.File
	err error // of a write
}

func tempFile() (*temporary, error) {
	f, err := os.CreateTemp("", "newel-data-*")
	if err != nil {
		return nil, err
	}
	return &temporary{File: f}, nil
}

// Write remembers its error, so that a full disk is not taken for broken data.
func (t *temporary) Write(p []byte) (int, error) {
	n, err := t.File.Write(p)
	t.err = errors.Join(t.err, err)
	return n, err
}

// Close closes and removes the file.
func (t *temporary) Close() error {
	return errors.Join(t.File.Close(), os.Remove(t.Name()))
}
