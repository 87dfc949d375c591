package eval

import (
	"newel"
	"newel/stat"
)

// agreementFold counts labels against verdicts, and against choices where a
// judge made them.
type agreementFold struct {
	table    [4]int // pass/pass, pass/fail, fail/pass, fail/fail
	unjudged int
	choices  choiceFold
}

// LabelVerdict reads a person's label as pass or fail: true and "pass", false
// and "fail".
func LabelVerdict(label newel.Raw) newel.Verdict {
	switch string(label) {
	case `true`, `"pass"`, `"true"`:
		return newel.Pass
	case `false`, `"fail"`, `"false"`:
		return newel.Fail
	}
	return newel.Undecided
}

func (a *agreementFold) add(label newel.Raw, res *newel.Result) {
	if label == nil {
		return
	}
	a.choices.add(label, res)
	want := LabelVerdict(label)
	if !want.Settled() {
		return
	}
	if !res.Verdict.Settled() {
		a.unjudged++
		return
	}
	at := 0
	if want == newel.Fail {
		at = 2
	}
	if res.Verdict == newel.Fail {
		at++
	}
	a.table[at]++
}

func (a *agreementFold) empty() bool {
	return a.table == [4]int{} && a.unjudged == 0 && !a.choices.compared()
}

func (a *agreementFold) summary(rubric string) newel.Agreement {
	if a.choices.compared() {
		return a.choices.summary(rubric)
	}
	t := a.table
	out := newel.Agreement{Rubric: rubric, Table: t, N: t[0] + t[1] + t[2] + t[3], Agree: t[0] + t[3], Unjudged: a.unjudged}
	if out.N == 0 {
		return out
	}
	got := stat.Table{Counts: [][]int64{{int64(t[0]), int64(t[1])}, {int64(t[2]), int64(t[3])}}}.Agreement(0, false)
	out.Accuracy, out.Precision, out.Recall = number(got.Accuracy), number(got.Precision), number(got.Recall)
	out.F1, out.Kappa = number(got.F1), number(got.Kappa)
	return out
}
