package report

import (
	"io"

	"newel"
)

// Diff compares two runs case by case. Verdicts are from A to B: broken passed
// in A and fails in B.
type Diff struct {
	A       DiffRun   `json:"a"`
	B       DiffRun   `json:"b"`
	Pairs   int       `json:"pairs"` // rows that both runs have
	Same    int       `json:"same"`  // pairs with the same verdict and layer
	OnlyA   int       `json:"only_a"`
	OnlyB   int       `json:"only_b"`
	Broken  DiffRows  `json:"broken"`
	Fixed   DiffRows  `json:"fixed"`
	Verdict DiffRows  `json:"changed_verdict"` // other changes, such as pass to error
	Layer   DiffRows  `json:"changed_layer"`   // the same verdict, decided elsewhere
	Cost    DiffCosts `json:"changed_cost"`
}

// DiffRun names one side.
type DiffRun struct {
	Run    string `json:"run"`
	Suite  string `json:"suite"`
	Digest string `json:"digest,omitempty"` // of the report
}

// DiffRows is how many rows changed in one way, and those that are shown.
type DiffRows struct {
	N    int       `json:"n"`
	Rows []DiffRow `json:"rows"`
}

// DiffRow is one row in both runs.
type DiffRow struct {
	Case      string `json:"case"`
	Rubric    string `json:"rubric"`
	From      string `json:"from"` // verdict
	To        string `json:"to"`
	FromLayer string `json:"from_layer"`
	ToLayer   string `json:"to_layer"`
	Why       string `json:"why,omitempty"` // of the row that is worse
}

// DiffCosts is how many cases cost another amount, those that are shown, and
// both totals. A nil amount is not known.
type DiffCosts struct {
	N    int          `json:"n"`
	From *newel.Money `json:"from"`
	To   *newel.Money `json:"to"`
	Rows []DiffCost   `json:"rows"`
}

// DiffCost is what one case cost in both runs.
type DiffCost struct {
	Case string       `json:"case"`
	From *newel.Money `json:"from"`
	To   *newel.Money `json:"to"`
}

// DiffJSON writes d as indented JSON.
func DiffJSON(w io.Writer, d *Diff) error {
	out := *d
	for _, list := range []*DiffRows{&out.Broken, &out.Fixed, &out.Verdict, &out.Layer} {
		list.Rows = listed(list.Rows)
	}
	out.Cost.Rows = listed(out.Cost.Rows)
	return indented(w, out)
}

// DiffText writes d for people. Its first line has the counts.
func DiffText(w io.Writer, d *Diff, opt TextOptions) error {
	p := newPage(w, opt)
	p.line(p.tint(toneIf(d.Broken.N > 0, bad), count(d.Broken.N)+" broken") + ", " +
		p.tint(toneIf(d.Fixed.N > 0, good), count(d.Fixed.N)+" fixed") + ", " +
		count(d.Verdict.N) + " otherwise changed, " + count(d.Same) + " the same, of " + counted(d.Pairs, "pair", "pairs"))
	p.line("")
	p.item("from", plainTone, diffRun(d.A), 0)
	p.item("to  ", plainTone, diffRun(d.B), 0)
	if d.OnlyA+d.OnlyB > 0 {
		p.para(2, unsure, "not compared: "+count(d.OnlyA)+" only in the first, "+count(d.OnlyB)+" only in the second", 0)
	}
	p.diffRows("Broken", bad, d.Broken)
	p.diffRows("Fixed", good, d.Fixed)
	p.diffRows("Otherwise changed", unsure, d.Verdict)
	p.diffRows("Decided by another layer", plainTone, d.Layer)
	p.diffCosts(d.Cost)
	return p.close()
}

func diffRun(r DiffRun) string {
	text := Visible(r.Run) + ", suite " + Visible(r.Suite)
	if r.Digest != "" {
		text += ", report " + short(r.Digest)
	}
	return text
}

func (p *page) diffRows(title string, t tone, list DiffRows) {
	if list.N == 0 {
		return
	}
	p.title(title + ": " + count(list.N))
	tb := &table{columns: []column{names("case"), names("rubric"), fixed("from"), fixed("to")}}
	for _, r := range list.Rows {
		row := cells(Visible(r.Case), Visible(r.Rubric), at(r.From, r.FromLayer), at(r.To, r.ToLayer))
		row.cells[3].tone = t
		if r.Why != "" {
			row.under = []string{p.clipped(Visible(r.Why))}
		}
		tb.add(row)
	}
	p.table(tb)
	p.more(list.N - len(list.Rows))
}

// clipped shortens a reason unless everything is asked for.
func (p *page) clipped(text string) string {
	if p.verbose {
		return text
	}
	return clip(text, rowEvidenceLength)
}

func (p *page) more(n int) {
	if n > 0 {
		p.para(2, dim, "and "+count(n)+" more", 0)
	}
}

// at is a verdict with the layer that gave it.
func at(verdict, layer string) string {
	if layer == "" {
		return Visible(verdict)
	}
	return Visible(verdict) + " (" + Visible(layer) + ")"
}

func (p *page) diffCosts(list DiffCosts) {
	if list.N == 0 {
		return
	}
	p.title("Cost changed: " + counted(list.N, "case", "cases"))
	t := &table{columns: []column{names("case"), right("from"), right("to")}}
	t.add(cells("all cases", amount(list.From), amount(list.To)))
	for _, r := range list.Rows {
		t.add(cells(Visible(r.Case), amount(r.From), amount(r.To)))
	}
	p.table(t)
	p.more(list.N - len(list.Rows))
}

// amount is money that may not be known.
func amount(m *newel.Money) string {
	if m == nil {
		return "unknown"
	}
	return dollars(*m)
}
