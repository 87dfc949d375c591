package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
	"newel/report"
)

var costBy = []string{"suite", "rubric", "runner", "model", "layer"}

func (a *app) costCommand() *cobra.Command {
	by := "rubric"
	c := &cobra.Command{
		Use: "cost RUN…", Short: "where money and time went",
		Long: `Fold what runs cost by suite, rubric, runner, model, layer or a dimension
(dims.X). A cost that nobody reported is unknown and never counted as 0: then
the amount is a lower end and says so.

A target's answer belongs to an item and so to all its rubrics: by rubric,
model or layer it stands on a line of its own, (target). So do, as (no row),
calls that no row was read from: replies that came second, and attempts that
failed. A reply that an earlier run or another row had paid for costs nothing
and counts as cached. What was waited is added up over all calls, however many
were under way at once.`,
		Example: "  newel cost last --by rubric\n  newel cost last --by dims.route",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(costBy, by) && !strings.HasPrefix(by, "dims.") {
				return usage("--by %q: one of %s or dims.X%s", by, strings.Join(costBy, ", "), newel.DidYouMean(by, costBy))
			}
			return a.cost(cmd.Context(), args, by)
		},
	}
	c.Flags().StringVar(&by, "by", "rubric", "suite, rubric, runner, model, layer or dims.X")
	return c
}

func (a *app) cost(ctx context.Context, names []string, by string) error {
	store, err := a.openStore(ctx, a.storeURL(""), false)
	if err != nil {
		return err
	}
	defer store.Close()
	f := costFold{by: by, lines: map[string]*costLine{}}
	for _, name := range names {
		id, err := a.resolveRun(ctx, store, name)
		if err != nil {
			return err
		}
		run, err := store.Run(ctx, id)
		if err != nil {
			return err
		}
		if err := intact(ctx, store, run); err != nil {
			return err
		}
		item := func(it *newel.ItemRows) error { return f.add(run, it) }
		if err := eval.Calls(ctx, store, run, item, func(b eval.Bought) error { return f.call(run, b) }); err != nil {
			return err
		}
	}
	table, err := f.table()
	if err != nil {
		return err
	}
	if a.json {
		return report.CostJSON(a.out, table)
	}
	return report.CostText(a.out, table, a.textOptions(store))
}

// costFold adds up what rows and the answers of targets cost. Rows that a floor
// settles cost nothing.
type costFold struct {
	by    string
	lines map[string]*costLine
}

type costLine report.CostLine

func (f *costFold) add(run *newel.Run, it *newel.ItemRows) error {
	for i := range it.Results {
		f.line(f.key(run, it, &it.Results[i])).Rows++
	}
	if !it.Done || it.Fetched == nil {
		return nil
	}
	return f.line(f.targetKey(run, it)).ask(it)
}

// ask adds what the target's answer took, as reports count it.
func (l *costLine) ask(it *newel.ItemRows) error {
	l.Calls++
	l.TimeMS += it.Fetched.Latency.Milliseconds()
	usd, known, err := eval.CostOf(it.Run)
	switch {
	case err != nil:
		return fmt.Errorf("item %d: cost of the target: %w", it.N, err)
	case !known:
		l.UnknownCalls++
		return nil
	}
	l.USD, err = l.USD.Add(usd)
	return err
}

// call adds a judge's call to the line of its row. A reply that was there already
// costs nothing.
func (f *costFold) call(run *newel.Run, b eval.Bought) error {
	l := f.line(f.callKey(run, b))
	if !b.Own {
		l.Cached++
		return nil
	}
	l.Calls++
	l.TimeMS += int64(b.Call.ClientMS)
	for _, t := range b.Call.Tries {
		l.TimeMS += int64(t.ClientMS)
	}
	if b.Cost == nil {
		l.UnknownCalls++
		return nil
	}
	var err error
	l.USD, err = l.USD.Add(*b.Cost)
	return err
}

func (f *costFold) callKey(run *newel.Run, b eval.Bought) string {
	switch {
	case f.by == "model":
		return orWord(b.Call.ModelUsed, b.Call.ModelAsked)
	case f.by == "layer":
		return newel.Judge.String()
	case b.Item == nil && f.by != "suite" && f.by != "runner":
		return "(no row)"
	case b.Item == nil:
		return f.key(run, nil, nil)
	}
	return f.key(run, b.Item, b.Result)
}

func (f *costFold) line(key string) *costLine {
	line := f.lines[key]
	if line == nil {
		line = &costLine{Key: key}
		f.lines[key] = line
	}
	return line
}

// targetKey is the line that a target's answer stands on.
func (f *costFold) targetKey(run *newel.Run, it *newel.ItemRows) string {
	switch f.by {
	case "rubric", "model", "layer":
		return "(target)"
	}
	return f.key(run, it, nil)
}

// key is the line that a row stands on. Result is read for rubric and layer
// alone.
func (f *costFold) key(run *newel.Run, it *newel.ItemRows, res *newel.Result) string {
	switch f.by {
	case "suite":
		return run.Suite
	case "rubric":
		return run.Plan.Rubrics[res.Rubric]
	case "runner":
		return run.Runner
	case "layer":
		return orWord(res.Layer.String(), "none")
	case "model":
		return "none"
	}
	value, ok := newel.FindDim(it.Dims, strings.TrimPrefix(f.by, "dims."))
	if !ok {
		return "(absent)"
	}
	return value
}

func (f *costFold) table() (*report.CostTable, error) {
	t := &report.CostTable{By: f.by, Total: report.CostLine{Key: "total"}, Lines: []report.CostLine{}}
	for _, line := range f.lines {
		t.Lines = append(t.Lines, report.CostLine(*line))
		t.Total.Rows += line.Rows
		t.Total.Calls += line.Calls
		t.Total.Cached += line.Cached
		t.Total.UnknownCalls += line.UnknownCalls
		t.Total.TimeMS += line.TimeMS
		var err error
		if t.Total.USD, err = t.Total.USD.Add(line.USD); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(t.Lines, func(a, b report.CostLine) int { return strings.Compare(a.Key, b.Key) })
	if len(t.Lines) == 0 {
		t.Notes = append(t.Notes, "no rows")
	}
	return t, nil
}
