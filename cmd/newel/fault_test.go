package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"newel"
)

// exampleSuite is the example of 10,000 recorded answers.
func exampleSuite(t testing.TB) string {
	t.Helper()
	path, err := filepath.Abs("../../examples/qa-eval-nq/suite.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// What the example comes to, whatever happens on the way.
const (
	exampleItems  = 10_000
	exampleRight  = 5_986 // passes of rubric right
	exampleAgreed = 8_428 // rows on which it agrees with people
)

// undisturbed is a run of the example that nothing disturbed: its digest and
// how long it took.
var undisturbed = sync.OnceValue(func() (u struct {
	digest newel.Hash
	took   time.Duration
	err    string
}) {
	dir, err := os.MkdirTemp("", "newel-undisturbed-*")
	if err != nil {
		u.err = err.Error()
		return u
	}
	defer os.RemoveAll(dir)
	return u
})

// sealedAs checks that a run of the example is whole and came to the same as
// an undisturbed one.
func sealedAs(t testing.TB, want newel.Hash, dir, id string) {
	t.Helper()
	run := whole(t, dir, id)
	if run.Digest != want {
		t.Errorf("report digest %s, want %s", run.Digest, want)
	}
	var sum newel.Summary
	if err := json.Unmarshal(run.Summary, &sum); err != nil {
		t.Fatal(err)
	}
	l := sum.Cases
	if n := l.Pass + l.Fail + l.Unjudged + l.Error; n != exampleItems || l.Error != 0 {
		t.Errorf("cases %+v, want %d and no error", l, exampleItems)
	}
	for _, r := range sum.Rubrics {
		if r.Name == "right" && r.Ledger.Pass != exampleRight {
			t.Errorf("%d right, want %d", r.Ledger.Pass, exampleRight)
		}
	}
	for _, a := range sum.Agreement {
		if a.Rubric == "right" && a.Agree != exampleAgreed {
			t.Errorf("%d agreements, want %d", a.Agree, exampleAgreed)
		}
	}
}
var _ = rand.N[int]
