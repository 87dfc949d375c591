package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"newel"
)

// checks shows what each check said; without Verbose only those that did not
// always pass.
func (p *page) checks(sum *newel.Summary) {
	t := &table{columns: []column{names("rubric"), names("check"), right("pass"), right("fail"), right("undecided"), right("error")}}
	quiet := 0
	for _, r := range sum.Rubrics {
		for _, c := range r.Checks {
			if !p.verbose && (c.Fail+c.Error == 0 || len(t.rows) == textChecks) {
				quiet++
				continue
			}
			row := cells(Visible(r.Name), Visible(c.Check), count(c.Pass), count(c.Fail), count(c.Undecided), count(c.Error))
			row.cells[3].tone = toneIf(c.Fail > 0, bad)
			row.cells[5].tone = toneIf(c.Error > 0, unsure)
			t.add(row)
		}
	}
	if len(t.rows) == 0 {
		return
	}
	p.title("Checks")
	p.table(t)
	if quiet > 0 {
		p.para(2, dim, "and "+counted(quiet, "check that is not shown", "checks that are not shown"), 0)
	}
}

func (p *page) values(sum *newel.Summary) {
	t := &table{columns: []column{names("value"), right("n"), fixed("mean"), right("p50"), right("min"), right("max")}}
	for _, r := range sum.Rubrics {
		for _, v := range r.Values {
			t.add(cells(Visible(r.Name)+"."+Visible(v.Scorer), count(v.N), numberRange(v.Mean, v.Interval), number(v.P50), number(v.Min), number(v.Max)))
		}
	}
	if len(t.rows) == 0 {
		return
	}
	p.title("Values")
	p.table(t)
}

func (p *page) slices(sum *newel.Summary) {
	if len(sum.Slices) == 0 {
		return
	}
	shown, note := decided(sum), ""
	if !p.verbose && len(shown) > textSlices {
		shown = lowest(shown, textSlices)
		note = "the " + count(textSlices) + " lowest of " + count(len(decided(sum))) + "; all of them: newel report " + ShellWord(sum.Run) + " --as json"
	}
	p.title("Slices")
	t := sliceTable(shown)
	p.table(t)
	if note != "" {
		p.para(2, dim, note, 0)
	}
}

// sliceTable leaves out columns in which nothing stands.
func sliceTable(shown []newel.Slice) *table {
	any := func(has func(newel.Slice) bool) bool { return slices.ContainsFunc(shown, has) }
	unjudged := any(func(s newel.Slice) bool { return s.Ledger.Unjudged > 0 })
	errors := any(func(s newel.Slice) bool { return s.Ledger.Error > 0 })
	labelled := any(func(s newel.Slice) bool { return s.Agreement != nil })
	t := &table{columns: []column{names("slice"), names("rubric"), fixed("pass rate"), right("n"), right("fail")}}
	for _, c := range []struct {
		shown bool
		name  string
	}{{unjudged, "unjudged"}, {errors, "error"}, {labelled, "agree"}} {
		if c.shown {
			t.columns = append(t.columns, right(c.name))
		}
	}
	for _, s := range shown {
		l := s.Ledger
		row := cells(pairs(s.Dims), Visible(s.Rubric), rate(s.Rate, s.Interval), count(l.Done()), count(l.Fail))
		row.cells[4].tone = toneIf(l.Fail > 0, bad)
		if unjudged {
			row.cells = append(row.cells, cell{text: count(l.Unjudged)})
		}
		if errors {
			row.cells = append(row.cells, cell{text: count(l.Error), tone: toneIf(l.Error > 0, unsure)})
		}
		if labelled {
			row.cells = append(row.cells, cell{text: agreed(s.Agreement)})
		}
		t.add(row)
	}
	return t
}

// decided lists the slices of rubrics that decide something.
func decided(sum *newel.Summary) []newel.Slice {
	measured := map[string]bool{}
	for _, r := range sum.Rubrics {
		measured[r.Name] = r.MeasureOnly
	}
	return slices.DeleteFunc(slices.Clone(sum.Slices), func(s newel.Slice) bool { return measured[s.Rubric] })
}

// agreed is how many labelled rows the verdict meets.
func agreed(a *newel.Agreement) string {
	if a == nil {
		return nothing
	}
	return count(a.Agree)
}

// lowest returns the n slices with the lowest rate, those without a rate last.
func lowest(all []newel.Slice, n int) []newel.Slice {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b newel.Slice) int {
		switch {
		case a.Rate == nil && b.Rate == nil:
			return 0
		case a.Rate == nil:
			return 1
		case b.Rate == nil:
			return -1
		}
		return cmp.Compare(*a.Rate, *b.Rate)
	})
	return sorted[:n]
}

func (p *page) agreement(sum *newel.Summary) {
	if len(sum.Agreement) == 0 {
		return
	}
	p.title("Agreement with people's labels (positive: pass)")
	t := &table{columns: []column{names("rubric"), right("n"), right("accuracy"), right("precision"), right("recall"), right("F1"), right("kappa")}}
	for _, a := range sum.Agreement {
		row := cells(Visible(a.Rubric), count(a.N), share(a.Accuracy), share(a.Precision), share(a.Recall), share(a.F1), share(a.Kappa))
		row.under = []string{agreementNotes(a)}
		t.add(row)
	}
	p.table(t)
}

func agreementNotes(a newel.Agreement) string {
	notes := "label/verdict: pass/pass " + count(a.Table[0]) + ", pass/fail " + count(a.Table[1]) +
		", fail/pass " + count(a.Table[2]) + ", fail/fail " + count(a.Table[3])
	if a.Unjudged > 0 {
		notes += " · " + count(a.Unjudged) + " labelled without a pass or fail, not counted"
	}
	return notes
}

func (p *page) gate(sum *newel.Summary) {
	g := sum.Gate
	if g == nil {
		return
	}
	title := "Gate: " + named(string(g.State), nothing)
	if g.Baseline != "" {
		title += ", against " + Visible(g.Baseline)
	}
	p.title(title)
	quiet := 0
	for _, r := range g.Rules {
		if r.Default && r.State == newel.GatePassed && !p.verbose {
			quiet++
			continue
		}
		state := Visible(string(r.State))
		if r.Advisory {
			state += " (advisory)"
		}
		p.line("  " + p.tint(gateTone(r.State), state) + "  " + fit(ruleName(r), max(minFlex, p.width-len(state)-4)))
		p.para(6, plainTone, Visible(found(r)), 0)
		if len(r.Cases) > 0 {
			p.para(6, plainTone, "cases "+firstCases(r.Cases, p.cases()), 0)
		}
		if p.verbose {
			p.para(6, dim, ruleFigures(r), 0)
		}
	}
	if quiet > 0 {
		p.line("  " + p.tint(good, string(newel.GatePassed)) + "  errors, as nobody wrote another rule, of " + counted(quiet, "rubric", "rubrics"))
	}
}

// cases is how many cases of a rule are named.
func (p *page) cases() int {
	if p.verbose {
		return 1000
	}
	return 5
}

// ruleFigures lists the numbers a rule was read from, in the rule's own unit.
func ruleFigures(r newel.GateRule) string {
	var out []string
	add := func(name string, shown bool, value string) {
		if shown {
			out = append(out, name+" "+value)
		}
	}
	if r.Point != nil {
		add("point", true, numberRange(*r.Point, r.Interval))
	}
	if r.Bounds != nil {
		add("bounds", true, number(r.Bounds[0])+" to "+number(r.Bounds[1]))
	}
	add("N", r.N > 0, count(r.N))
	add("missing", r.Missing > 0, count(r.Missing))
	add("clusters", r.Clusters > 0, count(r.Clusters))
	add("n*", r.NStar != nil, numberOf(r.NStar))
	add("p", r.P != nil, share(r.P))
	add("adjusted p", r.PAdjusted != nil, share(r.PAdjusted))
	add("smallest difference seen", r.MDE != nil, share(r.MDE))
	add("unpaired", r.Unpaired > 0, count(r.Unpaired))
	if r.McNemar != nil {
		add("McNemar (not decisive)", true, number(r.McNemar[0])+" one-sided, "+number(r.McNemar[1])+" two-sided")
	}
	add("looks", r.Looks > 1, count(r.Looks))
	return strings.Join(out, " · ")
}

func (p *page) cost(sum *newel.Summary) {
	c := sum.Cost
	p.title("Cost")
	tone := toneIf(c.UnknownCalls > 0, unsure)
	p.item("total", tone, spent(c.USD, c.UnknownCalls, c.Calls+c.TargetCalls), 0)
	calls := counted(c.Calls, "call", "calls") + ", " + count(c.Cached) + " from cache"
	if c.TargetCalls > 0 {
		calls += "; " + counted(c.TargetCalls, "call", "calls") + " to the target"
	}
	if c.PaidTwiceAtMost > 0 {
		calls += "; at most " + count(c.PaidTwiceAtMost) + " paid twice"
	}
	p.item("calls", plainTone, calls, 0)
	known := dollars
	if c.UnknownCalls > 0 {
		known = atLeast
	}
	p.bills("rubric", c.ByRubric, known)
	p.bills("model", c.ByModel, known)
}

// bills lists known amounts by name, the largest first.
func (p *page) bills(by string, m map[string]newel.Money, show func(newel.Money) string) {
	if len(m) == 0 {
		return
	}
	t := &table{columns: []column{names("by " + by), right("known")}}
	for _, k := range dearest(m) {
		t.add(cells(Visible(k), show(m[k])))
	}
	p.table(t)
}

// dearest returns the names of m by amount, the largest first, then by name.
func dearest(m map[string]newel.Money) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b))
	})
}
