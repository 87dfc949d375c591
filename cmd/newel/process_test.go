package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
	"newel/store/sqlite"
)

// commandVariable makes the test binary be the command, so that processes run
// the very code under test, with its race detector and coverage.
const commandVariable = "NEWEL_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(commandVariable) != "" {
		main() // does not return
	}
	if what := os.Getenv(payerVariable); what != "" {
		if err := payer(what); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	cobra.EnableCommandSorting = false // as main does
	os.Exit(m.Run())
}

// patience bounds waiting for something that must happen, however slow the
// machine; nothing is measured with it.
const patience = 2 * time.Minute

// long says that the full counts are asked for.
func long() bool { return os.Getenv("NEWEL_LONG") != "" }

// times is how often something is tried: few times, or all where the full
// counts are asked for.
func times(few, all int) int {
	switch {
	case long():
		return all
	case raced:
		return (few + 1) / 2
	}
	return few
}

// process is the command running as a process of its own.
type process struct {
	t        testing.TB
	cmd      *exec.Cmd
	out, err *recorder
	done     chan struct{}
}

// begin starts the command in folder dir.
func begin(t testing.TB, dir string, args ...string) *process {
	t.Helper()
	return beginWith(t, dir, nil, args...)
}

// beginCommand starts the command with what its Env has besides the usual.
func beginCommand(t testing.TB, dir string, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd, out: &recorder{}, err: &recorder{}, done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = dir, p.out, p.err
	p.cmd.Env = append(append(coverage(t), "PATH="+os.Getenv("PATH"), "TMPDIR="+os.TempDir()), cmd.Env...)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait() // how it ended is read from its state
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // fails where it has ended
		<-p.done
	})
	return p
}

// coverage gives processes a place for what they covered, without which they
// complain.
func coverage(t testing.TB) []string {
	dir := os.Getenv("GOCOVERDIR")
	if dir == "" && testing.CoverMode() != "" {
		dir = t.TempDir()
	}
	if dir == "" {
		return nil
	}
	return []string{"GOCOVERDIR=" + dir}
}

// wait returns what the process gave; its code is -1 where it was killed.
func (p *process) wait() call {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.t.Fatalf("%v is still running\n%s", p.cmd.Args[1:], p.err)
	}
	return call{p.cmd.ProcessState.ExitCode(), p.out.String(), p.err.String()}
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatalf("%v to %v: %v\n%s", s, p.cmd.Args[1:], err, p.err)
	}
}

// killAfter ends the process as kill -9 does after d, unless it ended before,
// which it reports.
func (p *process) killAfter(d time.Duration) (ended bool) {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(d):
		_ = p.cmd.Process.Kill() // it may end this very moment
	}
	p.wait()
	return p.cmd.ProcessState.Exited()
}

// says waits until the process has written text to its standard error.
func (p *process) says(text string) {
	p.t.Helper()
	await(p.t, "the process to say "+text, func() bool { return strings.Contains(p.err.String(), text) }, p.done)
}

// await asks every few milliseconds until ok, or until ended is closed, when
// ok must hold.
func await(t testing.TB, what string, ok func() bool, ended <-chan struct{}) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for !ok() {
		select {
		case <-tick.C:
		case <-ended:
			if !ok() {
				t.Fatalf("it ended, and still I wait for %s", what)
			}
			return
		case <-limit:
			t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// ran runs the command to its end.
func ran(t testing.TB, dir string, args ...string) call {
	t.Helper()
	return begin(t, dir, args...).wait()
}

// must runs the command to its end, which must be with one of codes.
func must(t testing.TB, dir string, code int, args ...string) call {
	t.Helper()
	got := ran(t, dir, args...)
	wantCode(t, got, code, args...)
	return got
}

func wantCode(t testing.TB, got call, code int, args ...string) {
	t.Helper()
	if got.code != code {
		t.Fatalf("%v: exit %d, want %d\n%s%s", args, got.code, code, got.err, got.out)
	}
}

// recorder keeps what a process writes, to be read while it runs.
type recorder struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// storeIn is the --store flag for a store in a folder.
func storeIn(dir string) string { return "--store=sqlite:" + dbIn(dir) }

func dbIn(dir string) string { return filepath.Join(dir, "newel.db") }

// opened opens the store in dir until the test ends.
func opened(t testing.TB, dir string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), dbIn(dir), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// standing returns a run as the store in dir has it, nil where there is no
// store or no such run yet.
func standing(t testing.TB, dir, id string) *newel.Run {
	t.Helper()
	if _, err := os.Stat(dbIn(dir)); err != nil {
		return nil
	}
	s := opened(t, dir)
	defer s.Close()
	run, err := s.Run(t.Context(), id)
	if errors.Is(err, newel.ErrNotFound) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// whole checks a sealed run byte by byte: its seal, that each item of the plan
// has one record and no other has any, and that the tallies say the same.
func whole(t testing.TB, dir, id string) *newel.Run {
	t.Helper()
	ctx := context.Background()
	s := opened(t, dir)
	defer s.Close()
	run, err := s.Run(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CheckSeal(ctx, id); err != nil {
		t.Fatal(err)
	}
	seen := make(map[int]bool, run.Plan.Items)
	err = eval.Scan(ctx, s, run, false, func(it *newel.ItemRows) error {
		if seen[it.N] || !it.Done || it.N >= run.Plan.Items {
			t.Errorf("item %d of %d: seen before %v, done %v", it.N, run.Plan.Items, seen[it.N], it.Done)
		}
		seen[it.N] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := s.Chunks(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, c := range chunks {
		done += c.Tally.Done
	}
	if len(seen) != run.Plan.Items || done != run.Plan.Items {
		t.Fatalf("%d items and %d done, want %d", len(seen), done, run.Plan.Items)
	}
	return run
}

// stopSignals are what Ctrl-C and a service manager send.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

// opens waits until the process has a file open, where the system tells.
func (p *process) opens(file string) {
	p.t.Helper()
	fds := fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid)
	if _, err := os.Stat(fds); err != nil {
		p.t.Log("it cannot be told here what a process has open; it may come too late to see the run under way")
		return
	}
	await(p.t, "the process to open "+file, func() bool {
		list, _ := os.ReadDir(fds) // of a process that may be ending
		for _, fd := range list {
			if to, err := os.Readlink(filepath.Join(fds, fd.Name())); err == nil && to == file {
				return true
			}
		}
		return false
	}, p.done)
}
