package eval

import (
	"context"
	"errors"
	"testing"

	"newel"
	"newel/ladder"
	"newel/runner/local"
	"newel/store/memory"
	"newel/work"
)

func TestAnIdIsTakenOnce(t *testing.T) {
	t.Parallel()
	ctx, store := context.Background(), newStore()
	release, err := store.HoldRun(ctx, "r")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine(store, 1).Start(ctx, &newel.Run{ID: "r"}, definition(cases(10))); !errors.Is(err, newel.ErrHeld) {
		t.Errorf("a run that another process is about to begin: got %v, want %v", err, newel.ErrHeld)
	}
	if _, err := store.Run(ctx, "r"); !errors.Is(err, newel.ErrNotFound) {
		t.Errorf("it left a run behind: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	start(t, store, "r", 1, definition(cases(10)))
	if _, err := engine(store, 1).Start(ctx, &newel.Run{ID: "r"}, definition(cases(20))); !errors.Is(err, newel.ErrExists) {
		t.Errorf("a run that exists: got %v, want %v", err, newel.ErrExists)
	}
}

// quicker is a store in which another process seals the run just before its
// state is set.
type quicker struct {
	*memory.Store
	digest newel.Hash
}

func (q quicker) SetState(ctx context.Context, id string, to newel.State, from ...newel.State) error {
	if _, err := q.SealRun(ctx, id, q.digest, []byte("{}")); err != nil {
		return err
	}
	return q.Store.SetState(ctx, id, to, from...)
}

func TestResumeOfARunThatAnotherSealsMeanwhileIsDone(t *testing.T) {
	t.Parallel()
	ctx, store := context.Background(), newStore()
	start(t, store, "r", 1, definition(cases(10)))
	e := engine(store, 1)
	e.Store = quicker{store, newel.Hash{1}}
	never := func(*newel.Run) (*Definition, error) { return nil, errors.New("the plan is complete") }
	for _, when := range []string{"sealed in between", "sealed before"} {
		if err := e.Resume(ctx, "r", never); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
}

// cutShort is a store with run r stopped after n chunks, its plan open.
func cutShort(t *testing.T, n int, list []CaseAt) newel.Store {
	t.Helper()
	store := newStore()
	ctx, stop := context.WithCancelCause(context.Background())
	e := engine(store, 1)
	worker := work.New(store, func(*newel.Run) (*ladder.Program, error) { return program(), nil }, clock)
	e.Runner, e.Primer = local.New(stopsAfter(n, worker.Work, stop), 1), worker
	if _, err := e.Start(ctx, &newel.Run{ID: "r"}, definition(list)); !errors.Is(err, errStop) {
		t.Fatalf("got %v, want the run stopped", err)
	}
	return store
}

func TestResumeRefusesDataThatEndsEarlier(t *testing.T) {
	t.Parallel()
	list := cases(2000)
	store := cutShort(t, 1, list)
	chunks, err := store.Chunks(context.Background(), "r")
	if err != nil || len(chunks) < 2 {
		t.Fatalf("%d chunks, %v", len(chunks), err)
	}
	err = engine(store, 1).Resume(context.Background(), "r", func(*newel.Run) (*Definition, error) { return definition(list[:chunks[0].Items]), nil })
	if !errors.Is(err, ErrChanged) {
		t.Errorf("got %v, want %v", err, ErrChanged)
	}
}

func TestMistakesOnResumeEraseTheRun(t *testing.T) {
	t.Parallel()
	list := cases(2000)
	store := cutShort(t, 1, list)
	list[1999].Case.ID = list[0].Case.ID
	err := engine(store, 1).Resume(context.Background(), "r", func(*newel.Run) (*Definition, error) { return definition(list), nil })
	var mistakes *newel.Mistakes
	if !errors.As(err, &mistakes) {
		t.Errorf("got %v, want mistakes", err)
	}
	if _, err := store.Run(context.Background(), "r"); !errors.Is(err, newel.ErrNotFound) {
		t.Errorf("the run is still there: %v", err)
	}
}

func TestACopyThatWasKilledIsDoneAgain(t *testing.T) {
	t.Parallel()
	ctx, from, to := context.Background(), newStore(), newStore()
	start(t, from, "r", 1, definition(cases(600)))
	if _, err := from.SealRun(ctx, "r", newel.Hash{1}, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	run, err := from.Run(ctx, "r")
	if err != nil {
		t.Fatal(err)
	}
	half := *run
	half.State, half.Plan.Digest = newel.Planned, newel.Hash{}
	info, index, err := from.Chunk(ctx, "r", 1)
	bodies, err2 := from.Bodies(ctx, "r", 1)
	info.Tally = newel.Tally{}
	for _, err := range []error{err, err2, to.CreateRun(ctx, &half), to.PutChunk(ctx, "r", info, index, bodies)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := CopyRun(ctx, from, to, run); err != nil {
		t.Fatal(err)
	}
	copied, err := to.Run(ctx, "r")
	if err != nil || copied.State != newel.Sealed {
		t.Fatalf("the copy: %+v, %v", copied, err)
	}
	if got, want := summary(t, to, copied), summary(t, from, run); got.Digest != want.Digest {
		t.Errorf("digest %s, want %s", got.Digest, want.Digest)
	}
}

func TestACopyLeavesAnotherRunOfTheSameIdAlone(t *testing.T) {
	t.Parallel()
	ctx, from, to := context.Background(), newStore(), newStore()
	start(t, from, "r", 1, definition(cases(10)))
	if _, err := from.SealRun(ctx, "r", newel.Hash{1}, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	run, err := from.Run(ctx, "r")
	if err != nil {
		t.Fatal(err)
	}
	other := definition(cases(20))
	other.Digest = newel.HashOf([]byte("other"))
	start(t, to, "r", 1, other)
	if err := CopyRun(ctx, from, to, run); !errors.Is(err, newel.ErrExists) {
		t.Errorf("got %v, want %v", err, newel.ErrExists)
	}
	if left, err := to.Run(ctx, "r"); err != nil || left.Plan.SuiteDigest != other.Digest {
		t.Errorf("the other run: %+v, %v", left, err)
	}
}
