package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"newel"
)

// baseline is a run to compare with.
type baseline struct {
	name  string
	store newel.Store
	run   *newel.Run
	owned bool // the store was opened for it
}

func (b *baseline) close() {
	if b.owned {
		b.store.Close()
	}
}

// findBaseline looks a baseline up: a run's id, key=value for the newest
// sealed run of the suite with that label, or an exported file. An empty name
// gives nil.
func (a *app) findBaseline(ctx context.Context, store newel.Store, run *newel.Run, name string) (*baseline, error) {
	switch {
	case name == "":
		return nil, nil
	case strings.Contains(name, "="):
		return a.labelled(ctx, store, run, name)
	}
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return a.exported(ctx, name)
	}
	id, err := a.resolveRun(ctx, store, name)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	found, err := store.Run(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	if found.State != newel.Sealed {
		return nil, usage("baseline %s is %s, not sealed: only a complete run can be compared with", id, found.State)
	}
	return &baseline{name: id, store: store, run: found}, nil
}

func (a *app) labelled(ctx context.Context, store newel.Store, run *newel.Run, name string) (*baseline, error) {
	key, value, _ := strings.Cut(name, "=")
	list, err := store.ListRuns(ctx, newel.RunQuery{Suite: run.Suite, State: newel.Sealed, Labels: map[string]string{key: value}, Limit: 2})
	if err != nil {
		return nil, err
	}
	for _, found := range list {
		if found.ID == run.ID {
			continue
		}
		whole, err := store.Run(ctx, found.ID)
		return &baseline{name: found.ID + " (" + name + ")", store: store, run: whole}, err
	}
	return nil, usage("baseline: there is no sealed run of suite %q labelled %s; label one with: newel run SUITE --label %s", run.Suite, name, name)
}

func (a *app) exported(ctx context.Context, file string) (*baseline, error) {
	store, err := a.openStore(ctx, "sqlite:"+file, false)
	if err != nil {
		return nil, &exitError{exitUsage, fmt.Errorf("baseline %s: %w", file, err)}
	}
	list, err := store.ListRuns(ctx, newel.RunQuery{State: newel.Sealed, Limit: 2})
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("it holds %d sealed runs, not one: use a file made by newel export", len(list))
	}
	if err != nil {
		return nil, errors.Join(&exitError{exitUsage, fmt.Errorf("baseline %s: %w", file, err)}, store.Close())
	}
	whole, err := store.Run(ctx, list[0].ID)
	return &baseline{name: filepath.Base(file), store: store, run: whole, owned: true}, err
}

// checkBaseline finds a baseline before anything is run, so that a mistyped
// name costs nothing.
func (a *app) checkBaseline(ctx context.Context, store newel.Store, run *newel.Run, name string) error {
	b, err := a.findBaseline(ctx, store, run, name)
	if b != nil {
		b.close()
	}
	return err
}

// resolveRun turns what a person types into a run's id: the id, the beginning
// of just one, or last.
func (a *app) resolveRun(ctx context.Context, store newel.Store, name string) (string, error) {
	list, err := store.ListRuns(ctx, newel.RunQuery{})
	if err != nil {
		return "", err
	}
	if name == "last" && len(list) > 0 {
		return list[0].ID, nil
	}
	var found []string
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = r.ID
		if r.ID == name {
			return name, nil
		}
		if strings.HasPrefix(r.ID, name) {
			found = append(found, r.ID)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", usage("there is no run %q in %s%s; newel runs lists them, last means the newest", name, store.URL(), newel.DidYouMean(name, ids))
	}
	return "", usage("%q could be %d runs: %s", name, len(found), strings.Join(found[:min(len(found), 5)], ", "))
}

// sameFile reports whether two sqlite URLs name one file.
func sameFile(a, b string) bool {
	x, errX := filepath.Abs(strings.TrimPrefix(a, "sqlite:"))
	y, errY := filepath.Abs(strings.TrimPrefix(b, "sqlite:"))
	return errX == nil && errY == nil && x == y
}
