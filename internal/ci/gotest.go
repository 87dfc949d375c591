package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// unit runs all tests with the race detector, which needs a C compiler, but for
// those that talk to programs of others.
func (s *session) unit(ctx context.Context) (tally, error) {
	if _, err := s.find(ctx, []string{"gcc"}, []string{"build-essential"}); err != nil {
		return tally{}, err
	}
	return s.test(ctx, []string{"CGO_ENABLED=1"}, "", "-race", "-skip="+real, "./...")
}

// faults runs the command's own tests once more as they are meant for CI: many
// more kills and interrupts, and waits that only clocks end; and the embedded
// store's, with a million entries in its journal. The race detector
// has seen the same code in the unit stage and would only make it slow.
func (s *session) faults(ctx context.Context) (tally, error) {
	if !s.ci {
		fmt.Fprintln(s.out, "only with CI=true; by hand: NEWEL_LONG=1 go test ./cmd/newel ./store/sqlite")
		return tally{}, nil
	}
	return s.test(ctx, []string{"NEWEL_LONG=1"}, "long ", "-skip="+real, "./cmd/newel", "./store/sqlite")
}

// test runs go test with args and counts.
func (s *session) test(ctx context.Context, env []string, label string, args ...string) (tally, error) {
	all := []string{"test", "-json", "-timeout=20m"}
	if s.ci {
		all = append(all, "-count=1")
	}
	c := s.command(ctx, env, "go", append(all, args...)...)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	if err != nil {
		return tally{}, err
	}
	if err := c.Start(); err != nil {
		return tally{}, err
	}
	t, err := count(out, label, s.out)
	if ended := c.Wait(); err == nil && ended != nil && t.failed == 0 {
		err = fmt.Errorf("go test: %w\n%s", ended, errs.String())
	}
	if err == nil && t.passed+t.failed == 0 {
		err = fmt.Errorf("go test %s ran no test\n%s", strings.Join(args, " "), errs.String())
	}
	return t, err
}

// functions returns the top-level functions of test files whose name matches,
// by folder from the root ("./check").
func (s *session) functions(name *regexp.Regexp) (map[string][]string, error) {
	files, err := s.sources()
	if err != nil {
		return nil, err
	}
	found := map[string][]string{}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(s.root, file))
		if err != nil {
			return nil, err
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			if name.Match(m[1]) {
				folder := "./" + filepath.ToSlash(filepath.Dir(file))
				found[folder] = append(found[folder], string(m[1]))
			}
		}
	}
	return found, nil
}

var declared = regexp.MustCompile(`(?m)^func (\w+)\(`)
