package report

import (
	"slices"

	"newel"
)

// How much of agreement the reports show.
const (
	textPairs   = 10 // pairs of people, without Verbose
	textChoices = 10 // choices side by side
	choiceWidth = 16 // columns of a choice's name at the head of a table
)

// figure is a line of agreement: a rubric, or the same with its unparsed replies
// counted wrong.
type figure struct {
	name                                   string
	n                                      int
	accuracy, precision, recall, f1, kappa *float64
	notes                                  string
}

func (f figure) cells() []string {
	return []string{count(f.n), share(f.accuracy), share(f.precision), share(f.recall), share(f.f1), share(f.kappa)}
}

// agreementFigures lists what labels were compared with. A rubric of which only
// raters are known has no line.
func agreementFigures(sum *newel.Summary) []figure {
	var out []figure
	for _, a := range sum.Agreement {
		if a.N+a.Unjudged == 0 {
			continue
		}
		out = append(out, figure{a.Rubric, a.N, a.Accuracy, a.Precision, a.Recall, a.F1, a.Kappa, agreementNotes(a)})
		if c := a.Choices; c != nil && c.Counted.N > c.LeftOut.N {
			k := c.Counted
			out = append(out, figure{a.Rubric, k.N, k.Accuracy, k.Precision, k.Recall, k.F1, k.Kappa,
				counted(k.N-c.LeftOut.N, "reply", "replies") + " that could not be read counted as wrong"})
		}
	}
	return out
}

const positivePass = "positive: pass"

// agreementTitle says which answer is the positive one.
func agreementTitle(sum *newel.Summary) string {
	verdicts := slices.ContainsFunc(sum.Agreement, func(a newel.Agreement) bool { return a.Choices == nil })
	choices := slices.ContainsFunc(sum.Agreement, func(a newel.Agreement) bool { return a.Choices != nil })
	switch {
	case !choices:
		return positivePass
	case !verdicts:
		return "means over the choices"
	}
	return positivePass + "; of choices the mean over them"
}

func (p *page) agreement(sum *newel.Summary) {
	lines := agreementFigures(sum)
	if len(lines) == 0 {
		return
	}
	p.title("Agreement with people's labels (" + agreementTitle(sum) + ")")
	t := &table{columns: []column{names("rubric"), right("n"), right("accuracy"), right("precision"), right("recall"), right("F1"), right("kappa")}}
	for _, f := range lines {
		row := cells(append([]string{Visible(f.name)}, f.cells()...)...)
		row.under = []string{f.notes}
		t.add(row)
	}
	p.table(t)
}

func agreementNotes(a newel.Agreement) string {
	if c := a.Choices; c != nil {
		unparsed := c.Counted.N - c.LeftOut.N
		notes := count(a.Agree) + " of " + count(a.N) + " chose the label"
		if unparsed > 0 {
			notes += " · " + counted(unparsed, "reply", "replies") + " that could not be read left out"
		}
		if open := a.Unjudged - unparsed; open > 0 {
			notes += " · " + count(open) + " labelled without a choice, not counted"
		}
		return notes
	}
	notes := "label/verdict: pass/pass " + count(a.Table[0]) + ", pass/fail " + count(a.Table[1]) +
		", fail/pass " + count(a.Table[2]) + ", fail/fail " + count(a.Table[3])
	if a.Unjudged > 0 {
		notes += " · " + count(a.Unjudged) + " labelled without a pass or fail, not counted"
	}
	return notes
}

// choices crosses people's labels with the judge's choices.
func (p *page) choices(sum *newel.Summary) {
	for _, a := range sum.Agreement {
		c := a.Choices
		if c == nil {
			continue
		}
		p.title("Choices of " + fit(Visible(a.Rubric), 40) + ", by people's label")
		if len(c.Names) > textChoices && !p.verbose {
			p.para(2, dim, count(len(c.Names))+" choices, too many to show side by side: newel report "+ShellWord(sum.Run)+" --as json"+p.hint, 0)
			continue
		}
		t := &table{columns: []column{names("label")}}
		for _, name := range c.Names {
			t.columns = append(t.columns, right(fit(Visible(name), choiceWidth)))
		}
		t.columns = append(t.columns, right("unparsed"))
		for i, name := range c.Names {
			row := cells(append([]string{Visible(name)}, choiceCounts(c, i)...)...)
			row.cells[i+1].tone = bold
			t.add(row)
		}
		p.table(t)
	}
}

// choiceCounts is what was chosen where people said label number i.
func choiceCounts(c *newel.ChoiceAgreement, i int) []string {
	var out []string
	for _, n := range c.Table[i] {
		out = append(out, count(n))
	}
	return append(out, count(c.Unparsed[i]))
}

// people shows how well those who labelled agree with each other.
func (p *page) people(sum *newel.Summary) {
	t := &table{columns: []column{names("rubric"), names("people"), right("n"), right("agree"), right("kappa")}}
	for _, a := range sum.Agreement {
		if a.Raters == nil {
			continue
		}
		shown := a.Raters.Pairs
		if !p.verbose && len(shown) > textPairs {
			shown = shown[:textPairs]
		}
		for _, pair := range shown {
			t.add(cells(Visible(a.Rubric), Visible(pair.A)+" and "+Visible(pair.B), count(pair.N), count(pair.Agree), share(pair.Kappa)))
		}
		if len(shown) > 0 {
			t.rows[len(t.rows)-1].under = []string{ratersNote(a.Raters, len(shown))}
		}
	}
	if len(t.rows) == 0 {
		return
	}
	p.title("Agreement between people")
	p.table(t)
}

func ratersNote(r *newel.RaterAgreement, shown int) string {
	note := "all together: Krippendorff's alpha " + share(r.Alpha) + " over " + counted(r.Cases, "case", "cases")
	if more := len(r.Pairs) - shown; more > 0 {
		note = "and " + counted(more, "pair", "pairs") + " more · " + note
	}
	return note
}

func mdAgreement(sum *newel.Summary) mdTable {
	t := mdTable{title: "Agreement with people", short: "Agreement with people", head: []string{"rubric", "n", "accuracy", "precision", "recall", "F1", "kappa"}, right: 1}
	if title := agreementTitle(sum); title != positivePass {
		t.title += " (" + title + ")"
	}
	lines := agreementFigures(sum)
	for i, f := range lines {
		name := codeCell(f.name)
		if i > 0 && lines[i-1].name == f.name {
			name += " " + f.notes
		}
		t.rows = append(t.rows, append([]string{name}, f.cells()...))
	}
	return t
}

func mdChoices(a newel.Agreement) mdTable {
	c := a.Choices
	if c == nil || len(c.Names) > textChoices {
		return mdTable{}
	}
	t := mdTable{title: "Choices of " + codeSpan(a.Rubric) + ", by people's label", short: "Choices", head: []string{"label"}, right: 1}
	for _, name := range c.Names {
		t.head = append(t.head, codeCell(name))
	}
	t.head = append(t.head, "unparsed")
	for i, name := range c.Names {
		t.rows = append(t.rows, append([]string{codeCell(name)}, choiceCounts(c, i)...))
	}
	return t
}

func mdPeople(sum *newel.Summary) mdTable {
	t := mdTable{title: "Agreement between people", head: []string{"rubric", "people", "n", "agree", "kappa"}, right: 2}
	for _, a := range sum.Agreement {
		if a.Raters == nil {
			continue
		}
		for _, pair := range a.Raters.Pairs {
			t.rows = append(t.rows, []string{codeCell(a.Rubric), codeCell(pair.A) + " and " + codeCell(pair.B), count(pair.N), count(pair.Agree), share(pair.Kappa)})
		}
		t.rows = append(t.rows, []string{codeCell(a.Rubric), "all together: Krippendorff's alpha", count(a.Raters.Cases), nothing, share(a.Raters.Alpha)})
	}
	return t
}
