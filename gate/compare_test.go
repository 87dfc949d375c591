package gate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"newel"
	"newel/gate"
)

// pairs makes a candidate and a baseline of one rubric.
func pairs(same, broken, fixed int) (candidate, baseline *run) {
	candidate, baseline = newRun("r"), newRun("r")
	candidate.many(same, pass())
	baseline.many(same, pass())
	candidate.many(broken, fail())
	baseline.many(broken, pass())
	candidate.many(fixed, pass())
	baseline.many(fixed, fail())
	return candidate, baseline
}

func TestAComparisonDecidesAndNamesWhatFlipped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                string
		same, broken, fixed int
		margin              string
		state               newel.GateState
		why                 string
	}{
		{"as good", 995, 3, 2, "0.02", newel.GatePassed, "−0.001 [−0.007, 0.005] over 1,000 pairs, 3 broken, 2 fixed: not worse by more than 0.02"},
		{"worse, but by less", 960, 40, 0, "0.06", newel.GatePassed, "−0.040 [−0.054, −0.027] over 1,000 pairs, 40 broken, 0 fixed: worse, but by less than 0.06"},
		{"open", 183, 12, 5, "0.02", newel.GateInconclusive, "−0.035 [−0.081, 0.007] over 200 pairs, 12 broken, 5 fixed: the interval reaches below −0.02; could have seen 0.063"},
		{"too few to show anything", 150, 0, 0, "0.02", newel.GateInconclusive, "0.000 [−0.025, 0.025] over 150 pairs, 0 broken, 0 fixed: the interval reaches below −0.02; a margin of 0.02 takes 189 pairs even if none differs"},
		{"worse", 435, 60, 5, "0.05", newel.GateFailed, "−0.110 [−0.143, −0.079] over 500 pairs, 60 broken, 5 fixed: worse by more than 0.05"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			candidate, baseline := pairs(c.same, c.broken, c.fixed)
			got := decide(t, "[{rubric: r, no_worse_than: baseline, margin: "+c.margin+"}]", candidate, baseline, gate.Options{BaselineName: "branch=main"})
			rule := got.Rules[0]
			if rule.State != c.state || rule.Why != c.why || got.State != c.state || got.Baseline != "branch=main" {
				t.Errorf("\nwant %s: %s\n got %s: %s", c.state, c.why, rule.State, rule.Why)
			}
			if rule.Broken != c.broken || rule.Fixed != c.fixed || len(rule.Cases) != min(20, c.broken) || rule.McNemar == nil {
				t.Errorf("want %d broken and %d fixed, got %+v", c.broken, c.fixed, rule)
			}
			if c.broken > 0 && rule.Cases[0] != fmt.Sprintf("c%05d", c.same) {
				t.Errorf("want the first broken case, got %q", rule.Cases[0])
			}
		})
	}
}

func TestFlipsAreNamedApart(t *testing.T) {
	t.Parallel()
	candidate, baseline := pairs(100, 2, 25)
	c := collect(t, parseFor(t, candidate, "[{rubric: r, no_worse_than: baseline, margin: 0.5}, {rubric: r, min: 0.5}]"), candidate, baseline, gate.Options{})
	got := c.Finish().Rules
	if len(got) != 3 || !slices.Equal(got[0].Cases, []string{"c00100", "c00101"}) || len(got[0].FixedCases) != 20 || got[0].FixedCases[0] != "c00102" || got[1].FixedCases != nil {
		t.Errorf("got %+v", got)
	}
}

func TestRulesOfRubricsThatTakeNoPartFallAway(t *testing.T) {
	t.Parallel()
	candidate, baseline := pairs(100, 2, 25)
	rules := parseFor(t, candidate, "[{rubric: r, min: 0.999}, {cost: {max_usd: 1}}]")
	c := collect(t, rules, candidate, baseline, gate.Options{Only: []string{"another"}, Cost: &gate.Cost{}})
	if got := c.Finish().Rules; len(got) != 1 || got[0].Rubric != "" {
		t.Errorf("want the rule on cost alone, got %+v", got)
	}
}

func parseFor(t testing.TB, r *run, text string) []gate.Rule {
	t.Helper()
	var m newel.Mistakes
	rules := gate.ParseRules(nodes(t, "gate.yaml", text), gate.InfoOf(&r.plan), &m)
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestWhatMakesAComparisonInvalid(t *testing.T) {
	t.Parallel()
	const rule = "[{rubric: r, no_worse_than: baseline, margin: 0.1}]"
	changed := func(change func(candidate, baseline *run)) (*run, *run) {
		candidate, baseline := pairs(100, 0, 0)
		change(candidate, baseline)
		return candidate, baseline
	}
	for _, c := range []struct {
		name   string
		change func(candidate, baseline *run)
		opt    gate.Options
		why    string
	}{
		{"another suite", func(_, b *run) { b.plan.SuiteDigest = newel.HashOf(nil) }, gate.Options{}, "two rulers: this run and the baseline did not measure r alike; run this suite over the baseline's data file"},
		{"another suite, whose target was asked", func(c, b *run) { c.plan.Asks, b.plan.SuiteDigest = true, newel.HashOf(nil) }, gate.Options{}, "two rulers: this run and the baseline did not measure r alike; score the baseline's outputs with this suite, by run --outputs-from"},
		{"another scoring revision", func(_, b *run) { b.plan.Scoring++ }, gate.Options{}, "two rulers"},
		{"a ruler that the caller says is another", func(_, b *run) {}, gate.Options{SameRuler: func(string) bool { return false }}, "two rulers"},
		{"no such rubric before", func(_, b *run) { b.plan.Rubrics = []string{"q"} }, gate.Options{}, "the baseline has no rubric of this name"},
		{"a baseline cut short", func(_, b *run) { b.items = b.items[:99] }, gate.Options{}, "the baseline is incomplete"},
		{"a baseline with an item not done", func(_, b *run) { b.items[7].Done, b.items[7].Results = false, nil }, gate.Options{}, "the baseline is incomplete"},
		{"other cases", func(c, _ *run) {
			for i := range 21 {
				c.items[i].Case += "-new"
			}
		}, gate.Options{}, "only 79 of 100 rows have a partner in the baseline; 80 % must"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			candidate, baseline := changed(c.change)
			got := decide(t, rule, candidate, baseline, c.opt)
			if got.State != newel.GateInvalid || !strings.HasPrefix(got.Rules[0].Why, c.why) {
				t.Errorf("want invalid: %s, got %+v", c.why, got)
			}
		})
	}
	t.Run("no baseline at all", func(t *testing.T) {
		t.Parallel()
		candidate, _ := pairs(100, 0, 0)
		got := decide(t, rule, candidate, nil, gate.Options{})
		if got.State != newel.GateInvalid || !strings.HasPrefix(got.Rules[0].Why, "no baseline was given: name one with --baseline, or leave such rules out with --no-baseline") {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("a caller who knows better than the digests", func(t *testing.T) {
		t.Parallel()
		candidate, baseline := changed(func(_, b *run) { b.plan.SuiteDigest = newel.HashOf(nil) })
		got := decide(t, rule, candidate, baseline, gate.Options{SameRuler: func(rubric string) bool { return rubric == "r" }})
		if got.State != newel.GatePassed {
			t.Errorf("got %+v", got)
		}
	})
}

func TestWhatStandsInOneRunAloneIsCounted(t *testing.T) {
	t.Parallel()
	candidate, baseline := pairs(300, 0, 0)
	for i := range 3 {
		candidate.items[i].Case += "-new"
	}
	baseline.add("gone", pass())
	candidate.items[10].Quarantined = true // met, but in no rule
	baseline.items[11].Quarantined = true  // so its partner has none
	rule := decide(t, "[{rubric: r, no_worse_than: baseline, margin: 0.1}]", candidate, baseline, gate.Options{}).Rules[0]
	if want := "0.000 [−0.013, 0.013] over 295 pairs, 0 broken, 0 fixed, 4 new, 4 of the baseline gone: not worse by more than 0.1"; rule.Why != want {
		t.Errorf("\nwant %s\n got %s", want, rule.Why)
	}
	if rule.N != 295 || rule.Unpaired != 4 {
		t.Errorf("want 295 pairs and 4 without, got %d and %d", rule.N, rule.Unpaired)
	}
}

func TestTrialsPairOneToOneUpToTheFewerOfBoth(t *testing.T) {
	t.Parallel()
	trials := func(n int, res newel.Result) *run {
		r := newRun("r")
		for i := range 200 {
			for trial := 1; trial <= n; trial++ {
				it := r.add(fmt.Sprint("c", i), res)
				it.Trial = trial
			}
		}
		r.plan.Trials, r.plan.Cases = n, 200
		return r
	}
	for _, c := range []struct{ now, before, pairs int }{{3, 1, 200}, {1, 3, 200}, {3, 2, 400}} {
		rule := decide(t, "[{rubric: r, no_worse_than: baseline, margin: 0.1}]", trials(c.now, pass()), trials(c.before, pass()), gate.Options{}).Rules[0]
		if rule.State != newel.GatePassed || rule.N != c.pairs || rule.Unpaired != 0 || rule.Clusters != 200 {
			t.Errorf("%d against %d trials: want %d pairs, got %+v", c.now, c.before, c.pairs, rule)
		}
	}
	failing := decide(t, "[{rubric: r, fails: {max: 0}}]", trials(3, fail()), nil, gate.Options{}).Rules[0]
	if want := []string{"c0|#1", "c0|#2", "c0|#3", "c1|#1"}; !slices.Equal(failing.Cases[:4], want) {
		t.Errorf("want %q, got %q", want, failing.Cases[:4])
	}
}

func TestTheSameContentBeforeAJudgeIsNoDifference(t *testing.T) {
	t.Parallel()
	judge := func(v newel.Verdict) newel.Result { return newel.Result{Verdict: v, Layer: newel.Judge} }
	candidate, baseline := newRun("r?"), newRun("r?")
	candidate.many(300, judge(newel.Pass))
	baseline.many(300, judge(newel.Fail)) // asked again, it changed its mind
	rule := decide(t, "[{rubric: r, no_worse_than: baseline, margin: 0.1}]", candidate, baseline, gate.Options{}).Rules[0]
	if rule.Fixed != 0 || rule.Point == nil || *rule.Point != 0 {
		t.Errorf("want no difference, got %+v", rule)
	}
	for i := range baseline.items {
		baseline.items[i].Scored = newel.HashOf([]byte{byte(i), byte(i >> 8)})
	}
	rule = decide(t, "[{rubric: r, no_worse_than: baseline, margin: 0.1}]", candidate, baseline, gate.Options{}).Rules[0]
	if rule.Fixed != 300 {
		t.Errorf("other content: want 300 fixed, got %+v", rule)
	}
}

func TestTheBaselineGoesFirst(t *testing.T) {
	t.Parallel()
	candidate, baseline := pairs(2, 0, 0)
	c := gate.NewCollector(nil, &candidate.plan, gate.Options{Baseline: &baseline.plan})
	if err := c.Add(&candidate.items[0]); err != nil {
		t.Fatal(err)
	}
	if err := c.AddBaseline(&baseline.items[0]); err == nil {
		t.Error("a baseline after the candidate: want an error")
	}
	if err := gate.NewCollector(nil, &candidate.plan, gate.Options{}).AddBaseline(&baseline.items[0]); err == nil {
		t.Error("a baseline that was not named: want an error")
	}
}
