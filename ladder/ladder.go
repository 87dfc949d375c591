// Package ladder climbs the layers of a rubric, floor, classifier, judge, and
// passes up only what a layer did not settle. It draws the sample that the
// judge sees.
//
// It knows scorers by their interface alone and writes nothing.
package ladder

import (
	"context"
	"fmt"
	"slices"

	"newel"
)

// Program is a compiled suite: what Work needs to score an item.
type Program struct {
	Rubrics []*Rubric
	// Ask gets the output of an item whose case has none. Nil where every case
	// brings its own.
	Ask func(ctx context.Context, it *newel.Item) newel.Fetched
	// AtOnce bounds how many items that wait for something outside are under way
	// in one process; 0: all that are offered.
	AtOnce int
}

// Fix takes over what the plan fixed: how much of what settles below a judge it
// is to see.
func (p *Program) Fix(plan *newel.Plan) {
	for _, r := range p.Rubrics {
		if r.Index < len(plan.Audits) {
			r.Audit = plan.Audits[r.Index]
		}
	}
}

// Waits reports whether items wait for something outside, so that many are to
// be under way at the same time.
func (p *Program) Waits() bool {
	return p.Ask != nil || slices.ContainsFunc(p.Rubrics, func(r *Rubric) bool { return r.Judge != nil })
}

// Rubric is one compiled rubric with its ladder.
type Rubric struct {
	Name  string
	Index int // in the suite
	// When says whether a case has a row of this rubric; nil: each has.
	When        func(ctx context.Context, s *newel.Subject) (bool, error)
	Floor       []Step
	Classifiers []newel.Scorer
	Judge       newel.Scorer // nil without a judge
	Sample      float64      // share of the residual that the judge sees
	Audit       float64      // share of what the layers below settled
	Seed        int64
	Measure     bool // only reports numbers; decides nothing
}

// Step is one check of a floor with what it settles.
type Step struct {
	Scorer  newel.Scorer
	Settles newel.Settles
	// Expand, where set, gives the steps that stand in this one's place.
	Expand func(s *newel.Subject) ([]Step, error)
}

// alone reports whether nothing stands above the floor, so that every check
// settles both ways.
func (r *Rubric) alone() bool { return len(r.Classifiers) == 0 && r.Judge == nil }

// Climb scores one item. A judge learns that ctx is done, and may withhold its
// score; the layers below finish what they began, since a stop is no fault of
// theirs.
func (r *Rubric) Climb(ctx context.Context, s *newel.Subject) newel.Result {
	res := newel.Result{Rubric: r.Index}
	unhurried := context.WithoutCancel(ctx)
	r.floor(unhurried, s, &res)
	if res.Verdict == newel.Undecided && !r.alone() {
		r.classify(unhurried, s, &res)
	}
	if r.Judge != nil {
		r.judge(ctx, s, &res)
	}
	if res.Verdict == newel.Undecided {
		res.Verdict, res.Layer, res.Reason = newel.Unjudged, newel.NoLayer, newel.NoLayerReason
		if r.Measure {
			res.Reason = newel.Measured
		}
	}
	return res
}

// floor is a three-valued AND over the checks by what each settles: a settling
// fail, else an error, else a settling pass, else up.
func (r *Rubric) floor(ctx context.Context, s *newel.Subject, res *newel.Result) {
	steps, broken := r.steps(s)
	if broken != nil {
		res.Scores = append(res.Scores, *broken)
	}
	fail, fault, pass := -1, -1, -1
	if broken != nil {
		fault = 0
	}
	for _, step := range steps {
		score := guard(ctx, step.Scorer, s)
		res.Scores = append(res.Scores, score)
		at := len(res.Scores) - 1
		switch {
		case score.Verdict == newel.Fail && fail < 0 && (r.alone() || step.Settles == newel.SettlesFail || step.Settles == newel.SettlesBoth):
			fail = at
		case score.Verdict == newel.Failed && fault < 0:
			fault = at
		case score.Verdict == newel.Pass && pass < 0 && (r.alone() || step.Settles == newel.SettlesPass || step.Settles == newel.SettlesBoth):
			pass = at
		}
	}
	for _, at := range [...]int{fail, fault, pass} {
		if at >= 0 {
			decide(res, newel.Floor, at)
			return
		}
	}
}

// steps returns the floor with each list that the case brings in its place.
func (r *Rubric) steps(s *newel.Subject) ([]Step, *newel.Score) {
	expands := false
	for i := range r.Floor {
		expands = expands || r.Floor[i].Expand != nil
	}
	if !expands {
		return r.Floor, nil
	}
	var out []Step
	for _, step := range r.Floor {
		if step.Expand == nil {
			out = append(out, step)
			continue
		}
		list, err := step.Expand(s)
		if err != nil {
			score := newel.Broken(newel.KindCase, err.Error())
			score.Scorer, score.Layer = step.Scorer.Name(), newel.Floor
			return out, &score
		}
		out = append(out, list...)
	}
	return out, nil
}

// decide takes the verdict of score number at as the row's.
func decide(res *newel.Result, layer newel.Layer, at int) {
	score := &res.Scores[at]
	res.Verdict, res.Layer, res.Err = score.Verdict, layer, score.Err
	res.Value, res.HasValue, res.Choice = score.Value, score.HasValue, score.Choice
	if score.Verdict == newel.Failed {
		res.Layer = newel.NoLayer
	}
}

func (r *Rubric) classify(ctx context.Context, s *newel.Subject, res *newel.Result) {
	for _, c := range r.Classifiers {
		score := guard(ctx, c, s)
		score.Layer = newel.Classifier
		res.Scores = append(res.Scores, score)
		if score.Verdict != newel.Undecided {
			decide(res, newel.Classifier, len(res.Scores)-1)
			return
		}
	}
}

// judge asks the judge about a drawn item. An audited row takes the judge's
// verdict, save a floor's fail, which is final. A row whose layers broke is
// not paid for.
func (r *Rubric) judge(ctx context.Context, s *newel.Subject, res *newel.Result) {
	if res.Verdict == newel.Failed {
		return
	}
	settled := res.Verdict.Settled()
	res.Inclusion = r.Sample
	if settled {
		res.Inclusion = r.Audit
	}
	if Draw(r.Seed, r.Name, s.Item) >= res.Inclusion {
		if !settled {
			res.Verdict, res.Reason = newel.Unjudged, newel.Undrawn
		}
		return
	}
	score := guard(ctx, r.Judge, s)
	score.Layer = newel.Judge
	res.Scores = append(res.Scores, score)
	if score.Err != nil && score.Err.Kind.Withheld() {
		res.Verdict, res.Layer, res.Err = newel.Failed, newel.NoLayer, score.Err
		return
	}
	if res.Layer == newel.Floor && res.Verdict == newel.Fail {
		res.Audit = &newel.Audit{Layer: newel.Judge, Verdict: score.Verdict, Value: score.Value, HasValue: score.HasValue}
		return
	}
	if settled {
		res.Audit = &newel.Audit{Layer: res.Layer, Verdict: res.Verdict, Value: res.Value, HasValue: res.HasValue}
	}
	decide(res, newel.Judge, len(res.Scores)-1)
}

// guard asks a scorer and turns what it must not do into an error of the row:
// one case never ends a run.
func guard(ctx context.Context, scorer newel.Scorer, s *newel.Subject) (score newel.Score) {
	defer func() {
		if cause := recover(); cause != nil {
			score = newel.Broken(newel.KindInternal, fmt.Sprintf("%s: panic: %v", scorer.Name(), cause))
			score.Scorer, score.Layer = scorer.Name(), newel.Floor
		}
	}()
	score = scorer.Score(ctx, s)
	if score.Verdict == newel.Failed && score.Err == nil {
		score.Err = &newel.ScoreError{Kind: newel.KindInternal, Message: scorer.Name() + " gave an error without saying which"}
	}
	return score
}
