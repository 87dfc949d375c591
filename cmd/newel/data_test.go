package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"newel/store/sqlite"
)

var exampleText struct {
	once  sync.Once
	lines []string
}

// exampleLines returns the example's cases, a line each.
func exampleLines(t testing.TB) []string {
	t.Helper()
	exampleText.once.Do(func() {
		packed, err := os.ReadFile(filepath.Join(filepath.Dir(exampleSuite(t)), "cases.jsonl.zst"))
		if err != nil {
			t.Fatal(err)
		}
		reader, err := zstd.NewReader(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		text, err := reader.DecodeAll(packed, nil)
		if err != nil {
			t.Fatal(err)
		}
		exampleText.lines = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	})
	if len(exampleText.lines) != exampleItems {
		t.Fatalf("the example has %d cases, want %d", len(exampleText.lines), exampleItems)
	}
	return exampleText.lines
}

// copyOfExample writes the example's suite into dir with these cases, and
// returns the suite.
func copyOfExample(t testing.TB, dir string, lines []string) string {
	t.Helper()
	text, err := os.ReadFile(exampleSuite(t))
	if err != nil {
		t.Fatal(err)
	}
	writer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "cases.jsonl.zst", string(writer.EncodeAll([]byte(strings.Join(lines, "\n")+"\n"), nil)))
	return write(t, dir, "suite.yaml", string(text))
}

// write writes a file and returns its path.
func write(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// waitForRows waits until run x has stored so many chunks, the first of them
// with rows, and returns the store.
func waitForRows(t testing.TB, p *process, dir string, n int) *sqlite.Store {
	t.Helper()
	await(t, "the run's record", func() bool { return standing(t, dir, "x") != nil }, p.done)
	s := opened(t, dir)
	await(t, "rows", func() bool {
		chunks, err := s.Chunks(t.Context(), "x")
		return err == nil && len(chunks) >= n && chunks[0].Tally.Done > 0
	}, p.done)
	return s
}
