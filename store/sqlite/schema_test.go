package sqlite

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"newel"
)

func TestMigrationsGoForwardInOneTransaction(t *testing.T) {
	t.Parallel()
	conn := other(t, filepath.Join(t.TempDir(), "x.db"))
	two := []string{"CREATE TABLE one (a)", "CREATE TABLE two (a)"}
	broken := append(slices.Clone(two), "CREATE TABLE three (a)", "CREATE TABLE three (a)")
	version := func(want, tables int) {
		t.Helper()
		var got, n int
		row := conn.QueryRowContext(ctx, "SELECT user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version")
		if err := row.Scan(&got, &n); err != nil || got != want || n != tables {
			t.Fatalf("version %d with %d tables, want %d with %d, %v", got, n, want, tables, err)
		}
	}
	if err := migrate(ctx, conn, two[:1]); err != nil {
		t.Fatal(err)
	}
	version(1, 1)
	if err := migrate(ctx, conn, broken); err == nil {
		t.Fatal("a broken step went through")
	}
	version(1, 1)
	if err := migrate(ctx, conn, two); err != nil {
		t.Fatal(err)
	}
	version(2, 2)
	if err := migrate(ctx, conn, two[:1]); !errors.Is(err, ErrNewer) {
		t.Fatalf("error %v", err)
	}
	version(2, 2)
}

func TestAChangedByteBreaksTheSeal(t *testing.T) {
	t.Parallel()
	for _, query := range []string{
		"UPDATE runs SET labels = '{\"a\":\"b\"}'",
		"UPDATE runs SET definition = x'0041'",
		"UPDATE runs SET summary = x'0041'",
		"UPDATE runs SET digest = zeroblob(32)",
		"UPDATE runs SET sealed = sealed + 1",
		"UPDATE segments SET data = CAST(data || x'00' AS BLOB)",
		"UPDATE segments SET seq = seq + 1",
		"DELETE FROM segments",
		"DELETE FROM outputs",
		"UPDATE outputs SET item = item + 1",
		"UPDATE chunks SET pass = pass + 1",
		"UPDATE chunks SET hash = zeroblob(32)",
		"UPDATE blobs SET content = x'0041'",
		"DELETE FROM blobs",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			s := at(t, t.TempDir())
			defer closed(t, s)
			create(t, s, 1)
			if err := s.CheckSeal(ctx, "a"); err == nil {
				t.Fatal("a run without a seal has a good one")
			}
			_, err1 := s.Commit(ctx, "a", 0, []newel.Packed{{Verdict: newel.Pass, Data: []byte("x")}})
			_, err2 := s.PutOutput(ctx, "a", 0, []byte("answer"))
			err3 := s.FinishPlan(ctx, "a", newel.Plan{Digest: newel.Hash{1}, Items: 1, Chunks: 1})
			won, err4 := s.SealRun(ctx, "a", newel.Hash{2}, []byte("{}"))
			if err := errors.Join(err1, err2, err3, err4, s.CheckSeal(ctx, "a")); err != nil || !won {
				t.Fatal(won, err)
			}
			do(t, s.writer.conn, query)
			if err := s.CheckSeal(ctx, "a"); !errors.Is(err, ErrDamaged) {
				t.Fatalf("error %v", err)
			}
		})
	}
}

func TestEraseRemovesWhatNoOtherRunHas(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	for _, id := range []string{"a", "b"} {
		if err := s.CreateRun(ctx, &newel.Run{ID: id}); err != nil {
			t.Fatal(err)
		}
		for n, text := range []string{"both have this", "only " + id + " has this"} {
			info := newel.ChunkInfo{N: n, Hash: newel.HashOf([]byte(text)), First: n, Items: 1}
			if err := s.PutChunk(ctx, id, info, []byte(text), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	blobs := func() (n int) {
		if err := s.rd.QueryRow("SELECT count(*) FROM blobs").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range []struct {
		id   string
		want int
	}{{"", 3}, {"a", 2}, {"b", 0}} {
		if c.id != "" {
			if err := s.EraseRun(ctx, c.id); err != nil {
				t.Fatal(err)
			}
		}
		if got := blobs(); got != c.want {
			t.Errorf("%d blobs after erasing %q, want %d", got, c.id, c.want)
		}
	}
}
