package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"newel"
	"newel/eval"
	"newel/gate"
)

// gating applies a gate to a run while its rows go by.
type gating struct {
	collector *gate.Collector
	bill      *gate.Cost
	base      *baseline // nil: none
	warnings  []string  // rules that were left out
}

// gating reads the baseline, so that the candidate's rows find their partners.
// Without rules it is nil, which takes rows and does nothing.
func (a *app) gating(ctx context.Context, store newel.Store, run *newel.Run, sel *selection, rules []gate.Rule, name string) (*gating, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	base, err := a.findBaseline(ctx, store, run, name)
	if err != nil {
		return nil, err
	}
	g := &gating{bill: &gate.Cost{}, base: base}
	opt := gate.Options{Cost: g.bill, Narrowed: sel.narrowed() != nil}
	if len(sel.Rubrics) > 0 {
		opt.Only = sel.Rubrics
		if _, out := rulesOf(rules, sel.Rubrics); len(out) > 0 {
			g.warnings = append(g.warnings, narrowedRules(len(out), sel.Rubrics))
		}
	}
	if a.noBaseline {
		rules = g.withoutBaseline(rules)
	}
	if base != nil {
		opt.Baseline, opt.BaselineName = &base.run.Plan, base.name
	}
	g.collector = gate.NewCollector(rules, &run.Plan, opt)
	if base == nil {
		return g, nil
	}
	if err := eval.Scan(ctx, base.store, base.run, false, g.collector.AddBaseline); err != nil {
		base.close()
		return nil, fmt.Errorf("baseline %s: %w", base.name, err)
	}
	return g, nil
}

// rulesOf parts rules into those that hold in a run of some rubrics, all where
// only is empty, and those that fall away.
func rulesOf(rules []gate.Rule, only []string) (in, out []gate.Rule) {
	for _, r := range rules {
		if len(only) == 0 || r.Rubric == "" || slices.Contains(only, r.Rubric) {
			in = append(in, r)
		} else {
			out = append(out, r)
		}
	}
	return in, out
}

func narrowedRules(n int, only []string) string {
	return fmt.Sprintf("only %s: %s of other rubrics left out", strings.Join(only, ", "), counted(n, "gate rule"))
}

// withoutBaseline leaves out rules against a baseline, and says so.
func (g *gating) withoutBaseline(rules []gate.Rule) []gate.Rule {
	var kept []gate.Rule
	for _, r := range rules {
		if r.Kind == gate.NoWorse {
			g.warnings = append(g.warnings, "left out, since there is no baseline: "+r.String())
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

func (g *gating) add(it *newel.ItemRows) error {
	if g == nil {
		return nil
	}
	return g.collector.Add(it)
}

// finish adds the verdict to a summary.
func (g *gating) finish(sum *newel.Summary) {
	if g == nil {
		return
	}
	c := &sum.Cost
	*g.bill = gate.Cost{Known: c.USD, Unknown: c.UnknownCalls, Worst: c.UnknownAtMost, Open: c.Unbounded}
	sum.Gate = g.collector.Finish()
	if g.base != nil && !g.base.owned {
		sum.Gate.BaselineRun = g.base.run.ID
	}
	sum.Warnings = append(sum.Warnings, g.warnings...)
}

func (g *gating) close() {
	if g != nil && g.base != nil {
		g.base.close()
	}
}
