package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"newel"
)

// What the example of 10,000 recorded answers comes to, whatever happens on
// the way.
const (
	exampleItems  = 10_000
	exampleRight  = 5_986 // passes of rubric right
	exampleAgreed = 8_428 // rows on which it agrees with people
)

func exampleSuite(t testing.TB) string {
	t.Helper()
	path, err := filepath.Abs("../../examples/qa-eval-nq/suite.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var reference struct {
	once   sync.Once
	digest newel.Hash
	took   time.Duration
}

// undisturbed returns the digest of a run of the example that nothing
// disturbed, and how long the process took: the span over which others are
// disturbed.
func undisturbed(t testing.TB) (newel.Hash, time.Duration) {
	t.Helper()
	reference.once.Do(func() {
		dir := t.TempDir()
		start := time.Now()
		must(t, dir, exitPassed, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q")
		reference.took = time.Since(start)
		reference.digest = whole(t, dir, "x").Digest
	})
	if reference.digest.IsZero() {
		t.Fatal("there is no undisturbed run to compare with")
	}
	return reference.digest, reference.took
}

// sealedAs checks that run x of the example in dir is whole and came to the
// same as an undisturbed one.
func sealedAs(t testing.TB, want newel.Hash, dir string) {
	t.Helper()
	run := whole(t, dir, "x")
	if run.Digest != want {
		t.Errorf("report digest %s, want %s", run.Digest, want)
	}
	sum := summaryIn(t, run)
	c := sum.Cases
	if c.Planned != exampleItems || !c.Full() || c.Error != 0 {
		t.Errorf("cases %+v, want %d and no error", c, exampleItems)
	}
	right, agreed := 0, 0
	for _, r := range sum.Rubrics {
		if r.Name == "right" {
			right = r.Ledger.Pass
		}
	}
	for _, a := range sum.Agreement {
		if a.Rubric == "right" {
			agreed = a.Agree
		}
	}
	if right != exampleRight || agreed != exampleAgreed {
		t.Errorf("%d right and %d agreements, want %d and %d", right, agreed, exampleRight, exampleAgreed)
	}
}

func summaryIn(t testing.TB, run *newel.Run) *newel.Summary {
	t.Helper()
	var sum newel.Summary
	if err := json.Unmarshal(run.Summary, &sum); err != nil {
		t.Fatal(err)
	}
	return &sum
}

// goOn is how a person goes on with run x: resume where it exists, else run
// with the same id. With again, run serves for both.
func goOn(t testing.TB, dir string, again bool) *process {
	t.Helper()
	if again || standing(t, dir, "x") == nil {
		return begin(t, dir, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q")
	}
	return begin(t, dir, "resume", "x", storeIn(dir), "-q")
}

// phase says how far run x had come when its process was killed.
func phase(t testing.TB, dir string) string {
	t.Helper()
	switch run := standing(t, dir, "x"); {
	case run == nil:
		return "no run yet"
	case run.Plan.Digest.IsZero():
		return "planning and scoring"
	case run.State != newel.Sealed:
		return "planned, not sealed"
	}
	return "sealed"
}

// Moments are spread over the whole length of a run and a little beyond, one
// in each of equal parts, so that all phases are met: before the record of the
// run exists, while it plans and scores, and while it sums up and seals. Every
// third is killed twice more while it goes on.
func TestAKillAtAnyMomentChangesNothing(t *testing.T) {
	t.Parallel()
	want, took := undisturbed(t)
	kills := times(6, 50)
	var mu sync.Mutex
	phases := map[string]int{}
	t.Run("kills", func(t *testing.T) {
		for i := range kills {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(20270301, uint64(i)))
				moment := func(part, parts float64) time.Duration {
					return time.Duration((part + random.Float64()) / parts * 1.1 * float64(took))
				}
				dir := t.TempDir()
				goOn(t, dir, true).killAfter(moment(float64(i), float64(kills)))
				at := phase(t, dir)
				mu.Lock()
				phases[at]++
				mu.Unlock()
				if i%3 == 0 {
					goOn(t, dir, false).killAfter(moment(0, 2))
					goOn(t, dir, false).killAfter(moment(0, 1))
				}
				wantCode(t, goOn(t, dir, i%2 == 1).wait(), exitPassed)
				sealedAs(t, want, dir)
			})
		}
	})
	t.Logf("%d kills over %v: %v", kills, took.Round(time.Millisecond), phases)
}

func TestAnInterruptAtAnyMomentIsResumedFrom(t *testing.T) {
	t.Parallel()
	want, took := undisturbed(t)
	stops := times(4, 20)
	for i := range stops {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(20270302, uint64(i)))
			dir := t.TempDir()
			p := begin(t, dir, "run", exampleSuite(t), "--id=x", storeIn(dir))
			select {
			case <-time.After(time.Duration((float64(i) + random.Float64()) / float64(stops) * float64(took))):
			case <-p.done:
			}
			_ = p.cmd.Process.Signal(stopSignals[i%2]) // it may have ended
			got := p.wait()
			switch run := standing(t, dir, "x"); {
			case got.code == exitPassed:
			case got.code == -1: // it came before the process listened
			case got.code != exitInterrupted:
				t.Fatalf("exit %d\n%s", got.code, got.err)
			case run == nil:
				if strings.Contains(got.err, "resume") {
					t.Errorf("a run that is not there is to be resumed:\n%s", got.err)
				}
			case !strings.Contains(got.err, "newel resume x"):
				t.Errorf("it does not say how to go on:\n%s", got.err)
			}
			wantCode(t, goOn(t, dir, false).wait(), exitPassed)
			sealedAs(t, want, dir)
		})
	}
}

// Data that changed while its plan was open cannot be gone on with: what was
// scored would belong to another text.
func TestChangedDataIsRefusedOnResume(t *testing.T) {
	t.Parallel()
	lines := exampleLines(t)
	tests := []struct {
		name string
		now  []string
		says string
	}{
		{"no more than the first chunk", lines[:256], "changed since the run began"},
		{"an end within a chunk", lines[:300], "changed since the run began"},
		{"another order", append(append([]string(nil), lines[1:]...), lines[0]), "changed since the run began"},
		{"a line that is no case", append(append([]string(nil), lines...), "{"), "changed since the run began"},
		{"one more case at the end", append(append([]string(nil), lines...), `{"id": "new", "output": "x"}`), "changed since the run began"},
		{"fewer cases", lines[:len(lines)-10], "changed since the run began"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			suite := copyOfExample(t, dir, lines)
			killWhilePlanning(t, dir, suite)
			copyOfExample(t, dir, tt.now)
			for _, again := range []string{"resume x", "run " + suite + " --id=x"} {
				got := ran(t, dir, append(strings.Fields(again), storeIn(dir), "-q")...)
				if got.code != exitUsage || !strings.Contains(got.err, tt.says) {
					t.Errorf("%s: exit %d, want %d and %q\n%s", again, got.code, exitUsage, tt.says, got.err)
				}
			}
		})
	}
}

// killWhilePlanning leaves run x with a part of its plan stored, three chunks
// or more.
func killWhilePlanning(t testing.TB, dir, suite string) {
	t.Helper()
	for range 50 {
		p := begin(t, dir, "run", suite, "--id=x", storeIn(dir), "-q")
		s := waitForRows(t, p, dir, 3)
		p.killAfter(0)
		run, err := s.Run(t.Context(), "x")
		s.Close()
		if err != nil {
			t.Fatal(err)
		}
		if run.Plan.Digest.IsZero() {
			return
		}
		for _, file := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(dbIn(dir) + file)
		}
	}
	t.Fatal("no process was killed while it planned")
}
