package main

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"newel"
)

func TestReportsTakeEveryFormAndGoWhereTheyAreSent(t *testing.T) {
	t.Parallel()
	s := newShop(t, 24, "gate: [{rubric: agrees, min: 0.5}]")
	s.words(exitPassed, "run SUITE --id=x -q")
	for form, reads := range map[string]func(string) error{
		"text":     func(text string) error { holds(t, text, "PASSED", "report digest"); return nil },
		"markdown": func(text string) error { holds(t, text, "PASSED", "24 cases"); return nil },
		"json":     func(text string) error { return json.Unmarshal([]byte(text), new(newel.Summary)) },
		"junit":    func(text string) error { return xml.Unmarshal([]byte(text), new(struct{})) },
		"csv": func(text string) error {
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			if len(rows) != 25 {
				t.Errorf("csv has %d lines, want 25", len(rows))
			}
			return err
		},
		"jsonl": func(text string) error {
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if len(lines) != 24 {
				t.Errorf("jsonl has %d lines, want 24", len(lines))
			}
			return json.Unmarshal([]byte(lines[0]), new(newel.Row))
		},
	} {
		printed := s.words(exitPassed, "report x --as="+form)
		if err := reads(printed.out); err != nil {
			t.Errorf("%s: %v", form, err)
		}
		quiet := s.words(exitPassed, "report x --out=DIR/out --as="+form)
		wrote, err := os.ReadFile(filepath.Join(s.dir, "out"))
		if err != nil || quiet.out != "" || string(wrote) != printed.out {
			t.Errorf("%s: into the file went something else (%v): %q\n%s", form, err, quiet.out, wrote)
		}
	}
	if got := s.words(exitPassed, "report x --as=text").out; got != s.words(exitPassed, "run SUITE --id=x -q").out {
		t.Error("report prints another text than run")
	}
}

// A report that cannot be finished leaves what was there before.
func TestAReportIntoAFolderThatIsNotThereWritesNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t, 8, "")
	s.words(exitPassed, "run SUITE --id=x -q")
	got := s.words(exitIncomplete, "report x --out=DIR/gone/out")
	holds(t, got.err, "gone/out")
	if list, err := os.ReadDir(filepath.Join(s.dir, "gone")); err == nil {
		t.Errorf("it made %v", list)
	}
}

func TestCostIsFoldedEveryWay(t *testing.T) {
	t.Parallel()
	s := newShop(t, 24, "")
	s.words(exitPassed, "run SUITE --id=x -q")
	for by, key := range map[string]string{"suite": "small", "rubric": "agrees", "runner": "local", "model": "none", "layer": "floor", "dims.route": "short"} {
		got := s.words(exitPassed, "cost x --by="+by)
		holds(t, got.out, key, "24")
		var table struct {
			Total struct{ Rows int }
			Lines []struct{ Key string }
		}
		if err := json.Unmarshal([]byte(s.words(exitPassed, "cost x --json --by="+by).out), &table); err != nil || table.Total.Rows != 24 {
			t.Errorf("%s: %v, %+v", by, err, table)
		}
	}
	holds(t, s.words(exitPassed, "cost x x --by=suite").out, "48")
	holds(t, s.words(exitUsage, "cost x --by=dims.rute").err, "no item has this dimension", `did you mean "route"`)
}

func TestShowFindsRows(t *testing.T) {
	t.Parallel()
	s := newShop(t, 24, "")
	s.words(exitPassed, "run SUITE --id=x -q")
	got := s.words(exitPassed, "show x --failing --case=case-8")
	holds(t, got.out, "case-8", `does not hold "yes"`)
	if strings.Contains(got.out, "case-16") {
		t.Errorf("it shows other cases:\n%s", got.out)
	}
	holds(t, s.words(exitPassed, "show x --failing --case=case-1").out, "no such rows")
	got = s.words(exitPassed, "show x --limit=3 --json")
	if lines := strings.Count(got.out, "\n"); lines != 3 {
		t.Errorf("%d lines, want 3", lines)
	}
	holds(t, got.err, "21 rows more")
	holds(t, s.words(exitPassed, "explain x case-8").out, "case-8", "contains", "floor")
}

func TestVariablesStandForFlags(t *testing.T) {
	t.Parallel()
	s := newShop(t, 24, "gate: [{rubric: agrees, min: 0.5}]")
	s.words(exitPassed, "run SUITE --id=x -q")
	want := s.words(exitPassed, "report x --as=json")
	if got := s.with([]string{"NEWEL_AS=json"}, exitPassed, "report", "x"); got.out != want.out {
		t.Errorf("NEWEL_AS=json prints\n%s", got.out)
	}
	if got := s.with([]string{"NEWEL_AS=csv"}, exitPassed, "report", "x", "--as=json"); got.out != want.out {
		t.Errorf("a flag gives way to a variable:\n%s", got.out)
	}
	if got := s.with([]string{"NEWEL_AS="}, exitPassed, "report", "x", "--as=json"); got.out != want.out {
		t.Errorf("an empty variable counts:\n%s", got.out)
	}
	got := s.with([]string{"NEWEL_LIMIT=many"}, exitUsage, "show", "x")
	holds(t, got.err, "NEWEL_LIMIT", "many")
	got = s.with([]string{"NEWEL_LABEL=branch=main", "NEWEL_ID=y", "NEWEL_QUIET=true"}, exitPassed, "run", "SUITE")
	holds(t, got.out, "branch=main", "run    y")
	file := runApp(t, []string{"NEWEL_STORE=sqlite:" + dbIn(s.dir)}, "runs", "--json")
	wantCode(t, file, exitPassed)
	holds(t, file.out, `"x"`, `"y"`)
}

func TestColourIsForTerminalsAlone(t *testing.T) {
	t.Parallel()
	s := newShop(t, 24, "gate: [{rubric: agrees, min: 0.5}]")
	s.words(exitPassed, "run SUITE --id=x -q")
	for _, tt := range []struct {
		name     string
		terminal bool
		env      []string
		args     []string
		want     bool
	}{
		{"a terminal", true, nil, nil, true},
		{"a pipe", false, nil, nil, false},
		{"NO_COLOR", true, []string{"NO_COLOR=1"}, nil, false},
		{"NO_COLOR, empty", true, []string{"NO_COLOR="}, nil, true},
		{"NEWEL_NO_COLOR", true, []string{"NEWEL_NO_COLOR=true"}, nil, false},
		{"--no-color", true, nil, []string{"--no-color"}, false},
		{"a file", true, nil, []string{"--out=" + filepath.Join(s.dir, "out")}, false},
	} {
		got := runTerminal(t, tt.terminal, tt.env, append([]string{storeIn(s.dir), "report", "x"}, tt.args...)...)
		wantCode(t, got, exitPassed, tt.name)
		text := got.out
		if wrote, err := os.ReadFile(filepath.Join(s.dir, "out")); err == nil {
			text += string(wrote)
		}
		if strings.Contains(text, "\x1b[") != tt.want {
			t.Errorf("%s: coloured %v, want %v", tt.name, !tt.want, tt.want)
		}
	}
}
