package report_test

import (
	"bytes"
	"flag"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"newel"
)

var update = flag.Bool("update", false, "write golden files anew")

// golden compares got with testdata/name, or writes it under -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got; refresh with -update):\n%s", path, diff)
	}
}

// rendered returns what write writes.
func rendered(t *testing.T, write func(b *bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// calm fails if text holds anything that acts on a terminal. Line ends are the
// renderer's own.
func calm(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Error("broken UTF-8")
	}
	for i, r := range text {
		switch {
		case r == '\n':
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200b, r == 0xfffe:
			t.Errorf("%U at byte %d: %q", r, i, text[max(0, i-20):min(len(text), i+20)])
		}
	}
}

// within fails if a line is wider than width; skip lines are not looked at.
func within(t *testing.T, text string, width, skip int) {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		if w := uniseg.StringWidth(line); i >= skip && w > width {
			t.Errorf("line %d has %d columns, %d fit: %q", i+1, w, width, line)
		}
	}
}

func rowsOf(rows ...newel.Row) iter.Seq2[newel.Row, error] {
	return func(yield func(newel.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// failingRows yields one row and then err.
func failingRows(err error) iter.Seq2[newel.Row, error] {
	return func(yield func(newel.Row, error) bool) {
		if yield(newel.Row{Case: "a", Rubric: "arguments", Verdict: "pass"}, nil) {
			yield(newel.Row{}, err)
		}
	}
}

// brokenWriter fails after n bytes.
type brokenWriter struct{ n int }

func (b *brokenWriter) Write(p []byte) (int, error) {
	if b.n -= len(p); b.n < 0 {
		return 0, os.ErrClosed
	}
	return len(p), nil
}
