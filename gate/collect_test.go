package gate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/gate"
)

func TestARunWhoseLedgerIsNotFullHasNoVerdict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*run)
		why    string
	}{
		{"items not done", func(r *run) { r.items[3].Done, r.items[3].Results = false, nil }, "incomplete: 99 of 100 rows are there"},
		{"items not read", func(r *run) { r.items = r.items[:60] }, "incomplete: 60 of 100 items were read"},
		{"a row not there", func(r *run) { r.items[3].Results = nil }, "incomplete: 99 of 100 rows are there"},
	} {
		r := mixed(100, 0, 0)
		c.change(r)
		got := decide(t, "[{rubric: r, min: 0.5}]", r, nil, gate.Options{})
		if got.State != newel.GateInvalid || len(got.Rules) != 1 || got.Rules[0].Why != c.why {
			t.Errorf("%s: want %q, got %+v", c.name, c.why, got)
		}
	}
	surplus := mixed(1, 0, 0)
	surplus.items[0].Results = append(surplus.items[0].Results, newel.Result{Rubric: 4})
	if err := gate.NewCollector(nil, &surplus.plan, gate.Options{}).Add(&surplus.items[0]); err == nil {
		t.Error("a row of a rubric that the plan does not have: want an error")
	}
}

func TestErrorsAreLimitedWhereNoRuleSaysSo(t *testing.T) {
	t.Parallel()
	r := newRun("a", "b", "c", "drift", "empty")
	r.plan.Measures[3] = true
	row := func(rubric int, res newel.Result) newel.Result { res.Rubric = rubric; return res }
	for i := range 100 {
		b := pass()
		if i < 2 {
			b = broken()
		}
		r.add(fmt.Sprint("c", i), pass(), row(1, b), row(2, b), row(3, measured(1)))
	}
	got := decide(t, "[{rubric: c, errors: {max: 0.5}}, {rubric: a, min: 0.9}]", r, nil, gate.Options{})
	type line struct {
		Rule, Rubric string
		State        newel.GateState
		Cases        []string
	}
	var lines []line
	for _, rule := range got.Rules {
		lines = append(lines, line{rule.Rule, rule.Rubric, rule.State, rule.Cases})
	}
	want := []line{
		{"c: errors ≤ 0.5", "c", newel.GatePassed, []string{"c0", "c1"}},
		{"a ≥ 0.9", "a", newel.GatePassed, []string{}},
		{"a: errors ≤ 0.01 (default)", "a", newel.GatePassed, []string{}},
		{"b: errors ≤ 0.01 (default)", "b", newel.GateInvalid, []string{"c0", "c1"}},
		{"drift: errors ≤ 0.01 (default)", "drift", newel.GatePassed, []string{}},
		{"empty: errors ≤ 0.01 (default)", "empty", newel.GateInvalid, []string{}},
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	all := decide(t, "[{errors: {max: 0.1}}]", mixed(95, 0, 5), nil, gate.Options{})
	if len(all.Rules) != 1 || all.Rules[0].Rule != "r: errors ≤ 0.1" || all.State != newel.GatePassed {
		t.Errorf("a rule of every rubric leaves no default: got %+v", all)
	}
}

func TestQuarantinedRowsLeaveEveryRule(t *testing.T) {
	t.Parallel()
	r := newRun("r")
	r.many(50, pass())
	r.many(50, fail())
	r.many(10, broken())
	for i := 50; i < 110; i++ {
		r.items[i].Quarantined = true
	}
	got := decide(t, "[{rubric: r, min: 0.9}, {rubric: r, fails: {max: 0}}, {errors: {max: 0}}]", r, nil, gate.Options{})
	if got.State != newel.GatePassed {
		t.Errorf("got %+v", got)
	}
	for _, rule := range got.Rules {
		if rule.N != 50 || rule.Missing != 0 || len(rule.Cases) != 0 {
			t.Errorf("want 50 rows and no case, got %+v", rule)
		}
	}
	for i := range r.items {
		r.items[i].Quarantined = true
	}
	if got := decide(t, "[{rubric: r, fails: {max: 0}}]", r, nil, gate.Options{}); got.State != newel.GateInvalid || got.Rules[0].Why != "no rows" {
		t.Errorf("with nothing left: got %+v", got)
	}
}

func TestByMakesARuleOfEachValue(t *testing.T) {
	t.Parallel()
	r := newRun("r")
	for i := range 300 {
		res := pass()
		lang := []string{"ja", "de", "en"}[i%3]
		if lang == "ja" && i%2 == 0 {
			res = fail()
		}
		r.add(fmt.Sprintf("c%03d", i), res).Dims = []newel.Dim{{Name: "language", Value: lang}}
	}
	r.add("plain", pass())
	got := decide(t, "[{rubric: r, min: 0.8, by: dims.language}]", r, nil, gate.Options{})
	for i, want := range []struct {
		rule  string
		state newel.GateState
	}{{"r ≥ 0.8, language=de", newel.GatePassed}, {"r ≥ 0.8, language=en", newel.GatePassed}, {"r ≥ 0.8, language=ja", newel.GateFailed}} {
		if rule := got.Rules[i]; rule.Rule != want.rule || rule.State != want.state || rule.N != 100 {
			t.Errorf("want %+v, got %+v", want, rule)
		}
	}
	ja := got.Rules[2]
	if !slices.Equal(ja.Cases[:2], []string{"c000", "c006"}) || !strings.Contains(ja.Why, "; 1 row has no dims.language and no rule") {
		t.Errorf("got %+v", ja)
	}
	if got := decide(t, "[{rubric: r, min: 0.8, by: dims.lang}]", r, nil, gate.Options{}); got.Rules[0].State != newel.GateInvalid || got.Rules[0].Why != "no row has dims.lang" {
		t.Errorf("a dimension that nothing has: got %+v", got.Rules[0])
	}
}

func TestADimensionOfTooManyValuesIsInvalid(t *testing.T) {
	t.Parallel()
	for values, state := range map[int]newel.GateState{1000: newel.GatePassed, 1001: newel.GateInvalid} {
		r := newRun("r")
		for i := range values {
			r.add(fmt.Sprint("c", i), pass()).Dims = []newel.Dim{{Name: "user", Value: fmt.Sprint(i)}}
		}
		got := decide(t, "[{rubric: r, fails: {max: 0}, by: dims.user}]", r, nil, gate.Options{})
		if got.State != state {
			t.Errorf("%d values: want %s, got %s: %s", values, state, got.State, got.Rules[0].Why)
		}
	}
}

func TestManyRulesMustFailMoreSurely(t *testing.T) {
	t.Parallel()
	// Alone, p is under 0.025; among two rules it counts twice.
	r := newRun("r")
	r.many(168, pass())
	r.many(32, fail())
	alone := decide(t, "[{rubric: r, min: 0.89}]", r, nil, gate.Options{})
	if alone.State != newel.GateFailed {
		t.Fatalf("alone: want failed, got %+v", alone.Rules[0])
	}
	both := decide(t, "[{rubric: r, min: 0.89}, {rubric: r, min: 0.5, by: dims.x}, {rubric: r, min: 0.7}]", r, nil, gate.Options{})
	if rule := both.Rules[0]; rule.State != newel.GateInconclusive || !strings.Contains(rule.Why, "among so many rules it may be chance (adjusted p 0.0") ||
		rule.PAdjusted == nil || *rule.PAdjusted <= *rule.P {
		t.Errorf("among others: got %+v", rule)
	}
	advice := decide(t, "[{rubric: r, min: 0.89, advisory: true}, {rubric: r, min: 0.7}]", r, nil, gate.Options{})
	if advice.State != newel.GatePassed || advice.Rules[0].State != newel.GateFailed || !advice.Rules[0].Advisory {
		t.Errorf("as advice: got %+v", advice)
	}
}

func TestAnAuditThatAlarmsSpoilsAPass(t *testing.T) {
	t.Parallel()
	r := newRun("r?")
	r.many(800, newel.Result{Verdict: newel.Pass, Layer: newel.Classifier})
	r.many(85, audited(newel.Pass, newel.Pass))
	r.many(15, audited(newel.Pass, newel.Fail))
	got := decide(t, "[{rubric: r, min: 0.5}]", r, nil, gate.Options{})
	if rule := got.Rules[0]; got.State != newel.GateInconclusive || !strings.Contains(rule.Why,
		"it would pass, but the audit found 15 of 100 rows wrong that the classifier settled as pass, surely more than the 2 % allowed") {
		t.Errorf("got %+v", rule)
	}
	lenient := gate.Options{Allowance: func(rubric string, layer newel.Layer, v newel.Verdict) float64 {
		if rubric == "r" && layer == newel.Classifier && v == newel.Pass {
			return 0.2
		}
		return 0
	}}
	if got := decide(t, "[{rubric: r, min: 0.5}]", r, nil, lenient); got.State != newel.GatePassed {
		t.Errorf("allowed: got %+v", got.Rules[0])
	}
}

func TestARuleOfARubricThatTheRunLeftOut(t *testing.T) {
	t.Parallel()
	r := mixed(10, 0, 0)
	got := collect(t, []gate.Rule{{Kind: gate.MaxFails, Rubric: "q"}}, r, nil, gate.Options{}).Finish()
	if got.State != newel.GateInvalid || got.Rules[0].Why != "the run has no such rubric" || got.Rules[0].Rubric != "q" {
		t.Errorf("got %+v", got.Rules[0])
	}
}

func TestHostileNamesStayWholeInListsAndShortInSentences(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a\nb", "\x1b[2J", "a|lang=de|#2", "‮abc", strings.Repeat("🙂", 5000), `"<b>&`, ""} {
		r := newRun(name + "r")
		r.add(name, fail()).Dims = []newel.Dim{{Name: name + "d", Value: name}}
		r.add(name+"2", pass()).Dims = []newel.Dim{{Name: name + "d", Value: name}}
		rule := gate.Rule{Kind: gate.MaxFails, Rubric: name + "r", By: name + "d"}
		got := collect(t, []gate.Rule{rule}, r, nil, gate.Options{}).Finish().Rules[0]
		if got.State != newel.GateFailed || !slices.Equal(got.Cases, []string{name}) || got.Rubric != name+"r" {
			t.Errorf("%.20q: got %.200v", name, got)
		}
		if len(got.Rule) > 1100 || len(got.Why) > 400 {
			t.Errorf("%.20q: a rule of %d and a why of %d bytes", name, len(got.Rule), len(got.Why))
		}
	}
}

func TestARuleWithoutRowsInANarrowedRunSaysWhy(t *testing.T) {
	t.Parallel()
	r := newRun("r")
	r.add("a", pass()).Quarantined = true
	for _, rule := range []string{"{rubric: r, fails: {max: 0}}", "{rubric: r, min: 0.5}", "{rubric: r, min: 0.5, by: dims.lang}"} {
		got := decide(t, "["+rule+"]", r, nil, gate.Options{Narrowed: true})
		if got.State != newel.GateInvalid || !strings.Contains(got.Rules[0].Why, "this run was narrowed") {
			t.Errorf("%s: got %+v", rule, got.Rules[0])
		}
	}
	r.add("b", pass())
	if got := decide(t, "[{rubric: r, min: 0.5, read: estimate}]", r, nil, gate.Options{Narrowed: true}); got.State != newel.GatePassed {
		t.Errorf("with a row: got %+v", got)
	}
}
