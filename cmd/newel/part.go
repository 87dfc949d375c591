package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
)

// part is a file in the making. It is written in a folder beside its place and
// takes its name in one step. The folder is named for the file, so that the
// next process that writes the same file clears what a killed one left.
type part struct {
	file string
	dir  string
	lock *flock.Flock
}

const (
	lockName = "lock"
	// maxPartName bounds what of a file's name is in the folder's, in bytes.
	maxPartName = 200
	// partTries bounds how often the folder may vanish under us: each time
	// another process had it and was done in between.
	partTries = 100
)

// newPart makes the folder for a file, or takes over the one that is left.
func newPart(file string) (*part, error) {
	dir, name := filepath.Split(file)
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("write %s: there is no folder %s", file, filepath.Dir(file))
	}
	p := &part{file: file, dir: filepath.Join(dir, "."+strings.ToValidUTF8(name[:min(len(name), maxPartName)], "")+".part")}
	for range partTries {
		ok, err := p.take()
		switch {
		case err != nil:
			return nil, fmt.Errorf("write %s: %w", file, err)
		case ok:
			return p, p.clear()
		}
	}
	return nil, fmt.Errorf("write %s: another newel writes it at this moment", file)
}

// take locks the folder; false where another process was done with it meanwhile.
func (p *part) take() (ok bool, err error) {
	if err := os.Mkdir(p.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	at := filepath.Join(p.dir, lockName)
	p.lock = flock.New(at, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ok, err = p.lock.TryLock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
		return true, nil // a file system without locks
	case err != nil:
		return false, err
	case !ok:
		return false, errors.Join(errors.New("another newel writes it at this moment"), p.lock.Close())
	}
	if locked, err := p.lock.Stat(); err == nil {
		if named, err := os.Stat(at); err == nil && os.SameFile(locked, named) {
			return true, nil
		}
	}
	return false, p.lock.Close()
}

// clear removes what a killed process left.
func (p *part) clear() error {
	left, err := os.ReadDir(p.dir)
	for _, e := range left {
		if e.Name() != lockName {
			err = errors.Join(err, os.RemoveAll(filepath.Join(p.dir, e.Name())))
		}
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", p.file, err), p.lock.Close())
	}
	return nil
}

// path is where the file is written.
func (p *part) path() string { return filepath.Join(p.dir, "content") }

// finish gives the file its name, in the place of one that has it.
func (p *part) finish() error {
	if err := os.Rename(p.path(), p.file); err != nil {
		return fmt.Errorf("write %s: %w", p.file, err)
	}
	return nil
}

// close removes the folder and what was not finished.
func (p *part) close() {
	_ = os.RemoveAll(p.dir) // what stays goes with the next write
	_ = p.lock.Close()
}
