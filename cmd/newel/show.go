package main

import (
	"context"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
	"newel/report"
)

func (a *app) showCommand() *cobra.Command {
	var q eval.RowQuery
	limit, verbose, output := 50, false, false
	c := &cobra.Command{
		Use: "show RUN", Short: "which cases failed and why, with evidence", Args: exact("a run"),
		Long: `List a run's rows: the case, the rubric, the check that decided, why, and the
evidence; with --output what was scored, too. --json prints them one a line.`,
		Example: "  newel show last --failing\n  newel show last --rubric grounded --case q-17",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withRun(cmd.Context(), args[0], func(store newel.Store, run *newel.Run) error {
				if err := knownRubric(run, q.Rubric); err != nil {
					return err
				}
				return a.showRows(cmd.Context(), store, run, q, rowsShown{limit, verbose, output})
			})
		},
	}
	c.Flags().BoolVar(&q.Failing, "failing", false, "only fails and errors")
	c.Flags().StringVar(&q.Rubric, "rubric", "", "only this rubric")
	c.Flags().StringVar(&q.Case, "case", "", "only this case")
	c.Flags().Var(&wholeFlag{to: &limit, unset: "0 shows all"}, "limit", "at most so many rows; 0 shows all")
	c.Flags().BoolVar(&output, "output", false, "the output below each row; not in --json")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "whole explanations and outputs and all evidence")
	return c
}

func knownRubric(run *newel.Run, name string) error {
	if name == "" {
		return nil
	}
	for _, r := range run.Plan.Rubrics {
		if r == name {
			return nil
		}
	}
	return usage("run %s has no rubric %q%s", run.ID, name, newel.DidYouMean(name, run.Plan.Rubrics))
}

// rowsShown says how rows are listed.
type rowsShown struct {
	limit           int
	verbose, output bool
}

func (a *app) showRows(ctx context.Context, store newel.Store, run *newel.Run, q eval.RowQuery, how rowsShown) error {
	more := 0
	if err := a.writeRows(ctx, store, run, q, how, &more); err != nil {
		return err
	}
	if more > 0 && !a.quiet {
		fmt.Fprintf(a.err, "newel: %s more; --limit 0 shows all\n", counted(more, "row"))
	}
	if run.State != newel.Sealed && !a.quiet {
		fmt.Fprintf(a.err, "newel: %s\n", a.notComplete(ctx, store, run))
	}
	return nil
}

func (a *app) writeRows(ctx context.Context, store newel.Store, run *newel.Run, q eval.RowQuery, how rowsShown, more *int) error {
	opt := a.textOptions(store)
	opt.Verbose = how.verbose
	if how.output && !a.json {
		return report.OutputText(a.out, seenRows(first(eval.Look(ctx, store, run, q), how.limit, more), how.verbose), opt)
	}
	rows := first(eval.Rows(ctx, store, run, q), how.limit, more)
	if a.json {
		return report.JSONL(a.out, rows)
	}
	return report.RowText(a.out, rows, opt)
}

func seenRows(rows iter.Seq2[eval.Looked, error], whole bool) iter.Seq2[report.SeenRow, error] {
	return func(yield func(report.SeenRow, error) bool) {
		for l, err := range rows {
			if !yield(report.SeenRow{Row: l.Row, Subject: subjectOf(l.Item, whole)}, err) {
				return
			}
		}
	}
}

func subjectOf(s eval.Seen, whole bool) *report.Subject {
	return &report.Subject{Input: s.Input, Output: s.Output, Reference: s.Reference, Outputs: s.Outputs, Context: s.Passages, Fetched: s.Fetched, Err: s.Err, Whole: whole}
}

// first passes on the first n rows, all when n is 0, and counts the rest.
func first[R any](rows iter.Seq2[R, error], n int, more *int) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		seen := 0
		for row, err := range rows {
			if err == nil && n > 0 && seen >= n {
				*more++
				continue
			}
			seen++
			if !yield(row, err) {
				return
			}
		}
	}
}

func (a *app) explainCommand() *cobra.Command {
	verbose := false
	c := &cobra.Command{
		Use: "explain RUN CASE", Short: "the climb of one case, layer by layer", Args: exact("a run", "a case"),
		Long: `Show what was scored of one case (input, output, reference) and how it climbed
the ladder of each rubric: every check with its verdict, value and reason, what
was handed up, and what decided. CASE is a case's id, or an item as reports show
it (case|lang=de|#2).

Each call of a judge says who paid for it: this run, or an earlier one whose
reply was used again, and when. Where this run paid although an earlier one of
the suite judged the same case, it says why its reply did not serve: which part
of the call differs (the model, the prompt, the case, …), or that it is too old,
could not be read, or was not to be used.

With -v, and in --json, each call has its prompt as it was sent and its reply as
it came, also one that could not be read. The prompt is written again from the
stored suite and case; no gateway is reached.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withRun(cmd.Context(), args[0], func(store newel.Store, run *newel.Run) error {
				return a.explain(cmd.Context(), store, run, args[1], verbose)
			})
		},
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "everything whole, with the prompt and reply of each call, and the passages")
	return c
}

func (a *app) explain(ctx context.Context, store newel.Store, run *newel.Run, name string, whole bool) error {
	var rows []newel.Row
	var scored []scoredJSON
	seen := map[string]*report.Subject{}
	for l, err := range eval.Look(ctx, store, run, eval.RowQuery{Case: name}) {
		if err != nil {
			return err
		}
		rows, scored = append(rows, l.Row), append(scored, scoredView(&l.Item))
		seen[l.Row.Item] = subjectOf(l.Item, whole)
	}
	if len(rows) == 0 {
		return a.noRow(ctx, store, run, name)
	}
	w := &anew{app: a, store: store, run: run, from: map[string]*rebuilt{}}
	defer w.close()
	if err := w.explain(ctx, rows); err != nil {
		return err
	}
	if whole || a.json {
		if err := w.exchanges(ctx, rows); err != nil {
			return err
		}
	}
	if a.json {
		list := make([]explainedRow, len(rows))
		for i := range rows {
			list[i] = explainedRow{rows[i], scored[i]}
		}
		return writeJSON(a.out, list)
	}
	opt := a.textOptions(store)
	opt.Verbose = true
	if run.State != newel.Sealed && !a.quiet {
		defer fmt.Fprintf(a.err, "newel: %s\n", a.notComplete(ctx, store, run))
	}
	return report.ClimbText(a.out, rows, seen, opt)
}

// maxNear is among how many cases a name that was probably meant is sought.
const maxNear = 100_000

// noRow says why there is nothing to explain: the case is yet to be scored, no
// rubric is about it, or the run does not have it.
func (a *app) noRow(ctx context.Context, store newel.Store, run *newel.Run, name string) error {
	planned, done := false, false
	err := eval.Scan(ctx, store, run, false, func(it *newel.ItemRows) error {
		if name == it.Case || name == it.Show(run.Plan.Trials) {
			planned, done = true, done || it.Done
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case planned && done:
		return usage("run %s has no row of case %q: no rubric applies to it", run.ID, name)
	case planned:
		return &exitError{exitIncomplete, fmt.Errorf("case %q has no row yet: %s", name, a.notComplete(ctx, store, run))}
	}
	near, err := nearCase(ctx, store, run, name)
	if err != nil {
		return err
	}
	return usage("run %s has no row of a case %q%s", run.ID, name, near)
}

// nearCase suggests a case that was probably meant.
func nearCase(ctx context.Context, store newel.Store, run *newel.Run, name string) (string, error) {
	var ids []string
	err := eval.Scan(ctx, store, run, false, func(it *newel.ItemRows) error {
		if len(ids) < maxNear {
			ids = append(ids, it.Case)
		}
		return nil
	})
	return newel.DidYouMean(name, ids), err
}

// notComplete says how an incomplete run goes on, and what its judges were paid
// for.
func (a *app) notComplete(ctx context.Context, store newel.Store, run *newel.Run) string {
	u := a.goingOn(ctx, store, run, false)
	text := "run " + run.ID + " is not complete"
	for _, more := range []string{report.KeptText(u), report.ShortText(u)} {
		if more != "" {
			text += "; " + more
		}
	}
	return text + ". Go on with: newel resume " + run.ID + u.Flag() + a.storeHint(store) + a.allowHint(run)
}

func (a *app) runsCommand() *cobra.Command {
	var labels []string
	var q newel.RunQuery
	c := &cobra.Command{
		Use: "runs", Short: "list the runs in the store, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if q.Labels, err = parseLabels(labels); err != nil {
				return err
			}
			return a.listRuns(cmd.Context(), q)
		},
	}
	c.Flags().StringVar(&q.Suite, "suite", "", "only runs of this suite")
	c.Flags().StringArrayVar(&labels, "label", nil, "only runs with this label, key=value; may be repeated")
	q.Limit = 20
	c.Flags().Var(&wholeFlag{to: &q.Limit, unset: "0 lists all"}, "limit", "at most so many; 0 lists all")
	return c
}

func (a *app) listRuns(ctx context.Context, q newel.RunQuery) error {
	store, err := a.openStore(ctx, a.storeURL(""), false)
	if err != nil {
		return err
	}
	defer store.Close()
	list, err := store.ListRuns(ctx, q)
	if err != nil {
		return err
	}
	lines := make([]report.RunLine, 0, len(list))
	for _, r := range list {
		line := report.RunLine{ID: r.ID, Suite: r.Suite, State: r.State, Runner: r.Runner, Created: r.Created, Items: r.Plan.Items, Labels: r.Labels}
		chunks, err := store.Chunks(ctx, r.ID)
		if err != nil {
			return err
		}
		for _, c := range chunks {
			line.Tally.Plus(c.Tally)
		}
		if r.State == newel.Sealed {
			whole, err := store.Run(ctx, r.ID)
			if err != nil {
				return err
			}
			if sum, err := a.summaryOf(ctx, store, whole); err == nil && sum.Gate != nil {
				line.Gate = sum.Gate.State
			}
		}
		lines = append(lines, line)
	}
	if a.json {
		return writeJSON(a.out, lines)
	}
	return report.RunsTable(a.out, lines, a.textOptions(store))
}
