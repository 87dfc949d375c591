package main

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"newel/bench/upstream"
)

// A gateway that throttles, breaks, hangs, cuts and talks nonsense costs time
// and some calls twice, and no row.
func TestFaultsOfAGatewayCostNoRow(t *testing.T) {
	t.Parallel()
	n := 100
	if long() {
		n = 1000
	}
	var told sync.Map // cases that had their fault
	o := setting{cases: n, judge: "  timeout: 2s\n  in_flight: 50\n", script: upstream.Script{Seed: 11, Shares: []upstream.Share{
		{Part: 0.20, Act: upstream.Act{Status: 429, RetryAfter: time.Second}},
		{Part: 0.05, Act: upstream.Act{Status: 500}},
	}, Act: func(c *upstream.Call) upstream.Act {
		if _, again := told.LoadOrStore(c.Marker, true); again {
			return judgement(c)
		}
		switch markedCase(c) % 100 {
		case 50:
			return upstream.Act{Body: "<html>502 Bad Gateway</html>"}
		case 51:
			return upstream.Act{Hang: true}
		case 52:
			return upstream.Act{Cut: true}
		}
		return judgement(c)
	}}}
	b := newBench(t, o)
	start := time.Now()
	b.run(t, exitPassed, "x")
	took := time.Since(start)
	o.script.Act = judgement
	if got, want := b.judgedAll(t, "x", n), undisturbedDigest(t, o); got != want {
		t.Errorf("report digest %s, want %s", got, want)
	}
	c := b.up.Counts()
	faults := c.Refused + c.Hung + c.Cut + n/100
	if c.Calls != n || c.Requests > n+faults || c.Hung != n/100 || c.Cut != n/100 || c.Refused < n/5 {
		t.Errorf("%d requests for %d calls with %d faults: %+v", c.Requests, c.Calls, faults, c)
	}
	sp := b.spending(t, "x")
	if sp.Calls != n || sp.Surplus != 0 || sp.Open != 0 || sp.Faults != 0 {
		t.Errorf("the journal has %+v, want %d replies", sp, n)
	}
	t.Logf("%d cases, %d requests, %d faults (%d throttled or broken, %d hung, %d cut, %d nonsense), in %v",
		n, c.Requests, faults, c.Refused, c.Hung, c.Cut, n/100, took.Round(time.Millisecond))
}

// slowly is a bench whose run takes a second and more, with so many calls under
// way.
func slowly(n, flight int) setting {
	return setting{cases: n, judge: fmt.Sprintf("  in_flight: %d\n", flight), script: upstream.Script{Delay: 40 * time.Millisecond, Spread: 20 * time.Millisecond}}
}

// ahead is how many calls may be let in beside those that are under way: while
// the journal writes their replies, others have their slots.
const ahead = 16

// A kill loses no reply that was kept, and the report says how much may have
// been paid twice.
func TestAKillAmongPaidCallsChangesNothingAndIsAccountedFor(t *testing.T) {
	t.Parallel()
	const cases, flight = 300, 10
	want := undisturbedDigest(t, slowly(cases, flight))
	start := time.Now()
	first := newBench(t, slowly(cases, flight))
	wantCode(t, first.begin(t, "run", first.suite, "--id=x", "-q").wait(), exitPassed)
	took := time.Since(start)
	for i := range times(4, 20) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(20270303, uint64(i)))
			b := newBench(t, slowly(cases, flight))
			kills, lost := 1+2*(i%2), 0
			for range kills {
				moment := time.Duration(random.Float64() * 1.1 * float64(took) / float64(kills))
				if !b.goOn(t).killAfter(moment) {
					lost += flight + ahead
				}
			}
			wantCode(t, b.goOn(t).wait(), exitPassed)
			if got := b.judgedAll(t, "x", cases); got != want {
				t.Errorf("report digest %s, want %s", got, want)
			}
			_, sum := b.sealed(t, "x")
			c := b.up.Counts()
			if c.CallsPaid != cases || c.Paid > cases+lost {
				t.Errorf("%d answers paid for %d calls, with %d under way at the kills: %+v", c.Paid, cases, lost, c)
			}
			if c.Again > sum.Cost.PaidTwiceAtMost {
				t.Errorf("%d answers were paid twice, and the report says at most %d", c.Again, sum.Cost.PaidTwiceAtMost)
			}
			t.Logf("%d kills: %d paid again, at most %d as the report says", kills, c.Again, sum.Cost.PaidTwiceAtMost)
		})
	}
}

// goOn is how a person goes on with run x.
func (b *bench) goOn(t testing.TB) *process {
	t.Helper()
	if standing(t, b.dir, "x") == nil {
		return b.begin(t, "run", b.suite, "--id=x", "-q")
	}
	return b.begin(t, "resume", "x", "-q")
}

// A fault of one rubric's judge leaves the item for the last pass, and the other
// rubrics have been asked before that too.
func TestEachRubricOfAnItemGetsTheLastPass(t *testing.T) {
	t.Parallel()
	const cases = 12
	b := newBench(t, setting{cases: cases, judge: "  retries: 0\n", rubrics: onePrompt + `  - name: second
    judge: {prompt: "builtin:faithfulness@1", sample: all}
  - name: third
    judge: {criterion: "It names the day.", votes: 2, sample: all}
`, script: upstream.Script{Act: func(c *upstream.Call) upstream.Act {
		if c.Nth == 1 && markedCase(c)%2 == 1 {
			return upstream.Act{Status: 500}
		}
		return judgement(c)
	}}})
	b.run(t, exitPassed, "x")
	b.judgedAll(t, "x", cases)
}
