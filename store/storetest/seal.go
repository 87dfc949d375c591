package storetest

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"newel"
)

var sealChecks = []check{
	{"a run is sealed only when every item has its record and the plan is complete", sealOnlyFull},
	{"of many who seal one wins, and its report is kept", sealRace},
	{"a sealed run takes nothing more", sealedTakesNothing},
	{"a run without items can be sealed", sealEmpty},
	{"a seal and the last commits do not miss each other", sealAgainstCommits},
}

func sealOnlyFull(t *testing.T, s newel.Store) {
	digest := newel.HashOf([]byte("report"))
	ok(t, s.CreateRun(ctx, plain("a")))
	for n := range 2 {
		data, info := content(n, n*4, 4)
		ok(t, s.PutChunk(ctx, "a", info, data, nil))
	}
	seal := func(want bool, wrong error) {
		t.Helper()
		won, err := s.SealRun(ctx, "a", digest, []byte("{}"))
		if won != want || !errors.Is(err, wrong) {
			t.Fatalf("won %v, %v; want %v, %v", won, err, want, wrong)
		}
	}
	seal(false, newel.ErrConflict)
	fill(t, s, "a", 1, 4)
	for i := range 3 {
		must(s.Commit(ctx, "a", 1, []newel.Packed{record(0, i)}))(t)
	}
	seal(false, newel.ErrConflict)
	must(s.Commit(ctx, "a", 1, []newel.Packed{record(0, 3)}))(t)
	seal(false, newel.ErrConflict) // the plan is open
	ok(t, s.FinishPlan(ctx, "a", planOf(2, 4)))
	seal(true, nil)
	seal(false, nil)

	data, info := content(0, 0, 4)
	ok(t, s.CreateRun(ctx, plain("c")))
	ok(t, s.PutChunk(ctx, "c", info, data, nil))
	ok(t, s.FinishPlan(ctx, "c", planOf(2, 2))) // so many items, in other chunks
	fill(t, s, "c", 1, 4)
	_, err := s.SealRun(ctx, "c", digest, nil)
	wantErr(t, newel.ErrConflict, err)
}

func sealRace(t *testing.T, s newel.Store) {
	planned(t, s, "a", 2, 4)
	fill(t, s, "a", 2, 4)
	var winner atomic.Int32
	race(16, func(w int) {
		won, err := s.SealRun(ctx, "a", newel.Hash{byte(w + 1)}, []byte{byte(w + 1)})
		if err != nil {
			t.Error(err)
		}
		if won && !winner.CompareAndSwap(0, int32(w+1)) {
			t.Errorf("%d won too", w+1)
		}
	})
	w := byte(winner.Load())
	r := must(s.Run(ctx, "a"))(t)
	if w == 0 || r.State != newel.Sealed || r.Digest != (newel.Hash{w}) || r.SealHash.IsZero() || time.Since(r.Sealed) > time.Minute {
		t.Fatalf("winner %d: %+v", w, r)
	}
	same(t, "summary", []byte{w}, r.Summary)
}

func sealedTakesNothing(t *testing.T, s newel.Store) {
	infos := planned(t, s, "a", 1, 4)
	fill(t, s, "a", 1, 4)
	must(s.PutOutput(ctx, "a", 0, []byte("first")))(t)
	must(s.SealRun(ctx, "a", newel.Hash{1}, []byte("{}")))(t)
	before := must(s.Run(ctx, "a"))(t)

	_, errAgain := s.Commit(ctx, "a", 0, []newel.Packed{record(0, 0)})
	_, errNothing := s.Commit(ctx, "a", 0, nil)
	_, errOutput := s.PutOutput(ctx, "a", 1, []byte("late"))
	data, info := content(1, 4, 4)
	changed := planOf(1, 4)
	changed.Seed++
	for _, err := range []error{
		errAgain, errNothing, errOutput, s.PutChunk(ctx, "a", info, data, nil), s.EraseRun(ctx, "a"),
		s.FinishPlan(ctx, "a", changed), s.SetState(ctx, "a", newel.Running, newel.Sealed),
	} {
		wantErr(t, newel.ErrSealed, err)
	}
	wantErr(t, newel.ErrConflict, s.SetState(ctx, "a", newel.Stopped, newel.Running))
	same(t, "stored answer", "first", string(must(s.PutOutput(ctx, "a", 0, []byte("late")))(t)))
	same(t, "run", before, must(s.Run(ctx, "a"))(t))
	infos[0].Tally = must(s.Chunks(ctx, "a"))(t)[0].Tally
	same(t, "chunks", infos, must(s.Chunks(ctx, "a"))(t))
	same(t, "records", 4, len(consistent(t, s, "a")[0]))
}

func sealEmpty(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	ok(t, s.FinishPlan(ctx, "a", planOf(0, 0)))
	if !must(s.SealRun(ctx, "a", newel.Hash{1}, nil))(t) {
		t.Fatal("lost against nobody")
	}
}

// sealAgainstCommits seals while the last records come in: once it succeeds
// all are there, and no commit was told that it kept a record after the seal.
func sealAgainstCommits(t *testing.T, s newel.Store) {
	const writers, items = 8, 64
	planned(t, s, "a", 1, items)
	var kept, won atomic.Int32
	race(writers+1, func(w int) {
		if w == writers {
			won.Store(sealWhenFull(t, s))
			return
		}
		for i := range items {
			k, err := s.Commit(ctx, "a", 0, []newel.Packed{record(w, (i+w*items/writers)%items)})
			if err != nil && !errors.Is(err, newel.ErrSealed) {
				t.Error(err)
			}
			kept.Add(int32(k))
		}
	})
	same(t, "won", int32(1), won.Load())
	same(t, "kept", int32(items), kept.Load())
	same(t, "records", items, len(consistent(t, s, "a")[0]))
}

func sealWhenFull(t *testing.T, s newel.Store) int32 {
	for {
		won, err := s.SealRun(ctx, "a", newel.Hash{1}, nil)
		switch {
		case won:
			return 1
		case err == nil || !errors.Is(err, newel.ErrConflict):
			t.Errorf("won %v: %v", won, err)
			return 0
		case t.Failed():
			return 0
		}
	}
}
