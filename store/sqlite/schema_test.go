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
		"UPDATE entries SET cost = cost - 1",
		"UPDATE entries SET cost = NULL",
		"UPDATE entries SET at = at + 1",
		"UPDATE entries SET good = 0",
		"UPDATE entries SET seq = seq + 1",
		"UPDATE entries SET data = CAST(data || x'00' AS BLOB)",
		"DELETE FROM entries",
		"INSERT INTO entries (account, key, seq, at, fault, good, cost, held, data) SELECT account, key, 1, at, 1, 0, NULL, 0, data FROM entries",
		"UPDATE accounts SET spent = 0",
		"UPDATE accounts SET budget = 8",
		"DELETE FROM accounts",
		"UPDATE intents SET worst = 0",
		"DELETE FROM intents",
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
			_, errReserve := s.Reserve(ctx, "a", []newel.Intent{{ID: [16]byte{1}, Worst: 5}})
			_, errSettle := s.Settle(ctx, newel.Entry{Key: newel.Hash{1}, Run: "a", Good: true, Cost: new(newel.Money(7)), Reply: []byte("yes")}, nil)
			err3 := s.FinishPlan(ctx, "a", newel.Plan{Digest: newel.Hash{1}, Items: 1, Chunks: 1})
			won, err4 := s.SealRun(ctx, "a", newel.Hash{2}, []byte("{}"))
			if err := errors.Join(err1, err2, err3, err4, errReserve, errSettle, s.CheckSeal(ctx, "a")); err != nil || !won {
				t.Fatal(won, err)
			}
			do(t, s.writer.conn, query)
			if err := s.CheckSeal(ctx, "a"); !errors.Is(err, ErrDamaged) {
				t.Fatalf("error %v", err)
			}
		})
	}
}

// What becomes known after the seal is kept beside what was sealed.
func TestASupplementLeavesTheSealAsItIs(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	err1 := s.CreateRun(ctx, &newel.Run{ID: "a"})
	_, err2 := s.Settle(ctx, newel.Entry{Key: newel.Hash{1}, Run: "a", Held: 5}, nil)
	err3 := s.FinishPlan(ctx, "a", newel.Plan{Digest: newel.Hash{1}})
	_, err4 := s.SealRun(ctx, "a", newel.Hash{2}, nil)
	err5 := s.Supplement(ctx, newel.Entry{Key: newel.Hash{1}, Run: "a", Cost: new(newel.Money(4))})
	if err := errors.Join(err1, err2, err3, err4, err5, s.CheckSeal(ctx, "a")); err != nil {
		t.Fatal(err)
	}
}

const firstSchemaRun = `
INSERT INTO runs VALUES (1, 'a', '', '', 'null', '', 'sealed', '', '', 1900000000000, 0, 1900000000000, '{"scoring":0,"suite_digest":"0000000000000000000000000000000000000000000000000000000000000000","digest":"0100000000000000000000000000000000000000000000000000000000000000","items":1,"cases":0,"chunks":1,"trials":0,"seed":0,"rubrics":null,"rulers":null,"scorers":null,"measures":null,"judged":null,"classified":null}', x'0200000000000000000000000000000000000000000000000000000000000000', x'793401642a26053a4a57a00d61f9208d92dde15833c07865d2d3d546fef72740', NULL, x'007b7d');
INSERT INTO blobs VALUES (x'6c87f68371b28954707ebb92afee7ccffb74c6f71ec8fea8a98cf6104289585b', x'006368756e6b');
INSERT INTO chunks VALUES (1, 0, x'6c87f68371b28954707ebb92afee7ccffb74c6f71ec8fea8a98cf6104289585b', x'0000000000000000000000000000000000000000000000000000000000000000', 0, 1, 1, 1, 1, 0, 0, 0, x'01');
INSERT INTO segments VALUES (1, 0, 0, x'010000010178');
INSERT INTO outputs VALUES (1, 0, x'00616e73776572');`

// A file of the first schema, with a run as it was sealed then, opens with the
// newest schema and its seal holds.
func TestAStoreOfTheFirstSchemaOpensAndItsSealHolds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	conn := other(t, path)
	if err := migrate(ctx, conn, migrations[:1]); err != nil {
		t.Fatal(err)
	}
	do(t, conn, firstSchemaRun)
	s, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, s)
	if err := s.CheckSeal(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	now, err := s.Spending(ctx, "a")
	if err != nil || now != (newel.Spending{}) {
		t.Fatalf("%+v, %v", now, err)
	}
	if err := s.CreateRun(ctx, &newel.Run{ID: "b"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Settle(ctx, newel.Entry{Key: newel.Hash{1}, Run: "b"}, nil); err != nil {
		t.Fatal(err)
	}
	ledgerAddsUp(t, s)
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
