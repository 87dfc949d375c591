package sqlite

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"newel"
)

// payer makes a run with a budget of so much.
func payer(t testing.TB, s *Store, id string, budget newel.Money) {
	t.Helper()
	if err := errors.Join(s.CreateRun(ctx, &newel.Run{ID: id}), s.SetBudget(ctx, id, &budget)); err != nil {
		t.Fatal(err)
	}
}

func reserveOne(s *Store, id byte, worst newel.Money, want int) func() error {
	return func() error {
		n, err := s.Reserve(ctx, "a", []newel.Intent{{ID: [16]byte{id}, Worst: worst}})
		if err == nil && n != want {
			return errors.New("took another number")
		}
		return err
	}
}

func settleOne(s *Store, key byte, cost newel.Money, wantSeq int, closes ...byte) func() error {
	return func() error {
		var ids [][16]byte
		for _, id := range closes {
			ids = append(ids, [16]byte{id})
		}
		e := newel.Entry{Key: newel.Hash{key}, Run: "a", Cost: &cost, Reply: []byte{byte(wantSeq)}}
		decides, err := s.Settle(ctx, e, ids)
		if err == nil && (decides.Seq != 0 || decides.Reply[0] != 0) {
			return errors.New("another one decides")
		}
		return err
	}
}

func TestReservingSeesWhatItsGroupSettled(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	payer(t, s, "a", 100)
	erase := func() error { return s.EraseRun(ctx, "b") }
	errs := together(s,
		reserveOne(s, 1, 100, 1), reserveOne(s, 2, 1, 0),
		settleOne(s, 1, 40, 0, 1), reserveOne(s, 3, 60, 1), reserveOne(s, 4, 1, 0),
		settleOne(s, 1, 5, 1, 3), erase, reserveOne(s, 5, 55, 1), settleOne(s, 2, 0, 0),
		func() error { return s.Release(ctx, "a", [][16]byte{{5}}) }, reserveOne(s, 6, 56, 0), reserveOne(s, 7, 55, 1))
	for i, err := range errs {
		if i == 6 {
			if !errors.Is(err, newel.ErrNotFound) {
				t.Errorf("erased a run that is not there: %v", err)
			}
		} else if err != nil {
			t.Errorf("call %d: %v", i, err)
		}
	}
	moneyAddsUp(t, s)
}

func TestMoneyThatOverflowsUndoesNothingElseOfItsGroup(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	payer(t, s, "a", math.MaxInt64)
	errs := together(s,
		settleOne(s, 1, 1, 0), settleOne(s, 2, math.MaxInt64, 0), settleOne(s, 3, 2, 0, 9),
		reserveOne(s, 1, math.MaxInt64, 0), reserveOne(s, 2, 5, 1), settleOne(s, 4, 3, 0))
	for i, overflows := range []bool{false, true, false, true, false, false} {
		if (errs[i] != nil) != overflows {
			t.Errorf("call %d: error %v", i, errs[i])
		}
	}
	now, err := s.Spending(ctx, "a")
	if err != nil || now.Spent != 6 || now.Calls != 3 || now.Reserved != 5 {
		t.Fatalf("%+v, %v", now, err)
	}
	moneyAddsUp(t, s)
}

func TestASealInTheMiddleOfAGroupIsSeenByThoseBehindIt(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	payer(t, s, "a", 100)
	if err := s.FinishPlan(ctx, "a", newel.Plan{Digest: newel.Hash{1}}); err != nil {
		t.Fatal(err)
	}
	seal := func() error { _, err := s.SealRun(ctx, "a", newel.Hash{2}, nil); return err }
	errs := together(s, reserveOne(s, 1, 10, 1), settleOne(s, 1, 5, 0, 1), seal, settleOne(s, 2, 5, 0), reserveOne(s, 2, 0, 1))
	for i, want := range []error{nil, nil, nil, newel.ErrSealed, newel.ErrSealed} {
		if !errors.Is(errs[i], want) {
			t.Errorf("call %d: error %v, want %v", i, errs[i], want)
		}
	}
	now, err := s.Spending(ctx, "a")
	if err != nil || now.Spent != 5 || now.Open != 0 {
		t.Fatalf("%+v, %v", now, err)
	}
	ledgerAddsUp(t, s)
}

func TestADamagedReplyFailsOnlyThoseWhoNeedIt(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	payer(t, s, "a", 100)
	if err := errors.Join(settleOne(s, 1, 1, 0)(), settleOne(s, 2, 1, 0)()); err != nil {
		t.Fatal(err)
	}
	do(t, s.writer.conn, "UPDATE entries SET data = x'09' WHERE id = 1")
	errs := together(s, settleOne(s, 3, 1, 0), settleOne(s, 1, 1, 1), settleOne(s, 2, 1, 1), reserveOne(s, 1, 1, 1))
	for i, want := range []error{nil, ErrDamaged, nil, nil} {
		if !errors.Is(errs[i], want) {
			t.Errorf("call %d: error %v, want %v", i, errs[i], want)
		}
	}
	_, err1 := s.Replies(ctx, "a", []newel.Hash{{1}}, newel.Window{})
	_, err2 := s.Entries(ctx, "a", []newel.CallRef{{Key: newel.Hash{1}}})
	for _, err := range []error{err1, err2} {
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("error %v", err)
		}
	}
	moneyAddsUp(t, s)
}

func TestAFullDatabaseLosesNoReplyThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	payer(t, s, "a", newel.Dollar)
	do(t, s.writer.conn, "PRAGMA max_page_count = 200")
	r, kept := newRand(), 0
	settle := func() error {
		in := newel.Intent{ID: [16]byte{1}, Worst: 2}
		if _, err := s.Reserve(ctx, "a", []newel.Intent{in}); err != nil {
			return err
		}
		e := newel.Entry{Key: newel.HashOf([]byte{byte(kept), byte(kept >> 8)}), Run: "a", Cost: new(newel.Money(1)), Reply: noise(r, 5000)}
		_, err := s.Settle(ctx, e, [][16]byte{in.ID})
		return err
	}
	var err error
	for ; err == nil && kept < 10_000; kept++ {
		err = settle()
	}
	if !errors.Is(err, ErrFull) {
		t.Fatalf("after %d: %v", kept, err)
	}
	kept--
	now, err := s.Spending(ctx, "a")
	if err != nil || now.Calls != kept || now.Spent != newel.Money(kept) {
		t.Fatalf("%d acknowledged: %+v, %v", kept, now, err)
	}
	moneyAddsUp(t, s)
	do(t, s.writer.conn, "PRAGMA max_page_count = 100000")
	if err := settle(); err != nil {
		t.Fatal(err)
	}
	if now, err = s.Spending(ctx, "a"); err != nil || now.Calls != kept+1 || now.Open != 0 {
		t.Fatalf("%+v, %v", now, err)
	}
	moneyAddsUp(t, s)
}

// A commit with money in it waits for the disk, others do not.
func TestOnlyGroupsWithMoneyWaitForTheDisk(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	create(t, s, 8)
	level := func() string {
		var got string
		if err := s.writer.conn.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	settle := settleOne(s, 1, 1, 0)
	put := func() error { return s.PutEntries(ctx, []newel.Entry{{Key: newel.Hash{9}, Run: "z"}}) }
	supplement := func() error {
		return s.Supplement(ctx, newel.Entry{Key: newel.Hash{9}, Run: "z", Cost: new(newel.Money(1))})
	}
	budget := func() error { return s.SetBudget(ctx, "a", nil) }
	release := func() error { return s.Release(ctx, "a", nil) }
	for i, c := range []struct {
		calls []func() error
		want  string
	}{
		{[]func() error{commitOne(s, 0, 1)}, "1"},
		{[]func() error{settle}, "2"},
		{[]func() error{commitOne(s, 1, 1), commitOne(s, 2, 1)}, "1"},
		{[]func() error{commitOne(s, 3, 1), reserveOne(s, 1, 1, 1), commitOne(s, 4, 1)}, "2"},
		{[]func() error{budget}, "2"},
		{[]func() error{commitOne(s, 5, 1)}, "1"},
		{[]func() error{release}, "2"},
		{[]func() error{commitOne(s, 6, 1)}, "1"},
		{[]func() error{put}, "2"},
		{[]func() error{commitOne(s, 7, 1)}, "1"},
		{[]func() error{supplement}, "2"},
	} {
		if err := errors.Join(together(s, c.calls...)...); err != nil {
			t.Fatal(err)
		}
		if got := level(); got != c.want {
			t.Errorf("group %d: synchronous is %s, want %s", i, got, c.want)
		}
	}
}

// Whatever is done with the journal reads through an index: a run's account,
// one call's entries, or all entries of a run.
func TestTheJournalIsReadThroughIndexes(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	payer(t, s, "a", 100)
	payer(t, s, "b", 100)
	late := func(seq int) error {
		return s.Supplement(ctx, newel.Entry{Key: newel.Hash{2}, Run: "a", Seq: seq, Cost: new(newel.Money(1))})
	}
	unknown := func() error { _, err := s.Settle(ctx, newel.Entry{Key: newel.Hash{2}, Run: "a"}, nil); return err }
	for i, do := range []func() error{
		reserveOne(s, 1, 1, 1), reserveOne(s, 2, 1, 1), settleOne(s, 1, 1, 0, 1), settleOne(s, 1, 1, 1), unknown, unknown,
		func() error { return late(0) },
		func() error { _, err := s.Replies(ctx, "a", make([]newel.Hash, 3), newel.Window{}); return err },
		func() error { _, err := s.Entries(ctx, "a", []newel.CallRef{{Key: newel.Hash{1}}}); return err },
		func() error {
			for _, err := range s.Paid(ctx, "a") {
				if err != nil {
					return err
				}
			}
			return nil
		},
		func() error { return s.PutEntries(ctx, []newel.Entry{{Key: newel.Hash{1}, Run: "z"}}) },
		func() error { return s.FinishPlan(ctx, "a", newel.Plan{Digest: newel.Hash{1}}) },
		func() error { _, err := s.SealRun(ctx, "a", newel.Hash{2}, nil); return err },
		func() error { return s.CheckSeal(ctx, "a") },
		func() error { return late(1) },
		func() error { _, err := s.Supplements(ctx, "a"); return err },
		func() error { return s.EraseRun(ctx, "b") },
	} {
		if err := do(); err != nil {
			t.Fatal(i, err)
		}
	}
	all := plans(t, s)
	if len(all) < 15 {
		t.Errorf("%d queries", len(all))
	}
	for query, plan := range all {
		for _, line := range plan {
			for _, table := range []string{"entries", "accounts", "intents", "supplements", "e", "a", "x", "s"} {
				if strings.HasPrefix(line+" ", "SCAN "+table+" ") {
					t.Errorf("%s\nreads a whole table: %s", query, line)
				}
			}
		}
	}
}

// plans returns how SQLite executes the queries that have been prepared.
func plans(t *testing.T, s *Store) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, st := range []*statements{s.reads, s.writer.stmts} {
		for query := range st.have {
			if !strings.Contains(query, "entries") && !strings.Contains(query, "intents") && !strings.Contains(query, "accounts") {
				continue
			}
			rows, err := s.rd.QueryContext(ctx, "EXPLAIN QUERY PLAN "+query, make([]any, strings.Count(query, "?"))...)
			if err != nil {
				t.Fatal(query, err)
			}
			for rows.Next() {
				var id, parent, unused int
				var line string
				if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
					t.Fatal(err)
				}
				all[query] = append(all[query], line)
			}
			if err := errors.Join(rows.Err(), rows.Close()); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

func TestInstantsOfEntriesAreTheStores(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 1, 2, 3, 4, 5, 678_900_000, time.UTC)
	s, err := Open(ctx, filepath.Join(t.TempDir(), "x.db"), Options{Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, s)
	payer(t, s, "a", 1)
	e, err := s.Settle(ctx, newel.Entry{Key: newel.Hash{1}, Run: "a", At: now.Add(time.Hour), Good: true}, nil)
	if err != nil || !e.At.Equal(now.Truncate(time.Millisecond)) {
		t.Fatal(e.At, err)
	}
}
