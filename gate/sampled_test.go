package gate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"newel"
	"newel/gate"
	"newel/ladder"
	"newel/stat"
)

// world is what a ladder climbs in these tests: item n's output, what a
// classifier says of it and what is true.
type world struct {
	n             int
	sample, audit float64
	output        func(n int) string
	settle        func(n int) newel.Verdict // Undecided: the residual
	truth         func(n int) newel.Verdict // Failed: the judge breaks
	floor         func(n int) newel.Verdict // nil: no floor
}

type speaks struct {
	name string
	say  func(n int) newel.Verdict
}

func (s speaks) Name() string { return s.name }

func (s speaks) Score(_ context.Context, subject *newel.Subject) newel.Score {
	score := newel.Score{Scorer: s.name, Verdict: s.say(subject.Item.N)}
	if score.Verdict == newel.Failed {
		score.Err = &newel.ScoreError{Kind: newel.KindGateway, Message: "no answer"}
	}
	return score
}

// climb runs the real ladder over a world, as a run of the rubric r.
func (w world) climb() *run {
	r := newRun("r?")
	rubric := ladder.Rubric{Name: "r", Sample: w.sample, Audit: w.audit, Seed: 7,
		Classifiers: []newel.Scorer{speaks{"classifier", w.settle}}, Judge: speaks{"judge", w.truth}}
	if w.floor != nil {
		rubric.Floor = []ladder.Step{{Scorer: speaks{"check", w.floor}, Settles: newel.SettlesFail}}
	}
	for n := range w.n {
		id := fmt.Sprintf("c%05d", n)
		item := &newel.Item{N: n, Case: &newel.Case{ID: id}, Trial: 1}
		res := rubric.Climb(context.Background(), newel.NewSubject(item))
		it := r.add(id, res)
		if w.output != nil {
			it.Scored = newel.HashOf([]byte(w.output(n)))
		}
	}
	return r
}

func when(is bool) newel.Verdict {
	if is {
		return newel.Pass
	}
	return newel.Fail
}

// plainWorld has 5,000 rows: a classifier settles three fifths as pass and a
// fifth as fail, is wrong of one row in a hundred, and one residual row in two
// passes. 3,000 × 0.99 + 1,000 × 0.01 + 500 = 3,480 rows pass: 69.6 %.
func plainWorld() world {
	return world{n: 5000, sample: 0.3, audit: 0.1,
		settle: func(n int) newel.Verdict {
			switch {
			case n%5 < 3:
				return newel.Pass
			case n%5 == 3:
				return newel.Fail
			}
			return newel.Undecided
		},
		truth: func(n int) newel.Verdict {
			switch {
			case n%5 == 4:
				return when(n%10 == 4)
			case n%500 < 5:
				return when(n%5 == 3)
			}
			return when(n%5 < 3)
		}}
}

// gated is a rule's verdict on a climbed world whose audit never alarms.
func gated(t *testing.T, rules string, candidate, baseline *run) newel.GateRule {
	t.Helper()
	lenient := gate.Options{Allowance: func(string, newel.Layer, newel.Verdict) float64 { return 1 }}
	return decide(t, rules, candidate, baseline, lenient).Rules[0]
}

func TestARateIsReadFromASample(t *testing.T) {
	t.Parallel()
	r := plainWorld().climb()
	for _, c := range []struct {
		min   string
		state newel.GateState
	}{{"0.6", newel.GatePassed}, {"0.69", newel.GateInconclusive}, {"0.8", newel.GateFailed}} {
		rule := gated(t, "[{rubric: r, min: "+c.min+"}]", r, nil)
		if rule.State != c.state || rule.N != 5000 || rule.Missing != 0 || !strings.Contains(rule.Why, "of 5,000 rows, ") || !strings.Contains(rule.Why, " of them judged") {
			t.Errorf("min %s: want %s, got %+v", c.min, c.state, rule)
		}
		if i := rule.Interval; i[0] > 0.696 || i[1] < 0.696 || i[1]-i[0] < 0.01 || i[1]-i[0] > 0.1 {
			t.Errorf("min %s: %v [%v] holds not 0.696, or is too narrow or too wide for the sample", c.min, *rule.Point, *i)
		}
	}
	exact := gated(t, "[{rubric: r, min: 0.69, of: suite}]", plainWorld().all().climb(), nil)
	if exact.State != newel.GatePassed || *exact.Point != 0.696 {
		t.Errorf("all of it judged: want exactly 0.696, got %+v", exact)
	}
}

// all lets the judge see every row.
func (w world) all() world {
	w.sample, w.audit = 1, 1
	return w
}

func TestSampledRunsAreComparedPairByPair(t *testing.T) {
	t.Parallel()
	const rule = "[{rubric: r, no_worse_than: baseline, margin: 0.02}]"
	before := plainWorld()
	before.output = func(n int) string { return fmt.Sprint("answer ", n) }
	baseline := before.climb()

	t.Run("equal content is no difference, drawn or not", func(t *testing.T) {
		t.Parallel()
		again := before
		again.truth = func(n int) newel.Verdict { return before.truth(n).Not() } // the judge changed its mind about all
		got := gated(t, rule, again.climb(), baseline)
		if got.State != newel.GatePassed || *got.Point != 0 || got.Broken != 0 || got.Fixed != 0 || got.N != 5000 {
			t.Errorf("got %+v", got)
		}
	})
	changed := func(share int, broken bool) world {
		w := before
		w.output = func(n int) string {
			if n%10 < share {
				return fmt.Sprint("another answer ", n)
			}
			return before.output(n)
		}
		w.truth = func(n int) newel.Verdict {
			if broken && n%10 < share {
				return newel.Fail
			}
			return before.truth(n)
		}
		return w
	}
	t.Run("changed content that is as good", func(t *testing.T) {
		t.Parallel()
		got := gated(t, "[{rubric: r, no_worse_than: baseline, margin: 0.05}]", changed(5, false).climb(), baseline)
		if got.State != newel.GatePassed || got.Broken != 0 || got.Interval[0] >= 0 || got.Interval[1] <= 0 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("changed content that is worse", func(t *testing.T) {
		t.Parallel()
		// Three of ten answers, all settled as pass, fail now: 29.7 points worse.
		got := gated(t, rule, changed(3, true).climb(), baseline)
		if got.State != newel.GateFailed || got.Broken == 0 || got.Interval[0] > -0.297 || got.Interval[1] < -0.297 {
			t.Errorf("got %+v", got)
		}
		if open := gated(t, "[{rubric: r, no_worse_than: baseline, margin: 0.3}]", changed(3, true).climb(), baseline); open.State != newel.GateInconclusive {
			t.Errorf("at the margin: got %+v", open)
		}
	})
	t.Run("a settled row that goes up now is no equal content", func(t *testing.T) {
		t.Parallel()
		w := before
		w.settle = func(n int) newel.Verdict {
			if n%5 == 0 {
				return newel.Undecided
			}
			return before.settle(n)
		}
		w.truth = func(n int) newel.Verdict {
			if n%5 == 0 {
				return newel.Fail
			}
			return before.truth(n)
		}
		if got := gated(t, rule, w.climb(), baseline); got.State != newel.GateFailed {
			t.Errorf("got %+v", got)
		}
	})
}

func TestFailsAreCountedOnlyWhereSomebodyLooked(t *testing.T) {
	t.Parallel()
	clean := plainWorld()
	clean.truth = func(int) newel.Verdict { return newel.Pass }
	clean.settle = func(n int) newel.Verdict {
		if n%5 < 3 {
			return newel.Pass
		}
		return newel.Undecided
	}
	one := clean
	one.truth = func(n int) newel.Verdict { return when(n != 9) }
	floored := clean.all()
	floored.floor = func(n int) newel.Verdict { return when(n != 3) }
	for _, c := range []struct {
		name  string
		world world
		max   string
		state newel.GateState
		why   string
	}{
		{"a sample without a fail", clean, "0", newel.GateInconclusive, "rows that nobody finally judged among 5,000; allowed 0"},
		{"a sample whose open rows are allowed to fail", clean, "5000", newel.GatePassed, "0 fails and "},
		{"every row judged", clean.all(), "0", newel.GatePassed, "0 fails among 5,000; allowed 0"},
		{"one fail among all", one.all(), "0", newel.GateFailed, "1 fail among 5,000; allowed 0"},
		{"a floor's fail is final though the judge passes it", floored, "0", newel.GateFailed, "1 fail among 5,000; allowed 0"},
		{"a sample with more fails than allowed", plainWorld(), "10", newel.GateFailed, "allowed 10"},
	} {
		got := gated(t, "[{rubric: r, fails: {max: "+c.max+"}}]", c.world.climb(), nil)
		if got.State != c.state || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: want %s: %s, got %s: %s", c.name, c.state, c.why, got.State, got.Why)
		}
	}
}

func TestAnAlarmOfTheAuditTurnsPassedIntoInconclusive(t *testing.T) {
	t.Parallel()
	wrong := plainWorld()
	wrong.truth = func(n int) newel.Verdict { return when(n%5 < 3 && n%100 >= 15 || n%5 == 4) } // 9 of 60 settled passes
	r := wrong.climb()
	got := decide(t, "[{rubric: r, min: 0.5}, {rubric: r, min: 0.95}, {rubric: r, min: 0.72}]", r, nil, gate.Options{})
	for i, want := range []newel.GateState{newel.GateInconclusive, newel.GateFailed, newel.GateInconclusive} {
		if got.Rules[i].State != want {
			t.Errorf("rule %d: want %s, got %s: %s", i, want, got.Rules[i].State, got.Rules[i].Why)
		}
	}
	if why := got.Rules[0].Why; !strings.Contains(why, "it would pass, but the audit found ") || !strings.Contains(why, " rows wrong that the classifier settled as pass, surely more than the 2 % allowed") {
		t.Errorf("why: %s", why)
	}
	if why := got.Rules[2].Why; strings.Contains(why, "it would pass") {
		t.Errorf("a rule that was open anyway: %s", why)
	}
	if got.State != newel.GateFailed {
		t.Errorf("the gate is %s, want failed: an alarm hides no failure", got.State)
	}
	if got := gated(t, "[{rubric: r, min: 0.5}]", r, nil); got.State != newel.GatePassed {
		t.Errorf("where any of it may be wrong: got %+v", got)
	}
	paired := decide(t, "[{rubric: r, no_worse_than: baseline, margin: 0.1}]", r, r, gate.Options{})
	if paired.State != newel.GateInconclusive || !strings.Contains(paired.Rules[0].Why, "it would pass, but the audit") {
		t.Errorf("a comparison with itself under an alarm: got %+v", paired.Rules[0])
	}
	// A floor's fail is final: that the judge thinks otherwise of all is no alarm.
	floored := plainWorld()
	floored.truth = func(int) newel.Verdict { return newel.Pass }
	floored.settle = func(int) newel.Verdict { return newel.Pass }
	floored.floor = func(n int) newel.Verdict { return when(n%4 != 0) }
	if got := decide(t, "[{rubric: r, min: 0.7}]", floored.climb(), nil, gate.Options{}); got.State != newel.GatePassed || *got.Rules[0].Point != 0.75 {
		t.Errorf("a floor that the judge would not have failed: got %+v", got.Rules[0])
	}
}

func TestAJudgeThatBreaksLeavesRowsMissing(t *testing.T) {
	t.Parallel()
	w := plainWorld()
	w.truth = func(n int) newel.Verdict {
		if n%20 == 4 {
			return newel.Failed
		}
		return plainWorld().truth(n)
	}
	got := decide(t, "[{rubric: r, min: 0.6}]", w.climb(), nil, gate.Options{Allowance: func(string, newel.Layer, newel.Verdict) float64 { return 0.2 }})
	if got.State != newel.GateInvalid || got.Rules[1].State != newel.GateInvalid { // the default rule on errors: over 1 %
		t.Errorf("got %+v", got)
	}
	rate := got.Rules[0]
	if rate.Missing < 50 || rate.Missing > 100 || rate.Bounds == nil || !(rate.Bounds[0] < *rate.Point && *rate.Point < rate.Bounds[1]) {
		t.Errorf("want about 75 missing rows and bounds around the point, got %+v", rate)
	}
}

func TestTheAuditOfEachStratum(t *testing.T) {
	t.Parallel()
	w := plainWorld()
	w.floor = func(n int) newel.Verdict { return when(n%50 != 0) } // the classifier would pass them
	var a gate.Audit
	r := w.climb()
	for i := range r.items {
		a.Add(&r.items[i].Results[0])
	}
	for _, c := range []struct {
		allowed float64
		state   stat.AuditState // of the classifier's fails, of which 2 of 100 are wrong
	}{{0.001, stat.Alarm}, {0.03, stat.Unproven}, {0.1, stat.Kept}} {
		got := a.Findings("r", func(_ string, _ newel.Layer, v newel.Verdict) float64 {
			return map[newel.Verdict]float64{newel.Pass: 0.05, newel.Fail: c.allowed}[v]
		})
		if len(got) != 3 {
			t.Fatalf("want floor fail, classifier fail and classifier pass, got %+v", got)
		}
		for i, want := range []struct {
			layer   newel.Layer
			verdict newel.Verdict
			rows    int64
			state   stat.AuditState
		}{{newel.Floor, newel.Fail, 100, ""}, {newel.Classifier, newel.Fail, 1000, c.state}, {newel.Classifier, newel.Pass, 2900, stat.Kept}} {
			g := got[i]
			if g.Layer != want.layer || g.Verdict != want.verdict || g.Rows != want.rows || g.State != want.state || g.Final != (i == 0) {
				t.Errorf("want %+v, got %+v", want, g)
			}
			if g.Judged < g.Rows/20 || g.Judged > g.Rows/5 || g.Wrong > g.Judged {
				t.Errorf("%d of %d rows audited, %d wrong; want about a tenth", g.Judged, g.Rows, g.Wrong)
			}
		}
		if floor := got[0]; floor.Wrong != floor.Judged-floorAgrees(w, r) {
			t.Errorf("the judge turned %d of %d floor's fails", floor.Wrong, floor.Judged)
		}
	}
	if none := (&gate.Audit{}).Findings("r", nil); none != nil {
		t.Errorf("no rows: got %+v", none)
	}
}

// floorAgrees counts the audited fails of the floor that the judge confirms.
func floorAgrees(w world, r *run) (n int64) {
	for i := range r.items {
		res := &r.items[i].Results[0]
		if res.Layer == newel.Floor && res.Audit != nil && w.truth(i) == newel.Fail {
			n++
		}
	}
	return n
}
