//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"newel"
)

// exportedExample is the example's run x in a file of its own, and the folder
// of its store.
func exportedExample(t *testing.T) (file, from string) {
	t.Helper()
	from = t.TempDir()
	must(t, from, exitPassed, "run", exampleSuite(t), "--id=x", storeIn(from), "-q")
	file = filepath.Join(from, "x.newel")
	must(t, from, exitPassed, "export", "x", storeIn(from), "--out="+file, "-q")
	return file, from
}

// landingIn waits until run x is partly copied into the store in dir.
func landingIn(t *testing.T, p *process, dir string) {
	t.Helper()
	await(t, "a part of the copy", func() bool {
		run := standing(t, dir, "x")
		if run == nil {
			return false
		}
		s := opened(t, dir)
		defer s.Close()
		chunks, err := s.Chunks(t.Context(), "x")
		return err == nil && len(chunks) >= 2
	}, p.done)
}

func TestARunThatIsBeingImportedIsSeenByNobody(t *testing.T) {
	t.Parallel()
	file, _ := exportedExample(t)
	dir := t.TempDir()
	p := begin(t, dir, "import", file, storeIn(dir), "-q")
	landingIn(t, p, dir)
	p.signal(syscall.SIGSTOP)
	if run := standing(t, dir, "x"); run.State != landing {
		t.Skip("SKIPPED: it was imported before it could be stopped")
	}
	if got := must(t, dir, exitPassed, "runs", storeIn(dir), "--json"); strings.TrimSpace(got.out) != "[]" {
		t.Errorf("runs shows %s", got.out)
	}
	for _, line := range []string{"show x", "resume x", "report last", "cancel x", "gate x", "cost x", "follow x"} {
		got := must(t, dir, exitUsage, append(strings.Fields(line), storeIn(dir))...)
		holds(t, got.err, "there is no run")
	}
	if got := must(t, dir, exitUsage, "import", file, storeIn(dir)); !strings.Contains(got.err, "held") {
		t.Errorf("a second import says %s", got.err)
	}
	p.signal(syscall.SIGCONT)
	wantCode(t, p.wait(), exitPassed)
	whole(t, dir, "x")
}

// Kills are spread over an import: each leaves the whole run or none of it, and
// the next command takes away what is left.
func TestAKilledImportLeavesTheWholeRunOrNothing(t *testing.T) {
	t.Parallel()
	file, from := exportedExample(t)
	want := standing(t, from, "x").Digest
	start := time.Now()
	spare := t.TempDir()
	must(t, spare, exitPassed, "import", file, storeIn(spare), "-q")
	took := time.Since(start)
	kills := times(6, 40)
	for i := range kills {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(20270303, uint64(i)))
			dir := t.TempDir()
			p := begin(t, dir, "import", file, storeIn(dir), "-q")
			if i%2 == 0 {
				landingIn(t, p, dir) // a half of it for sure
				p.killAfter(0)
			} else {
				p.killAfter(time.Duration((float64(i) + random.Float64()) / float64(kills) * float64(took)))
			}
			if run := standing(t, dir, "x"); run != nil {
				seen := must(t, dir, exitPassed, "runs", storeIn(dir), "--json").out
				if sealed := run.State == newel.Sealed; sealed != strings.Contains(seen, `"id": "x"`) {
					t.Errorf("a run that is %s is seen as %s", run.State, seen)
				}
				if left := standing(t, dir, "x"); left != nil && left.State != newel.Sealed {
					t.Errorf("a run that is %s is left", left.State)
				}
			}
			if run := standing(t, dir, "x"); run == nil {
				must(t, dir, exitPassed, "import", file, storeIn(dir), "-q")
			}
			if run := whole(t, dir, "x"); run.Digest != want {
				t.Errorf("report digest %s, want %s", run.Digest, want)
			}
		})
	}
}
