package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"newel"
	"newel/eval"
	"newel/ladder"
	"newel/runner/local"
	"newel/store/sqlite"
	"newel/suite"
	"newel/work"
)

// version is the module's version as the build stamped it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = " " + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+"
		}
	}
	v := info.Main.Version
	if v == "" || v == "(devel)" {
		v = "devel"
	}
	return v + revision + dirty + fmt.Sprintf(" (scoring revision %d)", newel.Scoring)
}

// openStore opens a store by URL. Create allows a new one to be made.
func (a *app) openStore(ctx context.Context, url string, create bool) (landed, error) {
	path, err := storeFile(url)
	if err != nil {
		return landed{}, err
	}
	if !create {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return landed{}, usage("there is no store %s; name one with --store, or run a suite first", path)
		}
	}
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	switch {
	case errors.Is(err, sqlite.ErrNotStore):
		return landed{}, &exitError{exitUsage, err}
	case err != nil:
		return landed{}, err
	}
	landed{s}.tidy(ctx)
	return landed{s}, nil
}

// storeFile is the file that a store's URL names.
func storeFile(url string) (string, error) {
	scheme, path, ok := strings.Cut(url, ":")
	if !ok || scheme != "sqlite" {
		return "", usage("store %q: this version knows sqlite:FILE", url)
	}
	if path == "" {
		return "", usage("store %q names no file", url)
	}
	return path, nil
}

// engine returns the engine for a runner by name.
func (a *app) engine(store newel.Store, runner string, workers int) (*eval.Engine, *work.Worker, error) {
	if runner != "" && runner != "local" {
		return nil, nil, usage("runner %q: this version has local", runner)
	}
	worker := work.New(store, notCompiled, a.now)
	return &eval.Engine{Store: store, Runner: local.New(worker.Work, workers), Primer: worker, Clock: a.now}, worker, nil
}

// notCompiled is for workers of this process, whose runs are handed to them with
// their programs.
func notCompiled(run *newel.Run) (*ladder.Program, error) {
	return nil, fmt.Errorf("run %s was not given to this process", run.ID)
}

// replayed makes a program of a stored definition that asks nobody.
func (a *app) replayed(store newel.Store, run *newel.Run) (*ladder.Program, error) {
	s, err := a.restoreSuite(run, false)
	if err != nil {
		return nil, err
	}
	if s.Digest != run.Plan.SuiteDigest {
		return nil, fmt.Errorf("the stored suite of run %s does not match the plan's digest: the store was changed or is damaged", run.ID)
	}
	var sel selection
	if err := suite.Origin(run.Definition, &sel); err != nil {
		return nil, err
	}
	judges, err := a.recorded(store, run, s, sel.Rubrics)
	if err != nil {
		return nil, err
	}
	program, err := judges.program(sel.Rubrics)
	if err == nil {
		program.Fix(&run.Plan)
	}
	return program, err
}

func (a *app) suiteEnv() suite.Env {
	return suite.Env{DataRoots: a.roots, AllowCommands: a.allow, Lookup: a.env, Now: a.now}
}

// checkFolders looks at the folders that flags name.
func (a *app) checkFolders() error {
	for _, list := range []struct {
		flag string
		dirs []string
	}{{"--data-root", a.roots}, {"--allow-commands", a.allow}} {
		for _, dir := range list.dirs {
			if info, err := os.Stat(dir); err != nil || !info.IsDir() {
				return usage("%s %s: there is no such folder", list.flag, dir)
			}
		}
	}
	return nil
}

// loadSuite reads a suite; a folder stands for the suite.yaml in it.
func (a *app) loadSuite(path string) (*suite.Suite, error) { return a.loadSuiteIn(path, a.suiteEnv()) }

// loadSuiteWith is loadSuite with keys of its judge in place of the file's.
func (a *app) loadSuiteWith(path string, overrides []suite.Override) (*suite.Suite, error) {
	env := a.suiteEnv()
	env.Overrides = overrides
	return a.loadSuiteIn(path, env)
}

func (a *app) loadSuiteIn(path string, env suite.Env) (*suite.Suite, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "suite.yaml")
	}
	if err := a.checkFolders(); err != nil {
		return nil, err
	}
	s, err := suite.Load(path, env)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage("there is no suite %s; newel init DIR writes one to start from", path)
	}
	var mistakes *newel.Mistakes
	switch {
	case errors.As(err, &mistakes):
		return nil, &definitionError{mistakes}
	case err != nil:
		return nil, &exitError{exitUsage, err}
	}
	return s, nil
}
