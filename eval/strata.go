package eval

import (
	"newel"
	"newel/gate"
	"newel/stat"
)

// strata says what a rubric with a judge is put together from: the settled
// groups, each with what its audit found, then the residual.
func (f *Fold) strata(rubric string, audit *gate.Audit, found []stat.Stratum) []newel.Stratum {
	audits := audit.Findings(rubric, f.opt.Allowance)
	var out []newel.Stratum
	residual := -1
	for _, s := range found {
		layer, verdict := gate.StratumOf(s.Index)
		line := newel.Stratum{Layer: layer.String(), Rows: int(s.Rows), Decided: int(s.Decided), Missing: int(s.Missing), Rate: number(s.Rate)}
		if layer == newel.NoLayer {
			residual = len(out)
		} else {
			line.Verdict = verdict.String()
		}
		for i := range audits {
			if audits[i].Layer == layer && audits[i].Verdict == verdict {
				line.Audit = audited(&audits[i])
			}
		}
		out = append(out, line)
	}
	if residual >= 0 {
		last := out[residual]
		out = append(append(out[:residual:residual], out[residual+1:]...), last)
	}
	return out
}

// audited is a finding as it is reported, nil for a final stratum that nobody
// looked at.
func audited(a *gate.Audited) *newel.Audited {
	if a.Final && a.Judged == 0 {
		return nil
	}
	out := &newel.Audited{N: int(a.Judged), Wrong: int(a.Wrong), State: newel.AuditState(a.State)}
	if a.Judged > 0 {
		out.Error, out.Interval = number(float64(a.Wrong)/float64(a.Judged)), interval(a.Interval)
	}
	if !a.Final {
		out.Allowed = number(a.Allowed)
	}
	return out
}

// sampledAny reports whether the judge left rows of a stratum to its others.
func sampledAny(strata []stat.Stratum) bool {
	for _, s := range strata {
		if s.Decided+s.Missing < s.Rows {
			return true
		}
	}
	return false
}
