package gate_test

import (
	"fmt"
	"testing"

	"newel"
	"newel/gate"
)

// mixed is a run of one rubric with so many passes, fails and missing rows.
func mixed(passes, fails, missing int) *run {
	r := newRun("r")
	r.many(passes, pass())
	r.many(fails, fail())
	r.many(missing, broken())
	return r
}

func values(n int, f func(int) float64) *run {
	r := newRun("r")
	r.plan.Measures[0] = true
	for i := range n {
		r.add(fmt.Sprint("c", i), measured(f(i)))
	}
	return r
}

func TestEachRuleDecidesAndSaysWhy(t *testing.T) {
	t.Parallel()
	half := func(int) float64 { return 0.5 }
	wide := func(i int) float64 { return float64(i % 2) }
	undrawn := func(n int) *run {
		r := newRun("r?")
		r.many(n, unjudged(newel.Undrawn))
		r.many(200, newel.Result{Verdict: newel.Pass, Layer: newel.Judge})
		return r
	}
	dollars := func(known, worst newel.Money, unknown int, open bool) gate.Options {
		return gate.Options{Cost: &gate.Cost{Known: known, Worst: worst, Unknown: unknown, Open: open}}
	}
	oneCluster := mixed(20, 0, 0)
	for i := range oneCluster.items {
		oneCluster.items[i].Cluster = "book"
	}
	for _, c := range []struct {
		name, rule          string
		candidate, baseline *run
		opt                 gate.Options
		state               newel.GateState
		why                 string
	}{
		{"a rate whose lower end reaches the bar", "{rubric: r, min: 0.97}", mixed(9815, 185, 0), nil, gate.Options{},
			newel.GatePassed, "98.2 % [97.9, 98.4] of 10,000 rows: the lower end reaches 97 %"},
		{"a rate whose upper end misses the bar", "{rubric: r, min: 0.99}", mixed(5990, 4010, 0), nil, gate.Options{},
			newel.GateFailed, "59.9 % [58.9, 60.9] of 10,000 rows: the upper end misses 99 % by 38.1 points"},
		{"a rate with the bar inside its interval", "{rubric: r, min: 0.9}", mixed(47, 3, 0), nil, gate.Options{},
			newel.GateInconclusive, "94.0 % [83.5, 98.7] of 50 rows: needs 90 %, which the interval holds; could have seen 10.9 points"},
		{"a rate that one more row would prove", "{rubric: r, min: 0.99}", mixed(367, 0, 0), nil, gate.Options{},
			newel.GateInconclusive, "100.0 % [98.9999, 100.0] of 367 rows: needs 99 %, which takes 368 rows even if all pass"},
		{"a rate of one source", "{rubric: r, min: 0.5}", oneCluster, nil, gate.Options{},
			newel.GateInconclusive, "100.0 % [0.0, 100.0] of 20 rows in 1 cluster: needs 50 %; fewer than two clusters show nothing"},
		{"a rate with missing rows", "{rubric: r, min: 0.89}", mixed(900, 80, 5), nil, gate.Options{},
			newel.GatePassed, "91.8 % [89.4, 93.5] of 985 rows, 5 missing: the lower end reaches 89 %"},
		{"an estimate at the bar", "{rubric: r, min: 0.9, read: estimate}", mixed(9, 1, 0), nil, gate.Options{},
			newel.GatePassed, "90.0 % [55.5, 99.7] of 10 rows: the estimate reaches 90 %"},
		{"an estimate under the bar", "{rubric: r, min: 0.9, read: estimate}", mixed(8, 2, 0), nil, gate.Options{},
			newel.GateFailed, "80.0 % [44.4, 97.5] of 10 rows: the estimate misses 90 % by 10.0 points"},
		{"exactly these cases at the bar", "{rubric: r, min: 1, of: suite}", mixed(40, 0, 0), nil, gate.Options{},
			newel.GatePassed, "100.0 % [100.0, 100.0] of 40 rows: the lower end reaches 100 %"},

		{"no fail and none allowed", "{rubric: r, fails: {max: 0}}", mixed(40, 0, 0), nil, gate.Options{},
			newel.GatePassed, "0 fails among 40; allowed 0"},
		{"a fail too many", "{rubric: r, fails: {max: 1}}", mixed(40, 2, 0), nil, gate.Options{},
			newel.GateFailed, "2 fails among 42; allowed 1"},
		{"rows that the draw left out could be fails", "{rubric: r, fails: {max: 3}}", undrawn(4), nil, gate.Options{},
			newel.GateInconclusive, "0 fails and 4 rows that nobody finally judged among 204; allowed 3"},

		{"errors within the allowance", "{errors: {max: 0.02}}", mixed(98, 0, 2), nil, gate.Options{},
			newel.GatePassed, "2 of 100 rows missing (2.0 %); allowed 2 %"},
		{"errors above the allowance", "{errors: {max: 0.005}, rubric: r}", mixed(994, 0, 6), nil, gate.Options{},
			newel.GateInvalid, "6 of 1,000 rows missing (0.6 %); allowed 0.5 %"},

		{"a cost under the bar", "{cost: {max_usd: 5}}", mixed(1, 0, 0), nil, dollars(newel.Dollar, 0, 0, false),
			newel.GatePassed, "$1; allowed $5"},
		{"a cost over the bar", "{cost: {max_usd: 0.5}}", mixed(1, 0, 0), nil, dollars(newel.Dollar, 0, 0, false),
			newel.GateFailed, "$1; allowed $0.50"},
		{"a cost that unknown calls decide", "{cost: {max_usd: 5}}", mixed(1, 0, 0), nil, dollars(4*newel.Dollar, 2*newel.Dollar, 3, false),
			newel.GateInconclusive, "$4 known, 3 calls of unknown cost, at most $2 more; allowed $5"},
		{"a cost without any price", "{cost: {max_usd: 5}}", mixed(1, 0, 0), nil, dollars(0, 0, 1, true),
			newel.GateInconclusive, "$0 known, 1 call of unknown cost, without a price that would bound it; allowed $5"},
		{"a cost that an earlier attempt of a known call decides", "{cost: {max_usd: 0.01}}", mixed(1, 0, 0), nil, dollars(4_400_000_000, 14_800_000_000, 0, false),
			newel.GateInconclusive, "$0.0044 known, at most $0.0148 more; allowed $0.01"},
		{"a cost that is known in part, and under the bar for certain", "{cost: {max_usd: 1}}", mixed(1, 0, 0), nil, dollars(4_400_000_000, 14_800_000_000, 0, false),
			newel.GatePassed, "$0.0044 known, at most $0.0148 more; allowed $1"},
		{"a cost of which one part has a price", "{cost: {max_usd: 5}}", mixed(1, 0, 0), nil, dollars(newel.Dollar, newel.Dollar, 2, true),
			newel.GateInconclusive, "$1 known, 2 calls of unknown cost, at most $1 more where a price is known, without a bound for the rest; allowed $5"},
		{"a cost with more digits than are shown", "{cost: {max_usd: 5}}", mixed(1, 0, 0), nil, dollars(1_234_567_891_234, 1, 0, false),
			newel.GatePassed, "$1.234567 known, at most $0.000000000001 more; allowed $5"},
		{"a cost that rounding would put onto the bar", "{cost: {max_usd: 5}}", mixed(1, 0, 0), nil, dollars(5*newel.Dollar+1, 0, 0, false),
			newel.GateFailed, "$5.000000000001; allowed $5"},
		{"a cost that nobody added up", "{cost: {max_usd: 5}}", mixed(1, 0, 0), nil, gate.Options{},
			newel.GateInvalid, "what the run cost is not known here"},

		{"a mean over the bar", "{mean: r.len, min: 0.4}", values(100, wide), nil, gate.Options{},
			newel.GatePassed, "0.5000 [0.4003, 0.5997] over 100 values: the lower end reaches 0.4"},
		{"a mean under the bar", "{mean: r.len, min: 0.9}", values(100, half), nil, gate.Options{},
			newel.GateFailed, "0.500 [0.500, 0.500] over 100 values: the upper end misses 0.9"},
		{"a mean near the bar", "{mean: r.len, min: 0.5}", values(100, wide), nil, gate.Options{},
			newel.GateInconclusive, "0.500 [0.400, 0.600] over 100 values: needs 0.5, which the interval holds; could have seen 0.143"},
		{"a mean of one value", "{mean: r.len, min: 0.4}", values(1, half), nil, gate.Options{},
			newel.GateInconclusive, "0.500 over 1 value: needs 0.4; fewer than two clusters show nothing"},
		{"a mean of a scorer without values", "{mean: r.width, min: 0.4}", values(9, half), nil, gate.Options{},
			newel.GateInvalid, "no row has a value of width"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := decide(t, "[{errors: {max: 0.02}, rubric: r}, "+c.rule+"]", c.candidate, c.baseline, c.opt)
			last := got.Rules[1]
			if last.State != c.state || last.Why != c.why {
				t.Errorf("\nwant %s: %s\n got %s: %s", c.state, c.why, last.State, last.Why)
			}
			if got.Rules[0].State == newel.GatePassed && got.State != c.state {
				t.Errorf("the gate is %s, its rule %s", got.State, c.state)
			}
		})
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for state, want := range map[newel.GateState]int{newel.GatePassed: 0, newel.GateFailed: 1, newel.GateInconclusive: 4, newel.GateInvalid: 3, "": 3} {
		if got := gate.ExitCode(state); got != want {
			t.Errorf("%q: want %d, got %d", state, want, got)
		}
	}
}
