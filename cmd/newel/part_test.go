package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// namesIn lists a folder.
func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	ok(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// What a killed export leaves is one folder, however often it is killed, and
// the next export of the same file takes it away.
func TestAKilledExportLeavesNothingThatTheNextDoesNotTakeAway(t *testing.T) {
	t.Parallel()
	dir, to := t.TempDir(), t.TempDir()
	must(t, dir, exitPassed, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q")
	file := filepath.Join(to, "main.newel")
	killed := 0
	for range times(3, 20) {
		p := begin(t, dir, "export", "x", storeIn(dir), "--out="+file, "-q")
		await(t, "the export to begin", func() bool {
			info, err := os.Stat(filepath.Join(to, ".main.newel.part", "content"))
			return err == nil && info.Size() > 0
		}, p.done)
		p.killAfter(0)
		switch names := namesIn(t, to); {
		case slices.Equal(names, []string{".main.newel.part"}):
			killed++
		case slices.Contains(names, "main.newel"): // it was quicker
			ok(t, os.Remove(file))
		default:
			t.Errorf("a killed export left %q", names)
		}
	}
	t.Logf("%d killed on the way", killed)
	must(t, dir, exitPassed, "export", "x", storeIn(dir), "--out="+file, "-q")
	if names := namesIn(t, to); !slices.Equal(names, []string{"main.newel"}) {
		t.Errorf("after a whole export there are %q", names)
	}
	must(t, to, exitPassed, "import", file, storeIn(t.TempDir()), "-q")
}

func TestWhatAKilledReportLeftIsTakenAway(t *testing.T) {
	t.Parallel()
	s := newShop(t, 12, "")
	s.words(exitPassed, "run SUITE --id=x -q")
	out := t.TempDir()
	left := filepath.Join(out, ".x.json.part")
	ok(t, os.MkdirAll(filepath.Join(left, "deep"), 0o700))
	write(t, left, "content", "half a re")
	s.do(exitPassed, "report", "x", "--as=json", "--out="+filepath.Join(out, "x.json"))
	if names := namesIn(t, out); !slices.Equal(names, []string{"x.json"}) {
		t.Errorf("there are %q", names)
	}
}

func TestAFileIsWrittenByOneAtATime(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "x")
	p, err := newPart(file)
	ok(t, err)
	if _, err := newPart(file); err == nil || !strings.Contains(err.Error(), "another newel writes it") {
		t.Errorf("a second gets %v", err)
	}
	ok(t, os.WriteFile(p.path(), []byte("first"), 0o600))
	ok(t, p.finish())
	p.close()
	again, err := newPart(file)
	ok(t, err)
	again.close()
	if got, err := os.ReadFile(file); string(got) != "first" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAWriteThatFailsLeavesTheOldFileAndNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := write(t, dir, "x", "old")
	broken := errors.New("broken")
	err := (&app{}).writeTo(file, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return broken
	})
	if got, _ := os.ReadFile(file); !errors.Is(err, broken) || string(got) != "old" {
		t.Errorf("%v, and it holds %q", err, got)
	}
	if names := namesIn(t, dir); !slices.Equal(names, []string{"x"}) {
		t.Errorf("there are %q", names)
	}
}

func TestANameAsLongAsCanBeIsWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), strings.Repeat("n", 255))
	ok(t, (&app{}).writeTo(file, func(w io.Writer) error { return nil }))
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}
