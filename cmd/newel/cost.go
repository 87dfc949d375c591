package main

import (
	"context"
	"fmt"
	"maps"
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
(dims.X).

A cost that nobody reported is unknown and never counted as 0: then the amount is
a lower end (≥) and says so. So it is where attempts before the last may have been
billed ("in part"), or were lost with a killed process or still are under way (on
the line "(lost)"); "at most more" is what all this comes to at worst prices.

"paid" counts the calls that the run made itself. Other rows are read from replies
that were there and cost nothing: those of earlier runs ("earlier"), and those
that another row of the run had brought ("shared"). Of rows that share a reply the
first, in the order of the plan, bears all of its cost.

A target's answer belongs to an item and so to all its rubrics: by rubric, model
or layer it stands on a line of its own, (target). On the line (no row) stand
calls that no row was read from: replies that came second, attempts that failed,
and, of a run that is not complete, calls that are paid for and whose item has no
row yet. Of lost attempts nobody knows whose they were. By model a row counts under
the model of its first call, and under "none" if it has none.

"in calls" is the time from requests to their answers, attempts that failed among
them; "queued" is what calls waited before: for a slot, for the gateway's limits,
between attempts. Both are added up over all calls, however many were under way at
once, so they are no time on the clock.`,
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
	f := costFold{by: by, lines: map[string]*report.CostLine{}, dims: map[string]bool{}}
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
		if err := f.lost(ctx, store, run); err != nil {
			return err
		}
	}
	if err := f.known(); err != nil {
		return err
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
	lines map[string]*report.CostLine
	row   *newel.Result   // the last one counted by the model of its call
	items int             // looked at
	dims  map[string]bool // that they have
}

func (f *costFold) add(run *newel.Run, it *newel.ItemRows) error {
	f.row = nil
	f.items++
	for _, d := range it.Dims {
		f.dims[d.Name] = true
	}
	for i := range it.Results {
		res := &it.Results[i]
		if f.by == "model" && hasCalls(res) {
			continue // its calls follow
		}
		f.line(f.key(run, it, res)).Rows++
	}
	if !it.Done || it.Fetched == nil {
		return nil
	}
	return ask(f.line(f.targetKey(run, it)), it)
}

func hasCalls(res *newel.Result) (has bool) {
	res.EachCall(func(newel.CallRef) { has = true })
	return has
}

// ask adds what the target's answer took, as reports count it.
func ask(l *report.CostLine, it *newel.ItemRows) error {
	l.Calls++
	l.TimeMS += it.Fetched.Latency.Milliseconds()
	usd, known, err := eval.CostOf(it.Run)
	switch {
	case err != nil:
		return fmt.Errorf("item %d: cost of the target: %w", it.N, err)
	case !known:
		l.UnknownCalls++
		l.Unbounded = true
		return nil
	}
	l.USD, err = l.USD.Add(usd)
	return err
}

// call adds a judge's call to the line of its row. A reply that was there already
// costs nothing.
func (f *costFold) call(run *newel.Run, b eval.Bought) error {
	l := f.line(f.callKey(run, b))
	if f.by == "model" && b.Result != nil && b.Result != f.row {
		f.row = b.Result
		l.Rows++
	}
	if !b.Own {
		l.Cached++
		if b.Shared {
			l.Shared++
		}
		return nil
	}
	l.Calls++
	within := b.Call.ClientMS
	for _, t := range b.Call.Tries {
		within += t.ClientMS
	}
	l.TimeMS += int64(within)
	l.QueuedMS += max(0, int64(b.Call.WaitedMS-(within-b.Call.ClientMS)))
	return pay(l, b)
}

// pay adds what a call cost, and what of it is not known.
func pay(l *report.CostLine, b eval.Bought) (err error) {
	l.Unbounded = l.Unbounded || b.Open
	if l.HeldUSD, err = l.HeldUSD.Add(b.Held); err != nil {
		return err
	}
	if b.Cost == nil {
		l.UnknownCalls++
		return nil
	}
	if !b.Exact() {
		l.PartlyKnown++
	}
	l.USD, err = l.USD.Add(*b.Cost)
	return err
}

// lost adds the attempts of a run that brought no reply: under way, or lost with
// their process.
func (f *costFold) lost(ctx context.Context, store newel.Store, run *newel.Run) error {
	s, err := store.Spending(ctx, run.ID)
	if err != nil || s.Open == 0 {
		return err
	}
	key := "(lost)"
	if f.by == "suite" || f.by == "runner" {
		key = f.key(run, nil, nil)
	}
	l := f.line(key)
	l.Lost += s.Open
	l.Unbounded = l.Unbounded || s.Reserved == 0
	l.HeldUSD, err = l.HeldUSD.Add(s.Reserved)
	return err
}

// known is an error for a dimension that no item has.
func (f *costFold) known() error {
	name, by := strings.CutPrefix(f.by, "dims.")
	if !by || f.items == 0 || f.dims[name] {
		return nil
	}
	names := slices.Sorted(maps.Keys(f.dims))
	if len(names) == 0 {
		return usage("--by %s: no item has a dimension", cut(f.by))
	}
	return usage("--by %s: no item has this dimension; there are %s%s", cut(f.by), cut(strings.Join(names, ", ")), newel.DidYouMean(name, names))
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

func (f *costFold) line(key string) *report.CostLine {
	line := f.lines[key]
	if line == nil {
		line = &report.CostLine{Key: key}
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
		if err := t.Total.Add(line); err != nil {
			return nil, err
		}
		line.Close()
		t.Lines = append(t.Lines, *line)
	}
	t.Total.Close()
	slices.SortFunc(t.Lines, func(a, b report.CostLine) int { return strings.Compare(a.Key, b.Key) })
	if len(t.Lines) == 0 {
		t.Notes = append(t.Notes, "no rows")
	}
	return t, nil
}
