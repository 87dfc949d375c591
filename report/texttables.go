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
	all, missed := 0, 0
	for _, r := range sum.Rubrics {
		all += len(r.Checks)
		for _, c := range r.Checks {
			missed += min(1, c.Fail+c.Error)
		}
	}
	quiet := all - min(missed, textChecks)
	whole := p.verbose || missed > 0 && quiet == 1 // the note would take the place of the one
	for _, r := range sum.Rubrics {
		for _, c := range r.Checks {
			if !whole && (c.Fail+c.Error == 0 || len(t.rows) == textChecks) {
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
	if !whole && quiet > 0 {
		p.para(2, dim, "and "+count(quiet)+" checks that are not shown", 0)
	}
}

func (p *page) values(sum *newel.Summary) {
	t := &table{columns: []column{names("value"), right("n"), fixed("mean"), right("p50"), right("min"), right("max")}}
	for _, r := range sum.Rubrics {
		for _, v := range r.Values {
			t.add(cells(Visible(r.Name)+"."+Visible(v.Scorer), count(v.N), meanOf(v, r.Clusters), number(v.P50), number(v.Min), number(v.Max)))
		}
	}
	if len(t.rows) == 0 {
		return
	}
	p.title("Values")
	p.table(t)
}

func (p *page) slices(sum *newel.Summary) {
	shown, note := decided(sum), ""
	if len(shown) == 0 {
		return
	}
	if !p.verbose && len(shown) > textSlices+1 {
		shown = lowest(shown, textSlices)
		note = "the " + count(textSlices) + " lowest of " + count(len(decided(sum))) + "; all of them: newel report " + ShellWord(sum.Run) + " --as json" + p.hint
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
		row := cells(sliceName(s.Dims), Visible(s.Rubric), sliceRate(s), count(l.Done()), count(l.Fail))
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

// sliceName names a slice in a narrow column: one dimension with its value; of
// several the values alone, in order of the dimensions' names.
func sliceName(dims map[string]string) string {
	if len(dims) < 2 {
		return pairs(dims)
	}
	out := make([]string, 0, len(dims))
	for _, k := range slices.Sorted(maps.Keys(dims)) {
		out = append(out, Visible(dims[k]))
	}
	return strings.Join(out, " · ")
}

// sliceRate is a slice's rate, or why there is none.
func sliceRate(s newel.Slice) string {
	l := s.Ledger
	switch {
	case s.Rate != nil:
		return rate(s.Rate, s.Interval)
	case l.Done() == 0:
		return "none: no row is done"
	case l.Pass+l.Fail > 0:
		return "none: in quarantine"
	case l.Error == 0:
		return "none: all unjudged"
	case l.Unjudged == 0:
		return "none: only errors"
	}
	return "none: unjudged, errors"
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

func (p *page) cost(sum *newel.Summary) {
	c := sum.Cost
	all := outlayOf(&c)
	p.title("Cost")
	p.item("total", toneIf(!all.exact(), unsure), all.String(), 0)
	p.item("calls", plainTone, runCalls(&c), 0)
	known := knownPart(all)
	p.bills("rubric", c.ByRubric, known)
	p.bills("model", c.ByModel, known)
}

// runCalls counts a run's calls.
func runCalls(c *newel.Cost) string {
	text := callsText(c.Calls, c.Cached-c.Shared, c.Shared)
	if c.TargetCalls > 0 {
		text += "; " + counted(c.TargetCalls, "call", "calls") + " to the target"
	}
	if c.PaidTwiceAtMost > 0 {
		text += "; at most " + count(c.PaidTwiceAtMost) + " paid twice"
	}
	return text
}

// knownPart is how the known part of some of an outlay is shown: rounded down where
// the whole is a lower end, since then that may be one too.
func knownPart(all outlay) func(newel.Money) string {
	if all.exact() {
		return dollars
	}
	return atLeast
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
