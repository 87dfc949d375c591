package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"newel"
)

const againstBaseline = "gate: [{rubric: agrees, no_worse_than: baseline, margin: 0.1}, {rubric: agrees, min: 0.5}]"

func summaryFrom(t *testing.T, got call) (sum newel.Summary) {
	t.Helper()
	if err := json.Unmarshal([]byte(got.out), &sum); err != nil {
		t.Fatalf("%v\n%s", err, got.out)
	}
	return sum
}

func TestTheFirstRunOfAllLeavesRulesAgainstABaselineOut(t *testing.T) {
	t.Parallel()
	s := newShop(t, 120, againstBaseline)
	got := s.words(exitIncomplete, "run SUITE --id=a")
	holds(t, got.out, "--no-baseline", "--baseline")
	s.words(exitIncomplete, "gate a")
	holds(t, s.words(exitPassed, "gate a --no-baseline").out, "left out, since there is no baseline: agrees no worse than baseline")
	holds(t, s.words(exitPassed, "resume a --no-baseline").out, "PASSED")
	sum := summaryFrom(t, s.words(exitPassed, "run SUITE --id=b --no-baseline --label=branch=main --json"))
	if len(sum.Gate.Rules) != 2 || len(sum.Warnings) != 1 { // the rate, and errors by default
		t.Errorf("rules %+v, warnings %q", sum.Gate.Rules, sum.Warnings)
	}
	s.words(exitPassed, "run SUITE --baseline=branch=main -q")
	holds(t, s.words(exitUsage, "run SUITE --no-baseline --baseline=b").err, "not given together")
	holds(t, s.words(exitUsage, "gate b --no-baseline --baseline=b").err, "not given together")
}

func TestANarrowedRunSaysWhatItWasNarrowedTo(t *testing.T) {
	t.Parallel()
	s := newShop(t, 80, "  - name: polite\n    floor: [length: {max: 100}]\ngate: [{rubric: agrees, min: 0.5}, {rubric: polite, min: 0.5}, {rubric: agrees, min: 0.1, by: dims.gone}]")
	sum := summaryFrom(t, s.do(exitPassed, "run", "SUITE", "--where", `dims.route == "long"`, "--limit=40", "--rubric=polite", "--json"))
	if sel := sum.Selection; sel == nil || sel.Where == "" || sel.Limit != 40 || !slices.Equal(sel.Rubrics, []string{"polite"}) {
		t.Errorf("selection %+v", sum.Selection)
	}
	if want := "only polite: 2 gate rules of other rubrics left out"; !slices.Contains(sum.Warnings, want) {
		t.Errorf("warnings %q, want %q", sum.Warnings, want)
	}
	holds(t, s.words(exitPassed, "plan SUITE --rubric=polite").out, "2 gate rules of other rubrics left out")
	sum = summaryFrom(t, s.words(exitIncomplete, "run SUITE --limit=40 --json"))
	if why := sum.Gate.Rules[2].Why; !strings.Contains(why, "this run was narrowed") {
		t.Errorf("a rule without rows says %q", why)
	}
	sum = summaryFrom(t, s.words(exitIncomplete, "run SUITE --json"))
	if why := sum.Gate.Rules[2].Why; sum.Selection != nil || strings.Contains(why, "narrowed") {
		t.Errorf("the whole suite: selection %+v, a rule without rows says %q", sum.Selection, why)
	}
}

func TestALabelNamesRunsOfTheWholeSuiteAlone(t *testing.T) {
	t.Parallel()
	s := newShop(t, 120, againstBaseline)
	s.words(exitPassed, "run SUITE --id=part --limit=100 --no-baseline --label=branch=main -q")
	holds(t, s.words(exitUsage, "run SUITE --baseline=branch=main").err, "narrowed", "--label branch=main")
	s.words(exitPassed, "run SUITE --id=whole --no-baseline --label=branch=main -q")
	s.words(exitPassed, "run SUITE --id=part2 --where=true --no-baseline --label=branch=main -q")
	holds(t, s.words(exitPassed, "run SUITE --baseline=branch=main -q").out, "against whole")
}

func TestRunsAreReferredToAlikeEverywhere(t *testing.T) {
	t.Parallel()
	s := newShop(t, 120, againstBaseline)
	s.words(exitPassed, "run SUITE --id=old --no-baseline --label=branch=main -q")
	s.words(exitPassed, "export old --out=DIR/old.newel")
	holds(t, s.words(exitPassed, "run SUITE --id=new --baseline=last -q").out, "against old")
	holds(t, s.words(exitPassed, "gate new --baseline=last").out, "against old")
	for _, a := range []string{"old", "ol", "branch=main", "DIR/old.newel"} {
		for _, b := range []string{"last", "new"} {
			holds(t, s.words(exitPassed, "diff "+a+" "+b).out, "0 broken, 0 fixed")
		}
	}
	elsewhere := []string{"--store=sqlite:" + filepath.Join(t.TempDir(), "none.db"), "diff", filepath.Join(s.dir, "old.newel"), filepath.Join(s.dir, "old.newel")}
	wantCode(t, runApp(t, nil, elsewhere...), exitPassed, elsewhere...)
	for _, line := range []string{"diff old DIR/gone.newel", "diff gone.newel old", "gate new --baseline=gone.newel", "run SUITE --baseline=DIR/gone"} {
		holds(t, s.words(exitUsage, line).err, "there is no file")
	}
}

func TestAQuarantineThatDoesNothingIsTold(t *testing.T) {
	t.Parallel()
	s := newShop(t, 24, "quarantine:\n  - {id: case-8, until: 2027-06-01, why: known}\n  - {id: case-99, until: 2027-06-01, why: typo}\n  - {id: case-0, until: 2027-01-31, why: mended}")
	wants := []string{`quarantine: no case has the id "case-99" (did you mean "case-9"?)`, `quarantine of "case-0" ended on 2027-01-31`}
	sum := summaryFrom(t, s.words(exitPassed, "run SUITE --json"))
	holds(t, strings.Join(sum.Warnings, "\n"), wants...)
	var states []string
	for _, q := range sum.Quarantine {
		states = append(states, q.State)
	}
	if !slices.Equal(states, []string{"in force", "not in the data", "over"}) {
		t.Errorf("states %q", states)
	}
	holds(t, s.words(exitPassed, "plan SUITE").out, append(wants, "1 case in quarantine")...)
	if got := s.words(exitPassed, "run SUITE --limit=3 --json"); strings.Contains(got.out, "not in the data") {
		t.Errorf("a narrowed run cannot know what is in the data:\n%s", got.out)
	}
}

func TestPlanTellsWhatTheDataCannotShow(t *testing.T) {
	t.Parallel()
	s := newShop(t, 2, "trials: 3\n")
	write(t, s.dir, "cases.jsonl", `{"id": "a", "output": "yes", "labels": {"agrees": "yes"}}`+"\n"+`{"id": "b", "output": "yes", "labels": {"agrees": true}}`+"\n")
	got := s.words(exitPassed, "plan SUITE")
	holds(t, got.out, "trials: the 3 rows of a recorded output are the same", "2 cases bring one", `label "agrees": 1 of 2 values is neither pass nor fail ("yes"): not compared`)
	holds(t, s.words(exitPassed, "run SUITE").out, "neither pass nor fail")
}

func TestPlanNeedsNoPermissionToRunCommands(t *testing.T) {
	t.Parallel()
	s := newShop(t, 2, "target: {command: {run: [sh, app.sh]}}\n")
	holds(t, s.words(exitPassed, "plan SUITE").out, "needs  --allow-commands ")
	holds(t, s.words(exitPassed, "plan SUITE --json").out, `"allow_commands": "`)
	if got := s.words(exitPassed, "plan SUITE --allow-commands=DIR"); strings.Contains(got.out, "--allow-commands") {
		t.Errorf("what is allowed is asked for:\n%s", got.out)
	}
	s.words(exitUsage, "run SUITE")
}

func TestAMistakeInWhereIsToldOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t, 40, "")
	got := s.do(exitUsage, "run", "SUITE", "--where", `dims.rout == "long"`)
	holds(t, got.err, "(and so 39 more cases)", "newel: 1 mistake;")
}
