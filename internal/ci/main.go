// Command ci runs every test of newel and does its own set-up: what a stage
// needs is installed once and kept outside the checkout. "make test" calls it,
// and so does .ci/run. It leaves the count of tests as its last line.
//
// What is tested is the packages' own business; this says in which ways.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

const about = `ci runs newel's tests, from the root of the checkout.

  go run ./internal/ci           all stages
  go run ./internal/ci STAGE…    only these: %s

With CI=true nothing is taken from the cache of test results, fuzzing lasts
30 s a target instead of 2 s, all number-giving packages run on arm64 instead
of the golden vectors alone, and what cannot be run fails instead of being
skipped.
`

func main() {
	err := run(os.Args[1:])
	if err == nil {
		return
	}
	if !errors.Is(err, errFailed) {
		fmt.Fprintln(os.Stderr, "ci:", err)
	}
	os.Exit(1)
}

func run(wanted []string) error {
	if len(wanted) > 0 && strings.HasPrefix(wanted[0], "-") {
		fmt.Printf(about, strings.Join(names(stages), ", "))
		return nil
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s, err := begin()
	if err != nil {
		return err
	}
	return s.all(ctx, wanted)
}

// begin reads the surroundings.
func begin() (*session, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(root, "internal", "ci")); err != nil {
		return nil, fmt.Errorf("start it at the root of the checkout: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "newel-ci")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	on := os.Getenv("CI") == "true"
	return &session{root: root, cache: cache, ci: on, out: os.Stdout, superuser: os.Getuid() == 0}, nil
}
