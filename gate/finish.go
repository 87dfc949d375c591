package gate

import (
	"math"
	"slices"

	"newel"
	"newel/stat"
)

// finding is what one rule, or one slice of it, came to before the gate as a
// whole was looked at.
type finding struct {
	line  newel.GateRule
	alpha float64
	state stat.State
	p     float64 // against failing; NaN without a test
	alarm string  // what an audit found; empty: nothing
	empty bool    // no row speaks to the rule
	words words
}

// words are the parts of a rule's why.
type words struct {
	found                  string // what was measured
	passed, failed, unsure string // what that means, by state
}

func (w words) why(state stat.State) string {
	means := ""
	switch state {
	case stat.Passed:
		means = w.passed
	case stat.Failed:
		means = w.failed
	case stat.Inconclusive:
		means = w.unsure
	}
	if means == "" {
		return w.found
	}
	return w.found + ": " + means
}

// Finish decides. Every mention of a case is as people read it.
func (c *Collector) Finish() *newel.GateSummary {
	out := &newel.GateSummary{State: newel.GateInvalid, Baseline: c.opt.BaselineName}
	if why := c.incomplete(); why != "" {
		out.Rules = []newel.GateRule{{Rule: "a full ledger", State: newel.GateInvalid, Why: "incomplete: " + why, Cases: []string{}}}
		return out
	}
	var found []finding
	for _, r := range c.rules {
		found = append(found, c.findings(r)...)
	}
	rules := make([]stat.Rule, len(found))
	for i, f := range found {
		rules[i] = stat.Rule{State: f.state, PFailed: f.p, Alpha: f.alpha, Advisory: f.line.Advisory, Alarm: f.alarm != ""}
	}
	verdict := stat.Gate(rules)
	out.State = newel.GateState(verdict.State)
	out.Rules = make([]newel.GateRule, 0, len(found))
	for i := range found {
		if found[i].empty && c.opt.Narrowed {
			found[i].words.found += ": this run was narrowed to some of the cases, and none of them speaks to this rule"
		}
		found[i].settle(verdict.States[i], verdict.Adjusted[i])
		out.Rules = append(out.Rules, found[i].line)
	}
	return out
}

// incomplete says what a ledger lacks that is not full.
func (c *Collector) incomplete() string {
	switch {
	case c.items < c.plan.Items:
		return count(int64(c.items)) + " of " + counted(int64(c.plan.Items), "item", "items") + " were read"
	case c.undone > 0 || c.done < c.planned:
		return count(c.done) + " of " + counted(c.planned, "row", "rows") + " are there"
	}
	return ""
}

// settle fills in what the gate as a whole made of the finding.
func (f *finding) settle(state stat.State, adjusted float64) {
	l := &f.line
	l.State, l.P, l.PAdjusted = newel.GateState(state), number(f.p), number(adjusted)
	if l.Cases == nil {
		l.Cases = []string{}
	}
	l.Why = f.words.why(state)
	switch {
	case state == f.state:
	case f.state == stat.Failed:
		l.Why = f.words.found + ": below the bar, but among so many rules it may be chance (adjusted p " +
			small(adjusted) + ", failed from under " + plain(f.alpha/2) + ")"
	case f.alarm != "":
		l.Why = f.words.found + ": it would pass, but " + f.alarm
	}
}

// small returns a p-value.
func small(p float64) string {
	if p < 0.001 {
		return "under 0.001"
	}
	return fixed(p, 3)
}

// findings decides one rule: for each rubric that it is about, and each slice.
func (c *Collector) findings(r Rule) []finding {
	if r.Kind == MaxCost {
		return []finding{c.cost(r)}
	}
	rubrics := c.rubricsOf(r)
	if len(rubrics) == 0 {
		return []finding{invalid(r, "", "the run has no such rubric")}
	}
	var out []finding
	for _, i := range rubrics {
		one := r
		one.Rubric = c.plan.Rubrics[i]
		out = append(out, c.slices(one, c.view(i, r.By))...)
	}
	return out
}

func (c *Collector) slices(r Rule, v *view) []finding {
	switch {
	case v.crowded:
		return []finding{invalid(r, "", "dims."+show(v.by)+" has more than "+count(maxSlices)+" values, too many for a rule each")}
	case len(v.cells) == 0 && v.without > 0:
		return []finding{empty(r, "", "no row has dims."+show(v.by))}
	case len(v.cells) == 0:
		return []finding{empty(r, "", "no rows")}
	}
	values := make([]string, 0, len(v.cells))
	for value := range v.cells {
		values = append(values, value)
	}
	slices.Sort(values)
	out := make([]finding, 0, len(values))
	for _, value := range values {
		f := c.decide(r, v, v.cells[value], value)
		if v.without > 0 {
			f.words.found += "; " + counted(v.without, "row has", "rows have") + " no dims." + show(v.by) + " and no rule"
		}
		out = append(out, f)
	}
	return out
}

func (c *Collector) decide(r Rule, v *view, cell *cell, value string) finding {
	switch r.Kind {
	case MinRate:
		return c.rate(r, v.rubric, cell, value)
	case MaxFails:
		return fails(r, cell, value)
	case NoWorse:
		return c.compare(r, v, cell, value)
	case MinMean:
		return mean(r, cell, value)
	}
	return missed(r, cell, value)
}

// begin is a finding without numbers.
func begin(r Rule, value string) finding {
	text := r.text(", " + show(r.By) + "=" + show(value))
	return finding{alpha: r.Level.Alpha(), p: math.NaN(),
		line: newel.GateRule{Rule: text, Rubric: r.Rubric, Advisory: r.Advisory, Default: r.Default, Looks: r.Level.Looks}}
}

// empty is invalid for want of rows.
func empty(r Rule, value, why string) finding {
	f := invalid(r, value, why)
	f.empty = true
	return f
}

// invalid is a rule that cannot be decided; an empty value stands for all
// slices.
func invalid(r Rule, value, why string) finding {
	f := begin(r, value)
	if value == "" {
		f.line.Rule = r.String()
	}
	f.state, f.words.found = stat.Invalid, why
	return f
}
