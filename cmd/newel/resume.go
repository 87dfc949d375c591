package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
	"newel/ladder"
	"newel/suite"
	"newel/work"
)

func (a *app) resumeCommand() *cobra.Command {
	var runner, baseline, budget string
	c := &cobra.Command{
		Use: "resume RUN", Short: "go on with what a run lacks", Args: exact("a run"),
		Long: `Go on with what a run lacks, then report and gate as run does. What was
scored before is not done again. The stored plan is used and no suite is read,
unless the run stopped before its data was read to the end: then the rest is
read, and must not have changed.

What judges were paid for is not paid again. --budget is what the run may spend
in all, from its beginning: more than before lets it go on when its budget is
spent.

On a sealed run it prints the report. RUN is an id, the beginning of one, or
last.`,
		Example: "  newel resume last\n  newel resume last --budget 10.00",
		RunE: func(cmd *cobra.Command, args []string) error {
			usd, err := parseBudget(budget)
			if err != nil {
				return err
			}
			return a.withRun(cmd.Context(), args[0], func(store newel.Store, run *newel.Run) error {
				return a.resumeWith(cmd.Context(), store, run, usd, func() error { return a.resumeRun(cmd.Context(), store, run, baseline, runner) })
			})
		},
	}
	a.workerFlags(c)
	c.Flags().StringVar(&runner, "runner", "local", "what carries the work: local")
	c.Flags().StringVar(&budget, "budget", "", "what the run may spend in all, in US dollars (default: as before)")
	a.flightFlag(c)
	a.baselineFlags(c, &baseline)
	return c
}

// resumeWith sets a run's budget and goes on with it. A budget under which it
// cannot go on is taken back.
func (a *app) resumeWith(ctx context.Context, store newel.Store, run *newel.Run, usd *newel.Money, resume func() error) error {
	if usd == nil || run.State == newel.Sealed {
		return resume()
	}
	old, err := store.Spending(ctx, run.ID)
	if err == nil {
		err = store.SetBudget(ctx, run.ID, usd)
	}
	if err != nil {
		return err
	}
	err = resume()
	var exit *exitError
	if errors.As(err, &exit) && exit.code == exitUsage {
		err = errors.Join(err, store.SetBudget(context.WithoutCancel(ctx), run.ID, old.Budget))
	}
	return err
}

// flightFlag is --in-flight.
func (a *app) flightFlag(c *cobra.Command) {
	c.Flags().Var(&wholeFlag{to: &a.inFlight, least: 1, most: maxInFlight, unset: "the suite says"}, "in-flight", "calls of judges under way at once (default: as the suite says)")
}

const maxInFlight = 100_000

// parseBudget reads --budget; nil where it was not given.
func parseBudget(text string) (*newel.Money, error) {
	if text == "" {
		return nil, nil
	}
	usd, err := newel.ParseMoney(text)
	if err != nil || usd <= 0 {
		return nil, usage("--budget %q: it is an amount in US dollars above 0, such as 5.00", cut(text))
	}
	return &usd, nil
}

// withRun opens the store and looks a run up.
func (a *app) withRun(ctx context.Context, name string, do func(newel.Store, *newel.Run) error) error {
	store, err := a.openStore(ctx, a.storeURL(""), false)
	if err != nil {
		return err
	}
	defer store.Close()
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
	return do(store, run)
}

// resumeRun goes on with a run, or prints the report of a sealed one.
func (a *app) resumeRun(ctx context.Context, store newel.Store, run *newel.Run, baseline, runner string) error {
	if run.State == newel.Sealed {
		return a.sealedReport(ctx, store, run, baseline)
	}
	if err := a.checkBaseline(ctx, store, run, baseline); err != nil {
		return err
	}
	s, err := a.restoreSuite(run, true)
	if err != nil {
		return err
	}
	defer s.Close()
	e, judges, program, err := a.equip(ctx, store, run, s, runner)
	if err != nil {
		return err
	}
	defer judges.close(context.WithoutCancel(ctx))
	defer a.underWay(store, run.ID, run.Dir, s)()
	var again *suite.Suite
	stop := a.progress(ctx, store, run.ID)
	err = e.Resume(ctx, run.ID, func(run *newel.Run) (*eval.Definition, error) {
		var def *eval.Definition
		if again, def, err = a.defineAgain(run); err == nil {
			def.Planned = program.Fix
		}
		return def, err
	})
	stop()
	if again != nil {
		defer again.Close()
	}
	var mistakes *newel.Mistakes
	switch {
	case errors.Is(err, eval.ErrChanged):
		return &exitError{exitUsage, fmt.Errorf("resume %s: %w", run.ID, err)}
	case errors.As(err, &mistakes):
		return err
	case err != nil:
		return a.stopped(ctx, run.ID, store, judges.refused(err))
	}
	if err := judges.close(ctx); err != nil {
		return a.stopped(ctx, run.ID, store, err)
	}
	return a.conclude(ctx, store, run.ID, s, baseline, nil)
}

// equip makes what a stored run goes on with: an engine whose worker has the
// compiled suite, and its judges, which the caller closes.
func (a *app) equip(ctx context.Context, store newel.Store, run *newel.Run, s *suite.Suite, runner string) (*eval.Engine, *judging, *ladder.Program, error) {
	sel, err := selectionOf(run)
	if err != nil {
		return nil, nil, nil, err
	}
	money, err := store.Spending(ctx, run.ID)
	if err != nil {
		return nil, nil, nil, err
	}
	if s.Budget == 0 && money.Budget != nil {
		s.Budget = *money.Budget // it was set by an earlier resume, or just now
	}
	clients, err := a.connect(s, sel.Rubrics, true)
	if err != nil {
		return nil, nil, nil, err
	}
	e, worker, err := a.engine(store, runner, a.workersFor(s, sel.Rubrics))
	if err != nil {
		return nil, nil, nil, err
	}
	judges := a.judges(store, run.ID, run.Plan.Reuse, run.Parent != "", s, sel.Rubrics, clients)
	program, err := a.useStored(ctx, run, sel, judges, worker)
	if err != nil {
		return nil, nil, nil, errors.Join(err, judges.close(context.WithoutCancel(ctx)))
	}
	return e, judges, program, nil
}

// useStored compiles the stored suite for the worker, with outputs from
// elsewhere when the run was asked for so.
func (a *app) useStored(ctx context.Context, run *newel.Run, sel *selection, judges *judging, worker *work.Worker) (*ladder.Program, error) {
	program, err := judges.program(sel.Rubrics)
	if err != nil {
		return nil, err
	}
	store := judges.store
	program.Fix(&run.Plan)
	if from := sel.Outputs + run.Parent; from != "" && program.Ask != nil {
		source, err := store.Run(ctx, from)
		if err != nil {
			return nil, fmt.Errorf("outputs of run %s: %w", from, err)
		}
		if err := a.reuseOutputs(ctx, store, source, program); err != nil {
			return nil, err
		}
	}
	used := *run
	used.Plan.Scorers = judges.suite.Scorers()
	worker.Use(&used, program)
	return program, nil
}

// defineAgain reads the suite of a run whose plan was cut short.
func (a *app) defineAgain(run *newel.Run) (*suite.Suite, *eval.Definition, error) {
	var sel selection
	if err := suite.Origin(run.Definition, &sel); err != nil {
		return nil, nil, err
	}
	a.roots = append(a.roots, sel.Roots...)
	s, err := a.loadSuiteWith(sel.Suite, overridesOf("set with", sel.Overrides))
	if err != nil {
		return nil, nil, fmt.Errorf("the plan of run %s is not complete, so its suite is read again: %w", run.ID, err)
	}
	if stamp, err := s.Stamp(); err != nil || stamp != sel.Stamp {
		return s, nil, errors.Join(err, eval.ErrChanged)
	}
	def, err := a.define(s, sel)
	return s, def, err
}

// relative shortens a path for people.
func relative(path string) string {
	if wd, err := filepath.Abs("."); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}
