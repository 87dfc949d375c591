package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
	"newel/report"
)

func (a *app) diffCommand() *cobra.Command {
	most := 50
	c := &cobra.Command{
		Use: "diff A B", Short: "what changed between two runs, case by case", Args: exact("a run", "another"),
		Long: `Compare two runs case by case: broken (passed in A, fails in B), fixed, other
changes of the verdict, rows that another layer decided, and cases that only
one run has. It decides nothing; newel gate does.

A and B are each an id, the beginning of one, last, key=value (the newest sealed
run of a whole suite with that label), or an exported FILE, which is written
with a / or has an ending such as .newel. Where a run has that id, it is the
run: write ./FILE for the file.`,
		Example: "  newel diff 20270101 last\n  newel diff main.newel last",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.diffOf(cmd.Context(), args[0], args[1], most)
		},
	}
	c.Flags().Var(&wholeFlag{to: &most, unset: "0 lists all"}, "limit", "list at most so many rows of each kind; 0 lists all")
	return c
}

// diffOf looks both runs up. Where both are files, no store is needed.
func (a *app) diffOf(ctx context.Context, nameA, nameB string, most int) error {
	var store newel.Store
	if !onlyFile(nameA) || !onlyFile(nameB) {
		var err error
		if store, err = a.openStore(ctx, a.storeURL(""), false); err != nil {
			return err
		}
		defer store.Close()
	}
	from, err := a.refer(ctx, store, nil, nameA)
	if err != nil {
		return err
	}
	defer from.close()
	to, err := a.refer(ctx, store, nil, nameB)
	if err != nil {
		return err
	}
	defer to.close()
	return a.diff(ctx, from, to, most)
}

// sides remembers one run's verdicts for the comparison with another.
type sideRow struct {
	verdict newel.Verdict
	layer   newel.Layer
}

type rowKey struct {
	item   newel.ItemID
	rubric string
}

func (a *app) diff(ctx context.Context, sideA, sideB *baseline, most int) error {
	from, to := sideA.run, sideB.run
	before := map[rowKey]sideRow{}
	err := eval.Scan(ctx, sideA.store, from, false, func(it *newel.ItemRows) error {
		id := newel.ItemIDOf(it.Case, it.Matrix, it.Trial)
		for i := range it.Results {
			r := &it.Results[i]
			before[rowKey{id, from.Plan.Rubrics[r.Rubric]}] = sideRow{r.Verdict, r.Layer}
		}
		return nil
	})
	if err != nil {
		return err
	}
	zero := newel.Money(0)
	d := &differ{before: before, most: most, out: &report.Diff{A: diffRun(from), B: diffRun(to), Cost: report.DiffCosts{From: &zero, To: &zero}}}
	if err := eval.Scan(ctx, sideB.store, to, true, func(it *newel.ItemRows) error { d.add(to, it); return nil }); err != nil {
		return err
	}
	d.out.OnlyA = len(before)
	if a.json {
		return report.DiffJSON(a.out, d.out)
	}
	return report.DiffText(a.out, d.out, a.textOptions(sideB.store))
}

func diffRun(r *newel.Run) report.DiffRun {
	digest := ""
	if !r.Digest.IsZero() {
		digest = r.Digest.String()
	}
	return report.DiffRun{Run: r.ID, Suite: r.Suite, Digest: digest}
}

type differ struct {
	before map[rowKey]sideRow
	most   int
	out    *report.Diff
}

func (d *differ) add(run *newel.Run, it *newel.ItemRows) {
	id := newel.ItemIDOf(it.Case, it.Matrix, it.Trial)
	for i := range it.Results {
		res := &it.Results[i]
		key := rowKey{id, run.Plan.Rubrics[res.Rubric]}
		was, ok := d.before[key]
		if !ok {
			d.out.OnlyB++
			continue
		}
		delete(d.before, key)
		d.out.Pairs++
		if was.verdict == res.Verdict && was.layer == res.Layer {
			d.out.Same++
			continue
		}
		row := report.DiffRow{Case: it.Show(run.Plan.Trials), Rubric: key.rubric, From: was.verdict.String(), To: res.Verdict.String(),
			FromLayer: was.layer.String(), ToLayer: res.Layer.String(), Why: whyOf(res)}
		d.note(d.kind(was, res), row)
	}
}

func (d *differ) kind(was sideRow, res *newel.Result) *report.DiffRows {
	switch {
	case was.verdict == res.Verdict:
		return &d.out.Layer
	case was.verdict == newel.Pass && res.Verdict == newel.Fail:
		return &d.out.Broken
	case was.verdict == newel.Fail && res.Verdict == newel.Pass:
		return &d.out.Fixed
	}
	return &d.out.Verdict
}

func (d *differ) note(list *report.DiffRows, row report.DiffRow) {
	list.N++
	if d.most == 0 || len(list.Rows) < d.most {
		list.Rows = append(list.Rows, row)
	}
}

// whyOf is the deciding score's explanation.
func whyOf(res *newel.Result) string {
	if res.Err != nil {
		return res.Err.Error()
	}
	at := slices.IndexFunc(res.Scores, func(s newel.Score) bool { return s.Verdict == res.Verdict && s.Explanation != "" })
	if at < 0 {
		return ""
	}
	return res.Scores[at].Explanation
}
