package main

import (
	"encoding/json"
	"strings"
	"testing"

	"newel"
)

// --budget of run is in place of the suite's, is stored with the run, and is
// raised by the same flag of resume, or of run with the same id.
func TestABudgetOfRunIsTheRuns(t *testing.T) {
	t.Parallel()
	const cases = 60
	b := newBench(t, setting{cases: cases, judge: "  in_flight: 8\n", top: "budget: {usd: 5}\n"})
	b.run(t, exitIncomplete, "x", "--budget=0.003")
	if sp := b.spending(t, "x"); sp.Budget == nil || *sp.Budget != newel.Dollar*3/1000 || sp.Spent > *sp.Budget {
		t.Errorf("after the first run: %+v", sp)
	}
	wantCode(t, b.call(t, "resume", "x", "-q"), exitIncomplete)
	b.run(t, exitPassed, "x", "--budget=1", "--in-flight=2")
	if sp := b.spending(t, "x"); *sp.Budget != newel.Dollar || b.up.Counts().Most > 8 {
		t.Errorf("in the end: %+v, %+v", sp, b.up.Counts())
	}
	wantCode(t, b.call(t, "run", b.suite, "--budget=nothing"), exitUsage)
	wantCode(t, b.call(t, "run", b.suite, "--in-flight=0"), exitUsage)
	wantCode(t, b.call(t, "plan", b.suite, "--budget=-1"), exitUsage)

	// One that the suite does not write holds too, and asks for prices.
	free := newBench(t, setting{cases: cases, judge: "  in_flight: 8\n"})
	free.run(t, exitIncomplete, "x", "--budget=0.003")
}

func TestInFlightOfRunBoundsItsCalls(t *testing.T) {
	t.Parallel()
	b := newBench(t, setting{cases: 40, judge: "  in_flight: 30\n"})
	b.run(t, exitPassed, "x", "--in-flight=3")
	if c := b.up.Counts(); c.Most > 3 {
		t.Errorf("%d calls were under way at once", c.Most)
	}
}

func TestPlanBillsARunWithoutCacheAndUnderABudget(t *testing.T) {
	t.Parallel()
	c := newCourt(t, courtScript(), usualCourt+"cache: 30d\n")
	c.words(exitPassed, "run SUITE --id=x -q")
	if b := c.plan("").Bill; b.ToPay != 0 || b.Budget != nil {
		t.Errorf("with a cache: %+v", b.BillSum)
	}
	b := c.plan("--no-cache --budget=2.5").Bill
	if b.ToPay != 12 || b.Cached != 0 || b.Budget == nil || *b.Budget != newel.Dollar*5/2 || b.BudgetState != "holds" {
		t.Errorf("with --no-cache and a budget: %+v", b)
	}
	holds(t, c.words(exitPassed, "plan SUITE --no-cache").out, "off, since --no-cache")
	c.asked()
	c.words(exitPassed, "run SUITE --id=y -q --no-cache")
	if n := c.asked(); n != b.ToPay {
		t.Errorf("the run made %d calls, %d were billed", n, b.ToPay)
	}
}

func TestOnlyASealedRunIsGoneOverAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t, setting{cases: 30, judge: "  in_flight: 2\n", top: "budget: {usd: 0.002}\n"})
	b.run(t, exitIncomplete, "x")
	got := b.run(t, exitUsage, "y", "--retry-errors=x")
	holds(t, got.err, "not sealed", "newel resume x")
	if got := b.call(t, "show", "y"); got.code != exitUsage {
		t.Errorf("it left a run behind: exit %d\n%s", got.code, got.out)
	}
}

func TestGatePrintsTheGateAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t, setting{cases: 20, top: "gate:\n  - {rubric: grounded, min: 0.99, read: estimate}\n"})
	b.run(t, exitFailed, "x")
	got := b.call(t, "gate", "x")
	wantCode(t, got, exitFailed, "gate x")
	holds(t, got.out, "FAILED", "Gate: failed", "grounded", "newel explain x")
	for _, other := range []string{"Ledger", "Rubrics", "Cost", "Time", "report digest"} {
		if strings.Contains(got.out, other) {
			t.Errorf("it prints %q:\n%s", other, got.out)
		}
	}
	holds(t, b.call(t, "gate", "x", "-v").out, "point 0.")
	var g newel.GateSummary
	if err := json.Unmarshal([]byte(b.call(t, "gate", "x", "--json").out), &g); err != nil || g.State != newel.GateFailed || len(g.Rules) == 0 {
		t.Errorf("as JSON: %v, %+v", err, g)
	}
	// What prints the report goes on doing so, also against another baseline.
	holds(t, b.call(t, "resume", "x", "--no-baseline").out, "Ledger", "report digest")
}

func TestABudgetOfAComparisonHoldsForEachSide(t *testing.T) {
	t.Parallel()
	c := newCourt(t, courtScript(), usualCourt)
	got := c.words(exitIncomplete, "ab SUITE --b votes=2 --id=x --budget=0.0008 -q")
	holds(t, got.err, "newel resume x-a --budget 0.00")
	c.words(exitPassed, "ab SUITE --b votes=2 --id=x --budget=1 -q")
}
