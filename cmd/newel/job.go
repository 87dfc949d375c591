package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"newel"
	"newel/eval"
	"newel/ladder"
	"newel/report"
	"newel/suite"
	"newel/work"
)

// job is one run that this process works on.
type job struct {
	app      *app
	store    newel.Store
	suite    *suite.Suite
	program  *ladder.Program
	judges   *judging
	def      *eval.Definition
	engine   *eval.Engine
	worker   *work.Worker
	run      *newel.Run
	baseline string
	usd      *newel.Money // --budget; nil: as the suite says
	counts   *eval.Counts
}

// start runs a new run, or goes on with one of the same id and plan.
func (j *job) start(ctx context.Context) error {
	if old, err := j.store.Run(ctx, j.run.ID); err == nil {
		return j.again(ctx, old)
	} else if !errors.Is(err, newel.ErrNotFound) {
		return err
	}
	if err := j.app.checkBaseline(ctx, j.store, &newel.Run{ID: j.run.ID, Suite: j.suite.Name}, j.baseline); err != nil {
		return err
	}
	j.use()
	defer j.app.underWay(j.store, j.run.ID, j.suite.Dir, j.suite)()
	stop := j.app.progress(ctx, j.store, j.run.ID)
	counts, err := j.engine.Start(ctx, j.run, j.def)
	stop()
	if errors.Is(err, newel.ErrExists) { // another process was quicker
		old, err := j.store.Run(ctx, j.run.ID)
		if err != nil {
			return err
		}
		return j.again(ctx, old)
	}
	j.counts = counts
	return j.finish(ctx, err)
}

// use hands the program to the worker, which then needs not compile it again.
func (j *job) use() {
	partial := *j.run
	partial.Plan = newel.Plan{Scoring: newel.Scoring, Scorers: j.suite.Scorers()}
	j.worker.Use(&partial, j.program)
}

// again plans once more and goes on with the run when the plan is the same.
// Where the old plan is not complete, the suite and what was selected of it
// must be; that its data is the same, resuming finds out.
func (j *job) again(ctx context.Context, old *newel.Run) error {
	if old.Plan.Digest.IsZero() {
		same, err := sameSelection(old.Definition, j.def.Bytes)
		if err != nil {
			return err
		}
		if !same || old.Plan.SuiteDigest != j.def.Digest {
			return usage("run %s exists, of another suite or selection: choose another --id", old.ID)
		}
	} else {
		plan, err := eval.DryPlan(ctx, j.def)
		if err != nil {
			return err
		}
		if plan.Digest != old.Plan.Digest {
			return usage("run %s exists with another plan (%.12s, this one is %.12s): choose another --id", old.ID, old.Plan.Digest, plan.Digest)
		}
	}
	return j.app.resumeWith(ctx, j.store, old, j.usd, func() error { return j.app.resumeRun(ctx, j.store, old, j.baseline, "local") })
}

// sameSelection reports whether two stored definitions select the same cases
// and rubrics of the same file.
func sameSelection(a, b []byte) (bool, error) {
	var x, y selection
	if err := errors.Join(suite.Origin(a, &x), suite.Origin(b, &y)); err != nil {
		return false, err
	}
	return x.Suite == y.Suite && x.Where == y.Where && x.Limit == y.Limit && x.Outputs == y.Outputs && slices.Equal(x.Rubrics, y.Rubrics), nil
}

// finish seals a run whose ledger is full, prints the report and returns the
// gate's code. When something stopped the run, it says how to go on.
func (j *job) finish(ctx context.Context, err error) error {
	var mistakes *newel.Mistakes
	if errors.As(err, &mistakes) {
		return err
	}
	if err != nil {
		return j.app.stopped(ctx, j.run.ID, j.store, j.judges.refused(err))
	}
	if err := j.judges.close(ctx); err != nil {
		return j.app.stopped(ctx, j.run.ID, j.store, err)
	}
	return j.app.conclude(ctx, j.store, j.run.ID, j.suite, j.baseline, j.counts)
}

// stopped says why a run stands still and how to go on.
func (a *app) stopped(ctx context.Context, id string, store newel.Store, err error) error {
	err = causeOf(ctx, err)
	var exit *exitError
	if errors.As(err, &exit) {
		return err
	}
	code, where := codeOf(err), a.storeHint(store)
	run, gone := store.Run(context.WithoutCancel(ctx), id)
	kept := "what was scored is kept"
	if gone == nil {
		u := a.goingOn(ctx, store, run, errors.Is(err, newel.ErrSpent))
		where = u.Flag() + where + a.allowHint(run)
		if text := report.KeptText(u); text != "" {
			kept += "; " + text
		}
		if text := report.ShortText(u); text != "" && !errors.Is(err, newel.ErrHeld) {
			kept += ".\n" + text
		}
	}
	if code == exitUsage {
		code = exitIncomplete
	}
	if errors.Is(err, newel.ErrHeld) {
		return &exitError{exitUsage, fmt.Errorf("run %s: %w; newel follow %s%s watches it", id, err, id, where)}
	}
	if errors.Is(gone, newel.ErrNotFound) {
		return err // it had not begun: there is nothing to go on with
	}
	if errors.Is(err, newel.ErrSpent) {
		return &exitError{exitIncomplete, fmt.Errorf("the budget does not hold the next call at its worst price\nrun %s is incomplete; %s.\nGo on with more: newel resume %s%s", id, kept, id, where)}
	}
	if errors.Is(err, errInterrupted) || errors.Is(err, eval.ErrCancelled) {
		if !a.quiet {
			fmt.Fprintf(a.err, "newel: run %s is stopped; %s. Go on with:\n  newel resume %s%s\n", id, kept, id, where)
		}
		if errors.Is(err, eval.ErrCancelled) {
			return &exitError{exitIncomplete, err}
		}
		return &exitError{exitInterrupted, nil}
	}
	return &exitError{code, fmt.Errorf("%w\nrun %s is incomplete; %s. Go on with: newel resume %s%s", err, id, kept, id, where)}
}

// causeOf is err, or why ctx is done where err says no more than that it is.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) && !errors.Is(err, cause) {
		return cause
	}
	return err
}
