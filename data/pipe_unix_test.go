//go:build unix

package data_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestPipesAreRefusedWithoutWaitingForThem(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		source m
	}{
		{"as a data file", m{"file": "pipe.jsonl"}},
		{"by a pattern", m{"file": "p*.jsonl"}},
		{"through a link", m{"file": "link.jsonl"}},
		{"by a record", m{"file": "d.jsonl", "map": m{"input": m{"file": "path"}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := write(t, map[string]string{"d.jsonl": `{"id":"a","path":"pipe.jsonl"}`})
			if err := syscall.Mkfifo(filepath.Join(dir, "pipe.jsonl"), 0o600); err != nil {
				t.Skipf("SKIPPED: there are no named pipes here: %v", err)
			}
			if err := os.Symlink("pipe.jsonl", filepath.Join(dir, "link.jsonl")); err != nil {
				t.Fatal(err)
			}
			_, wrong := read(t, dir, test.source, 1)
			if !strings.Contains(wrong, "is not a regular file") {
				t.Errorf("%q", wrong)
			}
		})
	}
}
