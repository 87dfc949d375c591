package storetest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"newel"
)

var runChecks = []check{
	{"a run comes back as it was created, instants in UTC and milliseconds", runComesBack},
	{"a run without state and instant is planned now", runDefaults},
	{"an id is taken once", idOnce},
	{"a run that is not there is not found", runNotFound},
	{"runs are listed newest first, selected by suite, state and labels", runsListed},
	{"a state moves only from the states named", stateMoves},
	{"of many who move a state one succeeds", stateRace},
	{"the plan is finished once", planOnce},
	{"a held run is held by one until it is let go", holdOnce},
	{"a call whose context is done does nothing", contextDone},
}

func runComesBack(t *testing.T, s newel.Store) {
	r := &newel.Run{
		ID: "r/1 ü", Suite: "billing", Dir: "/suites/billing", Labels: map[string]string{"branch": "main", "": "ü"},
		Runner: "local", State: newel.Running, Definition: []byte("name: billing\n\x00\xff"), Parent: "r0", Version: "1.2.3",
		Plan: newel.Plan{Seed: 9, Rubrics: []string{"a"}}, Created: instant(), Started: instant().Add(time.Second),
	}
	ok(t, s.CreateRun(ctx, r))
	want := *r
	want.Created = time.Date(2030, 5, 17, 7, 30, 1, 234000000, time.UTC)
	want.Started = want.Created.Add(time.Second)
	same(t, "run", &want, must(s.Run(ctx, r.ID))(t))
	want.Definition = nil
	same(t, "list", []*newel.Run{&want}, must(s.ListRuns(ctx, newel.RunQuery{}))(t))
}

func runDefaults(t *testing.T, s newel.Store) {
	before := time.Now().Add(-time.Millisecond)
	ok(t, s.CreateRun(ctx, &newel.Run{ID: "a"}))
	r := must(s.Run(ctx, "a"))(t)
	if r.State != newel.Planned || r.Created.Before(before) || r.Created.After(time.Now()) || r.Created.Location() != time.UTC {
		t.Fatalf("state %s, created %v", r.State, r.Created)
	}
	if err := s.CreateRun(ctx, &newel.Run{ID: "b", State: newel.Sealed}); err == nil {
		t.Fatal("created a sealed run")
	}
}

func idOnce(t *testing.T, s newel.Store) {
	var created atomic.Int32
	race(8, func(i int) {
		r := plain("a")
		r.Dir = fmt.Sprint(i)
		switch err := s.CreateRun(ctx, r); {
		case err == nil:
			created.Add(1)
		case !errors.Is(err, newel.ErrExists):
			t.Errorf("runner %d: %v", i, err)
		}
	})
	same(t, "created", int32(1), created.Load())
}

func runNotFound(t *testing.T, s newel.Store) {
	_, info := content(0, 0, 4)
	_, errRun := s.Run(ctx, "x")
	_, errSeal := s.SealRun(ctx, "x", newel.Hash{1}, nil)
	_, errChunks := s.Chunks(ctx, "x")
	_, _, errChunk := s.Chunk(ctx, "x", 0)
	_, errCommit := s.Commit(ctx, "x", 0, []newel.Packed{record(0, 0)})
	_, errRecords := s.Records(ctx, "x", 0)
	_, errDone := s.Done(ctx, "x", 0)
	_, errPut := s.PutOutput(ctx, "x", 0, nil)
	_, errOut := s.OutputOf(ctx, "x", 0)
	for _, err := range []error{
		errRun, errSeal, errChunks, errChunk, errCommit, errRecords, errDone, errPut, errOut,
		s.SetState(ctx, "x", newel.Running, newel.Planned), s.FinishPlan(ctx, "x", planOf(1, 4)),
		s.EraseRun(ctx, "x"), s.PutChunk(ctx, "x", info, nil, nil),
	} {
		wantErr(t, newel.ErrNotFound, err)
	}
	ok(t, s.CreateRun(ctx, plain("x")))
	_, _, errChunk = s.Chunk(ctx, "x", 7)
	_, errCommit = s.Commit(ctx, "x", 7, nil)
	_, errRecords = s.Records(ctx, "x", 7)
	_, errDone = s.Done(ctx, "x", 7)
	_, errOut = s.OutputOf(ctx, "x", 7)
	for _, err := range []error{errChunk, errCommit, errRecords, errDone, errOut} {
		wantErr(t, newel.ErrNotFound, err)
	}
}

func runsListed(t *testing.T, s newel.Store) {
	for i, r := range []newel.Run{
		{ID: "a", Suite: "billing", Labels: map[string]string{"pr": "1", "lang": "de"}},
		{ID: "b", Suite: "refunds", Labels: map[string]string{"pr": "1"}, State: newel.Running},
		{ID: "c", Suite: "billing", Labels: map[string]string{"pr": "2"}, State: newel.Running},
		{ID: "d", Suite: "billing"},
	} {
		r.Created = instant().Add(time.Duration(i/2) * time.Second) // c and d after a and b, each pair at one instant
		ok(t, s.CreateRun(ctx, &r))
	}
	for _, c := range []struct {
		name string
		q    newel.RunQuery
		want []string
	}{
		{"all", newel.RunQuery{}, []string{"d", "c", "b", "a"}},
		{"limit", newel.RunQuery{Limit: 2}, []string{"d", "c"}},
		{"suite", newel.RunQuery{Suite: "billing"}, []string{"d", "c", "a"}},
		{"state", newel.RunQuery{State: newel.Running}, []string{"c", "b"}},
		{"label", newel.RunQuery{Labels: map[string]string{"pr": "1"}}, []string{"b", "a"}},
		{"labels", newel.RunQuery{Labels: map[string]string{"pr": "1", "lang": "de"}}, []string{"a"}},
		{"label with limit", newel.RunQuery{Labels: map[string]string{"pr": "1"}, Limit: 1}, []string{"b"}},
		{"none", newel.RunQuery{Suite: "billing", State: newel.Stopped}, nil},
	} {
		var got []string
		for _, r := range must(s.ListRuns(ctx, c.q))(t) {
			got = append(got, r.ID)
		}
		same(t, c.name, c.want, got)
	}
}

func stateMoves(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	wantErr(t, newel.ErrConflict, s.SetState(ctx, "a", newel.Stopped, newel.Running))
	wantErr(t, newel.ErrConflict, s.SetState(ctx, "a", newel.Stopped))
	ok(t, s.SetState(ctx, "a", newel.Running, newel.Stopped, newel.Planned))
	started := must(s.Run(ctx, "a"))(t).Started
	if started.IsZero() {
		t.Fatal("a running run has not started")
	}
	ok(t, s.SetState(ctx, "a", newel.Stopped, newel.Running))
	ok(t, s.SetState(ctx, "a", newel.Running, newel.Stopped))
	r := must(s.Run(ctx, "a"))(t)
	same(t, "state", newel.Running, r.State)
	same(t, "started", started, r.Started)
	if err := s.SetState(ctx, "a", newel.Sealed, newel.Running); err == nil {
		t.Fatal("sealed without SealRun")
	}
}

func stateRace(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	var moved atomic.Int32
	race(16, func(int) {
		switch err := s.SetState(ctx, "a", newel.Running, newel.Planned); {
		case err == nil:
			moved.Add(1)
		case !errors.Is(err, newel.ErrConflict):
			t.Error(err)
		}
	})
	same(t, "moved", int32(1), moved.Load())
}

func planOnce(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	p := planOf(1, 4)
	if err := s.FinishPlan(ctx, "a", newel.Plan{Items: 4}); err == nil {
		t.Fatal("a plan without digest is complete")
	}
	ok(t, s.FinishPlan(ctx, "a", p))
	ok(t, s.FinishPlan(ctx, "a", p))
	other := p
	other.Seed++
	wantErr(t, newel.ErrConflict, s.FinishPlan(ctx, "a", other))
	same(t, "plan", p, must(s.Run(ctx, "a"))(t).Plan)
}

func holdOnce(t *testing.T, s newel.Store) {
	release := must(s.HoldRun(ctx, "a/../b"))(t)
	_, err := s.HoldRun(ctx, "a/../b")
	wantErr(t, newel.ErrHeld, err)
	ok(t, must(s.HoldRun(ctx, "b"))(t)())
	ok(t, release())
	again := must(s.HoldRun(ctx, "a/../b"))(t)
	ok(t, release()) // a second time: it must not let go of what is held anew
	_, err = s.HoldRun(ctx, "a/../b")
	wantErr(t, newel.ErrHeld, err)
	ok(t, again())

	var inside, times atomic.Int32
	race(16, func(int) {
		for range 100 {
			release, err := s.HoldRun(ctx, "c")
			if errors.Is(err, newel.ErrHeld) {
				continue
			}
			if err != nil {
				t.Error(err)
				return
			}
			if n := inside.Add(1); n > 1 {
				t.Errorf("%d hold it", n)
			}
			times.Add(1)
			runtime.Gosched()
			if _, err := s.HoldRun(ctx, "c"); !errors.Is(err, newel.ErrHeld) {
				t.Errorf("held twice: %v", err)
			}
			inside.Add(-1)
			if err := release(); err != nil {
				t.Error(err)
			}
		}
	})
	if times.Load() == 0 {
		t.Fatal("nobody held it")
	}
}

func contextDone(t *testing.T, s newel.Store) {
	planned(t, s, "a", 1, 4)
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, errCommit := s.Commit(done, "a", 0, []newel.Packed{record(0, 0)})
	_, errSeal := s.SealRun(done, "a", newel.Hash{1}, nil)
	_, errHold := s.HoldRun(done, "a")
	for _, err := range []error{
		errCommit, errSeal, errHold,
		s.CreateRun(done, plain("b")), s.SetState(done, "a", newel.Running, newel.Planned), s.EraseRun(done, "a"),
	} {
		wantErr(t, context.Canceled, err)
	}
	same(t, "runs", 1, len(must(s.ListRuns(ctx, newel.RunQuery{}))(t)))
	same(t, "state", newel.Planned, must(s.Run(ctx, "a"))(t).State)
	consistent(t, s, "a")
}
