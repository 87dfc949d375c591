package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// writeTo writes to a file, all of it or nothing, or to standard output. What
// a link leads to is written and the link kept; a device or pipe is written to
// as it is.
func (a *app) writeTo(file string, write func(io.Writer) error) error {
	if file == "" {
		return write(a.out)
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if to, err := os.Readlink(file); err == nil {
			return a.writeTo(beside(file, to), write)
		}
		return replaceFile(file, write)
	case err != nil:
		return fmt.Errorf("write %s: %w", file, err)
	case a.isOut(info):
		return write(a.out)
	case !info.Mode().IsRegular():
		return writeInto(file, write)
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return replaceFile(real, write)
}

// beside is where a link at file leads.
func beside(file, to string) string {
	if filepath.IsAbs(to) {
		return to
	}
	return filepath.Join(filepath.Dir(file), to)
}

// isOut reports whether a file is standard output, as /dev/stdout is.
func (a *app) isOut(info fs.FileInfo) bool {
	out, ok := a.out.(*os.File)
	if !ok {
		return false
	}
	is, err := out.Stat()
	return err == nil && os.SameFile(info, is)
}

func writeInto(file string, write func(io.Writer) error) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

func replaceFile(file string, write func(io.Writer) error) error {
	p, err := newPart(file)
	if err != nil {
		return err
	}
	defer p.close()
	f, err := os.OpenFile(p.path(), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err := os.Chmod(p.path(), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return p.finish()
}
