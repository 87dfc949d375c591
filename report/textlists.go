package report

import (
	"github.com/rivo/uniseg"

	"newel"
)

func (p *page) times(sum *newel.Summary) {
	t := sum.Times
	p.title("Time")
	p.item("wall   ", plainTone, wall(t), 0)
	p.item("started", plainTone, instant(t.Started), 0)
	if !t.Sealed.IsZero() {
		p.item("sealed ", plainTone, instant(t.Sealed), 0)
	}
}

// wall is how long a run took. What stood still in between is not told apart.
func wall(t newel.Times) string {
	if t.Sealed.IsZero() {
		return span(t.WallMS)
	}
	return span(t.WallMS) + " from plan to seal, pauses included"
}

// failing lists the first failing cases with their reasons.
func (p *page) failing(sum *newel.Summary) {
	if len(sum.Failing) == 0 {
		return
	}
	shown := sum.Failing
	if !p.verbose && len(shown) > textFailing+1 {
		shown = shown[:textFailing]
	}
	p.title("Failing cases, the first " + count(len(shown)) + " of " + counted(max(sum.Ledger.Fail, len(sum.Failing)), "failing row", "failing rows"))
	for _, f := range shown {
		p.failingLine(f.Case, f.Rubric, f.Check)
		p.why(f.Why)
	}
	p.para(2, dim, "all of them: newel show "+ShellWord(sum.Run)+" --failing"+p.hint, 0)
}

// failingLine names a row; a name that is too long for the page is cut.
func (p *page) failingLine(name, rubric, check string) {
	rest := Visible(rubric)
	if check != "" {
		rest += " / " + Visible(check)
	}
	half := max(minFlex, p.width/2)
	shown := fitName(Visible(name), half)
	p.line("  " + p.tint(bold, shown) + "  " + fit(rest, max(minFlex, p.width-4-uniseg.StringWidth(shown))))
}

// why is the reason under a failing row, three lines of it at most unless
// Verbose.
func (p *page) why(reason string) {
	if reason == "" {
		return
	}
	lines := 3
	if p.verbose {
		lines = 0
	}
	p.data(6, plainTone, reason, lines)
}

func (p *page) quarantine(sum *newel.Summary) {
	if len(sum.Quarantine) == 0 {
		return
	}
	p.title("Quarantine: counted apart, in no rate and no rule")
	t := &table{columns: []column{names("case"), fixed("until"), fixed("state")}}
	for _, q := range sum.Quarantine {
		row := cells(Visible(q.ID), Visible(q.Until), Visible(q.State))
		row.under = []string{Visible(q.Why)}
		t.add(row)
	}
	p.table(t)
}

func (p *page) warnings(sum *newel.Summary) {
	if len(sum.Warnings) == 0 {
		return
	}
	p.line("")
	for _, w := range sum.Warnings {
		p.item("warning:", unsure, Visible(w), 0)
	}
}

// digest is the last line.
func (p *page) digest(sum *newel.Summary) {
	p.line("")
	switch {
	case incomplete(sum):
		p.line(p.tint(unsure, "INCOMPLETE") + "  no report digest; go on with")
		p.para(12, bold, resume(sum)+p.goOn, 0)
	case sum.Digest == "":
		p.line("report digest  none")
	default:
		p.line("report digest  " + Visible(sum.Digest))
	}
}
