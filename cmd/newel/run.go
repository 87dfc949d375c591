package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"newel"
	"newel/suite"
)

const runLong = `Plan a suite, run it, print the report and apply the gate.

The exit code is the gate's: 0 passed (or no gate), 1 failed, 2 usage or
definition, 3 incomplete or invalid, 4 inconclusive, 130 interrupted. A first
Ctrl-C finishes what is under way and says how to resume; a second stops at
once. Neither loses a row that was scored.

Rows are kept in a store beside the suite, so that "newel show", "explain",
"diff" and "report" work on the run afterwards.`

const runExample = `  newel run examples/qa-eval-nq/suite.yaml
  newel run suite.yaml --label branch=main
  newel run suite.yaml --baseline branch=main
  newel run suite.yaml --where 'dims.language == "de"' --limit 100
  newel run suite.yaml --json > report.json`

// runFlags are those of run.
type runFlags struct {
	selection
	runner   string
	id       string
	labels   []string
	baseline string
	retry    string
	noCache  bool
	detach   bool
	budget   string
	usd      *newel.Money // what budget says; nil: as the suite says
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use: "run SUITE", Short: "run a suite, report and gate", Long: runLong, Example: runExample, Args: exact("a suite"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), args[0], f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.runner, "runner", "local", "what carries the work: local")
	a.workerFlags(c)
	flags.StringVar(&f.id, "id", "", "the run's id (default: made from the time); an id that exists goes on with that run, if the plan is the same")
	flags.StringArrayVar(&f.labels, "label", nil, "label the run, key=value; may be repeated")
	a.baselineFlags(c, &f.baseline)
	flags.StringVar(&f.Where, "where", "", "only cases for which this CEL expression holds")
	flags.Var(&wholeFlag{to: &f.Limit, least: 1, unset: "leave it out for all cases"}, "limit", "only the first so many cases")
	flags.StringArrayVar(&f.Rubrics, "rubric", nil, "only this rubric; may be repeated")
	flags.StringVar(&f.Outputs, "outputs-from", "", "take fetched outputs from this run instead of asking the target again")
	flags.StringVar(&f.retry, "retry-errors", "", "go over this sealed run again: stored outputs and replies are used, only what erred is asked anew")
	a.judgeFlags(c, &f.noCache)
	a.flightFlag(c)
	flags.StringVar(&f.budget, "budget", "", "what the run may spend, in US dollars (default: as the suite says)")
	flags.BoolVar(&f.detach, "detach", false, "return at once where the runner lives without its starter (not local)")
	return c
}

// judgeFlags are those of commands that ask judges, or count what they would be
// asked.
func (a *app) judgeFlags(c *cobra.Command, noCache *bool) {
	c.Flags().BoolVar(noCache, "no-cache", false, "ask judges again, whatever earlier runs have paid for")
}

// workerFlags are those of commands that score.
func (a *app) workerFlags(c *cobra.Command) {
	f := c.Flags()
	f.Var(&wholeFlag{to: &a.workers, least: 1, most: maxWorkers, unset: "leave it out for the number of processors"}, "workers", "goroutines that score (default: the number of processors)")
	f.StringArrayVar(&a.roots, "data-root", nil, "another folder that data files may be in; may be repeated")
	f.StringArrayVar(&a.allow, "allow-commands", nil, "a folder whose suites may start commands; may be repeated")
}

func (a *app) run(ctx context.Context, path string, f runFlags) error {
	labels, err := f.check()
	if err != nil {
		return err
	}
	s, err := a.loadSuite(path)
	if err != nil {
		return err
	}
	defer s.Close()
	if f.usd != nil {
		s.Budget = *f.usd
	}
	return a.runSuite(ctx, s, f, labels)
}

// runSuite plans and runs a suite that was read, with flags that were checked.
func (a *app) runSuite(ctx context.Context, s *suite.Suite, f runFlags, labels map[string]string) error {
	if missing := s.Unready(f.Rubrics); len(missing) > 0 {
		return &exitError{exitUsage, fmt.Errorf("suite %q: %s", s.Name, strings.Join(missing, "; "))}
	}
	clients, err := a.connect(s, f.Rubrics, true)
	if err != nil {
		return err
	}
	file, err := filepath.Abs(s.File())
	if err != nil {
		return err
	}
	store, err := a.openStore(ctx, a.storeURL(s.Dir), true)
	if err != nil {
		return err
	}
	defer store.Close()
	j := &job{app: a, store: store, suite: s, baseline: f.baseline, usd: f.usd}
	if f.id == "" {
		if f.id, err = a.newRunID(); err != nil {
			return err
		}
	}
	reuse := a.reuseOf(s, f.noCache)
	if f.retry != "" {
		if reuse, err = j.retried(ctx, &f); err != nil {
			return err
		}
	}
	j.judges = a.judges(store, f.id, reuse, f.retry != "", s, f.Rubrics, clients)
	defer j.judges.close(context.WithoutCancel(ctx))
	if j.program, err = j.judges.program(f.Rubrics); err != nil {
		return &exitError{exitUsage, err}
	}
	if err := j.prepareOutputs(ctx, &f, j.program); err != nil {
		return err
	}
	f.Suite, f.Roots = file, a.roots
	if f.Stamp, err = s.Stamp(); err != nil {
		return err
	}
	if j.def, err = a.define(s, f.selection); err != nil {
		return err
	}
	j.def.Reuse, j.def.Planned = reuse, j.program.Fix
	if j.engine, j.worker, err = a.engine(store, f.runner, a.workersFor(s, f.Rubrics)); err != nil {
		return err
	}
	j.run = &newel.Run{ID: f.id, Labels: labels, Parent: f.retry, Version: version()}
	return j.start(ctx)
}

// check looks at what can be told from the flags alone, before anything is
// opened, and returns the labels.
func (f *runFlags) check() (map[string]string, error) {
	switch {
	case f.detach:
		return nil, usage("--detach: the local runner ends with its starter; leave it out")
	case f.runner != "local":
		return nil, usage("--runner %q: this version has local", f.runner)
	case f.id != "" && !runID.MatchString(f.id):
		return nil, usage("--id %q: an id is made of letters, digits, dots, dashes and underscores, begins with a letter or digit and has at most 100", cut(f.id))
	}
	if err := reservedID(f.id); err != nil {
		return nil, err
	}
	var err error
	if f.usd, err = parseBudget(f.budget); err != nil {
		return nil, err
	}
	if err := f.selection.check(); err != nil {
		return nil, err
	}
	return parseLabels(f.labels)
}

var runID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// newRunID makes an id that sorts by time and is easy to say.
func (a *app) newRunID() (string, error) {
	var random [3]byte
	if _, err := io.ReadFull(a.rand, random[:]); err != nil {
		return "", fmt.Errorf("make a run id: %w", err)
	}
	return a.now().UTC().Format("20060102-150405") + "-" + hex.EncodeToString(random[:]), nil
}

// restoreSuite reads the suite that a run was planned with. Asks says that its
// target is asked here.
func (a *app) restoreSuite(run *newel.Run, asks bool) (*suite.Suite, error) {
	env := a.suiteEnv()
	env.Dir, env.Idle = run.Dir, !asks
	s, err := suite.Restore(run.Definition, env)
	var mistakes *newel.Mistakes
	if errors.As(err, &mistakes) {
		return nil, fmt.Errorf("the stored suite of run %s does not read with this version: %w", run.ID, err)
	}
	return s, err
}
