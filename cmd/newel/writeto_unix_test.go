//go:build unix

package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWritingToAFileKeepsWhatStandsThere(t *testing.T) {
	t.Parallel()
	hello := func(w io.Writer) error {
		_, err := io.WriteString(w, "hello")
		return err
	}
	for _, test := range []struct {
		name, file, shows string // shows is where the text then is
		kept              fs.FileMode
	}{
		{"a new file", "new", "new", 0},
		{"a file", "old", "old", 0},
		{"a link to a file", "link", "old", fs.ModeSymlink},
		{"a link to a link", "far", "old", fs.ModeSymlink},
		{"a link to nothing yet", "open", "later", fs.ModeSymlink},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			in := func(name string) string { return filepath.Join(dir, name) }
			if err := os.WriteFile(in("old"), []byte("a longer text"), 0o600); err != nil {
				t.Fatal(err)
			}
			for link, to := range map[string]string{"link": "old", "far": in("link"), "open": "later"} {
				if err := os.Symlink(to, in(link)); err != nil {
					t.Fatal(err)
				}
			}
			if err := (&app{}).writeTo(in(test.file), hello); err != nil {
				t.Fatal(err)
			}
			info, err := os.Lstat(in(test.file))
			if err != nil || info.Mode().Type() != test.kept {
				t.Errorf("%v is there, %v", info.Mode(), err)
			}
			if got, err := os.ReadFile(in(test.shows)); string(got) != "hello" {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestWritingToAPipeKeepsThePipe(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Skipf("SKIPPED: there are no named pipes here: %v", err)
	}
	reader, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := (&app{}).writeTo(file, func(w io.Writer) error { _, err := io.WriteString(w, "hello"); return err }); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(reader)
	if string(got) != "hello" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if info, err := os.Lstat(file); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("%v is there, %v", info, err)
	}
}

func TestWritingToStandardOutputByItsFileAddsToIt(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "out")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	a := &app{out: out}
	for _, text := range []string{"one ", "two"} {
		if err := a.writeTo(file, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); string(got) != "one two" {
		t.Errorf("%q, %v", got, err)
	}
}
