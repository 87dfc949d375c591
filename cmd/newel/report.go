package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
	"newel/report"
)

var reportForms = []string{"text", "json", "jsonl", "csv", "junit", "markdown"}

func (a *app) reportCommand() *cobra.Command {
	as, out, verbose := "text", "", false
	c := &cobra.Command{
		Use: "report RUN", Short: "print a run's report in one of several forms", Args: exact("a run"),
		Long: `Print a run's report. All forms are renderings of one summary; jsonl and csv
are the rows themselves, streamed.

  text      for a terminal
  json      the whole summary; names are stable
  jsonl     one row a line, with explanations and evidence
  csv       one row a line, for spreadsheets
  junit     for CI systems: a testcase for each case and rubric
  markdown  for a pull-request comment or a job summary

The exit code is 0 when the report was written, whatever it says; newel gate
returns the verdict.`,
		Example: "  newel report last --as junit --out newel.xml\n  newel report last --as markdown >> \"$GITHUB_STEP_SUMMARY\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.json && !cmd.Flags().Changed("as") {
				as = "json"
			}
			if !slices.Contains(reportForms, as) {
				return usage("--as %q: one of %v%s", as, reportForms, newel.DidYouMean(as, reportForms))
			}
			return a.withRun(cmd.Context(), args[0], func(store newel.Store, run *newel.Run) error {
				return a.writeTo(out, func(w io.Writer) error { return a.report(cmd.Context(), w, store, run, as, verbose) })
			})
		},
	}
	c.Flags().StringVar(&as, "as", "text", "text, json, jsonl, csv, junit or markdown")
	c.Flags().StringVar(&out, "out", "", "write to this file instead of standard output")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "text: show everything, such as all slices and the figures behind each gate rule")
	return c
}

func (a *app) report(ctx context.Context, w io.Writer, store newel.Store, run *newel.Run, as string, verbose bool) error {
	rows := func() iter.Seq2[newel.Row, error] { return eval.Rows(ctx, store, run, eval.RowQuery{}) }
	if as == "jsonl" {
		return report.JSONL(w, rows())
	}
	sum, err := a.summaryOf(ctx, store, run)
	if err != nil {
		return err
	}
	switch as {
	case "json":
		return report.JSON(w, sum)
	case "csv":
		return report.CSV(w, rows(), dimNames(sum))
	case "junit":
		return report.JUnit(w, sum, rows)
	case "markdown":
		return report.Markdown(w, sum, 0)
	}
	opt := a.textOptions(store)
	opt.Verbose = verbose
	if run.State != newel.Sealed {
		opt.Resume = a.allowHint(run)
	}
	if w != a.out {
		opt.Color = false
	}
	return report.Text(w, sum, opt)
}

// summaryOf returns a run's summary: the sealed one as it was stored, else a
// new one of what is there.
func (a *app) summaryOf(ctx context.Context, store newel.Store, run *newel.Run) (*newel.Summary, error) {
	if run.State == newel.Sealed {
		var sum newel.Summary
		if err := json.Unmarshal(run.Summary, &sum); err != nil {
			return nil, fmt.Errorf("read the sealed report of run %s: %w", run.ID, err)
		}
		return &sum, nil
	}
	s, err := a.restoreSuite(run, false)
	if err != nil {
		return nil, err
	}
	return a.sumUpWith(ctx, store, run, s, nil, "")
}

// sealedReport prints the report of a sealed run, gated anew when another
// baseline is named.
func (a *app) sealedReport(ctx context.Context, store newel.Store, run *newel.Run, baseline string) error {
	if baseline != "" || a.noBaseline {
		sum, err := a.gateAnew(ctx, store, run, baseline, "")
		if err != nil {
			return err
		}
		return a.show(ctx, sum, store)
	}
	sum, err := a.summaryOf(ctx, store, run)
	if err != nil {
		return err
	}
	return a.show(ctx, sum, store)
}

// dimNames lists the dimensions that a summary slices by, for columns.
func dimNames(sum *newel.Summary) []string {
	seen := map[string]bool{}
	var names []string
	for _, s := range sum.Slices {
		for name := range s.Dims {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}
