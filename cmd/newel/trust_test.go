package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver that damages a store here
)

// alter changes the store of a shop behind newel's back.
func (s *shop) alter(statements ...string) {
	s.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(s.dir, "newel.db"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	for _, one := range statements {
		if _, err := db.Exec(one); err != nil {
			s.t.Fatalf("%s: %v", one, err)
		}
	}
}

// TestASealedRunThatWasChangedTellsNothing changes single values of a sealed
// run such that every frame stays readable: no command may take it for good.
func TestASealedRunThatWasChangedTellsNothing(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"rows of another chunk": "UPDATE segments SET data = (SELECT data FROM segments WHERE chunk = 1) WHERE chunk = 0",
		"rows taken away":       "DELETE FROM segments WHERE chunk = 0",
		"another seal":          "UPDATE runs SET seal = zeroblob(32)",
		"another digest":        "UPDATE runs SET digest = zeroblob(32)",
		"another label":         "UPDATE runs SET labels = '{\"branch\":\"main\"}'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, 600, "gate: [{rubric: agrees, min: 0.5}]\n")
			s.words(exitPassed, "run SUITE --id r")
			s.alter(change)
			for _, line := range []string{"gate r", "report r --as jsonl", "report r", "show r", "replay r", "export r --out DIR/x.newel", "resume r", "cost r", "run SUITE --id other --baseline r"} {
				got := s.words(exitIncomplete, line)
				if !strings.Contains(got.err, "not as it was sealed") {
					t.Errorf("%s: %s%s", line, got.out, got.err)
				}
			}
		})
	}
}

// TestWhatIsNoOtherRuler compares runs whose suites differ in what a rubric is
// not measured with.
func TestWhatIsNoOtherRuler(t *testing.T) {
	t.Parallel()
	gate := "gate: [{rubric: agrees, no_worse_than: baseline, margin: 0.02}]\n"
	s := newShop(t, 400, gate)
	s.words(exitPassed, "run SUITE --id base --no-baseline")
	for name, more := range map[string]string{
		"another rubric": "  - name: short\n    floor: [length: {max: 100}]\n" + gate,
		"a seed":         gate + "seed: 5\n",
		"trials":         gate + "trials: 2\n",
		"a name":         gate + "x-note: hello\n",
	} {
		small(t, s.dir, 400, more)
		got := s.words(exitPassed, "run SUITE --baseline base")
		if strings.Contains(got.out, "two rulers") {
			t.Errorf("%s is taken for another ruler:\n%s", name, got.out)
		}
	}
	small(t, s.dir, 400, gate)
	text := "newel: v1\nname: small\ndata: {file: cases.jsonl}\nrubrics:\n  - name: agrees\n    floor: [contains: {value: \"yes\", ignore_case: true}]\n" + gate
	write(t, s.dir, "suite.yaml", text)
	holds(t, s.words(exitIncomplete, "run SUITE --baseline base").out, "two rulers")
}
