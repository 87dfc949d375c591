package gate

import (
	"newel"
	"newel/stat"
)

// Audit counts, for each stratum of a rubric that a layer below the judge
// settled, the rows, those that the judge saw anyway, and those that it turned.
// The zero value is empty.
type Audit struct{ at [settledStrata]auditCount }

type auditCount struct{ rows, judged, wrong int64 }

// settledStrata is one more than the highest stratum that a layer below the
// judge settles.
const settledStrata = 8

// Add takes in a row of a rubric that has a judge.
func (a *Audit) Add(res *newel.Result) {
	layer, verdict := settledBy(res)
	if res.Layer == newel.Floor && res.Verdict == newel.Fail { // its Audit is the judge's
		layer, verdict = newel.Floor, newel.Fail
	}
	if layer == newel.NoLayer || !verdict.Settled() {
		return
	}
	s := &a.at[settledStratum(layer, verdict)]
	s.rows++
	said := newel.Undecided
	switch {
	case res.Audit == nil:
	case res.Layer == newel.Judge:
		said = res.Verdict
	case res.Audit.Layer == newel.Judge:
		said = res.Audit.Verdict
	}
	if said.Settled() {
		s.judged++
		if said != verdict {
			s.wrong++
		}
	}
}

// Audited is what the audit of one stratum found. A floor's fail is final and
// has no allowance: its finding says how often the judge thought otherwise, and
// decides nothing.
type Audited struct {
	Layer               newel.Layer
	Verdict             newel.Verdict
	Rows, Judged, Wrong int64
	Final               bool // a floor's fail
	Allowed             float64
	stat.Audit
}

// Allowance is the share of what a layer settled as pass or fail that may be
// wrong; nil: DefaultAllowance of each.
type Allowance func(rubric string, layer newel.Layer, settled newel.Verdict) float64

// DefaultAllowance is the share of settled rows that may be wrong where nobody
// says otherwise.
const DefaultAllowance = 0.02

func (a Allowance) of(rubric string, layer newel.Layer, settled newel.Verdict) float64 {
	if a == nil {
		return DefaultAllowance
	}
	return a(rubric, layer, settled)
}

// Findings lists the strata that have rows, floor before classifier, fail
// before pass.
func (a *Audit) Findings(rubric string, allowance Allowance) []Audited {
	var out []Audited
	strata := 0
	for _, layer := range []newel.Layer{newel.Floor, newel.Classifier} {
		for _, verdict := range []newel.Verdict{newel.Fail, newel.Pass} {
			s := a.at[settledStratum(layer, verdict)]
			if s.rows == 0 {
				continue
			}
			one := Audited{Layer: layer, Verdict: verdict, Rows: s.rows, Judged: s.judged, Wrong: s.wrong,
				Final: layer == newel.Floor && verdict == newel.Fail, Allowed: 1}
			if !one.Final {
				one.Allowed = allowance.of(rubric, layer, verdict)
				strata++
			}
			out = append(out, one)
		}
	}
	for i := range out {
		a := &out[i]
		a.Audit = stat.AuditStratum(a.Wrong, a.Judged, a.Allowed, strata)
		if a.Final {
			a.State = ""
		}
	}
	return out
}

// alarm returns what the audit of a rubric found to be surely worse than
// allowed, empty where it found nothing.
func (c *Collector) alarm(rubric int) string {
	for _, a := range c.audits[rubric].Findings(c.plan.Rubrics[rubric], c.opt.Allowance) {
		if a.Final || a.Judged == 0 || a.State != stat.Alarm {
			continue
		}
		return "the audit found " + count(a.Wrong) + " of " + count(a.Judged) + " rows wrong that the " + a.Layer.String() +
			" settled as " + a.Verdict.String() + ", surely more than the " + percent(a.Allowed) + " % allowed"
	}
	return ""
}
