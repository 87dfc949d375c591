package main

import (
	"context"
	"errors"
	"fmt"

	"newel"
	"newel/eval"
	"newel/ladder"
	"newel/suite"
	"newel/work"
)

// job is one run that this process works on.
type job struct {
	app      *app
	store    newel.Store
	suite    *suite.Suite
	program  *ladder.Program
	def      *eval.Definition
	engine   *eval.Engine
	worker   *work.Worker
	run      *newel.Run
	baseline string
	counts   *eval.Counts
}

// start runs a new run, or goes on with one of the same id and plan.
func (j *job) start(ctx context.Context) error {
	if old, err := j.store.Run(ctx, j.run.ID); err == nil {
		return j.again(ctx, old)
	} else if !errors.Is(err, newel.ErrNotFound) {
		return err
	}
	if err := j.checkBaseline(ctx); err != nil {
		return err
	}
	j.use()
	stop := j.app.progress(ctx, j.store, j.run.ID)
	counts, err := j.engine.Start(ctx, j.run, j.def)
	stop()
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
func (j *job) again(ctx context.Context, old *newel.Run) error {
	if !old.Plan.Digest.IsZero() {
		plan, err := eval.DryPlan(ctx, j.def)
		if err != nil {
			return err
		}
		if plan.Digest != old.Plan.Digest {
			return usage("run %s exists with another plan (%.12s, this one is %.12s): choose another --id", old.ID, old.Plan.Digest, plan.Digest)
		}
	}
	return j.app.resumeRun(ctx, j.store, old, j.baseline, j.app.engineFor("local"))
}

// finish seals a run whose ledger is full, prints the report and returns the
// gate's code. When something stopped the run, it says how to go on.
func (j *job) finish(ctx context.Context, err error) error {
	var mistakes *newel.Mistakes
	if errors.As(err, &mistakes) {
		return err
	}
	if err != nil {
		return j.app.stopped(j.run.ID, j.store, err)
	}
	run, err := j.store.Run(ctx, j.run.ID)
	if err != nil {
		return err
	}
	return j.app.conclude(ctx, j.store, run, j.suite, j.baseline, j.counts)
}

// stopped says why a run stands still and how to go on.
func (a *app) stopped(id string, store newel.Store, err error) error {
	code := codeOf(err)
	if code == exitUsage {
		code = exitIncomplete
	}
	if errors.Is(err, newel.ErrHeld) {
		return &exitError{exitUsage, fmt.Errorf("run %s: %w; newel follow %s watches it", id, err, id)}
	}
	if errors.Is(err, errInterrupted) || errors.Is(err, eval.ErrCancelled) {
		if !a.quiet {
			fmt.Fprintf(a.err, "newel: run %s is stopped; what was scored is kept. Go on with:\n  newel resume %s%s\n", id, id, a.storeHint(store))
		}
		if errors.Is(err, eval.ErrCancelled) {
			return &exitError{exitIncomplete, err}
		}
		return &exitError{exitInterrupted, nil}
	}
	return &exitError{code, fmt.Errorf("%w\nrun %s is incomplete; what was scored is kept. Go on with: newel resume %s%s", err, id, id, a.storeHint(store))}
}
