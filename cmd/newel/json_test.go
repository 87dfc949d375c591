package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJSONIsHeardByEveryCommand(t *testing.T) {
	t.Parallel()
	s := newShop(t, 8, "")
	s.words(exitPassed, "run SUITE --id=x -q")
	file := func(name string) string { return filepath.Join(s.dir, name) }
	for _, tt := range []struct {
		line string
		want map[string]any
	}{
		{"report x --json", map[string]any{"run": "x", "state": "sealed"}},
		{"export x --out=DIR/x.newel --json", map[string]any{"run": "x", "file": file("x.newel")}},
		{"import DIR/x.newel --store=sqlite:DIR/other.db --json", map[string]any{"run": "x", "store": "sqlite:" + file("other.db")}},
		{"init DIR/begun --json", map[string]any{"suite": file("begun/suite.yaml")}},
		{"checks contains --json", map[string]any{"name": "contains", "family": "reference"}},
	} {
		got := s.words(exitPassed, tt.line)
		var object map[string]any
		if err := json.Unmarshal([]byte(got.out), &object); err != nil {
			t.Errorf("%s: %v\n%s", tt.line, err, got.out)
		}
		for key, value := range tt.want {
			if object[key] != value {
				t.Errorf("%s: %s is %v, want %v", tt.line, key, object[key], value)
			}
		}
	}
	var list []checkJSON
	if err := json.Unmarshal([]byte(s.words(exitPassed, "checks --json").out), &list); err != nil || len(list) < 40 || len(list[0].Parameters) == 0 {
		t.Errorf("%d checks (%v)", len(list), err)
	}
	holds(t, s.words(exitPassed, "report x --json --as=csv").out, "case,")
}

func TestMistakesAsJSONHaveTheirPlaces(t *testing.T) {
	t.Parallel()
	s := newShop(t, 8, "trails: 3\n")
	for _, command := range []string{"run", "plan"} {
		got := s.words(exitUsage, command+" SUITE --json")
		var v mistakesJSON
		if err := json.Unmarshal([]byte(got.err), &v); err != nil || len(v.Mistakes) != 1 {
			t.Fatalf("%v\n%s", err, got.err)
		}
		if m := v.Mistakes[0]; m.File != s.suite || m.Line != 7 || m.Column != 1 || !strings.Contains(m.Message, "trails") {
			t.Errorf("%+v", m)
		}
	}
}

func TestTextFitsWhereItGoes(t *testing.T) {
	t.Parallel()
	s := newShop(t, 24, "gate: [{rubric: agrees, min: 0.5}]")
	s.words(exitPassed, "run SUITE --id=x -q")
	if got := runTerminal(t, true, []string{"TERM=dumb"}, storeIn(s.dir), "report", "x"); strings.Contains(got.out, "\x1b[") {
		t.Errorf("a dumb terminal gets colour:\n%s", got.out)
	}
	widest := func(env ...string) int {
		most := 0
		for _, line := range strings.Split(s.with(env, exitPassed, "report", "x").out, "\n")[1:] {
			most = max(most, len([]rune(line)))
		}
		return most
	}
	if narrow, wide := widest("COLUMNS=60"), widest("COLUMNS=160"); narrow >= wide {
		t.Errorf("the widest line has %d columns of 60 and %d of 160", narrow, wide)
	}
	if widest("COLUMNS=many") != widest() {
		t.Error("a COLUMNS that is no number counts")
	}
}

func TestPrintedCommandsFindTheStore(t *testing.T) {
	t.Parallel()
	s := newShop(t, 24, "")
	text := strings.Join(strings.Fields(s.words(exitPassed, "run SUITE --id=x").out), " ") // lines are broken
	holds(t, text, "all of them: newel show x --failing --store sqlite:", "next: newel show x --failing --store sqlite:")
}

func TestAStoppedRunOfACommandIsGoneOnWithByWhatGateSays(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("SKIPPED: there is no /bin/sh")
	}
	dir := t.TempDir()
	write(t, dir, "app.sh", patient)
	write(t, dir, "cases.jsonl", strings.Repeat("{\"input\": \"q\"}\n", 4))
	suite := write(t, dir, "suite.yaml", "newel: v1\nname: patient\ndata: {file: cases.jsonl, map: {id: {expr: \"'c' + string(row)\"}}}\ntarget: {command: {run: [sh, app.sh]}, concurrency: 1}\nrubrics: [{name: agrees, floor: [contains: \"yes\"]}]\ngate: [{errors: {max: 0}}]\n")
	p := begin(t, dir, "run", suite, "--id=x", storeIn(dir), "--allow-commands="+dir, "-q")
	await(t, "two answers", func() bool {
		if standing(t, dir, "x") == nil {
			return false
		}
		s := opened(t, dir)
		defer s.Close()
		return tallyOf(t, s, "x").Done == 2
	}, p.done)
	p.signal(os.Kill)
	p.wait()
	write(t, dir, "go", "")
	got := must(t, dir, exitIncomplete, "gate", "x", storeIn(dir))
	holds(t, got.err, "newel resume x", "--allow-commands")
	stopped := must(t, dir, exitPassed, "cancel", "x", storeIn(dir), "--json")
	holds(t, stopped.out, `"run": "x"`, `"state": "stopped"`)
}
