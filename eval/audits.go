package eval

import "newel"

// countJudged counts the rows of rubrics that have a judge.
func (p *planner) countJudged(applies newel.Bitmap) {
	for i, judged := range p.def.Judged {
		if judged && applies.Has(i) {
			p.rows[i]++
		}
	}
}

// An audit that the suite leaves open takes at least this share, and this many
// rows if there are so many: with 60 a layer's error is known well enough, and
// there are two verdicts that it can settle.
const (
	leastAudit  = 0.02
	auditedRows = 120
)

func (p *planner) audits() []float64 {
	out := make([]float64, len(p.def.Judged))
	for i, judged := range p.def.Judged {
		switch {
		case !judged || p.rows[i] == 0:
		case i < len(p.def.Audits) && p.def.Audits[i] >= 0:
			out[i] = p.def.Audits[i]
		default:
			out[i] = Audit(p.rows[i])
		}
	}
	return out
}

// Audit is the share of what settles below a judge that it sees all the same,
// where a suite does not say: of so many rows of the rubric.
func Audit(rows int) float64 {
	return max(leastAudit, min(1, float64(auditedRows)/float64(max(1, rows))))
}
