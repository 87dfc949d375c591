package main

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"newel/bench/upstream"
)

// The first signal ends a run after the calls that are under way, whose replies
// are kept.
func TestAnInterruptFinishesCallsAndKeepsTheirReplies(t *testing.T) {
	t.Parallel()
	const cases, flight = 150, 10
	o := slowly(cases, flight)
	want := undisturbedDigest(t, o)
	for _, sig := range stopSignals {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, o)
			p := b.begin(t, "run", b.suite, "--id=x")
			await(t, "calls to be paid", func() bool { return b.up.Counts().Paid >= 2*flight }, p.done)
			p.signal(sig)
			got := p.wait()
			wantCode(t, got, exitInterrupted)
			if !strings.Contains(got.err, "newel resume x") {
				t.Errorf("it does not say how to go on:\n%s", got.err)
			}
			c, sp := b.up.Counts(), b.spending(t, "x")
			if c.Requests == cases || sp.Calls != c.Paid || sp.Open != 0 || sp.Faults != 0 || c.Gone != 0 {
				t.Errorf("%d of %d answers are kept: %+v", sp.Calls, c.Paid, sp)
			}
			wantCode(t, b.begin(t, "resume", "x", "-q").wait(), exitPassed)
			if digest := b.judgedAll(t, "x", cases); digest != want {
				t.Errorf("report digest %s, want %s", digest, want)
			}
			if c := b.up.Counts(); c.Requests != cases || c.Again != 0 {
				t.Errorf("%d requests, want %d", c.Requests, cases)
			}
			if _, sum := b.sealed(t, "x"); sum.Cost.PaidTwiceAtMost != 0 {
				t.Errorf("the report says that %d calls may have been paid twice", sum.Cost.PaidTwiceAtMost)
			}
			t.Logf("interrupted after %d of %d calls", sp.Calls, cases)
		})
	}
}

// The second signal waits for nothing.
func TestASecondInterruptStopsAtOnce(t *testing.T) {
	t.Parallel()
	const cases, flight = 40, 5
	var open atomic.Bool
	o := setting{cases: cases, judge: "  in_flight: 5\n", script: upstream.Script{Act: func(c *upstream.Call) upstream.Act {
		if open.Load() || markedCase(c) < 10 {
			return judgement(c)
		}
		return upstream.Act{Hang: true}
	}}}
	b := newBench(t, o)
	p := b.begin(t, "run", b.suite, "--id=x")
	await(t, "calls to hang, and all other replies to be kept", func() bool {
		c := b.up.Counts()
		return c.InFlight == flight && b.spending(t, "x").Calls == c.Paid
	}, p.done)
	p.signal(os.Interrupt)
	p.says("interrupt again")
	p.signal(os.Interrupt)
	got := p.wait()
	wantCode(t, got, exitInterrupted)
	if !strings.Contains(got.err, "newel resume x") {
		t.Errorf("it does not say how to go on:\n%s", got.err)
	}
	if sp := b.spending(t, "x"); sp.Open < flight || sp.Calls != b.up.Counts().Paid {
		t.Errorf("the journal has %+v", sp)
	}
	open.Store(true)
	wantCode(t, b.begin(t, "resume", "x", "-q").wait(), exitPassed)
	if digest, want := b.judgedAll(t, "x", cases), undisturbedDigest(t, setting{cases: cases, judge: o.judge}); digest != want {
		t.Errorf("report digest %s, want %s", digest, want)
	}
	if _, sum := b.sealed(t, "x"); sum.Cost.PaidTwiceAtMost < flight || b.up.Counts().Again != 0 {
		t.Errorf("paid twice at most %d, with %d under way at the end", sum.Cost.PaidTwiceAtMost, flight)
	}
}

// A run that waits, for a limit or before another attempt, is interrupted at once
// and has left nothing reserved.
func TestAnInterruptEndsPauses(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]upstream.Act{
		"the gateway wants to be left alone": {Status: 429, RetryAfter: 10 * time.Minute},
		"another attempt in ten minutes":     {Status: 409, RetryAfter: 10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, setting{cases: 50, judge: "  in_flight: 5\n", top: "budget: {usd: 1}\n", script: upstream.Script{Act: func(c *upstream.Call) upstream.Act {
				if markedCase(c) == 0 {
					return judgement(c)
				}
				return act
			}}})
			p := b.begin(t, "run", b.suite, "--id=x")
			await(t, "calls to be refused", func() bool { return b.up.Counts().Refused > 0 }, p.done)
			p.signal(os.Interrupt)
			wantCode(t, p.wait(), exitInterrupted)
			if sp := b.spending(t, "x"); sp.Open != 0 || sp.Reserved != 0 || sp.Held != 0 {
				t.Errorf("the journal has %+v", sp)
			}
		})
	}
}
