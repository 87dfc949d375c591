package eval

import (
	"fmt"
	"math"
	"sort"
	"time"

	"newel"
	"newel/stat"
)

// Summary closes the fold.
func (f *Fold) Summary() (*newel.Summary, error) {
	run, plan := f.run, &f.run.Plan
	sum := &newel.Summary{
		Run: run.ID, Labels: run.Labels, Runner: run.Runner, State: run.State,
		Suite: newel.SuiteRef{Name: run.Suite, Digest: plan.SuiteDigest.String()},
		Plan:  newel.PlanRef{Digest: hashText(plan.Digest), Items: plan.Items, Cases: plan.Cases, Rubrics: len(plan.Rubrics), Trials: plan.Trials},
		Cases: f.cases, Agreement: []newel.Agreement{}, Slices: []newel.Slice{}, Failing: f.failing,
		Cost:  f.cost,
		Times: newel.Times{Created: run.Created, Started: run.Started, Sealed: run.Sealed},
	}
	if sum.Labels == nil {
		sum.Labels = map[string]string{}
	}
	for i, r := range f.rubrics {
		one := f.rubric(i, r)
		sum.Rubrics = append(sum.Rubrics, one)
		plus(&sum.Ledger, one.Ledger)
		if raters := r.raters.summary(); raters != nil || !r.agreement.empty() {
			agreement := r.agreement.summary(one.Name)
			agreement.Raters = raters
			sum.Agreement = append(sum.Agreement, agreement)
		}
	}
	f.addSlices(sum)
	f.warn(sum)
	if !run.Sealed.IsZero() {
		sum.Times.WallMS = run.Sealed.Sub(run.Created).Round(time.Millisecond).Milliseconds()
	}
	if f.digest != nil && f.full && !plan.Digest.IsZero() {
		digest, err := f.digest.Sum()
		if err != nil {
			return nil, err
		}
		sum.Digest = digest.String()
	}
	return sum, nil
}

func hashText(h newel.Hash) string {
	if h.IsZero() {
		return ""
	}
	return h.String()
}

func plus(l *newel.Ledger, o newel.Ledger) {
	l.Planned += o.Planned
	l.Pass += o.Pass
	l.Fail += o.Fail
	l.Unjudged += o.Unjudged
	l.Error += o.Error
}

func (f *Fold) rubric(i int, r *rubricFold) newel.RubricSummary {
	plan := &f.run.Plan
	out := newel.RubricSummary{
		Name: plan.Rubrics[i], Ledger: r.ledger, Layers: r.layers, Errors: r.errors, Quarantined: r.quarantined,
		Confidence: f.opt.Confidence, MeasureOnly: plan.Measures[i], Values: []newel.ValueSummary{}, Checks: []newel.CheckSummary{},
	}
	if !plan.Measures[i] {
		f.rate(&out, r, plan.Judged[i])
	}
	var names []string
	if i < len(f.opt.Choices) {
		names = f.opt.Choices[i]
	}
	out.Choices = r.chosen.summary(names)
	for _, name := range scorerOrder(plan.Scorers[i], r.checks) {
		out.Checks = append(out.Checks, *r.checks[name])
		if v := r.values[name]; v != nil {
			out.Values = append(out.Values, v.summary(name, f.level.Alpha()))
		}
	}
	return out
}

// rate fills in a rubric's estimate.
func (f *Fold) rate(out *newel.RubricSummary, r *rubricFold, judged bool) {
	rows := r.tally.Rows()
	if len(rows) == 0 {
		return
	}
	got := stat.RateRule{Level: f.level}.Decide(rows)
	out.Rate, out.Interval = number(got.Point), interval(got.Interval)
	out.Clusters = int(got.Clusters)
	out.Method = "Clopper–Pearson"
	if judged {
		out.Strata = f.strata(out.Name, &r.audit, got.Strata)
	}
	switch {
	case sampledAny(got.Strata):
		out.Method = "Korn–Graubard over post-stratified regression"
	case got.Clusters != got.Rows:
		out.Method = "Korn–Graubard, clustered"
	}
	if got.Missing > 0 {
		out.Bounds = &[2]float64{got.Bounds.Low, got.Bounds.High}
	}
}

// scorerOrder lists scorers as the suite has them, then those of cases by
// name.
func scorerOrder(known []string, seen map[string]*newel.CheckSummary) []string {
	var out, rest []string
	named := map[string]bool{}
	for _, n := range known {
		named[n] = true
		if seen[n] != nil {
			out = append(out, n)
		}
	}
	for n := range seen {
		if !named[n] {
			rest = append(rest, n)
		}
	}
	sort.Strings(rest)
	return append(out, rest...)
}

func (f *Fold) addSlices(sum *newel.Summary) {
	for _, s := range f.sortedSlices() {
		for i, c := range s.cells {
			if c.ledger.Planned == 0 {
				continue
			}
			line := newel.Slice{Dims: map[string]string{}, Rubric: f.run.Plan.Rubrics[i], Ledger: c.ledger}
			for _, d := range s.dims {
				line.Dims[d.Name] = d.Value
			}
			if rows := c.tally.Rows(); len(rows) > 0 {
				got := stat.RateRule{Level: f.level}.Decide(rows)
				line.Rate, line.Interval = number(got.Point), interval(got.Interval)
			}
			if !c.agreement.empty() {
				a := c.agreement.summary(line.Rubric)
				line.Agreement = &a
			}
			sum.Slices = append(sum.Slices, line)
		}
	}
}

func (f *Fold) warn(sum *newel.Summary) {
	crowded := make([]string, 0, len(f.crowded))
	for name := range f.crowded {
		crowded = append(crowded, name)
	}
	sort.Strings(crowded)
	sum.Warnings = append(sum.Warnings, f.labels.Warnings()...)
	for i, r := range f.rubrics {
		if r.agreement.choices.tooMany() {
			sum.Warnings = append(sum.Warnings, fmt.Sprintf("label %q: more than %d different labels or choices: not compared", f.run.Plan.Rubrics[i], maxChoices))
		}
		if r.raters.crowded {
			sum.Warnings = append(sum.Warnings, fmt.Sprintf("raters %q: more than %d people or %d different labels: not compared", f.run.Plan.Rubrics[i], maxRaters, maxChoices))
		}
	}
	for i := range sum.Rubrics {
		if r := &sum.Rubrics[i]; turns(r.Choices) {
			o := r.Choices.Orders
			sum.Warnings = append(sum.Warnings, fmt.Sprintf("rubric %q: in %d of %d pairs the judge chose by the order in which they were shown (%d times the first, %d the second): it tells little about them", r.Name, o.First+o.Second, o.Asked, o.First, o.Second))
		}
	}
	for _, name := range crowded {
		sum.Warnings = append(sum.Warnings, "slices by "+name+" are left out: more than 1,000 values; name the dimensions to slice by under slices")
	}
}

// number is nil for what does not exist.
func number(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

func interval(i stat.Interval) *[2]float64 {
	if math.IsNaN(i.Low) || math.IsNaN(i.High) || math.IsInf(i.Low, 0) || math.IsInf(i.High, 0) {
		return nil
	}
	return &[2]float64{i.Low, i.High}
}
