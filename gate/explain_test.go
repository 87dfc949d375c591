package gate_test

import (
	"testing"

	"newel"
	"newel/gate"
)

func TestPlansSayWhatARuleCanShow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule        string
		n, clusters int
		want        string
	}{
		{"{rubric: arguments, min: 0.99}", 120, 120, "a rate of 0.99 needs at least 368 rows, all of them passing; this plan has 120: can never pass"},
		{"{rubric: arguments, min: 0.99}", 1200, 120, "a rate of 0.99 needs at least 368 clusters, all of them passing; this plan has 120: can never pass"},
		{"{rubric: arguments, min: 0.99}", 368, 368, "with 368 rows, if all are judged, passes with up to 0 fails and fails from 9 on"},
		{"{rubric: arguments, min: 0.9}", 360, 360, "with 360 rows, if all are judged, passes with up to 24 fails and fails from 49 on"},
		{"{rubric: arguments, min: 0.9, of: suite}", 25, 25, "reads exactly these cases: 2 of 25 rows may fail if all are judged"},
		{"{rubric: arguments, min: 0.9, read: estimate}", 5, 5, "reads the estimate alone: it passes or fails with any number of rows, and promises nothing beyond them"},
		{"{rubric: arguments, no_worse_than: baseline, margin: 0.02}", 188, 188, "a margin of 0.02 needs at least 189 pairs while none differs; this plan has 188: can pass only by being better than the baseline"},
		{"{rubric: arguments, no_worse_than: baseline, margin: 0.02}", 1000, 1000, "with 1,000 pairs, of which one in ten changes, it sees differences of 0.028"},
		{"{rubric: arguments, fails: {max: 2}}", 1, 1, "every one of 1 row needs a final or judged verdict; 2 may fail"},
		{"{errors: {max: 0.005}}", 1000, 1000, "5 of 1,000 rows may be missing"},
		{"{cost: {max_usd: 5}}", 10, 10, "reads the known cost, and the worst price of what is not known of it"},
		{"{mean: drift.length, min: 5}", 10, 1, "a mean needs at least 2 clusters; this plan has 1: can never pass"},
		{"{mean: drift.length, min: 5}", 10, 10, "reads the interval of the mean over the rows that have a value, at most 10"},
	} {
		if got := parse(t, "- "+c.rule)[0].Explain(c.n, c.clusters); got != c.want {
			t.Errorf("%s with %d rows in %d clusters\nwant %s\n got %s", c.rule, c.n, c.clusters, c.want, got)
		}
	}
}

func TestWhatAPlanPromisesIsWhatTheGateDoes(t *testing.T) {
	t.Parallel()
	for fails, want := range map[int]newel.GateState{24: newel.GatePassed, 25: newel.GateInconclusive, 48: newel.GateInconclusive, 49: newel.GateFailed} {
		if got := decide(t, "[{rubric: r, min: 0.9}]", mixed(360-fails, fails, 0), nil, gate.Options{}); got.State != want {
			t.Errorf("%d fails of 360: want %s, got %s", fails, want, got.State)
		}
	}
}
