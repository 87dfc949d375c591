package main

import (
	"strings"
	"testing"

	"newel"
)

func TestOutputsOfAnotherRunAreNotAskedForAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	dir := t.TempDir()
	suite := d.suite(t, dir, "")
	d.open()
	must(t, dir, exitPassed, "run", suite, "--id=first", storeIn(dir), "-q")
	d.again(true, never)
	must(t, dir, exitPassed, "run", suite, "--id=x", "--outputs-from=first", storeIn(dir), "-q")
	if asked, _ := d.count(); len(asked) != 0 {
		t.Errorf("asked again: %v", asked)
	}
	wantDigest(t, dir, standing(t, dir, "first").Digest)
	for _, wrong := range [][]string{{"--outputs-from=fisrt"}, {"--outputs-from=first", "--retry-errors=first"}} {
		must(t, dir, exitUsage, append([]string{"run", suite, storeIn(dir)}, wrong...)...)
	}
}

const errorsGate = "gate: [{errors: {max: 0.01}}]"

// unlucky are the questions that a desk fails.
func unlucky(key string) bool { return key == "c3 plain" || key == "c11 formal" }

// An error that may pass is no row before everything else is done: only the
// last pass writes it.
func TestErrorsAreWrittenAfterTheLastPassAndRetriedOnDemand(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	want := d.reference(t, exitPassed)
	dir := t.TempDir()
	suite := d.suite(t, dir, errorsGate)
	d.again(false, unlucky)
	p := begin(t, dir, "run", suite, "--id=first", storeIn(dir), "-q")
	d.let(deskItems)
	d.waits(t, deskAtOnce, p) // both trials of both, asked once more at the last
	s := opened(t, dir)
	if got, want := tallyOf(t, s, "first"), (newel.Tally{Done: deskItems - 4, Pass: 38, Fail: 38}); got != want {
		t.Errorf("before the last pass %+v, want %+v", got, want)
	}
	s.Close()
	d.open()
	got := p.wait()
	wantCode(t, got, exitIncomplete)
	if !strings.Contains(got.out, "INVALID") {
		t.Errorf("a gate over errors says\n%s", got.out)
	}
	run := whole(t, dir, "first")
	if c := summaryIn(t, run).Cases; c.Error != 4 || !c.Full() {
		t.Errorf("cases %+v, want 4 errors", c)
	}

	d.again(true, never)
	must(t, dir, exitPassed, "run", suite, "--id=x", "--retry-errors=first", storeIn(dir), "-q")
	asked, _ := d.count()
	if len(asked) != 2 || asked["c3 plain"] != 2 || asked["c11 formal"] != 2 {
		t.Errorf("asked %v, want only what erred", asked)
	}
	wantDigest(t, dir, want)
	if parent := standing(t, dir, "x").Parent; parent != "first" {
		t.Errorf("its parent is %q, want first", parent)
	}
}

// A run that takes outputs from another still does so when it is resumed.
func TestRetryingErrorsIsResumedAsItBegan(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	want := d.reference(t, exitPassed)
	dir := t.TempDir()
	suite := d.suite(t, dir, errorsGate)
	d.again(true, unlucky)
	must(t, dir, exitIncomplete, "run", suite, "--id=first", storeIn(dir), "-q")
	d.again(false, never)
	p := begin(t, dir, "run", suite, "--id=x", "--retry-errors=first", storeIn(dir), "-q")
	d.waits(t, 4, p)
	p.killAfter(0)
	d.again(true, never)
	must(t, dir, exitPassed, "resume", "x", storeIn(dir), "-q")
	if asked, _ := d.count(); len(asked) != 2 || sum(asked) != 4 {
		t.Errorf("asked %v, want only what erred", asked)
	}
	wantDigest(t, dir, want)
}

// An interrupt among the errors loses no question and writes no error.
func TestAnInterruptBeforeTheLastPassWritesNoError(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	want := d.reference(t, exitPassed)
	dir := t.TempDir()
	suite := d.suite(t, dir, errorsGate)
	d.again(false, unlucky)
	p := begin(t, dir, "run", suite, "--id=x", storeIn(dir), "-q")
	d.let(deskItems)
	d.waits(t, 4, p)
	p.signal(stopSignals[0])
	p.says("finishing")
	d.open()
	wantCode(t, p.wait(), exitInterrupted)
	s := opened(t, dir)
	if got := tallyOf(t, s, "x"); got.Error != 0 || got.Done != deskItems-4 {
		t.Errorf("after the interrupt %+v, want %d rows and no error", got, deskItems-4)
	}
	s.Close()
	d.again(true, never)
	must(t, dir, exitPassed, "resume", "x", storeIn(dir), "-q")
	if asked, _ := d.count(); sum(asked) != 4 {
		t.Errorf("asked %v, want only what erred", asked)
	}
	wantDigest(t, dir, want)
}
