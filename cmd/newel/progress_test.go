package main

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"newel"
	"newel/store/memory"
)

// halfDone is a store with a run of four items, two of them done.
func halfDone(t *testing.T) newel.Store {
	t.Helper()
	ctx, store := context.Background(), memory.New(time.Now)
	index := []byte("index")
	for _, err := range []error{
		store.CreateRun(ctx, &newel.Run{ID: "x", State: newel.Planned}),
		store.PutChunk(ctx, "x", newel.ChunkInfo{Hash: newel.HashOf(index), Items: 4}, index, nil),
		store.SetState(ctx, "x", newel.Running, newel.Planned),
		store.FinishPlan(ctx, "x", newel.Plan{Digest: newel.Hash{1}, Items: 4, Chunks: 1}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return store
}

func finish(t *testing.T, store newel.Store, offset int, v newel.Verdict) {
	t.Helper()
	if _, err := store.Commit(context.Background(), "x", 0, []newel.Packed{{Offset: offset, Verdict: v}}); err != nil {
		t.Fatal(err)
	}
}

// pass lets simulated time go by and waits for what it sets off.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func TestProgressIsPlainLinesUnlessOnATerminal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name            string
		quiet, terminal bool
		want            string
	}{
		{"plain lines", false, false, "newel: 1 of 4 (25 %), 0/s, 0 failing\nnewel: 3 of 4 (75 %), 0/s, 1 failing, 1 errors, 10s left\n"},
		{"none when quiet", true, false, ""},
		{"none when quiet on a terminal", true, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store, out := halfDone(t), &recorder{}
				a := &app{err: out, now: time.Now, quiet: tt.quiet, errTTY: tt.terminal}
				stop := a.progress(t.Context(), store, "x")
				finish(t, store, 0, newel.Pass)
				pass(11 * time.Second)
				finish(t, store, 1, newel.Fail)
				finish(t, store, 2, newel.Failed)
				pass(10 * time.Second)
				stop()
				if got := out.String(); got != tt.want {
					t.Errorf("it says %q, want %q", got, tt.want)
				}
			})
		})
	}
}

func TestProgressIsWrittenOverOnATerminalAndTakenAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, out := halfDone(t), &recorder{}
		a := &app{err: out, now: time.Now, errTTY: true}
		stop := a.progress(t.Context(), store, "x")
		pass(time.Second)
		stop()
		got := out.String()
		if strings.Contains(got, "\n") || !strings.HasPrefix(got, "\r0 of 4") || !strings.HasSuffix(got, " \r") {
			t.Errorf("it says %q", got)
		}
	})
}

// A run whose target takes its time says how it gets on.
func TestALongRunSaysHowItGetsOn(t *testing.T) {
	t.Parallel()
	if !long() {
		t.Skip("this waits for a line that comes after 10 s: set NEWEL_LONG=1")
	}
	d := newDesk(t)
	p, _ := d.working(t, 8, "")
	p.says("newel: 8 of 80 (10 %)")
	d.open()
	got := p.wait()
	wantCode(t, got, exitPassed)
	if strings.Contains(got.err, "\r") {
		t.Errorf("a pipe gets lines that are written over: %q", got.err)
	}
}

func TestProgressSaysWhatIsSpent(t *testing.T) {
	t.Parallel()
	budget := 5 * newel.Dollar
	for want, s := range map[string]newel.Spending{
		"":                  {},
		", $0.0000":         {Calls: 1, Spent: newel.Dollar / 20_000},
		", $1.2345 of $5":   {Calls: 9, Spent: 1_234_567_000_000, Budget: &budget},
		", ≥ $1.2345 of $5": {Calls: 9, Unknown: 1, Spent: 1_234_567_000_000, Budget: &budget},
	} {
		if got := paidSoFar(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
