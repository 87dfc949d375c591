package report

import (
	"strings"

	"newel"
)

// textChosen is how many choices of a rubric are listed, without Verbose.
const textChosen = 20

// chosen shows what judges chose, whether or not people labelled the same, and
// whether they went by the order in which pairs were shown.
func (p *page) chosen(sum *newel.Summary) {
	t := &table{columns: []column{names("rubric"), names("choice"), right("n"), right("share")}}
	for _, r := range sum.Rubrics {
		c := r.Choices
		if c == nil {
			continue
		}
		shown := c.Counts
		if !p.verbose && len(shown) > textChosen {
			shown = shown[:textChosen]
		}
		for _, one := range shown {
			t.add(cells(Visible(r.Name), Visible(one.Choice), count(one.N), chosenShare(one.N, c.N)))
		}
		under := chosenNotes(c, len(shown))
		switch {
		case len(shown) == 0 && under != "":
			row := cells(Visible(r.Name), nothing, "0", nothing)
			row.under = []string{under}
			t.add(row)
		case len(shown) > 0:
			t.rows[len(t.rows)-1].under = []string{under}
		}
	}
	if len(t.rows) == 0 {
		return
	}
	p.title("What judges chose")
	p.table(t)
}

func chosenShare(n, of int) string {
	if of == 0 {
		return nothing
	}
	return hundredths(float64(n)/float64(of)) + " %"
}

// chosenNotes says what stands below the choices of a rubric.
func chosenNotes(c *newel.ChoiceSummary, shown int) string {
	var notes []string
	if more := len(c.Counts) - shown; more > 0 {
		notes = append(notes, "and "+counted(more, "choice", "choices")+" more")
	}
	if o := c.Orders; o != nil {
		notes = append(notes, ordersNote(o))
	}
	return strings.Join(notes, " · ")
}

// ordersNote says how often a pair was judged alike in both orders.
func ordersNote(o *newel.OrderSummary) string {
	text := "same choice in both orders: " + count(o.Same) + " of " + counted(o.Asked, "pair", "pairs") + " (" + chosenShare(o.Same, o.Asked) + ")"
	if o.First+o.Second > 0 {
		text += "; turned with the order: " + count(o.First) + " chose what was shown first, " + count(o.Second) + " second"
	}
	if tied := o.Asked - o.Same - o.First - o.Second; tied > 0 {
		text += "; " + count(tied) + " a tie in one order alone"
	}
	return text
}

func mdChosen(sum *newel.Summary) mdTable {
	t := mdTable{title: "What judges chose", head: []string{"rubric", "choice", "n", "share"}, right: 2}
	for _, r := range sum.Rubrics {
		if r.Choices == nil {
			continue
		}
		for _, one := range r.Choices.Counts {
			t.rows = append(t.rows, []string{codeCell(r.Name), codeCell(one.Choice), count(one.N), chosenShare(one.N, r.Choices.N)})
		}
	}
	return t
}

func mdOrders(sum *newel.Summary) mdTable {
	t := mdTable{title: "Pairs in both orders", head: []string{"rubric", "pairs", "same choice", "position consistency", "chose the first twice", "chose the second twice"}, right: 1}
	for _, r := range sum.Rubrics {
		if r.Choices == nil || r.Choices.Orders == nil {
			continue
		}
		o := r.Choices.Orders
		t.rows = append(t.rows, []string{codeCell(r.Name), count(o.Asked), count(o.Same), chosenShare(o.Same, o.Asked), count(o.First), count(o.Second)})
	}
	return t
}
