package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTheDigestIsTheSameHoweverTheWorkIsDone(t *testing.T) {
	t.Parallel()
	want, _ := undisturbed(t)
	for _, workers := range []int{1, 2, 64} {
		t.Run(fmt.Sprintf("with %d workers", workers), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			must(t, dir, exitPassed, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q", fmt.Sprintf("--workers=%d", workers))
			sealedAs(t, want, dir)
		})
	}
	t.Run("with the cases in another order", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		lines := slices.Clone(exampleLines(t))
		rand.New(rand.NewPCG(20270303, 0)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		must(t, dir, exitPassed, "run", copyOfExample(t, dir, lines), "--id=x", storeIn(dir), "-q")
		sealedAs(t, want, dir)
	})
}

func TestTheDigestIsTheSameDerivedAgainAndElsewhere(t *testing.T) {
	t.Parallel()
	want, _ := undisturbed(t)
	dir, other := t.TempDir(), t.TempDir()
	must(t, dir, exitPassed, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q")
	replayed := must(t, dir, exitPassed, "replay", "x", storeIn(dir))
	if !strings.Contains(replayed.out, "the same report") || strings.Count(replayed.out, want.String()) != 2 {
		t.Errorf("replay says\n%s", replayed.out)
	}
	file := filepath.Join(dir, "x.newel")
	must(t, dir, exitPassed, "export", "x", storeIn(dir), "--out="+file)
	must(t, dir, exitUsage, "export", "x", storeIn(dir), "--out="+file)
	must(t, other, exitPassed, "import", file, storeIn(other))
	sealedAs(t, want, other)
	must(t, other, exitPassed, "replay", "x", storeIn(other))
	must(t, other, exitUsage, "import", file, storeIn(other))
	must(t, other, exitPassed, "gate", "x", storeIn(other), "--baseline="+file)
}

// An import is whole or not at all, also where it is killed again and again.
func TestAKilledImportIsDoneAgain(t *testing.T) {
	t.Parallel()
	want, took := undisturbed(t)
	dir := t.TempDir()
	must(t, dir, exitPassed, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q")
	file := filepath.Join(dir, "x.newel")
	must(t, dir, exitPassed, "export", "x", storeIn(dir), "--out="+file)
	other, cut := t.TempDir(), 0
	for i := range 8 {
		begin(t, other, "import", file, storeIn(other)).killAfter(took * time.Duration(i+1) / 16)
		if phase(t, other) == "sealed" {
			break
		}
		cut++
	}
	if phase(t, other) != "sealed" {
		must(t, other, exitPassed, "import", file, storeIn(other))
	}
	sealedAs(t, want, other)
	t.Logf("cut off %d times", cut)
}

func TestAnIdThatExistsIsGoneOnWithOrRefused(t *testing.T) {
	t.Parallel()
	want, _ := undisturbed(t)
	dir := t.TempDir()
	lines := exampleLines(t)
	suite := copyOfExample(t, dir, lines)
	killWhilePlanning(t, dir, suite)
	got := must(t, dir, exitUsage, "run", suite, "--id=x", "--limit=10", storeIn(dir), "-q")
	if !strings.Contains(got.err, "another suite or selection") {
		t.Errorf("another selection of an open plan: %s", got.err)
	}
	must(t, dir, exitPassed, "run", suite, "--id=x", storeIn(dir), "-q")
	sealedAs(t, want, dir)

	got = must(t, dir, exitPassed, "run", suite, "--id=x", storeIn(dir))
	if !strings.Contains(got.out, want.String()) {
		t.Errorf("run again prints\n%s", got.out)
	}
	must(t, dir, exitPassed, "resume", "x", storeIn(dir))
	must(t, dir, exitPassed, "follow", "x", storeIn(dir))
	got = must(t, dir, exitUsage, "run", suite, "--id=x", "--limit=10", storeIn(dir))
	if !strings.Contains(got.err, "exists with another plan") {
		t.Errorf("another plan: %s", got.err)
	}
	sealedAs(t, want, dir)
}
