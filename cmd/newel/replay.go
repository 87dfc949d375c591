package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
	"newel/ladder"
	"newel/work"
)

func (a *app) replayCommand() *cobra.Command {
	return &cobra.Command{
		Use: "replay RUN", Short: "derive every row again from what is stored, and compare digests", Args: exact("a run"),
		Long: `Derive every row of a sealed run again from the stored plan and the recorded
answers, with the stored suite, and compare the report digest that comes out
with the sealed one. Nothing is asked, opened or written. Answers from outside
are taken as they were recorded, and counted.

Exit codes: 0 the same, 1 different, 3 it could not be derived.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withRun(cmd.Context(), args[0], func(store newel.Store, run *newel.Run) error {
				return a.replay(cmd.Context(), store, run)
			})
		},
	}
}

// replayView is what replay prints.
type replayView struct {
	Run      string `json:"run"`
	Items    int    `json:"items"`
	Rows     int    `json:"rows"`
	Recorded int    `json:"recorded"`
	Sealed   string `json:"sealed"`
	Derived  string `json:"derived"`
	Same     bool   `json:"same"`
}

func (a *app) replay(ctx context.Context, store newel.Store, run *newel.Run) error {
	if run.State != newel.Sealed {
		return &exitError{exitIncomplete, fmt.Errorf("run %s is %s, not sealed: there is no digest to compare with", run.ID, run.State)}
	}
	got, err := eval.Replay(ctx, store, run, func(shadow *eval.Shadow) newel.Work {
		compile := func(run *newel.Run) (*ladder.Program, error) { return a.replayed(shadow, run) }
		return work.New(shadow, compile, a.now).Work
	})
	if err != nil {
		return err
	}
	v := replayView{run.ID, got.Items, got.Rows, got.Recorded, run.Digest.String(), got.Digest.String(), got.Digest == run.Digest}
	if a.json {
		err = writeJSON(a.out, v)
	} else {
		err = v.print(a)
	}
	if err == nil && !v.Same {
		return &exitError{exitFailed, nil}
	}
	return err
}

func (v replayView) print(a *app) error {
	word := "the same report"
	if !v.Same {
		word = "ANOTHER report: the store or the scorers changed"
	}
	_, err := fmt.Fprintf(a.out, "%s\nderived %s of %s again; %s from outside taken as recorded\nsealed  %s\nderived %s\n",
		word, counted(v.Rows, "row"), counted(v.Items, "item"), counted(v.Recorded, "answer"), v.Sealed, v.Derived)
	return err
}
