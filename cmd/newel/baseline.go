package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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

// baselineFlags are those of commands that apply a gate.
func (a *app) baselineFlags(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "baseline", "", "compare with a run: an id, last, key=value (the newest sealed run of the whole suite with that label), or an exported FILE, written with a / or an ending such as .newel; where a run has that id, the run")
	c.Flags().BoolVar(&a.noBaseline, "no-baseline", false, "leave out rules against a baseline, as in the first run of all")
}

// findBaseline looks up the sealed run that run is compared with. An empty name
// gives nil.
func (a *app) findBaseline(ctx context.Context, store newel.Store, run *newel.Run, name string) (*baseline, error) {
	switch {
	case name == "":
		return nil, nil
	case a.noBaseline:
		return nil, usage("--baseline and --no-baseline are not given together")
	}
	b, err := a.refer(ctx, store, run, name)
	var exit *exitError
	switch {
	case errors.As(err, &exit):
		return nil, &exitError{exit.code, fmt.Errorf("baseline: %w", exit.err)}
	case err != nil:
		return nil, fmt.Errorf("baseline: %w", err)
	}
	if b.run.State != newel.Sealed {
		b.close()
		return nil, usage("baseline %s is %s, not sealed: only a complete run can be compared with", b.name, b.run.State)
	}
	return b, nil
}

// refer looks a run up: an id or the beginning of one, last, key=value for the
// newest sealed run of the whole suite with that label, or an exported file,
// which is written with a / or has an ending. Where both a run and a file are so
// named, it is the run.
// Other, where there is one, is what the run is compared with: last is never
// that one, and both last and labels stay within its suite.
func (a *app) refer(ctx context.Context, store newel.Store, other *newel.Run, name string) (*baseline, error) {
	b, err := a.lookUp(ctx, store, other, name)
	if err != nil {
		return nil, err
	}
	if err := intact(ctx, b.store, b.run); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (a *app) lookUp(ctx context.Context, store newel.Store, other *newel.Run, name string) (*baseline, error) {
	switch {
	case onlyFile(name):
		return a.exported(ctx, name)
	case strings.Contains(name, "="):
		return a.labelled(ctx, store, other, name)
	case name == "last" && other != nil:
		return a.lastBeside(ctx, store, other)
	}
	if found, err := a.fileAmongRuns(ctx, store, name); found || err != nil {
		if err != nil {
			return nil, err
		}
		return a.exported(ctx, name)
	}
	id, err := a.resolveRun(ctx, store, name)
	if err != nil {
		return nil, fileBeside(name, err)
	}
	found, err := store.Run(ctx, id)
	return &baseline{name: id, store: store, run: found}, err
}

// fileAmongRuns reports whether a name that may be a run's or a file's is the
// file's. Where it is both, the run is taken, and that is said.
func (a *app) fileAmongRuns(ctx context.Context, store newel.Store, name string) (bool, error) {
	if filepath.Ext(name) == "" || !isFile(name) {
		return false, nil
	}
	_, err := store.Run(ctx, name)
	if errors.Is(err, newel.ErrNotFound) {
		return true, nil
	}
	if err == nil {
		a.once(fmt.Sprintf("%s is taken as the run of that id; for the file of that name write ./%s", name, name))
	}
	return false, err
}

// once says something on standard error that is not said before.
func (a *app) once(text string) {
	if a.said[text] {
		return
	}
	if a.said == nil {
		a.said = map[string]bool{}
	}
	a.said[text] = true
	fmt.Fprintln(a.err, "newel: "+visibleLines(text))
}

// fileBeside adds to the error for a run that is not there how a file of that
// name would be written.
func fileBeside(name string, err error) error {
	var exit *exitError
	if errors.As(err, &exit) && isFile(name) {
		return usage("%w; for the file of that name write ./%s", exit.err, name)
	}
	return err
}

// fileEndings are those of files that newel writes; no run's id has one.
var fileEndings = []string{".newel", ".db"}

func looksLikeFile(name string) bool {
	return slices.ContainsFunc(fileEndings, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

// onlyFile reports whether a name can be no run's and no label: one written as a
// path, or with the ending of our files.
func onlyFile(name string) bool {
	slashed := filepath.ToSlash(name)
	switch {
	case filepath.IsAbs(name), strings.HasPrefix(slashed, "./"), strings.HasPrefix(slashed, "../"):
		return true
	case strings.Contains(name, "="):
		return false
	}
	return strings.Contains(slashed, "/") || looksLikeFile(name)
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// missingFile complains of a name that is no file's.
func missingFile(name string) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usage("there is no file %s", name)
	case err != nil:
		return &exitError{exitUsage, err}
	case info.IsDir():
		return usage("%s is a folder, not a file that newel export wrote", name)
	case !info.Mode().IsRegular():
		return usage("%s is a device, pipe or socket, not a file that newel export wrote", name)
	case info.Size() == 0:
		return usage("%s is empty, not a file that newel export wrote", name)
	}
	return nil
}

// lastBeside is the newest sealed run of a run's suite but itself.
func (a *app) lastBeside(ctx context.Context, store newel.Store, run *newel.Run) (*baseline, error) {
	list, err := store.ListRuns(ctx, newel.RunQuery{Suite: run.Suite, State: newel.Sealed, Limit: 2})
	if err != nil {
		return nil, err
	}
	for _, found := range list {
		if found.ID != run.ID {
			whole, err := store.Run(ctx, found.ID)
			return &baseline{name: found.ID, store: store, run: whole}, err
		}
	}
	return nil, usage("there is no other sealed run of suite %q in %s", run.Suite, store.URL())
}

// labelled passes over runs that were narrowed: what they left out would lack
// a partner.
func (a *app) labelled(ctx context.Context, store newel.Store, other *newel.Run, name string) (*baseline, error) {
	key, value, _ := strings.Cut(name, "=")
	q, of := newel.RunQuery{State: newel.Sealed, Labels: map[string]string{key: value}}, ""
	if other != nil {
		q.Suite, of = other.Suite, fmt.Sprintf(" of suite %q", other.Suite)
	}
	list, err := store.ListRuns(ctx, q)
	if err != nil {
		return nil, err
	}
	narrowed := 0
	for _, found := range list {
		if other != nil && found.ID == other.ID {
			continue
		}
		whole, err := store.Run(ctx, found.ID)
		if err != nil {
			return nil, err
		}
		sel, err := selectionOf(whole)
		if err != nil {
			return nil, err
		}
		if sel.narrowed() == nil {
			return &baseline{name: found.ID + " (" + name + ")", store: store, run: whole}, nil
		}
		narrowed++
	}
	if narrowed > 0 {
		return nil, usage("the only sealed %s%s labelled %s %s narrowed by --where, --limit or --rubric: run the whole suite with --label %s, or name a run by its id",
			plural(narrowed, "run", "runs"), of, name, plural(narrowed, "was", "were"), name)
	}
	return nil, usage("there is no sealed run%s labelled %s; label one with: newel run SUITE --label %s", of, name, name)
}

func (a *app) exported(ctx context.Context, file string) (*baseline, error) {
	if err := missingFile(file); err != nil {
		return nil, err
	}
	store, err := a.openStore(ctx, "sqlite:"+file, false)
	if err != nil {
		return nil, &exitError{exitUsage, fmt.Errorf("%s: %w", file, err)}
	}
	list, err := store.ListRuns(ctx, newel.RunQuery{State: newel.Sealed, Limit: 2})
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("it holds %d sealed runs, not one: use a file made by newel export", len(list))
	}
	if err != nil {
		return nil, errors.Join(&exitError{exitUsage, fmt.Errorf("%s: %w", file, err)}, store.Close())
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
