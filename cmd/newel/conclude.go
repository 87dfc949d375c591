package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"newel"
	"newel/eval"
	"newel/gate"
	"newel/report"
	"newel/suite"
)

// conclude sums a full run up, applies the gate, seals it, prints the report
// and returns the gate's exit code. Where another process has sealed it, that
// report is printed.
func (a *app) conclude(ctx context.Context, store newel.Store, id string, s *suite.Suite, baseline string, counts *eval.Counts) error {
	run, err := store.Run(ctx, id)
	if err != nil {
		return a.stopped(ctx, id, store, err)
	}
	if run.State == newel.Sealed {
		return a.sealedReport(ctx, store, run, baseline)
	}
	sum, err := a.sumUp(ctx, store, run, s, baseline)
	if err != nil {
		return a.stopped(ctx, id, store, err)
	}
	if counts != nil && counts.Silent > 0 && s.Targets == nil {
		sum.Warnings = append(sum.Warnings, fmt.Sprintf("%d %s neither an output nor a target to ask: checks of the output fail there", counts.Silent, plural(counts.Silent, "case has", "cases have")))
	}
	if sum.Digest == "" {
		return a.show(ctx, sum, store)
	}
	won, err := a.seal(ctx, store, run, sum)
	if err != nil {
		return a.stopped(ctx, id, store, err)
	}
	if !won {
		return a.conclude(ctx, store, id, s, baseline, counts)
	}
	return a.show(ctx, sum, store)
}

func (a *app) seal(ctx context.Context, store newel.Store, run *newel.Run, sum *newel.Summary) (won bool, err error) {
	sum.State, sum.Times.Sealed = newel.Sealed, a.now().UTC().Truncate(time.Millisecond)
	sum.Times.WallMS = sum.Times.Sealed.Sub(run.Created).Milliseconds()
	body, err := json.Marshal(sum)
	if err != nil {
		return false, err
	}
	var digest newel.Hash
	if err := digest.UnmarshalText([]byte(sum.Digest)); err != nil {
		return false, err
	}
	return store.SealRun(ctx, run.ID, digest, body)
}

// sumUp computes a run's summary with the gate's verdict. A baseline is read
// first, so that the candidate's rows find their partners.
func (a *app) sumUp(ctx context.Context, store newel.Store, run *newel.Run, s *suite.Suite, baseline string) (*newel.Summary, error) {
	return a.sumUpWith(ctx, store, run, s, s.Gate, baseline)
}

func (a *app) sumUpWith(ctx context.Context, store newel.Store, run *newel.Run, s *suite.Suite, rules []gate.Rule, baseline string) (*newel.Summary, error) {
	sel, err := selectionOf(run)
	if err != nil {
		return nil, err
	}
	fold := eval.NewFold(run, eval.FoldOptions{Slices: s.Slices, Choices: s.Choices()})
	defer fold.Close()
	g, err := a.gating(ctx, store, run, sel, rules, baseline)
	if err != nil {
		return nil, err
	}
	defer g.close()
	apart := newQuarantine(s.Quarantine)
	err = eval.Scan(ctx, store, run, true, func(it *newel.ItemRows) error {
		apart.see(it.Case)
		if err := g.add(it); err != nil {
			return err
		}
		return fold.Add(it)
	})
	if err != nil {
		return nil, err
	}
	if err := fold.Bill(ctx, store); err != nil {
		return nil, err
	}
	sum, err := fold.Summary()
	if err != nil {
		return nil, err
	}
	if !sum.Ledger.Full() {
		if sum.Unfinished, err = a.unfinished(ctx, store, run, s); err != nil {
			return nil, err
		}
	}
	sum.Selection = sel.narrowed()
	g.finish(sum)
	sum.Quarantine = apart.lines(run.Created, sel.everyCase() && !run.Plan.Digest.IsZero())
	warnings, err := quarantineWarnings(sum.Quarantine, func(id string) (string, error) { return nearCase(ctx, store, run, id) })
	sum.Warnings = append(sum.Warnings, warnings...)
	return sum, err
}

// show prints a summary and returns the exit code that goes with it.
func (a *app) show(ctx context.Context, sum *newel.Summary, store newel.Store) error {
	var err error
	if a.json {
		err = report.JSON(a.out, sum)
	} else {
		err = report.Text(a.out, sum, a.summaryOptions(ctx, sum, store))
	}
	if err != nil {
		return err
	}
	if !a.json && !a.quiet {
		a.hints(sum, store)
	}
	return gateError(sum)
}

// summaryOptions lays out a summary: one that is not complete says how to go on.
func (a *app) summaryOptions(ctx context.Context, sum *newel.Summary, store newel.Store) report.TextOptions {
	opt := a.textOptions(store)
	if sum.State == newel.Sealed {
		return opt
	}
	if run, err := store.Run(ctx, sum.Run); err == nil {
		opt.Resume = a.allowHint(run)
	}
	return opt
}

// hints says what to look at next.
func (a *app) hints(sum *newel.Summary, store newel.Store) {
	where := a.storeHint(store)
	if sum.Ledger.Fail+sum.Ledger.Error > 0 && len(sum.Failing) > 0 {
		first := sum.Failing[0].Case
		fmt.Fprintf(a.out, "\nnext: newel show %s --failing%s\n      newel explain %s %s%s\n", sum.Run, where, sum.Run, report.ShellWord(caseOf(first)), where)
	}
}

// caseOf cuts the matrix and trial off a shown item.
func caseOf(shown string) string {
	id, _, _ := strings.Cut(shown, "|")
	return id
}

// storeHint is the flag that later commands need to find the store; empty
// where they find it by themselves.
func (a *app) storeHint(store newel.Store) string {
	found := &app{}
	if found.storeURL("") == store.URL() || sameFile(found.storeURL(""), store.URL()) {
		return ""
	}
	return " --store " + report.ShellWord("sqlite:"+relative(strings.TrimPrefix(store.URL(), "sqlite:")))
}

// gateError is the exit code of a summary as an error, nil for 0.
func gateError(sum *newel.Summary) error {
	switch {
	case sum.State != newel.Sealed:
		return &exitError{exitIncomplete, nil}
	case sum.Gate == nil || sum.Gate.State == newel.GatePassed:
		return nil
	case sum.Gate.State == newel.GateFailed:
		return &exitError{exitFailed, nil}
	case sum.Gate.State == newel.GateInconclusive:
		return &exitError{exitInconclusive, nil}
	}
	return &exitError{exitIncomplete, nil}
}
