package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"newel"
)

// working starts run x of the desk's suite in a new folder, lets some requests
// through and waits until their rows are stored and the next ones wait.
func (d *desk) working(t testing.TB, answered int, more string) (p *process, dir string) {
	t.Helper()
	dir = t.TempDir()
	p = begin(t, dir, "run", d.suite(t, dir, more), "--id=x", storeIn(dir))
	d.let(answered)
	d.waits(t, deskAtOnce, p)
	s := opened(t, dir)
	defer s.Close()
	await(t, "rows", func() bool { return tallyOf(t, s, "x").Done == answered }, p.done)
	return p, dir
}

func tallyOf(t testing.TB, s newel.Store, id string) (tally newel.Tally) {
	t.Helper()
	chunks, err := s.Chunks(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range chunks {
		tally.Plus(c.Tally)
	}
	return tally
}

func TestAFirstSignalFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	for _, signal := range stopSignals {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			want := d.reference(t, exitPassed)
			p, dir := d.working(t, 10, "")
			p.signal(signal)
			p.says("finishing what is under way")
			d.open()
			got := p.wait()
			wantCode(t, got, exitInterrupted)
			if !strings.Contains(got.err, "newel resume x") {
				t.Errorf("it does not say how to go on:\n%s", got.err)
			}
			if asked, _ := d.count(); sum(asked) != 10+deskAtOnce {
				t.Errorf("%d requests, want the %d that were under way and none more", sum(asked), 10+deskAtOnce)
			}
			if run := standing(t, dir, "x"); run.State != newel.Stopped {
				t.Errorf("the run is %s, want stopped", run.State)
			}
			must(t, dir, exitPassed, "resume", "x", storeIn(dir))
			d.once(t, nil)
			wantDigest(t, dir, want)
		})
	}
}

func wantDigest(t testing.TB, dir string, want newel.Hash) {
	t.Helper()
	if got := whole(t, dir, "x").Digest; got != want {
		t.Errorf("report digest %s, want %s", got, want)
	}
}

// What is in the hands of a process that ends at once may be asked once more,
// and nothing else.
func TestAnEndAtOnceAsksNoMoreThanWhatWasUnderWay(t *testing.T) {
	t.Parallel()
	ends := map[string]struct {
		end  func(*process)
		code int
	}{
		"a second signal": {func(p *process) {
			p.signal(os.Interrupt)
			p.says("finishing what is under way")
			p.signal(os.Interrupt)
		}, exitInterrupted},
		"kill -9": {func(p *process) { p.signal(os.Kill) }, -1},
	}
	for name, tt := range ends {
		for answered := range 3 {
			t.Run(fmt.Sprintf("%s after %d answers", name, 30*answered), func(t *testing.T) {
				t.Parallel()
				d := newDesk(t)
				want := d.reference(t, exitPassed)
				p, dir := d.working(t, 30*answered, "")
				_, held := d.count()
				tt.end(p)
				wantCode(t, p.wait(), tt.code)
				d.open()
				must(t, dir, exitPassed, "resume", "x", storeIn(dir), "-q")
				d.once(t, held)
				wantDigest(t, dir, want)
			})
		}
	}
}

func TestCancelStopsTheProcessThatRuns(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	want := d.reference(t, exitPassed)
	p, dir := d.working(t, 5, "")
	got := must(t, dir, exitPassed, "cancel", "x", storeIn(dir))
	if !strings.Contains(got.out, "newel resume x") {
		t.Errorf("it does not say how to go on:\n%s", got.out)
	}
	d.trickle(p)
	got = p.wait()
	wantCode(t, got, exitIncomplete)
	if !strings.Contains(got.err, "cancelled") || !strings.Contains(got.err, "newel resume x") {
		t.Errorf("it says\n%s", got.err)
	}
	if asked, _ := d.count(); sum(asked) == deskItems {
		t.Error("all was asked, although the run was cancelled")
	}
	wantCode(t, ran(t, dir, "follow", "x", storeIn(dir)), exitIncomplete)
	d.open()
	must(t, dir, exitPassed, "resume", "x", storeIn(dir))
	d.once(t, nil)
	wantDigest(t, dir, want)
	must(t, dir, exitUsage, "cancel", "x", storeIn(dir))
}

// trickle lets a request through every now and then, until the process ends.
func (d *desk) trickle(p *process) {
	tick := time.NewTicker(60 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-tick.C:
		}
		select {
		case d.pass <- struct{}{}:
		default: // nobody waits
		}
	}
}

const failingGate = "gate: [{rubric: polite, min: 0.9}]"

func TestFollowWatchesUntilTheVerdict(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	want := d.reference(t, exitPassed)
	p, dir := d.working(t, 3, failingGate)
	follower := begin(t, dir, "follow", "x", storeIn(dir))
	follower.opens(dbIn(dir))
	d.open()
	wantCode(t, p.wait(), exitFailed)
	got := follower.wait()
	wantCode(t, got, exitFailed)
	if !strings.Contains(got.out, want.String()) {
		t.Errorf("its report has not the digest %s\n%s", want, got.out)
	}
	d.once(t, nil)
}

func TestFollowTakesOverFromAStarterThatIsGone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	want := d.reference(t, exitPassed)
	p, dir := d.working(t, 3, "")
	follower := begin(t, dir, "follow", "x", storeIn(dir))
	follower.opens(dbIn(dir))
	_, held := d.count()
	p.signal(os.Kill)
	p.wait()
	d.open()
	wantCode(t, follower.wait(), exitPassed)
	d.once(t, held)
	wantDigest(t, dir, want)
}

func TestAnInterruptedFollowLeavesTheRunAlone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p, dir := d.working(t, 3, "")
	follower := begin(t, dir, "follow", "x", storeIn(dir))
	follower.opens(dbIn(dir))
	follower.signal(os.Interrupt)
	wantCode(t, follower.wait(), exitInterrupted)
	d.open()
	wantCode(t, p.wait(), exitPassed)
	d.once(t, nil)
}

func TestASecondProcessOnARunIsRefused(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	want := d.reference(t, exitPassed)
	p, dir := d.working(t, 7, "")
	for _, args := range [][]string{{"resume", "x"}, {"run", d.suite(t, dir, ""), "--id=x"}} {
		got := must(t, dir, exitUsage, append(args, storeIn(dir))...)
		if !strings.Contains(got.err, "held by another process") || !strings.Contains(got.err, "newel follow x") {
			t.Errorf("%v says\n%s", args, got.err)
		}
	}
	d.open()
	wantCode(t, p.wait(), exitPassed)
	d.once(t, nil)
	wantDigest(t, dir, want)
}
