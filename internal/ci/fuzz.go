package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// How long a target is fuzzed: by hand, in CI, and all of them at most.
const (
	fuzzBriefly = 2 * time.Second
	fuzzInCI    = 30 * time.Second
	fuzzAtMost  = 25 * time.Minute
	fuzzAtOnce  = 2
)

var fuzzers = regexp.MustCompile(`^Fuzz`)

// target is one fuzz function of a package's test binary.
type target struct{ folder, name, binary string }

// fuzz gives each target its time, two at once. Inputs that were found
// interesting stay in the cache; one that fails is written to the package's
// testdata, where it is a test from then on.
func (s *session) fuzz(ctx context.Context) (tally, error) {
	targets, err := s.targets(ctx)
	if err != nil {
		return tally{}, err
	}
	each := fuzzBriefly
	if s.ci {
		each = min(fuzzInCI, fuzzAtMost*fuzzAtOnce/time.Duration(max(1, len(targets))))
	}
	fmt.Fprintf(s.out, "%d targets, %s each\n", len(targets), each)
	var total tally
	var lock sync.Mutex
	var workers sync.WaitGroup
	queue := make(chan target)
	for range fuzzAtOnce {
		workers.Go(func() {
			for t := range queue {
				line, found := s.attack(ctx, t, each)
				lock.Lock()
				fmt.Fprintln(s.out, line)
				total.add(found)
				lock.Unlock()
			}
		})
	}
	for _, t := range targets {
		queue <- t
	}
	close(queue)
	workers.Wait()
	return total, nil
}

// targets finds all fuzz functions and builds their packages, instrumented.
func (s *session) targets(ctx context.Context) ([]target, error) {
	found, err := s.functions(fuzzers)
	if err != nil {
		return nil, err
	}
	var list []target
	for _, folder := range slices.Sorted(maps.Keys(found)) {
		name := strings.ReplaceAll(strings.TrimPrefix(folder, "./"), "/", "-") + ".test"
		binary := filepath.Join(s.cache, "fuzz-binaries", name)
		if _, err := s.output(ctx, nil, "go", "test", "-c", "-fuzz=.", "-vet=off", "-o", binary, folder); err != nil {
			return nil, err
		}
		for _, name := range found[folder] {
			list = append(list, target{folder, name, binary})
		}
	}
	return list, nil
}

// attack fuzzes one target in its package's folder.
func (s *session) attack(ctx context.Context, t target, each time.Duration) (line string, found tally) {
	corpus := filepath.Join(s.cache, "fuzz", t.folder)
	c := s.command(ctx, nil, t.binary, "-test.run=^$", "-test.fuzz=^"+t.name+"$", "-test.fuzztime="+each.String(),
		"-test.fuzzminimizetime=1s", "-test.fuzzcachedir="+corpus, "-test.parallel=1", "-test.timeout="+(each+5*time.Minute).String())
	c.Dir = filepath.Join(s.root, t.folder)
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	err := os.MkdirAll(corpus, 0o755)
	if err == nil {
		err = c.Run()
	}
	if err != nil && !outOfTime(said.String()) {
		found.fail("fuzz "+t.folder+" "+t.name, said.String()+err.Error())
		return fmt.Sprintf("fail %s %s", t.folder, t.name), found
	}
	ran := inputs(said.String())
	if ran == "0" && s.ci {
		found.fail("fuzz "+t.folder+" "+t.name, "no input was run in "+each.String())
		return fmt.Sprintf("fail %s %s", t.folder, t.name), found
	}
	found.passed++
	return fmt.Sprintf("pass %s %s: %s inputs", t.folder, t.name, ran), found
}

// outOfTime reports whether the fuzzer failed only because its time ended
// while it was at work, which it sometimes calls a failure.
func outOfTime(said string) bool {
	return strings.Contains(said, "context deadline exceeded") && !strings.Contains(said, "Failing input") && !strings.Contains(said, "panic:")
}

var progress = regexp.MustCompile(`execs: (\d+)`)

// inputs is how many inputs the fuzzer says that it ran.
func inputs(said string) string {
	all := progress.FindAllStringSubmatch(said, -1)
	if len(all) == 0 {
		return "0"
	}
	return all[len(all)-1][1]
}
