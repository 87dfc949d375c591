package eval

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"newel"
	"newel/gate"
	"newel/ladder"
	"newel/stat"
)

type told struct {
	name string
	say  func(n int) newel.Verdict
}

func (s told) Name() string { return s.name }

func (s told) Score(_ context.Context, subject *newel.Subject) newel.Score {
	return newel.Score{Scorer: s.name, Verdict: s.say(subject.Item.N)}
}

func verdictOf(is bool) newel.Verdict {
	if is {
		return newel.Pass
	}
	return newel.Fail
}

// sampledRun folds 2,000 cases: a floor fails a tenth, a classifier settles the
// next five tenths as pass and two as fail, both wrong of one in twenty, and half
// of the rest passes.
func sampledRun(t *testing.T, sample, audit float64, opt FoldOptions) (newel.RubricSummary, []stat.Row) {
	t.Helper()
	r := ladder.Rubric{Name: "r", Sample: sample, Audit: audit, Seed: 7,
		Floor: []ladder.Step{{Scorer: told{"check", func(n int) newel.Verdict { return verdictOf(n%10 > 0) }}}},
		Classifiers: []newel.Scorer{told{"classifier", func(n int) newel.Verdict {
			switch {
			case n%10 < 6:
				return newel.Pass
			case n%10 < 8:
				return newel.Fail
			}
			return newel.Undecided
		}}},
		Judge: told{"judge", func(n int) newel.Verdict {
			if n%10 >= 8 {
				return verdictOf(n%10 == 8)
			}
			return verdictOf((n%10 < 6) == (n%200 >= 10))
		}}}
	opt.NoDigest = true
	f := NewFold(judgedRun("r"), opt)
	var rows stat.Tally
	for n := range 2000 {
		item := &newel.Item{N: n, Case: &newel.Case{ID: fmt.Sprint("case ", n)}, Trial: 1}
		res := r.Climb(context.Background(), newel.NewSubject(item))
		if err := f.Add(&newel.ItemRows{N: n, Case: item.Case.ID, Trial: 1, Done: true, Applies: everyRubric(1), Results: []newel.Result{res}, Quarantined: n >= 1990}); err != nil {
			t.Fatal(err)
		}
		row := gate.RowOf(&res, true)
		row.Cluster = stat.Alone
		if n < 1990 {
			rows.Add(row)
		}
	}
	sum, err := f.Summary()
	if err != nil {
		t.Fatal(err)
	}
	return sum.Rubrics[0], rows.Rows()
}

func TestASampledRubricShowsWhatItsRateIsMadeOf(t *testing.T) {
	t.Parallel()
	allow := func(_ string, layer newel.Layer, v newel.Verdict) float64 {
		if v == newel.Fail {
			return 0.3
		}
		return 0.001
	}
	got, rows := sampledRun(t, 0.3, 0.2, FoldOptions{Allowance: allow})
	want := stat.RateRule{}.Decide(rows)
	if math.Abs(*got.Rate-want.Point) > 1e-12 || *got.Interval != [2]float64{want.Interval.Low, want.Interval.High} {
		t.Errorf("rate %v %v, want that of the rule on the same rows: %v %v", *got.Rate, *got.Interval, want.Point, want.Interval)
	}
	if truth := 0.5*0.95 + 0.2*0.05 + 0.1; got.Interval[0] > truth || got.Interval[1] < truth {
		t.Errorf("the interval %v lies beside %v", *got.Interval, truth)
	}
	if got.Method != "Korn–Graubard over post-stratified regression" {
		t.Errorf("method %q", got.Method)
	}
	type line struct {
		Layer, Verdict string
		Rows           int
		State          newel.AuditState
	}
	var lines []line
	sum := 0.0
	for _, s := range got.Strata {
		one := line{s.Layer, s.Verdict, s.Rows, ""}
		if s.Audit != nil {
			one.State = s.Audit.State
			if s.Audit.N != s.Decided && s.Layer != "floor" || s.Audit.Interval == nil || (s.Audit.Allowed == nil) != (s.Layer == "floor") {
				t.Errorf("%s %s: %d decided, audit %+v", s.Layer, s.Verdict, s.Decided, s.Audit)
			}
		}
		lines = append(lines, one)
		sum += *s.Rate * float64(s.Rows)
	}
	if diff := cmp.Diff([]line{{"floor", "fail", 199, ""}, {"classifier", "fail", 398, newel.AuditKept}, {"classifier", "pass", 995, newel.AuditAlarm}, {"", "", 398, ""}}, lines); diff != "" {
		t.Errorf("want -, got +\n%s", diff)
	}
	if math.Abs(sum/1990-*got.Rate) > 1e-9 {
		t.Errorf("the strata add up to %v, the rate is %v", sum/1990, *got.Rate)
	}
	if floor := got.Strata[0]; floor.Decided != 199 || *floor.Rate != 0 || floor.Audit == nil || floor.Audit.N < 20 || floor.Audit.N > 60 {
		t.Errorf("the floor's fails are final and audited: got %+v", floor)
	}
}

func TestARubricThatIsJudgedWhollyIsReadExactly(t *testing.T) {
	t.Parallel()
	got, _ := sampledRun(t, 1, 1, FoldOptions{})
	if got.Method != "Clopper–Pearson" || len(got.Strata) != 4 {
		t.Errorf("method %q with strata %+v, want Clopper–Pearson over four", got.Method, got.Strata)
	}
	passed := 0
	for _, s := range got.Strata {
		if s.Decided != s.Rows {
			t.Errorf("%+v is not wholly decided", s)
		}
		passed += int(math.Round(*s.Rate * float64(s.Rows)))
	}
	if want := got.Ledger.Pass; passed > want || passed < want-10 { // ten rows are in quarantine
		t.Errorf("the strata pass %d rows, the ledger %d", passed, want)
	}
	unaudited, _ := sampledRun(t, 0.5, 0, FoldOptions{})
	two := 0.02
	want := []newel.Stratum{
		{Layer: "classifier", Verdict: "fail", Rows: 398, Rate: new(float64), Audit: &newel.Audited{Allowed: &two, State: newel.AuditUnproven}},
		{Layer: "classifier", Verdict: "pass", Rows: 995, Audit: &newel.Audited{Allowed: &two, State: newel.AuditUnproven}},
	}
	one := 1.0
	want[1].Rate = &one
	if diff := cmp.Diff(want, unaudited.Strata[1:3], cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("without an audit: want -, got +\n%s", diff)
	}
}
