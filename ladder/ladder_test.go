package ladder

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

// says is a scorer that always gives one score and counts how often it is
// asked.
type says struct {
	name  string
	score newel.Score
	asked *int
}

func (s says) Name() string { return s.name }

func (s says) Score(context.Context, *newel.Subject) newel.Score {
	if s.asked != nil {
		*s.asked++
	}
	score := s.score
	score.Scorer = s.name
	return score
}

func item(id string) *newel.Item {
	return &newel.Item{Case: &newel.Case{ID: id, Output: newel.Raw(`"x"`)}, Trial: 1}
}

var (
	pass      = newel.Passed()
	fail      = newel.Missed("no")
	undecided = newel.Score{}
	broken    = newel.Broken(newel.KindCase, "no reference")
)

func steps(list ...any) []Step {
	var out []Step
	for i := 0; i < len(list); i += 2 {
		out = append(out, Step{Scorer: says{name: fmt.Sprintf("c%d", i/2), score: list[i].(newel.Score)}, Settles: list[i+1].(newel.Settles)})
	}
	return out
}

func TestFloorAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		floor []Step
		want  newel.Verdict
		layer newel.Layer
	}{
		"all hold":                                   {steps(pass, newel.SettlesFail, pass, newel.SettlesFail), newel.Pass, newel.Floor},
		"one misses":                                 {steps(pass, newel.SettlesFail, fail, newel.SettlesFail), newel.Fail, newel.Floor},
		"a miss settles whatever settles says":       {steps(fail, newel.SettlesNone), newel.Fail, newel.Floor},
		"a miss beats an error":                      {steps(broken, newel.SettlesFail, fail, newel.SettlesFail), newel.Fail, newel.Floor},
		"an error beats a hit":                       {steps(pass, newel.SettlesBoth, broken, newel.SettlesFail), newel.Failed, newel.NoLayer},
		"a metric that only reports changes nothing": {steps(undecided, newel.SettlesFail, pass, newel.SettlesFail), newel.Pass, newel.Floor},
		"metrics alone decide nothing":               {steps(undecided, newel.SettlesFail), newel.Unjudged, newel.NoLayer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &Rubric{Name: "r", Floor: c.floor}
			got := r.Climb(context.Background(), newel.NewSubject(item("a")))
			if got.Verdict != c.want || got.Layer != c.layer {
				t.Errorf("got %v by %q, want %v by %q", got.Verdict, got.Layer, c.want, c.layer)
			}
		})
	}
}

func TestLadderPassesUpWhatIsNotSettled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		floor       []Step
		classifiers []newel.Score
		judge       newel.Score
		sample      float64
		audit       float64
		want        newel.Verdict
		layer       newel.Layer
		reason      string
		judged      int
		audited     *newel.Audit
	}{
		"a miss that settles fail is final":        {floor: steps(fail, newel.SettlesFail), judge: pass, sample: 1, want: newel.Fail, layer: newel.Floor},
		"a hit goes up":                            {floor: steps(pass, newel.SettlesFail), judge: fail, sample: 1, want: newel.Fail, layer: newel.Judge, judged: 1},
		"a hit that settles pass stays":            {floor: steps(pass, newel.SettlesPass), judge: fail, sample: 1, want: newel.Pass, layer: newel.Floor},
		"a miss that settles pass goes up":         {floor: steps(fail, newel.SettlesPass), judge: pass, sample: 1, want: newel.Pass, layer: newel.Judge, judged: 1},
		"an error is not paid for":                 {floor: steps(broken, newel.SettlesFail), judge: pass, sample: 1, audit: 1, want: newel.Failed, layer: newel.NoLayer},
		"a classifier settles":                     {classifiers: []newel.Score{undecided, pass}, judge: fail, sample: 1, want: newel.Pass, layer: newel.Classifier},
		"what is not drawn is unjudged":            {judge: pass, sample: 0, want: newel.Unjudged, reason: newel.Undrawn},
		"a judge that cannot say is no layer":      {judge: undecided, sample: 1, want: newel.Unjudged, reason: newel.NoLayerReason, judged: 1},
		"an audited hit takes the judge's verdict": {floor: steps(pass, newel.SettlesPass), judge: fail, sample: 1, audit: 1, want: newel.Fail, layer: newel.Judge, judged: 1, audited: &newel.Audit{Layer: newel.Floor, Verdict: newel.Pass}},
		"an audited miss stays the floor's":        {floor: steps(fail, newel.SettlesFail), judge: pass, sample: 1, audit: 1, want: newel.Fail, layer: newel.Floor, judged: 1, audited: &newel.Audit{Layer: newel.Judge, Verdict: newel.Pass}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			judged := 0
			r := &Rubric{Name: "r", Floor: c.floor, Judge: says{"judge", c.judge, &judged}, Sample: c.sample, Audit: c.audit}
			for i, s := range c.classifiers {
				r.Classifiers = append(r.Classifiers, says{name: fmt.Sprintf("k%d", i), score: s})
			}
			got := r.Climb(context.Background(), newel.NewSubject(item("a")))
			if got.Verdict != c.want || got.Layer != c.layer || got.Reason != c.reason || judged != c.judged {
				t.Errorf("got %v by %q, reason %q, %d calls; want %v by %q, reason %q, %d calls", got.Verdict, got.Layer, got.Reason, judged, c.want, c.layer, c.reason, c.judged)
			}
			if diff := cmp.Diff(c.audited, got.Audit); diff != "" {
				t.Errorf("audit: want -, got +\n%s", diff)
			}
		})
	}
}

func TestListOfTheCaseStandsInItsPlace(t *testing.T) {
	t.Parallel()
	own := steps(pass, newel.SettlesFail, fail, newel.SettlesFail)
	r := &Rubric{Floor: []Step{{Scorer: says{name: "case-checks"}, Expand: func(*newel.Subject) ([]Step, error) { return own, nil }}}}
	got := r.Climb(context.Background(), newel.NewSubject(item("a")))
	if got.Verdict != newel.Fail || len(got.Scores) != 2 {
		t.Errorf("got %v with %d scores, want fail with 2", got.Verdict, len(got.Scores))
	}
	r.Floor[0].Expand = func(*newel.Subject) ([]Step, error) { return nil, &newel.MissingError{Path: "checks"} }
	if got := r.Climb(context.Background(), newel.NewSubject(item("a"))); got.Verdict != newel.Failed || got.Err.Kind != newel.KindCase {
		t.Errorf("a case without checks: got %v, want an error of kind case", got.Verdict)
	}
}

type panics struct{}

func (panics) Name() string                                      { return "panics" }
func (panics) Score(context.Context, *newel.Subject) newel.Score { panic("oh") }

func TestOneScorerThatPanicsIsOneError(t *testing.T) {
	t.Parallel()
	r := &Rubric{Floor: []Step{{Scorer: panics{}}}}
	got := r.Climb(context.Background(), newel.NewSubject(item("a")))
	if got.Verdict != newel.Failed || got.Err.Kind != newel.KindInternal {
		t.Errorf("got %v, %v; want an error of kind internal", got.Verdict, got.Err)
	}
}

// The floor's fail is final, but a judge that was to audit it and was not asked
// in time leaves the item for later all the same.
func TestWhatAJudgeWithholdsIsWithheldFromTheRow(t *testing.T) {
	t.Parallel()
	for name, floor := range map[string][]Step{"residual": nil, "settled": steps(fail, newel.SettlesFail)} {
		r := &Rubric{Name: "r", Floor: floor, Judge: says{name: "j", score: newel.Broken(newel.KindSpent, "the budget is spent")}, Sample: 1, Audit: 1}
		res := r.Climb(context.Background(), newel.NewSubject(item("a")))
		if res.Err == nil || !res.Err.Kind.Withheld() {
			t.Errorf("%s: got %s with error %v, want the row withheld", name, res.Verdict, res.Err)
		}
	}
}

func TestDrawDependsOnNothingElse(t *testing.T) {
	t.Parallel()
	it := &newel.Item{Case: &newel.Case{ID: "case-1"}, Matrix: []newel.Dim{{Name: "lang", Value: "de"}}, Trial: 2}
	if got := Draw(7, "grounded", it); got != Draw(7, "grounded", it) {
		t.Errorf("the same item was drawn twice, differently: %v", got)
	}
	seen := map[float64]string{}
	for _, other := range []struct {
		seed   int64
		rubric string
		item   *newel.Item
	}{
		{7, "grounded", it}, {8, "grounded", it}, {7, "other", it},
		{7, "grounded", &newel.Item{Case: &newel.Case{ID: "case-2"}, Matrix: it.Matrix, Trial: 2}},
		{7, "grounded", &newel.Item{Case: it.Case, Trial: 2}}, {7, "grounded", &newel.Item{Case: it.Case, Matrix: it.Matrix, Trial: 1}},
	} {
		u := Draw(other.seed, other.rubric, other.item)
		if u < 0 || u >= 1 || seen[u] != "" {
			t.Errorf("draw %v of %+v is out of range or that of %s", u, other, seen[u])
		}
		seen[u] = fmt.Sprintf("%+v", other)
	}
}

func TestDrawIsUniform(t *testing.T) {
	t.Parallel()
	const n = 20_000
	below := 0
	for i := range n {
		if Draw(1, "r", item(fmt.Sprint(i))) < 0.1 {
			below++
		}
	}
	// Binomial(20,000, 0.1) has a standard deviation of 42.4.
	if below < 2000-200 || below > 2000+200 {
		t.Errorf("%d of %d draws below 0.1, want about 2,000", below, n)
	}
}
