package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"newel"
)

// other opens the database as another program does.
func other(t testing.TB, path string) *sql.Conn {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(conn.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	return conn
}

func do(t testing.TB, conn *sql.Conn, query string) {
	t.Helper()
	if _, err := conn.ExecContext(ctx, query); err != nil {
		t.Fatal(query, err)
	}
}

func closed(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAFileThatIsNoStoreIsRefusedAndLeftAsItIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		make func(t *testing.T, path string)
		want error
	}{
		{"text", func(t *testing.T, path string) {
			put(t, path, []byte(strings.Repeat("this is a list of orders\n", 100)))
		}, ErrNotStore},
		{"the database of another program", func(t *testing.T, path string) {
			do(t, other(t, path), "CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1)")
		}, ErrNotStore},
		{"a store of a newer version", func(t *testing.T, path string) {
			s, err := Open(ctx, path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			do(t, s.writer.conn, "PRAGMA user_version = 999")
			closed(t, s)
		}, ErrNewer},
		{"a folder", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, ErrNotStore},
		{"a device", func(t *testing.T, path string) {
			if err := os.Symlink(os.DevNull, path); err != nil {
				t.Skipf("SKIPPED: there are no links here: %v", err)
			}
		}, ErrNotStore},
		{"a store whose first page is lost", func(t *testing.T, path string) {
			s, err := Open(ctx, path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			closed(t, s)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			clear(data[100:4096])
			put(t, path, data)
		}, ErrDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "x.db")
			c.make(t, path)
			before, _ := os.ReadFile(path) // of a folder: nothing
			s, err := Open(ctx, path, Options{})
			if !errors.Is(err, c.want) || s != nil {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			if !strings.HasPrefix(err.Error(), `sqlite: open "`+path+`": `+c.want.Error()) {
				t.Fatalf("error reads %q", err)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Fatal("the file has changed")
			}
		})
	}
}

func put(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAPlaceBelowAFileIsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "orders")
	put(t, file, []byte("a list"))
	for _, path := range []string{filepath.Join(file, "x.db"), filepath.Join(file, "deep", "er", "x.db")} {
		if _, err := Open(ctx, path, Options{}); !errors.Is(err, ErrNotStore) || !strings.Contains(err.Error(), file+" is a file, not a folder") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAnEmptyPathIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := Open(ctx, "", Options{}); err == nil {
		t.Fatal("opened")
	}
}

func TestALockedDatabaseIsNamedAndNothingIsLost(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	s, err := Open(ctx, path, Options{Wait: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, s)
	create(t, s, 8)
	lock := other(t, path)
	do(t, lock, "BEGIN IMMEDIATE")
	_, err = s.Commit(ctx, "a", 0, []newel.Packed{{Offset: 1, Verdict: newel.Pass}})
	if !errors.Is(err, ErrLocked) {
		t.Fatalf("error %v", err)
	}
	do(t, lock, "ROLLBACK")
	kept, err := s.Commit(ctx, "a", 0, []newel.Packed{{Offset: 1, Verdict: newel.Pass}})
	if kept != 1 || err != nil {
		t.Fatal(kept, err)
	}
	ledgerAddsUp(t, s)
}

func TestANewFileThatIsLockedIsNamed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	do(t, other(t, path), "BEGIN EXCLUSIVE")
	if _, err := Open(ctx, path, Options{Wait: 10 * time.Millisecond}); !errors.Is(err, ErrLocked) {
		t.Fatalf("error %v", err)
	}
}

func TestOpeningStopsWithItsContext(t *testing.T) {
	t.Parallel()
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Open(done, filepath.Join(t.TempDir(), "x.db"), Options{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
}

// create makes a run with one chunk of so many items.
func create(t testing.TB, s *Store, items int) {
	t.Helper()
	content := []byte("chunk")
	err := errors.Join(
		s.CreateRun(ctx, &newel.Run{ID: "a"}),
		s.PutChunk(ctx, "a", newel.ChunkInfo{Hash: newel.HashOf(content), Items: items}, content, nil))
	if err != nil {
		t.Fatal(err)
	}
}

func noise(r *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

// fillUp commits records until the disk is full, and returns how many were
// acknowledged.
func fillUp(t testing.TB, s *Store) (kept int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 10_000 {
		_, err := s.Commit(ctx, "a", 0, []newel.Packed{{Offset: i, Verdict: newel.Pass, Data: noise(r, 5000)}})
		if errors.Is(err, ErrFull) {
			return i
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the disk is never full")
	return 0
}

func holds(t testing.TB, s *Store, kept int) {
	t.Helper()
	records, err := s.Records(ctx, "a", 0)
	if err != nil || len(records) != kept {
		t.Fatalf("%d records of %d acknowledged, %v", len(records), kept, err)
	}
}

func TestAFullDatabaseLosesNothingAndGoesOnWhenThereIsRoom(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	create(t, s, 10_000)
	do(t, s.writer.conn, "PRAGMA max_page_count = 200")
	kept := fillUp(t, s)
	holds(t, s, kept)
	ledgerAddsUp(t, s)
	do(t, s.writer.conn, "PRAGMA max_page_count = 100000")
	if n, err := s.Commit(ctx, "a", 0, []newel.Packed{{Offset: kept, Verdict: newel.Pass}}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	ledgerAddsUp(t, s)
}

func TestAFolderWithoutWritePermissionIsNamed(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere; see the read-only mount")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"x.db", "new/x.db"} {
		if _, err := Open(ctx, filepath.Join(dir, path), Options{}); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: error %v", path, err)
		}
	}
}

func TestWhatIsCreatedIsForTheOwnerOnlyAndAClosedStoreIsOneFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a ?#%41b", "deep")
	s := at(t, dir)
	create(t, s, 8)
	modes := map[string]fs.FileMode{}
	for _, name := range []string{"", "newel.db", "newel.db-wal", "newel.db-shm"} {
		info, err := os.Stat(file(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		modes[name] = info.Mode().Perm()
	}
	if modes[""] != 0o700 || modes["newel.db"] != 0o600 || modes["newel.db-wal"] != 0o600 || modes["newel.db-shm"] != 0o600 {
		t.Fatal(modes)
	}
	closed(t, s)
	entries, err := os.ReadDir(filepath.Join(dir, "runs"))
	if err != nil || len(entries) != 1 || entries[0].Name() != "newel.db" {
		t.Fatal(entries, err)
	}
	if s.URL() != "sqlite:"+file(dir, "newel.db") {
		t.Fatal(s.URL())
	}
}

func TestReleasedRunsLeaveNoLockFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := at(t, dir)
	defer closed(t, s)
	release, err := s.HoldRun(ctx, "../a/b")
	if err != nil {
		t.Fatal(err)
	}
	locks := func() int {
		entries, err := os.ReadDir(file(dir, "newel.db.locks"))
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	if locks() != 1 {
		t.Fatal("the lock file is elsewhere")
	}
	if err := release(); err != nil || locks() != 0 {
		t.Fatal(err, locks())
	}
}
