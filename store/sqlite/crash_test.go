package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"newel"
)

// step is a call whose effect must be there once it has been acknowledged, and
// all or nothing before.
type step struct {
	name string
	do   func(*Store) error
	seen string // a condition in SQL that holds from then on
}

// A process can die between any two writes to the log, and within one. So the
// log is cut after every frame and inside it, and what opens then must be a
// store in which each acknowledged call is whole and no other is half there.
func TestAStoreCutOffAtAnyWriteIsWhole(t *testing.T) {
	t.Parallel()
	steps := script()
	dir := t.TempDir()
	s := at(t, dir)
	if err := s.Close(); err != nil { // the schema is in the file, the log empty
		t.Fatal(err)
	}
	base := read(t, dir, "newel.db")
	s = at(t, dir)
	if _, err := s.writer.conn.ExecContext(ctx, "PRAGMA wal_autocheckpoint = 0"); err != nil {
		t.Fatal(err)
	}
	var ends []int // length of the log when each step had been acknowledged
	for _, st := range steps {
		if err := st.do(s); err != nil {
			t.Fatal(st.name, err)
		}
		ends = append(ends, logLength(t, dir))
	}
	log := read(t, dir, "newel.db-wal")[:ends[len(ends)-1]]
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, cut := range cuts(len(log)) {
		checkCut(t, base, log[:cut], steps, ends)
	}
}

// cuts returns the places at which a log of n bytes is cut: before, within and
// after each frame.
func cuts(n int) (at []int) {
	const header, frame = 32, 24 + 4096
	for end := header; end <= n; end += frame {
		at = append(at, end, min(end+24, n), min(end+frame/2, n))
	}
	return append(at, 0, n)
}

func checkCut(t *testing.T, base, log []byte, steps []step, ends []int) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "newel.db", base)
	write(t, dir, "newel.db-wal", log)
	s := at(t, dir)
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	open := true
	for i, st := range steps {
		var seen bool
		if err := s.rd.QueryRow("SELECT coalesce(" + st.seen + ", false)").Scan(&seen); err != nil {
			t.Fatalf("log of %d bytes: %s: %v", len(log), st.name, err)
		}
		if !seen && len(log) >= ends[i] {
			t.Fatalf("log of %d bytes: %s was acknowledged at %d and is not there", len(log), st.name, ends[i])
		}
		if seen && !open {
			t.Fatalf("log of %d bytes: %s is there and what came before is not", len(log), st.name)
		}
		open = seen
	}
	ledgerAddsUp(t, s)
}

// script is every kind of write. Each effect lasts to the end.
func script() []step {
	content := make([]byte, 40_000) // several pages
	for i := range content {
		content[i] = byte(i * i >> 3)
	}
	info := newel.ChunkInfo{N: 0, Hash: newel.HashOf(content), Items: 8}
	plan := newel.Plan{Digest: newel.Hash{1}, Items: 8, Chunks: 1}
	commit := func(from, to int) func(*Store) error {
		return func(s *Store) error {
			var batch []newel.Packed
			for i := from; i < to; i++ {
				batch = append(batch, newel.Packed{Offset: i, Verdict: newel.Pass, Data: content[:1000*i]})
			}
			_, err := s.Commit(ctx, "a", 0, batch)
			return err
		}
	}
	const erased = "((SELECT seq FROM sqlite_sequence WHERE name = 'runs') >= 2 AND NOT EXISTS (SELECT 1 FROM runs WHERE id = 'b'))"
	steps := []step{
		{"create", func(s *Store) error { return s.CreateRun(ctx, &newel.Run{ID: "a", Definition: content}) },
			"EXISTS (SELECT 1 FROM runs WHERE id = 'a')"},
		{"chunk", func(s *Store) error { return s.PutChunk(ctx, "a", info, content, nil) },
			"EXISTS (SELECT 1 FROM chunks JOIN blobs USING (hash) WHERE run = 1)"},
		{"run", func(s *Store) error { return s.SetState(ctx, "a", newel.Running, newel.Planned) },
			"EXISTS (SELECT 1 FROM runs WHERE id = 'a' AND state <> 'planned')"},
		{"commit", commit(0, 3),
			"EXISTS (SELECT 1 FROM chunks WHERE run = 1 AND n_done >= 3)"},
		{"commit more", commit(2, 8),
			"EXISTS (SELECT 1 FROM chunks WHERE run = 1 AND n_done = 8)"},
		{"output", func(s *Store) error { _, err := s.PutOutput(ctx, "a", 5, content); return err },
			"EXISTS (SELECT 1 FROM outputs WHERE item = 5)"},
		{"finish", func(s *Store) error { return s.FinishPlan(ctx, "a", plan) },
			`EXISTS (SELECT 1 FROM runs WHERE id = 'a' AND plan LIKE '%"items":8%')`},
	}
	steps = append(steps, payScript(content)...)
	return append(steps, []step{
		{"seal", func(s *Store) error { _, err := s.SealRun(ctx, "a", newel.Hash{2}, content); return err },
			"EXISTS (SELECT 1 FROM runs WHERE id = 'a' AND state = 'sealed' AND length(seal) = 32 AND summary IS NOT NULL)"},
		{"supplement of the sealed", func(s *Store) error {
			return s.Supplement(ctx, newel.Entry{Key: newel.Hash{1}, Run: "a", Seq: 1, Cost: new(newel.Money(5))})
		},
			"EXISTS (SELECT 1 FROM supplements)"},
		{"second run", func(s *Store) error { return s.CreateRun(ctx, &newel.Run{ID: "b"}) },
			"EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'runs' AND seq >= 2)"},
		{"shared chunk", func(s *Store) error { return s.PutChunk(ctx, "b", info, content, nil) },
			erased + " OR EXISTS (SELECT 1 FROM chunks WHERE run = 2)"},
		{"erase", func(s *Store) error { return s.EraseRun(ctx, "b") },
			erased},
	}...)
}

const zeros = "00000000000000000000000000000000000000000000000000000000000000"

// payScript is every kind of write to the journal of run a.
func payScript(content []byte) []step {
	settle := func(n byte, cost *newel.Money, closes ...byte) func(*Store) error {
		return func(s *Store) error {
			var ids [][16]byte
			for _, id := range closes {
				ids = append(ids, [16]byte{id})
			}
			_, err := s.Settle(ctx, newel.Entry{Key: newel.Hash{n}, Run: "a", Good: true, Cost: cost, Held: 3, Reply: content[:20_000]}, ids)
			return err
		}
	}
	var intents []newel.Intent
	for i := range byte(200) {
		intents = append(intents, newel.Intent{ID: [16]byte{i}, Key: newel.Hash{i}, Worst: 7})
	}
	five := new(newel.Money(5))
	return []step{
		{"budget", func(s *Store) error { return s.SetBudget(ctx, "a", new(newel.Money(2000))) },
			"EXISTS (SELECT 1 FROM accounts WHERE budget = 2000)"},
		{"reserve", func(s *Store) error { _, err := s.Reserve(ctx, "a", intents); return err },
			"EXISTS (SELECT 1 FROM accounts WHERE open > 0)"},
		{"settle", settle(1, five, 1, 2),
			"EXISTS (SELECT 1 FROM entries WHERE key = x'01" + zeros + "')"},
		{"settle at an unknown cost", settle(2, nil, 3),
			"EXISTS (SELECT 1 FROM accounts WHERE calls > 1)"},
		{"surplus", settle(1, nil, 4),
			"EXISTS (SELECT 1 FROM accounts WHERE surplus = 1)"},
		{"release", func(s *Store) error { return s.Release(ctx, "a", [][16]byte{{5}, {6}}) },
			"EXISTS (SELECT 1 FROM accounts WHERE open = 194)"},
		{"supplement", func(s *Store) error { return s.Supplement(ctx, newel.Entry{Key: newel.Hash{2}, Run: "a", Cost: five}) },
			"EXISTS (SELECT 1 FROM accounts WHERE spent = 10)"},
		{"put entries", func(s *Store) error {
			return s.PutEntries(ctx, []newel.Entry{{Key: newel.Hash{1}, Run: "z", Cost: five}, {Key: newel.Hash{2}, Run: "z", Reply: content}})
		},
			"EXISTS (SELECT 1 FROM accounts WHERE run = 'z')"},
	}
}

// moneyAddsUp checks that every account is that of its entries and intents.
func moneyAddsUp(t *testing.T, s *Store) {
	t.Helper()
	var wrong int
	err := s.rd.QueryRow(`SELECT count(*) FROM accounts a WHERE
		(spent, held, calls, surplus, faults, unknown) IS NOT (SELECT coalesce(sum(cost), 0), coalesce(sum(held), 0), coalesce(sum(fault = 0), 0),
			coalesce(sum(fault = 0 AND seq > 0), 0), coalesce(sum(fault), 0), coalesce(sum(cost IS NULL), 0) FROM entries e WHERE e.account = a.key)
		OR (reserved, open) IS NOT (SELECT coalesce(sum(worst), 0), count(*) FROM intents i WHERE i.account = a.key)
		OR EXISTS (SELECT 1 FROM entries WHERE account NOT IN (SELECT key FROM accounts))
		OR EXISTS (SELECT 1 FROM intents WHERE account NOT IN (SELECT key FROM accounts))`).Scan(&wrong)
	if err != nil || wrong != 0 {
		t.Fatalf("%d accounts do not add up, %v", wrong, err)
	}
}

// ledgerAddsUp checks that bitmaps, tallies and records of every chunk agree,
// that every chunk has its content, that money adds up and that seals hold.
func ledgerAddsUp(t *testing.T, s *Store) {
	t.Helper()
	moneyAddsUp(t, s)
	runs, err := s.ListRuns(ctx, newel.RunQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		chunks, err := s.Chunks(ctx, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range chunks {
			chunkAddsUp(t, s, r.ID, info)
		}
		if r.State == newel.Sealed {
			if err := s.CheckSeal(ctx, r.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func chunkAddsUp(t *testing.T, s *Store, run string, info newel.ChunkInfo) {
	t.Helper()
	if _, _, err := s.Chunk(ctx, run, info.N); err != nil {
		t.Fatal(err)
	}
	records, err := s.Records(ctx, run, info.N)
	if err != nil {
		t.Fatal(err)
	}
	done, err := s.Done(ctx, run, info.N)
	if err != nil {
		t.Fatal(err)
	}
	want := newel.NewBitmap(info.Items)
	var tally newel.Tally
	for _, r := range records {
		want.Set(r.Offset)
		tally.Add(r.Verdict)
	}
	if string(done) != string(want) || tally != info.Tally {
		t.Fatalf("run %q chunk %d: done %x, tally %+v; by its records %x, %+v", run, info.N, done, info.Tally, want, tally)
	}
}

func file(dir, name string) string { return filepath.Join(dir, "runs", name) }

func read(t testing.TB, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(file(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "runs"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func logLength(t testing.TB, dir string) int {
	t.Helper()
	info, err := os.Stat(file(dir, "newel.db-wal"))
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Size())
}
