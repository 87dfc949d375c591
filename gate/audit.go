package gate

import (
	"newel"
	"newel/stat"
)

// audit counts, for each settled stratum of a rubric, the rows that the judge
// saw anyway and those that it turned.
type audit [settledStrata]struct{ rows, judged, wrong int64 }

// settledStrata is one more than the highest stratum that a layer below the
// judge settles.
const settledStrata = 8

func (a *audit) add(res *newel.Result, stratum uint16) {
	if stratum <= residual || int(stratum) >= len(a) {
		return
	}
	s := &a[stratum]
	s.rows++
	if res.Layer == newel.Judge && res.Verdict.Settled() && res.Audit != nil {
		s.judged++
		if res.Verdict != res.Audit.Verdict {
			s.wrong++
		}
	}
}

// defaultAllowance is the share of settled rows that may be wrong where nobody
// says otherwise.
const defaultAllowance = 0.02

// alarm returns what the audit of a rubric found to be surely worse than
// allowed, empty where it found nothing.
func (c *Collector) alarm(rubric int) string {
	strata := 0
	for _, s := range c.audits[rubric] {
		if s.rows > 0 {
			strata++
		}
	}
	for _, layer := range []newel.Layer{newel.Floor, newel.Classifier} {
		for _, verdict := range []newel.Verdict{newel.Pass, newel.Fail} {
			s := c.audits[rubric][settledStratum(layer, verdict)]
			allowed := c.allowance(rubric, layer, verdict)
			if s.judged == 0 || stat.AuditStratum(s.wrong, s.judged, allowed, strata).State != stat.Alarm {
				continue
			}
			return "the audit found " + count(s.wrong) + " of " + count(s.judged) + " rows wrong that the " + layer.String() +
				" settled as " + verdict.String() + ", surely more than the " + percent(allowed) + " % allowed"
		}
	}
	return ""
}

func (c *Collector) allowance(rubric int, layer newel.Layer, verdict newel.Verdict) float64 {
	if c.opt.Allowance == nil {
		return defaultAllowance
	}
	return c.opt.Allowance(c.plan.Rubrics[rubric], layer, verdict)
}
