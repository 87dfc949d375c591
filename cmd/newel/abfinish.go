package main

import (
	"maps"
	"math"
	"slices"

	"newel"
	"newel/eval"
	"newel/report"
	"newel/stat"
)

// finish writes the comparison down.
func (c *comparison) finish(out *report.AB) {
	out.LeastKnown, out.Rubrics = leastKnown, []report.ABRubric{}
	whole := c.sides[0].total.covered() && c.sides[1].total.covered()
	for i, s := range c.sides {
		side := &out.Sides[i]
		side.Calls, side.Cached, side.Unknown, side.Known = s.total.calls, s.total.cached, s.total.unknown, s.total.coverage()
		side.Shared, side.Partly, side.Lost, side.HeldUSD = s.total.shared, s.total.partly, s.total.lost, s.total.held
		side.PaidUSD, side.PaidUnknown = s.total.paid, s.total.unsure
		if !s.total.covered() {
			out.Refuse(side.Side, "", *side.Known)
		}
		if whole {
			side.USD = &s.total.usd
		}
	}
	for _, rubric := range c.rubrics {
		out.Rubrics = append(out.Rubrics, c.rubric(out, rubric))
	}
}

// rubric compares one rubric's rows.
func (c *comparison) rubric(out *report.AB, rubric string) report.ABRubric {
	r := report.ABRubric{Name: rubric}
	r.Differ.Cases = []string{}
	f := rubricFold{rubric: &r}
	for _, row := range c.order {
		if row.rubric == rubric {
			f.add(c.rows[row])
		}
	}
	r.Between.N, r.Between.Agree, r.Between.Rate, r.Between.Kappa = f.between.figures()
	priced := true
	for i, s := range c.sides {
		if all := sumOf(s.by, rubric); !all.covered() {
			priced = false
			out.Refuse(abSides[i], rubric, *all.coverage())
		}
	}
	for i, s := range c.sides {
		cell := &r.Sides[i]
		cell.Rows = s.rows[rubric]
		cell.N, cell.Agree, cell.Rate, cell.Kappa = f.people[i].figures()
		all := sumOf(s.by, rubric)
		cell.Calls, cell.Unknown, cell.Partly, cell.HeldUSD, cell.Known = all.calls, all.unknown, all.partly, all.held, all.coverage()
		if !priced {
			continue
		}
		cell.USD, r.Differ.USD[i] = &all.usd, &f.differ[i]
		labelled := sumOf(s.labelled, rubric).usd
		cell.PerVerdict, cell.PerAgreed, cell.PerCaught = perOne(all.usd, cell.Verdicts), perOne(labelled, cell.Agree), perOne(labelled, cell.Caught)
	}
	return r
}

// perOne divides an amount; nil where there is nothing to divide by.
func perOne(usd newel.Money, n int) *newel.Money {
	if n == 0 {
		return nil
	}
	out := usd / newel.Money(n)
	return &out
}

// rubricFold adds the rows of one rubric up.
type rubricFold struct {
	rubric  *report.ABRubric
	people  [2]cross
	between cross
	differ  [2]newel.Money
}

// differing rows that are named.
const namedCases = 10

func (f *rubricFold) add(p *abPair) {
	want := eval.LabelVerdict(p.label)
	for i, said := range p.said {
		if said == nil {
			continue
		}
		cell := &f.rubric.Sides[i]
		if said.verdict.Settled() {
			cell.Verdicts++
		}
		if label, got, ok := compared(p.label, said); ok {
			f.people[i].add(label, got)
		}
		if want == newel.Fail {
			cell.Failures++
			if said.verdict == newel.Fail {
				cell.Caught++
			}
		}
	}
	a, b := p.said[0], p.said[1]
	if a == nil || b == nil || !a.verdict.Settled() || !b.verdict.Settled() {
		f.rubric.Between.Missing++
		return
	}
	one, other := a.word(b), b.word(a)
	f.between.add(one, other)
	if one != other {
		f.differs(p)
	}
}

// differs notes a row on which the two differ.
func (f *rubricFold) differs(p *abPair) {
	d := &f.rubric.Differ
	d.N++
	if len(d.Cases) < namedCases {
		d.Cases = append(d.Cases, p.shown)
	}
	right := false
	for i, said := range p.said {
		f.differ[i] = saturated(f.differ[i], said.usd, 1)
		d.Unknown[i] += said.unknown
		d.Partly[i] += said.partly
		if label, got, ok := compared(p.label, said); ok {
			right = true
			if label == got {
				d.Right[i]++
			}
		}
	}
	if right {
		d.Labelled++
	}
}

// word is what a side says, to be compared with the other: the choice where both
// chose, else the verdict.
func (s *abSaid) word(other *abSaid) string {
	if s.choice != "" && other.choice != "" {
		return s.choice
	}
	return s.verdict.String()
}

// compared is a person's label beside what a judge said, in the same words; false
// where they cannot be compared.
func compared(label newel.Raw, said *abSaid) (want, got string, ok bool) {
	if label == nil || !said.verdict.Settled() {
		return "", "", false
	}
	if v := eval.LabelVerdict(label); v.Settled() {
		return v.String(), said.verdict.String(), true
	}
	text, err := newel.Unquote(label)
	if err != nil || said.choice == "" {
		return "", "", false
	}
	return text, said.choice, true
}

// cross counts pairs of words.
type cross struct {
	n, agree int
	pairs    map[[2]string]int64
}

func (c *cross) add(a, b string) {
	if c.pairs == nil {
		c.pairs = map[[2]string]int64{}
	}
	c.pairs[[2]string{a, b}]++
	c.n++
	if a == b {
		c.agree++
	}
}

// figures are the share that agrees and Cohen's kappa, nil where they do not
// exist.
func (c *cross) figures() (n, agree int, rate, kappa *float64) {
	if c.n == 0 {
		return 0, 0, nil, nil
	}
	words := map[string]bool{}
	for p := range c.pairs {
		words[p[0]], words[p[1]] = true, true
	}
	names := slices.Sorted(maps.Keys(words))
	t := stat.Table{Counts: make([][]int64, len(names))}
	for i, a := range names {
		for _, b := range names {
			t.Counts[i] = append(t.Counts[i], c.pairs[[2]string{a, b}])
		}
	}
	share := float64(c.agree) / float64(c.n)
	if k := t.Macro(false).Kappa; !math.IsNaN(k) {
		kappa = &k
	}
	return c.n, c.agree, &share, kappa
}
