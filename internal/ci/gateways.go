package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
)

// real are the tests that talk to programs of others: gateways as their makers
// ship them, and a small model. Other stages leave them out.
const real = "^TestReal"

// program is one of somebody else's that tests start. It is installed once, at
// pinned versions, every file checked against its hash.
type program struct {
	name     string
	variable string // tells tests the folder
	pins     []string
	install  func(s *session, ctx context.Context, p program, dir string) error
}

var programs = []program{
	{"litellm", "NEWEL_REAL_LITELLM", []string{"litellm.txt"}, (*session).python},
	{"model", "NEWEL_REAL_MODEL", []string{"model.txt"}, (*session).python},
	{"portkey", "NEWEL_REAL_PORTKEY", []string{"portkey/package.json", "portkey/package-lock.json"}, (*session).node},
}

// gateways runs the tests against real programs.
func (s *session) gateways(ctx context.Context) (tally, error) {
	found, err := s.functions(regexp.MustCompile(real))
	if err != nil {
		return tally{}, err
	}
	env, missing := s.programs(ctx)
	if len(missing) > 0 && s.ci {
		return tally{}, errors.Join(missing...)
	}
	var total tally
	for _, err := range missing {
		total.skip("gateways", err.Error())
	}
	if len(env) == 0 {
		return total, nil
	}
	folders := slices.Sorted(maps.Keys(found))
	ran, err := s.test(ctx, env, "real ", slices.Concat([]string{"-run=" + real}, folders)...)
	total.add(ran)
	return total, err
}

// programs installs what is not there yet, all at once, and returns the
// variables for those that are, and why the others are not.
func (s *session) programs(ctx context.Context) (env []string, missing []error) {
	env = make([]string, len(programs))
	missing = make([]error, len(programs))
	var work sync.WaitGroup
	for i, p := range programs {
		work.Go(func() {
			dir, err := s.installed(ctx, p)
			if err != nil {
				missing[i] = fmt.Errorf("%s: %w", p.name, err)
				return
			}
			env[i] = p.variable + "=" + dir
		})
	}
	work.Wait()
	env = slices.DeleteFunc(env, func(v string) bool { return v == "" })
	return env, slices.DeleteFunc(missing, func(err error) bool { return err == nil })
}

// installed returns the folder of a program, which is for one set of pins.
func (s *session) installed(ctx context.Context, p program) (string, error) {
	hash := sha256.New()
	for _, name := range p.pins {
		text, err := os.ReadFile(s.pin(name))
		if err != nil {
			return "", err
		}
		hash.Write(text)
	}
	dir := filepath.Join(s.cache, fmt.Sprintf("%s-%x", p.name, hash.Sum(nil)[:8]))
	done := filepath.Join(dir, "installed")
	if _, err := os.Stat(done); err == nil {
		return dir, nil
	}
	fmt.Fprintf(s.out, "installing %s, once\n", p.name)
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if err := p.install(s, ctx, p, dir); err != nil {
		return "", err
	}
	return dir, os.WriteFile(done, nil, 0o644)
}

func (s *session) pin(name string) string {
	return filepath.Join(s.root, "internal", "ci", "gateways", filepath.FromSlash(name))
}

// python installs the packages of a file of pins in an environment of their
// own. Nothing is compiled: a package without a wheel for
// this machine is an error.
func (s *session) python(ctx context.Context, p program, dir string) error {
	python, err := s.find(ctx, []string{"python3"}, []string{"python3-venv"})
	if err != nil {
		return err
	}
	if _, err := s.output(ctx, nil, python, "-m", "venv", filepath.Join(dir, "venv")); err != nil {
		return err
	}
	pip := filepath.Join(dir, "venv", "bin", "python")
	_, err = s.output(ctx, nil, pip, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
		"--no-deps", "--require-hashes", "--only-binary=:all:", "-r", s.pin(p.pins[0]))
	return err
}

// node installs what a lock file lists. Install scripts are not run.
func (s *session) node(ctx context.Context, p program, dir string) error {
	npm, err := s.find(ctx, []string{"npm"}, []string{"npm"})
	if err != nil {
		return err
	}
	for _, name := range p.pins {
		text, err := os.ReadFile(s.pin(name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o644); err != nil {
			return err
		}
	}
	_, err = s.output(ctx, nil, npm, "ci", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
	return err
}
