package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// mounted returns a file system of its own, of so many bytes.
func mounted(t *testing.T, size string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("SKIPPED: this needs the right to mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func remount(t *testing.T, dir string, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT|flags, options); err != nil {
		t.Fatal(err)
	}
}

func TestAFullDiskLosesNothing(t *testing.T) {
	t.Parallel()
	want, _ := undisturbed(t)
	sizes := []string{"1m", "16k", "2m", "256k"}
	for _, size := range sizes[:times(len(sizes), len(sizes))] {
		t.Run(size, func(t *testing.T) {
			t.Parallel()
			dir := mounted(t, size)
			got := ran(t, dir, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q")
			if got.code != exitIncomplete || !strings.Contains(got.err, "the disk is full: make room") {
				t.Fatalf("exit %d\n%s", got.code, got.err)
			}
			remount(t, dir, 0, "size=64m")
			begun := standing(t, dir, "x") != nil
			if begun != strings.Contains(got.err, "newel resume x") {
				t.Errorf("the run exists: %v; it says\n%s", begun, got.err)
			}
			wantCode(t, goOn(t, dir, false).wait(), exitPassed)
			sealedAs(t, want, dir)
		})
	}
}

func TestAReportOntoAFullDiskIsWholeOrNotThere(t *testing.T) {
	t.Parallel()
	dir, full := t.TempDir(), mounted(t, "64k")
	must(t, dir, exitPassed, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q")
	for _, args := range [][]string{{"report", "x", "--as=jsonl"}, {"export", "x"}} {
		got := ran(t, dir, append(args, "--out="+filepath.Join(full, "out"), storeIn(dir))...)
		if got.code != exitIncomplete || !strings.Contains(got.err, "no space left") && !strings.Contains(got.err, "disk is full") {
			t.Errorf("%v: exit %d\n%s", args, got.code, got.err)
		}
		left, err := os.ReadDir(full)
		if err != nil || len(left) != 0 {
			t.Errorf("%v left %v behind: %v", args, left, err)
		}
	}
}

func TestAReadOnlyDiskIsNamed(t *testing.T) {
	t.Parallel()
	want, _ := undisturbed(t)
	dir := mounted(t, "64m")
	must(t, dir, exitPassed, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q")
	remount(t, dir, syscall.MS_RDONLY, "")
	here := t.TempDir()
	for _, args := range [][]string{
		{"run", exampleSuite(t), storeIn(dir)},
		{"resume", "x", storeIn(dir)},
		{"run", exampleSuite(t), storeIn(filepath.Join(dir, "new"))},
		{"export", "x", storeIn(dir), "--out=" + filepath.Join(here, "out")},
		{"init", filepath.Join(dir, "starter")},
	} {
		got := ran(t, here, args...)
		if (got.code != exitIncomplete && got.code != exitUsage) || !strings.Contains(got.err, "cannot be written") && !strings.Contains(got.err, "read-only") {
			t.Errorf("%v: exit %d\n%s%s", args, got.code, got.err, got.out)
		}
	}
	remount(t, dir, 0, "")
	sealedAs(t, want, dir)
}
