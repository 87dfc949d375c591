package gate

import (
	"errors"
	"fmt"
	"slices"

	"newel"
	"newel/stat"
)

// Options is what a gate is told beside rules and plan. The zero value is a
// run without baseline whose cost nobody added up.
type Options struct {
	// Baseline is the plan of the run to compare with; nil: there is none.
	Baseline *newel.Plan
	// BaselineName is what people call it; it stands in the summary.
	BaselineName string
	// SameRuler says whether both runs measured a rubric alike. Nil: they did
	// if the rubric's digests and the scoring revisions are equal.
	SameRuler func(rubric string) bool
	// Cost is what the run cost; nil: not known, so that a rule of it is
	// invalid.
	Cost *Cost
	// Only names the rubrics that take part; rules of others fall away. Nil: all.
	Only []string
	// Narrowed says that the run left cases out on purpose.
	Narrowed bool
	// Allowance is how much of what was settled may be wrong before an audit
	// alarms.
	Allowance Allowance
}

// Cost is a run's bill as a gate reads it.
type Cost struct {
	Known   newel.Money
	Unknown int         // calls whose cost is not known
	Worst   newel.Money // what is not known comes to at most, also of calls that are known in part
	Open    bool        // nobody knows what some of it comes to at most
}

// Collector gathers what rules need while rows go by: all of the baseline
// first, then all of the candidate, both in plan order. Memory grows with
// rules, slices, clusters, scores and, where there is a baseline, with its
// items; not with the candidate's items that stand alone.
type Collector struct {
	plan     *newel.Plan
	opt      Options
	rules    []Rule // as given, then the defaults
	views    []*view
	byRubric [][]*view
	clusters *Clusters
	base     *baseline
	audits   []Audit
	begun    bool

	items, undone int
	planned, done int64 // rows
}

// NewCollector returns a collector for a candidate's plan. For each rubric
// without a rule on errors, stat.DefaultMaxErrors holds.
func NewCollector(rules []Rule, plan *newel.Plan, opt Options) *Collector {
	c := &Collector{plan: plan, opt: opt, clusters: NewClusters(plan), audits: make([]Audit, len(plan.Rubrics)),
		byRubric: make([][]*view, len(plan.Rubrics))}
	c.rules = append(c.taking(rules), c.defaults(rules)...)
	if opt.Baseline != nil {
		c.base = newBaseline(opt.Baseline)
	}
	for _, r := range c.rules {
		for _, rubric := range c.rubricsOf(r) {
			c.need(r, rubric)
		}
	}
	return c
}

// taking are the rules on rubrics that take part.
func (c *Collector) taking(rules []Rule) []Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return r.Rubric != "" && !c.takesPart(r.Rubric) })
}

func (c *Collector) takesPart(rubric string) bool {
	return c.opt.Only == nil || slices.Contains(c.opt.Only, rubric)
}

// defaults are the rules on errors that nobody wrote.
func (c *Collector) defaults(rules []Rule) []Rule {
	var out []Rule
	for _, name := range c.plan.Rubrics {
		if !c.takesPart(name) {
			continue
		}
		covered := func(r Rule) bool { return r.Kind == MaxErrors && (r.Rubric == "" || r.Rubric == name) }
		if !slices.ContainsFunc(rules, covered) {
			out = append(out, Rule{Kind: MaxErrors, Rubric: name, Errors: stat.DefaultMaxErrors, Default: true})
		}
	}
	return out
}

// rubricsOf returns the numbers of the rubrics that a rule is about.
func (c *Collector) rubricsOf(r Rule) []int {
	var out []int
	for i, name := range c.plan.Rubrics {
		if r.Kind != MaxCost && (r.Rubric == "" && c.takesPart(name) || r.Rubric == name) {
			out = append(out, i)
		}
	}
	return out
}

// need makes sure that a rule's numbers are gathered.
func (c *Collector) need(r Rule, rubric int) {
	v := c.view(rubric, r.By)
	switch r.Kind {
	case MinRate, MaxFails:
		v.need.rows = true
	case MinMean:
		if !slices.Contains(v.need.scorers, r.Scorer) {
			v.need.scorers = append(v.need.scorers, r.Scorer)
		}
	case NoWorse:
		if there := c.baseRubric(rubric); there >= 0 {
			v.need.pairs = true
			c.base.compare(rubric, len(c.plan.Rubrics), there, c.opt.Baseline)
		}
	}
}

// baseRubric is a rubric's number in the baseline, −1 where it has none.
func (c *Collector) baseRubric(rubric int) int {
	if c.opt.Baseline == nil {
		return -1
	}
	return slices.Index(c.opt.Baseline.Rubrics, c.plan.Rubrics[rubric])
}

// view returns the view of a rubric by a dimension, making it if need be.
func (c *Collector) view(rubric int, by string) *view {
	for _, v := range c.byRubric[rubric] {
		if v.by == by {
			return v
		}
	}
	v := &view{rubric: rubric, by: by, cells: map[string]*cell{}}
	if by == "" {
		v.cells[""] = &cell{values: map[string]*values{}}
	}
	c.views = append(c.views, v)
	c.byRubric[rubric] = append(c.byRubric[rubric], v)
	return v
}

// errLate says that the baseline came after the candidate.
var errLate = errors.New("gate: the baseline's rows go before the candidate's")

// AddBaseline takes in one item of the baseline, before any of the candidate.
func (c *Collector) AddBaseline(it *newel.ItemRows) error {
	switch {
	case c.base == nil:
		return errors.New("gate: a row of a baseline that the options do not name")
	case c.begun:
		return errLate
	}
	c.base.add(it, max(1, c.plan.Trials))
	return nil
}

// Add takes in one item of the candidate.
func (c *Collector) Add(it *newel.ItemRows) error {
	c.begun = true
	c.items++
	if !it.Done {
		c.undone++
	}
	o := observed{it: it, trials: c.plan.Trials}
	cluster, before := c.clusters.Of(it), c.partner(it)
	seen := 0
	for i := range c.plan.Rubrics {
		if !it.Applies.Has(i) {
			continue
		}
		c.planned++
		if o.res = resultOf(it, i); o.res == nil {
			continue
		}
		seen++
		c.pairUp(&o, i, before)
		if it.Quarantined {
			continue
		}
		o.row = RowOf(o.res, at(c.plan.Judged, i))
		o.row.Cluster = cluster
		o.same = o.paired && c.same(&o, i, before)
		c.observe(&o, i)
	}
	c.done += int64(seen)
	if seen != len(it.Results) {
		return fmt.Errorf("gate: item %d has %d rows that its plan does not have", it.N, len(it.Results)-seen)
	}
	return nil
}

func (c *Collector) observe(o *observed, rubric int) {
	if at(c.plan.Judged, rubric) {
		c.audits[rubric].Add(o.res)
	}
	for _, v := range c.byRubric[rubric] {
		if cell := v.of(o.it); cell != nil {
			cell.add(&v.need, o)
		}
	}
}

// partner returns the number of the item in the baseline, −1 where it is not
// there.
func (c *Collector) partner(it *newel.ItemRows) int {
	if c.base == nil || c.base.columns == nil {
		return -1
	}
	if n, ok := c.base.find(newel.ItemIDOf(it.Case, it.Matrix, it.Trial)); ok {
		return n
	}
	return -1
}

// pairUp finds the row's half in the baseline. Trials beyond those of the
// baseline have none by nature and do not count as lacking one.
func (c *Collector) pairUp(o *observed, rubric, before int) {
	o.could, o.paired, o.same = false, false, false
	if c.base == nil || at(c.base.columns, rubric) == nil {
		return
	}
	column := c.base.columns[rubric]
	o.could = o.it.Trial <= max(1, c.base.trials)
	if before < 0 {
		return
	}
	if o.partner, o.paired = column.side(before); o.paired {
		column.met++
	}
}

// same says that the pair cannot differ: a judge would be asked the very same
// thing, since the scored content, and what the layers below made of it, are
// equal. Without a judge the verdicts themselves say so.
func (c *Collector) same(o *observed, rubric, before int) bool {
	judged := at(c.plan.Judged, rubric) && c.base.columns[rubric].judged
	return judged && !o.it.Scored.IsZero() && beginning(o.it.Scored) == c.base.scored[before] && o.row.Stratum == o.partner.Stratum
}

// sameRuler says whether both runs measured a rubric alike.
func (c *Collector) sameRuler(rubric string) bool {
	if c.opt.SameRuler != nil {
		return c.opt.SameRuler(rubric)
	}
	if c.plan.Scoring != c.opt.Baseline.Scoring {
		return false
	}
	here := slices.Index(c.plan.Rubrics, rubric)
	there := slices.Index(c.opt.Baseline.Rubrics, rubric)
	one, other := at(c.plan.Rulers, here), at(c.opt.Baseline.Rulers, there)
	if one.IsZero() || other.IsZero() {
		return c.plan.SuiteDigest == c.opt.Baseline.SuiteDigest
	}
	return one == other
}
