package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"newel"
	"newel/gate"
	"newel/report"
	"newel/suite"
)

func (a *app) gateCommand() *cobra.Command {
	var baseline, file string
	verbose := false
	c := &cobra.Command{
		Use: "gate RUN", Short: "apply the gate to a run: the exit code is the verdict", Args: exact("a run"),
		Long: `Apply the gate to a sealed run and print what each rule found, and nothing else
of the report. The rules are those the suite had, or those of --gate FILE: a
YAML list as under gate: in a suite.

Exit codes: 0 passed, 1 failed, 3 incomplete or invalid, 4 inconclusive.`,
		Example: "  newel gate last --baseline branch=main\n  newel gate last --gate strict.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withRun(cmd.Context(), args[0], func(store newel.Store, run *newel.Run) error {
				return a.gateRun(cmd.Context(), store, run, baseline, file, verbose)
			})
		},
	}
	a.baselineFlags(c, &baseline)
	c.Flags().StringVar(&file, "gate", "", "a file with rules to use instead of the suite's")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "every rule with the figures behind it, and the cases in full")
	return c
}

func (a *app) gateRun(ctx context.Context, store newel.Store, run *newel.Run, baseline, file string, verbose bool) error {
	sum, err := a.gateAnew(ctx, store, run, baseline, file)
	switch {
	case err != nil:
		return err
	case a.json:
		err = writeJSON(a.out, sum.Gate)
	default:
		opt := a.textOptions(store)
		opt.Verbose = verbose
		err = report.GateText(a.out, sum, opt)
		if err == nil && !a.quiet {
			a.hints(sum, store)
		}
	}
	if err != nil {
		return err
	}
	return gateError(sum)
}

// gateAnew is a sealed run's summary with the gate applied once more.
func (a *app) gateAnew(ctx context.Context, store newel.Store, run *newel.Run, baseline, file string) (*newel.Summary, error) {
	s, err := a.restoreSuite(run, false)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if run.State != newel.Sealed {
		hint := a.goingOn(ctx, store, run, false).Flag() + a.storeHint(store) + a.allowHint(run)
		return nil, &exitError{exitIncomplete, fmt.Errorf("run %s is %s: there is no verdict before its ledger is full. Go on with: newel resume %s%s", run.ID, run.State, run.ID, hint)}
	}
	rules := s.Gate
	if file != "" {
		if rules, err = readRules(file, s); err != nil {
			return nil, err
		}
	}
	if len(rules) == 0 {
		return nil, usage("the suite of run %s has no gate; give rules with --gate FILE", run.ID)
	}
	if baseline == "" && !a.noBaseline {
		baseline = sealedBaseline(run)
	}
	return a.sumUpWith(ctx, store, run, s, rules, baseline)
}

func readRules(file string, s *suite.Suite) ([]gate.Rule, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &exitError{exitUsage, fmt.Errorf("read gate: %w", err)}
	}
	var m newel.Mistakes
	n := suite.ParseYAML(file, text, &m)
	if n == nil {
		return nil, m.Err()
	}
	rules := gate.ParseRules(n, s.GateInfo(), &m)
	return rules, m.Err()
}

// sealedBaseline is the baseline that the sealed report was made with.
func sealedBaseline(run *newel.Run) string {
	var sum newel.Summary
	if err := json.Unmarshal(run.Summary, &sum); err != nil || sum.Gate == nil {
		return ""
	}
	return sum.Gate.BaselineRun
}
