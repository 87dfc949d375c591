package report

import (
	"fmt"
	"io"

	"newel"
)

// How much evidence a row shows without Verbose, and the length in characters of
// each piece.
const (
	rowEvidence       = 5
	rowEvidenceLength = 300
)

// RowText writes rows as a list for people: the case, the rubric, the check that
// decided, why, and the evidence. Which rows (the failing ones, one rubric, one
// case) is the caller's choice; they are written as they come.
func RowText(w io.Writer, rows Rows, opt TextOptions) error {
	p := newPage(w, opt)
	n := 0
	for row, err := range rows {
		if err != nil {
			return fmt.Errorf("render rows: %w", err)
		}
		if n > 0 {
			p.line("")
		}
		n++
		p.row(&row)
	}
	if n == 0 {
		p.line("no such rows")
	}
	return p.close()
}

func (p *page) row(r *newel.Row) {
	check, why := decider(r)
	state := fit(Visible(r.Verdict), 12)
	name := fitName(Visible(shownAs(r)), max(minFlex, p.width-len(state)-2))
	p.line(p.tint(verdictTone(r.Verdict), state) + "  " + p.tint(bold, name))
	head := Visible(r.Rubric)
	if check != "" && check != r.Layer {
		head += " / " + Visible(check)
	}
	if r.Layer != "" {
		head += " (" + Visible(r.Layer) + ")"
	}
	facts := rowFacts(r)
	if cost := rowCost(r); cost != "" {
		facts += " · " + cost
	}
	p.para(6, plainTone, head+facts, 0)
	if len(r.Dims) > 0 {
		p.para(6, dim, pairs(r.Dims), 0)
	}
	p.why(why)
	p.evidence(r.Evidence)
}

// rowFacts are the value, choice, reason and error kind of a row.
func rowFacts(r *newel.Row) string {
	text := ""
	if r.Value != nil {
		text += " · value " + r.Value.String()
	}
	if r.Choice != "" {
		text += " · choice " + Visible(r.Choice)
	}
	if r.Reason != "" {
		text += " · " + Visible(r.Reason)
	}
	if r.Error != nil {
		text += " · error " + Visible(string(r.Error.Kind))
	}
	if r.Quarantined {
		text += " · in quarantine"
	}
	return text
}

func (p *page) evidence(list []newel.Evidence) {
	shown, length, lines := list, 1<<30, 0
	if !p.verbose {
		shown, length, lines = list[:min(rowEvidence, len(list))], rowEvidenceLength, 3
	}
	for _, e := range shown {
		p.data(8, dim, "- "+evidenceLine(e, length), lines)
	}
	if left := len(list) - len(shown); left > 0 {
		p.para(8, dim, "and "+count(left)+" more", 0)
	}
}
