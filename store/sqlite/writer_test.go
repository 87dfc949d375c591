package sqlite

import (
	"errors"
	"runtime"
	"testing"

	"newel"
)

// together runs calls so that all of them are in one transaction, in order,
// and returns their errors.
func together(s *Store, calls ...func() error) []error {
	s.writer.turn.Lock()
	errs := make([]error, len(calls))
	done := make(chan struct{})
	for i, call := range calls {
		go func() {
			errs[i] = call()
			done <- struct{}{}
		}()
		for waiting := 0; waiting <= i; { // the turn is taken: they can only wait
			runtime.Gosched()
			s.writer.mu.Lock()
			waiting = len(s.writer.queue)
			s.writer.mu.Unlock()
		}
	}
	s.writer.turn.Unlock()
	for range calls {
		<-done
	}
	return errs
}

func commitOne(s *Store, offset, wantKept int) func() error {
	return func() error {
		kept, err := s.Commit(ctx, "a", 0, []newel.Packed{{Offset: offset, Verdict: newel.Pass}})
		if err == nil && kept != wantKept {
			return errors.New("kept another number")
		}
		return err
	}
}

func TestCommitsThatWaitShareASegment(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	create(t, s, 100)
	var calls []func() error
	for i := range 50 {
		calls = append(calls, commitOne(s, i, 1), commitOne(s, i, 0))
	}
	if err := errors.Join(together(s, calls...)...); err != nil {
		t.Fatal(err)
	}
	var segments, done int
	err := s.rd.QueryRow("SELECT (SELECT count(*) FROM segments), n_done FROM chunks").Scan(&segments, &done)
	if err != nil || segments != 1 || done != 50 {
		t.Fatalf("%d segments, %d done, %v", segments, done, err)
	}
	ledgerAddsUp(t, s)
}

func TestACallSeesTheCommitsAheadOfItInItsTransaction(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	create(t, s, 2)
	finish := func() error {
		return s.FinishPlan(ctx, "a", newel.Plan{Digest: newel.Hash{1}, Items: 2, Chunks: 1})
	}
	seal := func() error {
		won, err := s.SealRun(ctx, "a", newel.Hash{2}, nil)
		if err == nil && !won {
			return errors.New("lost")
		}
		return err
	}
	errs := together(s, finish, commitOne(s, 0, 1), seal, commitOne(s, 1, 1), seal, commitOne(s, 1, 0))
	for i, want := range []error{nil, nil, newel.ErrConflict, nil, nil, newel.ErrSealed} {
		if !errors.Is(errs[i], want) {
			t.Errorf("call %d: error %v, want %v", i, errs[i], want)
		}
	}
	ledgerAddsUp(t, s)
}

func TestACallThatIsRefusedUndoesNothingButItself(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	create(t, s, 2)
	errs := together(s,
		commitOne(s, 0, 1),
		func() error { return s.SetState(ctx, "a", newel.Running, newel.Stopped) },
		commitOne(s, 7, 1), // outside the chunk
		func() error { return s.CreateRun(ctx, &newel.Run{ID: "b"}) },
		func() error { return s.EraseRun(ctx, "c") },
		commitOne(s, 1, 1))
	for i, refused := range []bool{false, true, true, false, true, false} {
		if (errs[i] != nil) != refused {
			t.Errorf("call %d: error %v", i, errs[i])
		}
	}
	if _, err := s.Run(ctx, "b"); err != nil {
		t.Error(err)
	}
	ledgerAddsUp(t, s)
	holds(t, s, 2)
}

func TestAFailureOfTheDatabaseReachesEveryoneInTheTransaction(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	create(t, s, 2)
	do(t, s.writer.conn, "CREATE TRIGGER broken BEFORE INSERT ON outputs BEGIN SELECT raise(ABORT, 'broken'); END")
	errs := together(s, commitOne(s, 0, 1),
		func() error { _, err := s.PutOutput(ctx, "a", 0, nil); return err },
		commitOne(s, 1, 1))
	for i, err := range errs {
		if err == nil {
			t.Errorf("call %d was acknowledged", i)
		}
	}
	holds(t, s, 0)
	do(t, s.writer.conn, "DROP TRIGGER broken")
	if err := commitOne(s, 0, 1)(); err != nil {
		t.Fatal(err)
	}
	ledgerAddsUp(t, s)
}

func TestAJobThatFailsAfterItWroteIsUndone(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	create(t, s, 2)
	late := errors.New("late")
	errs := together(s, commitOne(s, 0, 1), func() error {
		return s.writer.alone(ctx, func(t *tx) error {
			return errors.Join(t.exec("DELETE FROM runs WHERE id = ?", "a"), late)
		})
	})
	for i, err := range errs {
		if !errors.Is(err, late) {
			t.Errorf("call %d: error %v", i, err)
		}
	}
	holds(t, s, 0)
}

func TestTheConnectionThatWritesIsSetAsDecided(t *testing.T) {
	t.Parallel()
	s := at(t, t.TempDir())
	defer closed(t, s)
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "1", "wal_autocheckpoint": "1024"} {
		var got string
		if err := s.writer.conn.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, want %s, %v", pragma, got, want, err)
		}
	}
}
