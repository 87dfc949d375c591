package sqlite

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"newel"
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

func TestAFullDiskLosesNothingAndGoesOnWhenThereIsRoom(t *testing.T) {
	t.Parallel()
	dir := mounted(t, "2m")
	s := at(t, dir)
	create(t, s, 10_000)
	kept := fillUp(t, s)
	holds(t, s, kept)
	ledgerAddsUp(t, s)

	remount(t, dir, 0, "size=16m")
	if n, err := s.Commit(ctx, "a", 0, []newel.Packed{{Offset: kept, Verdict: newel.Pass}}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	closed(t, s)
	s = at(t, dir)
	defer closed(t, s)
	holds(t, s, kept+1)
	ledgerAddsUp(t, s)
}

func TestAStoreLeftOnAFullDiskOpensWithAllThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	dir := mounted(t, "1m")
	s := at(t, dir)
	create(t, s, 10_000)
	kept := fillUp(t, s)
	t.Log("close:", s.Close()) // there may be no room to copy the log
	remount(t, dir, 0, "size=16m")
	s = at(t, dir)
	defer closed(t, s)
	holds(t, s, kept)
	ledgerAddsUp(t, s)
}

func TestADiskThatIsFullFromTheStartIsNamed(t *testing.T) {
	t.Parallel()
	dir := mounted(t, "8k")
	if _, err := Open(ctx, filepath.Join(dir, "x.db"), Options{}); !errors.Is(err, ErrFull) {
		t.Fatalf("error %v", err)
	}
}

func TestAReadOnlyDiskIsNamed(t *testing.T) {
	t.Parallel()
	dir := mounted(t, "4m")
	closed(t, at(t, dir))
	remount(t, dir, syscall.MS_RDONLY, "")
	for _, path := range []string{"runs/newel.db", "new.db", "new/x.db"} {
		if _, err := Open(ctx, filepath.Join(dir, path), Options{}); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: error %v", path, err)
		}
	}
}
