package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
	"newel/report"
	"newel/suite"
)

func (a *app) followCommand() *cobra.Command {
	var baseline string
	c := &cobra.Command{
		Use: "follow RUN", Short: "watch a run, and go on with it when its starter is gone", Args: exact("a run"),
		Long: `Watch a run until it is sealed, then print its report and return the gate's
exit code. When the process that started the run is gone, follow goes on with
the work itself.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withRun(cmd.Context(), args[0], func(store newel.Store, run *newel.Run) error {
				return a.follow(cmd.Context(), store, run, baseline)
			})
		},
	}
	a.workerFlags(c)
	a.baselineFlags(c, &baseline)
	return c
}

// followEvery is how often follow looks.
const followEvery = 500 * time.Millisecond

// follow watches a run. Of several followers whose starter is gone one goes on
// with the work; the others, who come too late to hold the run, watch on.
func (a *app) follow(ctx context.Context, store newel.Store, run *newel.Run, baseline string) error {
	for {
		err := a.followUntilFree(ctx, store, run, baseline)
		if !errors.Is(err, newel.ErrHeld) || ctx.Err() != nil {
			return err
		}
		if run, err = store.Run(ctx, run.ID); err != nil {
			return err
		}
	}
}

func (a *app) followUntilFree(ctx context.Context, store newel.Store, run *newel.Run, baseline string) error {
	stop := a.progress(ctx, store, run.ID)
	defer stop()
	for run.State != newel.Sealed && run.State != newel.Stopped {
		release, err := store.HoldRun(ctx, run.ID)
		if err == nil {
			// Nobody works on it: let go, so that resuming can hold it.
			if err := release(); err != nil {
				return err
			}
			break
		}
		if !errors.Is(err, newel.ErrHeld) {
			return err
		}
		select {
		case <-ctx.Done():
			return &exitError{exitInterrupted, nil}
		case <-time.After(followEvery):
		}
		if run, err = store.Run(ctx, run.ID); err != nil {
			return err
		}
	}
	stop()
	if run.State == newel.Stopped {
		return a.stopped(ctx, run.ID, store, eval.ErrCancelled)
	}
	fresh, err := store.Run(ctx, run.ID)
	if err != nil {
		return err
	}
	return a.resumeRun(ctx, store, fresh, baseline, "local")
}

func (a *app) cancelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "cancel RUN", Short: "stop handing out a run's work", Args: exact("a run"),
		Long: `Stop a run: what is under way is finished and kept, nothing more is begun.
The run is incomplete and has no verdict; newel resume goes on with it. A
sealed run cannot be cancelled.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withRun(cmd.Context(), args[0], func(store newel.Store, run *newel.Run) error {
				if run.State == newel.Sealed {
					return usage("run %s is sealed: there is nothing to stop", run.ID)
				}
				if err := store.SetState(cmd.Context(), run.ID, newel.Stopped, newel.Planned, newel.Running, newel.Stopped); err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, map[string]string{"run": run.ID, "state": string(newel.Stopped)})
				}
				if !a.quiet {
					fmt.Fprintf(a.out, "run %s is stopped; go on with: newel resume %s%s\n", run.ID, run.ID, a.storeHint(store)+a.allowHint(run))
				}
				return nil
			})
		},
	}
}

// allowHint is the flags without which a run that starts commands cannot be gone
// on with; empty for any other. The folders are those that were named now, else
// the suite's.
func (a *app) allowHint(run *newel.Run) string {
	s, err := a.restoreSuite(run, false)
	if err != nil {
		return "" // going on says why it cannot
	}
	defer s.Close()
	return a.allowHintOf(s, run.Dir)
}

func (a *app) allowHintOf(s *suite.Suite, dir string) string {
	if !s.Commands() {
		return ""
	}
	dirs, hint := a.allow, ""
	if len(dirs) == 0 {
		dirs = []string{relative(dir)}
	}
	for _, dir := range dirs {
		hint += " --allow-commands " + report.ShellWord(dir)
	}
	return hint
}
