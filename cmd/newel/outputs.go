package main

import (
	"context"
	"encoding/json"
	"errors"

	"newel"
	"newel/eval"
	"newel/ladder"
)

// prepareOutputs makes a program take fetched outputs from an earlier run
// where that run has them.
func (j *job) prepareOutputs(ctx context.Context, f *runFlags, program *ladder.Program) error {
	if f.Outputs != "" && f.retry != "" {
		return usage("--outputs-from and --retry-errors are not given together")
	}
	name := f.Outputs + f.retry
	if name == "" {
		return nil
	}
	if program.Ask == nil && f.retry != "" && j.suite.Pays(f.Rubrics) {
		return nil // its judges are asked again
	}
	if program.Ask == nil {
		return usage("the suite has no target: every case brings its output, so there is nothing to take from run %s", name)
	}
	run, err := j.earlier(ctx, name)
	if err != nil {
		return err
	}
	id := run.ID
	if f.retry != "" {
		f.retry = id
	} else {
		f.Outputs = id
	}
	return j.app.reuseOutputs(ctx, j.store, run, program)
}

// earlier returns a run by name.
func (j *job) earlier(ctx context.Context, name string) (*newel.Run, error) {
	id, err := j.app.resolveRun(ctx, j.store, name)
	if err != nil {
		return nil, err
	}
	run, err := j.store.Run(ctx, id)
	if err == nil {
		err = intact(ctx, j.store, run)
	}
	return run, err
}

// retried names the run that is gone over again, and returns when replies must
// have been paid for: since that run could use them.
func (j *job) retried(ctx context.Context, f *runFlags) (newel.Window, error) {
	run, err := j.earlier(ctx, f.retry)
	if err != nil {
		return newel.Window{}, err
	}
	if run.State != newel.Sealed {
		return newel.Window{}, usage("--retry-errors: run %s is %s, not sealed: what it lacks it goes on with by newel resume %s%s", run.ID, run.State, run.ID, j.app.storeHint(j.store))
	}
	f.retry = run.ID
	from := run.Created
	if !run.Plan.Reuse.IsZero() {
		from = run.Plan.Reuse.From
	}
	return newel.Window{From: from, To: j.app.now().UTC()}, nil
}

// reuseOutputs wraps a program's Ask: good answers of an earlier run are taken
// as they are.
func (a *app) reuseOutputs(ctx context.Context, store newel.Store, from *newel.Run, program *ladder.Program) error {
	items := map[newel.ItemID]int{}
	err := eval.Scan(ctx, store, from, false, func(it *newel.ItemRows) error {
		items[newel.ItemIDOf(it.Case, it.Matrix, it.Trial)] = it.N
		return nil
	})
	if err != nil {
		return err
	}
	ask := program.Ask
	program.Ask = func(ctx context.Context, it *newel.Item) newel.Fetched {
		n, ok := items[it.ID()]
		if !ok {
			return ask(ctx, it)
		}
		answer, err := storedAnswer(ctx, store, from.ID, n)
		switch {
		case errors.Is(err, newel.ErrNotFound), err == nil && answer.Err != nil:
			return ask(ctx, it)
		case err != nil:
			return newel.Fetched{Err: &newel.ScoreError{Kind: newel.KindWorker, Message: err.Error()}}
		}
		return answer
	}
	return nil
}

func storedAnswer(ctx context.Context, store newel.Store, run string, item int) (answer newel.Fetched, err error) {
	data, err := store.OutputOf(ctx, run, item)
	if err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(data, &answer)
}
