package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// errFailed says that the stages ran and found something. They have printed it.
var errFailed = errors.New("failed")

// session is one run of the stages.
type session struct {
	root, cache string
	ci          bool // nothing may be skipped
	superuser   bool // may install packages
	out         io.Writer
}

// stage is one way to test. Its error says that it could not do its work;
// what it found wrong is in the tally.
type stage struct {
	name, about string
	run         func(*session, context.Context) (tally, error)
}

// stages are listed from what fails soonest to what takes longest.
var stages = []stage{
	{"format", "gofmt changes nothing", (*session).format},
	{"vet", "go vet finds nothing", (*session).vet},
	{"lint", "golangci-lint finds nothing", (*session).lint},
	{"unit", "unit tests, the suites of the seams and the docs' commands, with the race detector", (*session).unit},
	{"gateways", "real gateways and a real small model before and behind the client", (*session).gateways},
	{"faults", "the command under fifty kills, and twenty interrupts", (*session).faults},
	{"arm64", "the same numbers on an emulated arm64", (*session).arm64},
	{"fuzz", "each fuzz target for a while", (*session).fuzz},
}

func names(list []stage) []string {
	var all []string
	for _, s := range list {
		all = append(all, s.name)
	}
	return all
}

// all runs the wanted stages, every one whatever the others found, and prints
// the count of all.
func (s *session) all(ctx context.Context, wanted []string) error {
	for _, name := range wanted {
		if !slices.Contains(names(stages), name) {
			return fmt.Errorf("no stage %q; there are %s", name, strings.Join(names(stages), ", "))
		}
	}
	var total tally
	var times []string
	for _, at := range stages {
		if len(wanted) > 0 && !slices.Contains(wanted, at.name) {
			continue
		}
		fmt.Fprintf(s.out, "== %s: %s\n", at.name, at.about)
		begun := time.Now()
		found, err := at.run(s, ctx)
		if err != nil {
			found.fail(at.name, err.Error())
		}
		times = append(times, fmt.Sprintf("%-8s %8s  %s", at.name, time.Since(begun).Round(100*time.Millisecond), found))
		total.add(found)
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted in stage %s", at.name)
		}
	}
	total.list(s.out)
	fmt.Fprintf(s.out, "\n%s\n\n%s\n", strings.Join(times, "\n"), total)
	if total.failed > 0 {
		return errFailed
	}
	return nil
}

// command prepares a command at the root, with additions to the environment.
func (s *session) command(ctx context.Context, env []string, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = s.root
	c.Env = append(os.Environ(), env...)
	c.WaitDelay = 10 * time.Second
	return c
}

// output runs a command and returns what it wrote to its standard output. The
// error holds the other stream.
func (s *session) output(ctx context.Context, env []string, name string, args ...string) (string, error) {
	c := s.command(ctx, env, name, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}

// clean is the tally of a tool that prints only what is wrong.
func clean(name, printed string, err error) tally {
	var t tally
	printed = strings.TrimSpace(printed)
	switch {
	case printed == "" && err == nil:
		t.passed++
	case err != nil:
		t.fail(name, printed+"\n"+err.Error())
	default:
		t.fail(name, printed)
	}
	return t
}
