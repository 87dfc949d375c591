package report

import (
	"strings"

	"newel"
)

// abTable is a table of a comparison, for text and Markdown. The first cell of a
// row is a name from data.
type abTable struct {
	title string
	head  []string
	words int // so many columns are words, the others numbers
	rows  [][]string
	under []string // by row; nil: nothing
}

// text is the table for a terminal.
func (t *abTable) text() *table {
	out := &table{}
	for i, h := range t.head {
		switch {
		case i == 0:
			out.columns = append(out.columns, names(h))
		case i < t.words:
			out.columns = append(out.columns, fixed(h))
		default:
			out.columns = append(out.columns, right(h))
		}
	}
	for i, r := range t.rows {
		row := cells(r...)
		row.cells[0].text = Visible(r[0])
		if i < len(t.under) && t.under[i] != "" {
			row.under = []string{t.under[i]}
		}
		out.add(row)
	}
	return out
}

// markdown is the table for a page.
func (t *abTable) markdown() mdTable {
	out := mdTable{title: t.title, head: t.head, right: t.words}
	for _, r := range t.rows {
		out.rows = append(out.rows, append([]string{codeCell(r[0])}, r[1:]...))
	}
	return out
}

// tables lists what there is to show.
func (ab *AB) tables() []abTable {
	all := []abTable{ab.sideTable(), ab.priceTable(), ab.peopleTable(), ab.betweenTable()}
	out := all[:0]
	for _, t := range all {
		if len(t.rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

func (ab *AB) sideTable() abTable {
	t := abTable{title: "Calls", head: []string{"side", "paid calls", "earlier", "shared", "cost known", "cost", "paid now"}, words: 1}
	for _, s := range ab.Sides {
		t.rows = append(t.rows, []string{s.Side, count(s.Calls - s.Cached), count(s.Cached), count(s.Shared), rate(s.Known, nil),
			abAmount(s.USD, s.inexact()), abAmount(&s.PaidUSD, s.PaidUnknown)})
		t.under = append(t.under, abGaps(&s))
	}
	return t
}

// abGaps says what of a side's cost is not known.
func abGaps(s *ABSide) string {
	if s.inexact() == 0 {
		return ""
	}
	o := outlay{calls: s.Calls, unknown: s.Unknown, partly: s.Partly, lost: s.Lost, held: s.HeldUSD}
	return "cost " + strings.TrimPrefix(o.rest(), ", ")
}

func (ab *AB) priceTable() abTable {
	t := abTable{title: "Dollars", head: []string{"rubric", "side", "rows", "replies", "cost", "a verdict", "agreed", "caught"}, words: 2}
	for _, r := range ab.Rubrics {
		for i, c := range r.Sides {
			gaps := c.Unknown + c.Partly
			t.rows = append(t.rows, []string{r.Name, ab.Sides[i].Side, count(c.Rows), count(c.Calls), abAmount(c.USD, gaps),
				abAmount(c.PerVerdict, gaps), abAmount(c.PerAgreed, gaps), abAmount(c.PerCaught, gaps)})
		}
	}
	return t
}

// abAmount is an amount that may not be compared, or not exist, and is a lower
// end where the cost of some calls is not known to the end.
func abAmount(usd *newel.Money, unknown int) string {
	switch {
	case usd == nil:
		return nothing
	case unknown > 0:
		return "≥ " + atLeast(*usd)
	}
	return dollars(*usd)
}

func (ab *AB) peopleTable() abTable {
	t := abTable{title: "Agreement with people's labels", head: []string{"rubric", "side", "n", "agree", "accuracy", "kappa", "fails caught"}, words: 2}
	for _, r := range ab.Rubrics {
		if r.Sides[0].N+r.Sides[1].N == 0 {
			continue
		}
		for i, c := range r.Sides {
			caught := nothing
			if c.Failures > 0 {
				caught = count(c.Caught) + " of " + count(c.Failures)
			}
			t.rows = append(t.rows, []string{r.Name, ab.Sides[i].Side, count(c.N), count(c.Agree), rate(c.Rate, nil), share(c.Kappa), caught})
		}
	}
	return t
}

func (ab *AB) betweenTable() abTable {
	t := abTable{title: "Agreement between the two", head: []string{"rubric", "n", "agree", "rate", "kappa", "differ", "cost a", "cost b"}, words: 1}
	for _, r := range ab.Rubrics {
		b, d := r.Between, r.Differ
		t.rows = append(t.rows, []string{r.Name, count(b.N), count(b.Agree), rate(b.Rate, nil), share(b.Kappa), count(d.N),
			abAmount(d.USD[0], d.Unknown[0]+d.Partly[0]), abAmount(d.USD[1], d.Unknown[1]+d.Partly[1])})
		t.under = append(t.under, abNotes(r))
	}
	return t
}

// abNotes says who is right where they differ, where that is, and what could not
// be compared.
func abNotes(r ABRubric) string {
	var notes []string
	d := r.Differ
	if d.Labelled > 0 {
		notes = append(notes, "people labelled "+count(d.Labelled)+" of those that differ: a is right in "+count(d.Right[0])+", b in "+count(d.Right[1]))
	}
	if d.N > 0 {
		notes = append(notes, "they differ on "+Visible(strings.Join(d.Cases, ", "))+moreCases(d.N-len(d.Cases)))
	}
	if r.Between.Missing > 0 {
		notes = append(notes, counted(r.Between.Missing, "row has", "rows have")+" no verdict of both")
	}
	return strings.Join(notes, " · ")
}

func moreCases(n int) string {
	if n <= 0 {
		return ""
	}
	return " and " + count(n) + " more"
}
