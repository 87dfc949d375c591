package sqlite

import (
	"os"
	"path/filepath"
	"testing"
)

// A process may have opened the lock file before its holder removed it: what
// it locks then is a file that nobody else finds.
func TestALockOnAFileThatWasRemovedIsNotTaken(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.lock")
	lock, err := hold(path)
	if err != nil {
		t.Fatal(err)
	}
	if !same(lock, path) {
		t.Fatal("the file locked is not the one that others find")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if same(lock, path) {
		t.Fatal("the file is gone, and the lock on it counts")
	}
	put(t, path, nil)
	if same(lock, path) {
		t.Fatal("another file has its name, and the lock counts")
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
}
