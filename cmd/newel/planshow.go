package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"newel"
	"newel/eval"
	"newel/ladder"
	"newel/report"
)

// showing gathers what judges would be asked about one case, while a plan is
// made. It asks nobody.
type showing struct {
	name   string // a case's id, or an item as it is shown; empty: nothing is gathered
	asking *asking
	trials int

	mu    sync.Mutex
	found bool
	rows  []shownRow
}

type shownRow struct {
	n int // of the item
	report.PlannedRow
}

// chunk looks for the case. It serves several goroutines.
func (v *showing) chunk(ctx context.Context, c eval.Content) {
	if v.name == "" {
		return
	}
	for i, it := range c.Batch.Items {
		shown := it.Show(v.trials)
		if it.Case.ID != v.name && shown != v.name {
			continue
		}
		var rows []shownRow
		if v.asking != nil {
			for _, r := range v.asking.rubrics {
				if r != nil && c.Batch.Entries[i].Applies.Has(r.index) {
					row := v.asking.show(ctx, r, it)
					row.Item = shown
					rows = append(rows, shownRow{it.N, row})
				}
			}
		}
		v.mu.Lock()
		v.found, v.rows = true, append(v.rows, rows...)
		v.mu.Unlock()
	}
}

// list is the rows in plan order.
func (v *showing) list() []report.PlannedRow {
	slices.SortStableFunc(v.rows, func(a, b shownRow) int { return cmp.Compare(a.n, b.n) })
	out := make([]report.PlannedRow, len(v.rows))
	for i, r := range v.rows {
		out[i] = r.PlannedRow
	}
	return out
}

// show is what the judge of a rubric would be asked about an item, and whether a
// run would ask it.
func (k *asking) show(ctx context.Context, r *askedRubric, it *newel.Item) report.PlannedRow {
	out := report.PlannedRow{Rubric: r.Name, Calls: []report.PlannedCall{}}
	switch {
	case r.climb == nil:
		out.Why = "a layer below the judge does not run yet"
		return out
	case k.suite.Targets != nil && it.Case.Output == nil && it.Case.Outputs == nil:
		out.Why = "its output is not there yet: a run asks the target first, and the prompt holds what it says"
		return out
	}
	s := newel.NewSubject(it)
	res := r.climb.Climb(ctx, s)
	out.Asked, out.Why = k.whether(r, &res, ladder.Draw(k.suite.Seed, r.Name, it))
	planned, err := r.judge.Calls(ctx, s)
	if err != nil {
		out.Asked, out.Why = false, err.Error()
		return out
	}
	client := k.clients[r.Judge.Def.Gateway]
	for i := range planned {
		p := &planned[i]
		call := report.PlannedCall{Key: p.Key.String(), Gateway: r.Judge.Def.Gateway, Model: p.Model, Prompt: p.Turns()}
		if worst, priced := client.Worst(p.Body); priced {
			call.Worst = &worst
		}
		out.Calls = append(out.Calls, call)
	}
	return out
}

// whether a run asks the judge about a row that climbed to it so.
func (k *asking) whether(r *askedRubric, res *newel.Result, draw float64) (bool, string) {
	if n := len(res.Scores); n == 0 || res.Scores[n-1].Layer != newel.Judge {
		return false, "a layer below the judge breaks: " + res.Err.Error()
	}
	if res.Audit == nil {
		if draw < r.sample {
			return true, "no layer below settles it"
		}
		return false, fmt.Sprintf("no layer below settles it, but the sample of %g leaves it out", r.sample)
	}
	layer, verdict := res.Audit.Layer, res.Audit.Verdict
	if layer == newel.Judge { // a floor's fail is final, and audited all the same
		layer, verdict = res.Layer, res.Verdict
	}
	settled := fmt.Sprintf("the %s settles it (%s)", layer, verdict)
	switch {
	case r.audit < 0:
		return false, settled + ", unless it is among those audited, whose share the plan fixes"
	case draw < r.audit:
		return true, settled + fmt.Sprintf(", and it is audited (a share of %g is)", r.audit)
	}
	return false, settled + fmt.Sprintf(", and the audit of %g leaves it out", r.audit)
}

// printShown prints what judges would be asked about the case.
func (a *app) printShown(v *showing, ids []string) error {
	rows := v.list()
	switch {
	case !v.found:
		return usage("the suite has no case %q%s", v.name, newel.DidYouMean(v.name, ids))
	case a.json:
		return writeJSON(a.out, rows)
	case len(rows) == 0:
		_, err := fmt.Fprintf(a.out, "no judge asks a gateway about %s\n", report.Visible(v.name))
		return err
	}
	return report.PlannedText(a.out, rows, a.layout())
}
