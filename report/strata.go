package report

import (
	"slices"

	"newel"
)

// sampledRubrics are those whose rate is put together from strata that a judge
// saw in part, or that it audited; with all, every rubric that has strata.
func sampledRubrics(sum *newel.Summary, all bool) []newel.RubricSummary {
	return slices.DeleteFunc(slices.Clone(sum.Rubrics), func(r newel.RubricSummary) bool {
		seen := func(s newel.Stratum) bool { return s.Decided+s.Missing < s.Rows || s.Audit != nil && s.Audit.N > 0 }
		return len(r.Strata) == 0 || !all && !slices.ContainsFunc(r.Strata, seen)
	})
}

// strataTitle says what the table is about: where nothing was sampled, only what
// audits found.
func strataTitle(shown []newel.RubricSummary) string {
	sampled := func(s newel.Stratum) bool { return s.Decided+s.Missing < s.Rows }
	if slices.ContainsFunc(shown, func(r newel.RubricSummary) bool { return slices.ContainsFunc(r.Strata, sampled) }) {
		return "What sampled rates are made of"
	}
	return "What audits found"
}

// strata shows the groups that rates are put together from, and what the audit
// of each found.
func (p *page) strata(sum *newel.Summary) {
	shown := sampledRubrics(sum, p.verbose)
	if len(shown) == 0 {
		return
	}
	p.title(strataTitle(shown))
	t := &table{columns: []column{names("rubric"), fixed("settled by"), right("rows"), right("decided"), right("rate"), fixed("audit")}}
	for _, r := range shown {
		for _, s := range r.Strata {
			row := cells(Visible(r.Name), settledBy(s), count(s.Rows), count(s.Decided), rate(s.Rate, nil), auditState(s))
			if s.Audit != nil {
				row.cells[5].tone = auditTone(s.Audit.State)
			}
			if note := auditNote(s); note != "" {
				row.under = []string{note}
			}
			t.add(row)
		}
	}
	p.table(t)
}

// settledBy names a stratum.
func settledBy(s newel.Stratum) string {
	if s.Layer == "" {
		return "nobody: residual"
	}
	return Visible(s.Layer) + ": " + Visible(s.Verdict)
}

func auditState(s newel.Stratum) string {
	switch {
	case s.Audit == nil:
		return nothing
	case s.Audit.State == "":
		return "final"
	}
	return Visible(string(s.Audit.State))
}

func auditTone(state newel.AuditState) tone {
	switch state {
	case newel.AuditKept:
		return good
	case newel.AuditAlarm:
		return bad
	case newel.AuditUnproven:
		return unsure
	}
	return plainTone
}

// auditNote says what the judge found where a layer below had settled.
func auditNote(s newel.Stratum) string {
	a := s.Audit
	switch {
	case a == nil:
		return ""
	case a.State == "":
		return "the judge thought otherwise of " + count(a.Wrong) + " of " + count(a.N) + " that it saw; a floor's fail is final"
	case a.N == 0:
		return "none of it was audited: nothing is known of its errors; allowed " + rate(a.Allowed, nil)
	}
	return count(a.Wrong) + " of " + count(a.N) + " audited wrong: " + rate(a.Error, a.Interval) + "; allowed " + rate(a.Allowed, nil)
}

func mdStrata(sum *newel.Summary) mdTable {
	shown := sampledRubrics(sum, false)
	t := mdTable{title: strataTitle(shown), head: []string{"rubric", "settled by", "audit", "rows", "decided", "rate"}, right: 3}
	for _, r := range shown {
		for _, s := range r.Strata {
			audit := nothing
			if s.Audit != nil {
				audit = codeCell(auditState(s)) + " " + auditNote(s)
			}
			t.rows = append(t.rows, []string{codeCell(r.Name), codeCell(settledBy(s)), audit, count(s.Rows), count(s.Decided), rate(s.Rate, nil)})
		}
	}
	return t
}
