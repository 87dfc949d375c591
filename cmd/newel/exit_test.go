package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheExitCodeIsTheVerdict(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, more string
		code       int
		word       string
	}{
		{"no gate", "", exitPassed, "DONE"},
		{"a rule that holds", "gate: [{rubric: agrees, min: 0.5}]", exitPassed, "PASSED"},
		{"a rule that does not", "gate: [{rubric: agrees, fails: {max: 0}}]", exitFailed, "FAILED"},
		{"too few cases to say", "gate: [{rubric: agrees, min: 0.87}]", exitInconclusive, "INCONCLUSIVE"},
		{"no baseline for a rule that needs one", "gate: [{rubric: agrees, no_worse_than: baseline, margin: 0.1}]", exitIncomplete, "INVALID"},
		{"rows that could not be judged", "  - name: broken\n    floor: [contains: {from: vars.gone}]\ngate: [{errors: {max: 0.1}}]", exitIncomplete, "INVALID"},
		{"an error beside a failure", "  - name: broken\n    floor: [contains: {from: vars.gone}]\ngate: [{errors: {max: 0.1}}, {rubric: agrees, fails: {max: 0}}]", exitIncomplete, "INVALID"},
		{"an advisory rule that does not hold", "gate: [{rubric: agrees, fails: {max: 0}, advisory: true}]", exitPassed, "PASSED"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, 80, tt.more)
			got := s.words(tt.code, "run SUITE --id=x")
			if !strings.HasPrefix(got.out, tt.word) {
				t.Errorf("the report begins %.40q, want %s", got.out, tt.word)
			}
			for _, again := range []string{"run SUITE --id=x", "resume x", "follow x"} {
				s.words(tt.code, again)
			}
			if tt.more != "" {
				s.words(tt.code, "gate x")
			}
			s.words(exitPassed, "report x")
		})
	}
}

func TestWhatIsNotUnderstoodIsUsage(t *testing.T) {
	t.Parallel()
	s := newShop(t, 16, "gate: [{rubric: agrees, min: 0.5, read: estimate}]")
	s.words(exitPassed, "run SUITE --id=x -q")
	for _, tt := range []struct{ line, says string }{
		{"rnus", `did you mean "runs"`},
		{"runs --lable=a=b", `did you mean "label"`},
		{"run", "a suite"},
		{"run a b", "2 arguments"},
		{"cost", "at least 1"},
		{"runs x", "unknown command"},
		{"checks contain", `did you mean "contains"`},
		{"run gone.yaml", "there is no suite"},
		{"run SUITE --id=../x", "--id"},
		{"run SUITE --rubric=agree", `did you mean "agrees"`},
		{"run SUITE --where=case.dims.", "--where"},
		{"run SUITE --label=main", "key=value"},
		{"run SUITE --label=a=b --label=a=c", "twice"},
		{"run SUITE --limit=-1", "--limit"},
		{"run SUITE --detach", "--detach"},
		{"run SUITE --runner=celery", "local"},
		{"run SUITE --baseline=y", `no run "y"`},
		{"run SUITE --baseline=branch=main", "no sealed run"},
		{"run SUITE --outputs-from=x", "no target"},
		{"resume y", "there is no run"},
		{"show x --rubric=agree", `did you mean "agrees"`},
		{"explain x case-99", `did you mean "case-9"`},
		{"explain x case-99 --json", `did you mean "case-9"`},
		{"report x --as=jsn", `did you mean "json"`},
		{"cost x --by=modle", `did you mean "model"`},
		{"cancel x", "is sealed"},
		{"gate x --gate=DIR/gone.yaml", "gone.yaml"},
		{"gate x --baseline=DIR/suite.yaml", "suite.yaml"},
		{"diff x y", "there is no run"},
		{"import DIR/gone.newel", "there is no file"},
		{"runs --store=postgres://x", "sqlite:FILE"},
		{"runs --store=sqlite:DIR/gone.db", "there is no store"},
	} {
		got := s.words(exitUsage, tt.line)
		holds(t, got.err, tt.says)
		if got.out != "" {
			t.Errorf("%s: prints %q", tt.line, got.out)
		}
	}
	if list := s.words(exitPassed, "runs --json"); strings.Count(list.out, `"id"`) != 1 {
		t.Errorf("a mistyped command left a run behind:\n%s", list.out)
	}
}

func TestARunThatIsNotCompleteHasNoVerdict(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p, dir := d.working(t, 9, "gate: [{rubric: polite, min: 0.1}]")
	p.killAfter(0)
	s := &shop{t, dir, filepath.Join(dir, "suite.yaml")}
	for _, line := range []string{"gate x", "replay x", "export x --out=DIR/out"} {
		got := s.words(exitIncomplete, line)
		holds(t, got.err, "x is running")
	}
	got := s.words(exitPassed, "report x")
	holds(t, got.out, "INCOMPLETE", "9")
	s.words(exitUsage, "run SUITE --baseline=x")
	list := s.words(exitPassed, "runs --json")
	holds(t, list.out, `"state": "running"`, `"done": 9`)
	s.words(exitPassed, "cancel x")
	holds(t, s.words(exitPassed, "runs --json").out, `"state": "stopped"`)
}

func TestBaselinesAreFoundByIdLabelAndFile(t *testing.T) {
	t.Parallel()
	s := newShop(t, 120, "gate: [{rubric: agrees, no_worse_than: baseline, margin: 0.1}]")
	s.words(exitIncomplete, "run SUITE --id=old --label=branch=main --label=by=me -q")
	s.words(exitPassed, "export old --out=DIR/old.newel")
	for _, tt := range []struct{ name, says string }{
		{"old", "against old"},
		{"ol", "against old"},
		{"branch=main", "against old (branch=main)"},
		{"DIR/old.newel", "against old.newel"},
	} {
		got := s.do(exitPassed, "run", "SUITE", "--baseline="+tt.name, "-q")
		holds(t, got.out, tt.says, "0 broken")
		got = s.do(exitPassed, "gate", "last", "--baseline="+tt.name)
		holds(t, got.out, tt.says)
	}
	s.words(exitInconclusive, "gate last --baseline=old --gate="+write(t, s.dir, "strict.yaml", "- {rubric: agrees, no_worse_than: baseline, margin: 0.01}\n"))
	s.words(exitFailed, "gate last --gate="+write(t, s.dir, "all.yaml", "- {rubric: agrees, fails: {max: 3}}\n"))
	got := s.words(exitFailed, "gate last --json --gate=DIR/all.yaml")
	holds(t, got.out, `"state": "failed"`)
	s.words(exitUsage, "gate last --gate="+write(t, s.dir, "wrong.yaml", "- {rubric: agrees, mni: 3}\n"))
}

func TestDiffNamesWhatBroke(t *testing.T) {
	t.Parallel()
	s := newShop(t, 40, "")
	s.words(exitPassed, "run SUITE --id=old -q")
	text, err := os.ReadFile(filepath.Join(s.dir, "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "yes indeed", "never", 2)
	changed = strings.Replace(changed, `"output": "no"`, `"output": "yes"`, 1)
	write(t, s.dir, "cases.jsonl", changed[:strings.LastIndex(strings.TrimSpace(changed), "\n")+1])
	s.words(exitPassed, "run SUITE --id=new -q")
	got := s.words(exitPassed, "diff old new")
	holds(t, got.out, "2 broken, 1 fixed", "case-1", "case-2", "case-0")
	got = s.words(exitPassed, "diff old new --json")
	holds(t, got.out, `"only_a": 1`)
	got = s.words(exitPassed, "diff old old")
	holds(t, got.out, "0 broken, 0 fixed")
}
