package gate

import (
	"math"

	"newel"
	"newel/stat"
)

// rate decides {rubric: R, min: m}.
func (c *Collector) rate(r Rule, rubric int, cell *cell, value string) finding {
	got := stat.RateRule{Min: r.Min, Level: r.Level, Of: r.Of, Read: r.Read}.Decide(cell.rows.Rows())
	if got.State == stat.Invalid {
		return empty(r, value, "no rows")
	}
	f := begin(r, value)
	f.state, f.p, f.alarm = got.State, got.PFailed, c.alarm(rubric)
	f.words = rateWords(r, got)
	l := &f.line
	l.Cases, l.Point, l.Interval, l.Bounds = cell.failing, number(got.Point), interval(got.Interval), apartBounds(got.Bounds)
	l.N, l.Missing, l.Clusters, l.MDE = int(got.Rows), int(got.Missing), int(got.Clusters), number(got.MDE)
	if l.NStar = number(got.NStar[0]); l.NStar == nil {
		l.NStar = number(got.NStar[1])
	}
	return f
}

// apartBounds returns Manski bounds that differ.
func apartBounds(i stat.Interval) *[2]float64 {
	if i.High-i.Low < 1e-12 {
		return nil
	}
	return interval(i)
}

// compare decides {rubric: R, no_worse_than: baseline, margin: m}.
func (c *Collector) compare(r Rule, v *view, cell *cell, value string) finding {
	if why := c.incomparable(r.Rubric, v.rubric); why != "" {
		return invalid(r, value, why)
	}
	got := stat.PairedRule{Margin: r.Margin, Level: r.Level, Read: r.Read}.Decide(cell.pairs.Pairs(), cell.candidates)
	f := begin(r, value)
	f.state = got.State
	f.line.N, f.line.Unpaired = int(got.Pairs), int(cell.candidates-got.Pairs)
	if got.State == stat.Invalid {
		pairs := pairCount(cell)
		f.line.N, f.line.Unpaired = int(pairs), int(cell.candidates-pairs)
		f.words.found = "only " + count(pairs) + " of " + counted(cell.candidates, "row has", "rows have") + " a partner in the baseline; 80 % must"
		if cell.candidates == 0 {
			f.words.found, f.empty = "no rows", true
		}
		return f
	}
	f.p, f.alarm = got.PFailed, c.alarm(v.rubric)
	f.words = pairWords(r, got)
	f.words.found += c.unpaired(v, cell, got.Pairs)
	l := &f.line
	l.Cases, l.FixedCases = cell.broken, cell.fixed
	l.Point, l.Interval, l.Bounds = number(got.Delta), interval(got.Interval), apartBounds(got.Bounds)
	l.Clusters, l.MDE, l.NStar = int(got.Clusters), number(got.MDE), number(got.Ends[0].NStar)
	l.Broken, l.Fixed, l.Missing = int(got.B), int(got.C), missingPairs(cell)
	if !math.IsNaN(got.McNemar[0]) {
		l.McNemar = &got.McNemar
	}
	return f
}

// incomparable says why a rubric cannot be held against the baseline.
func (c *Collector) incomparable(name string, rubric int) string {
	switch {
	case c.opt.Baseline == nil:
		return "no baseline was given: name one with --baseline, or leave such rules out with --no-baseline, as in the first run of all"
	case c.baseRubric(rubric) < 0:
		return "the baseline has no rubric of this name"
	case c.base.items < c.opt.Baseline.Items || c.base.undone > 0:
		return "the baseline is incomplete"
	case !c.sameRuler(name):
		return "two rulers: this run and the baseline did not measure " + show(name) + " alike; " + c.sameAgain()
	}
	return ""
}

// sameAgain says how to measure the baseline as this run was.
func (c *Collector) sameAgain() string {
	if c.plan.Asks {
		return "score the baseline's outputs with this suite, by run --outputs-from, and name that run as --baseline"
	}
	return "run this suite over the baseline's data file and name that run as --baseline"
}

func pairCount(c *cell) int64 {
	n := int64(0)
	for _, p := range c.pairs.Pairs() {
		n += int64(p.Times)
	}
	return n
}

// missingPairs counts the pairs in which either side is missing.
func missingPairs(c *cell) int {
	n := 0
	for _, p := range c.pairs.Pairs() {
		if !p.Same && (p.Candidate.Mark == stat.Missing || p.Baseline.Mark == stat.Missing) {
			n += int(p.Times)
		}
	}
	return n
}

// unpaired says which rows stand in one of the runs alone. What left the
// baseline is known of whole runs only.
func (c *Collector) unpaired(v *view, cell *cell, pairs int64) string {
	text := ""
	if n := cell.candidates - pairs; n > 0 {
		text += ", " + count(n) + " new"
	}
	column := c.base.columns[v.rubric]
	if n := column.rows - column.met; v.by == "" && n > 0 {
		text += ", " + count(int64(n)) + " of the baseline gone"
	}
	return text
}

// fails decides {rubric: R, fails: {max: k}}.
func fails(r Rule, cell *cell, value string) finding {
	if cell.planned == 0 {
		return empty(r, value, "no rows")
	}
	f := begin(r, value)
	rule := stat.FailsRule{Max: r.Fails}
	failed, open := rule.Count(cell.rows.Rows())
	f.state = rule.Decide(failed, open)
	f.line.Cases, f.line.N, f.line.Missing = cell.failing, int(cell.planned), int(cell.missing)
	f.words.found = counted(failed, "fail", "fails")
	if open > 0 {
		f.words.found += " and " + counted(open, "row", "rows") + " that nobody finally judged"
	}
	f.words.found += " among " + count(cell.planned) + "; allowed " + count(r.Fails)
	return f
}

// missed decides {errors: {max: m}} of one rubric.
func missed(r Rule, cell *cell, value string) finding {
	if cell.planned == 0 {
		return empty(r, value, "no rows")
	}
	f := begin(r, value)
	f.state = stat.ErrorsRule{Max: r.Errors}.Decide(cell.missing, cell.planned)
	f.line.Cases, f.line.N, f.line.Missing = cell.lacking, int(cell.planned), int(cell.missing)
	share := float64(cell.missing) / float64(cell.planned)
	f.line.Point = &share
	d := decimals(1, []float64{100 * share}, []float64{0, 100 * r.Errors})
	f.words.found = count(cell.missing) + " of " + counted(cell.planned, "row", "rows") + " missing (" + fixed(100*share, d) + " %); allowed " + percent(r.Errors) + " %"
	return f
}

// mean decides {mean: R.S, min: m}.
func mean(r Rule, cell *cell, value string) finding {
	v := cell.values[r.Scorer]
	if v == nil {
		return empty(r, value, "no row has a value of "+show(r.Scorer))
	}
	got := stat.MeanRule{Min: r.Min, Level: r.Level, Read: r.Read}.Decide(v.list)
	f := begin(r, value)
	f.state, f.p = got.State, got.PFailed
	f.words = meanWords(r, got)
	l := &f.line
	l.Point, l.Interval, l.N = number(got.Point), interval(got.Interval), int(got.N)
	l.Clusters, l.MDE = int(got.Clusters.Clusters), number(got.MDE)
	return f
}

// cost decides {cost: {max_usd: m}}.
func (c *Collector) cost(r Rule) finding {
	if c.opt.Cost == nil {
		return invalid(r, "", "what the run cost is not known here")
	}
	f, bill := begin(r, ""), *c.opt.Cost
	f.state = stat.CostRule{Max: int64(r.USD)}.Decide(int64(bill.Known), int64(bill.Worst))
	if f.state == stat.Passed && bill.Open {
		f.state = stat.Inconclusive
	}
	f.words.found = costWords(r, bill)
	point := float64(bill.Known) / float64(newel.Dollar)
	f.line.Point = &point
	return f
}
