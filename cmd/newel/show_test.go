package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"newel"
)

// twoLanguages is a suite of one case in two languages and two trials, whose
// target gives a long output that acts on terminals.
func twoLanguages(t *testing.T) *shop {
	t.Helper()
	output, err := json.Marshal(map[string]string{"reply": "no\x1b[2J\x00\u202e\nand " + strings.Repeat("no ", 300) + "end of output"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(output) }))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	write(t, dir, "cases.jsonl", `{"id": "a", "input": "Really?", "reference": "yes", "context": ["one", "two"]}`+"\n")
	return &shop{t, dir, write(t, dir, "suite.yaml", fmt.Sprintf(`newel: v1
name: two
data: {file: cases.jsonl}
matrix: {lang: [de, en]}
trials: 2
target:
  http: {url: %q, body: {lang: "{{ dims.lang }}"}, take: {output: /reply}}
rubrics:
  - name: agrees
    floor: [contains: "yes"]
`, server.URL))}
}

func TestExplainBeginsEachItemWithWhatWasScored(t *testing.T) {
	t.Parallel()
	s := twoLanguages(t)
	s.words(exitPassed, "run SUITE --id=x -q")
	got := s.words(exitPassed, "explain x a").out
	for _, want := range []string{"a|lang=de|#1\n", "a|lang=de|#2\n", "a|lang=en|#1\n", "a|lang=en|#2\n"} {
		if strings.Count("\n"+got, "\n"+want) != 1 {
			t.Errorf("%d heads %q in\n%s", strings.Count("\n"+got, "\n"+want), want, got)
		}
	}
	holds(t, got, "dims  lang=de", "dims  lang=en", "input      Really?", `output     no\x1b[2J\x00\u202e`, "reference  yes", "context    2 passages", "-v shows all", "→ fail")
	if strings.ContainsAny(got, "\x1b\x00\u202e") || strings.Contains(got, "end of output") {
		t.Errorf("it acts, or is not cut:\n%q", got)
	}
	holds(t, s.words(exitPassed, "explain x a|lang=en|#2 -v").out, "end of output")
	var rows []newel.Row
	if err := json.Unmarshal([]byte(s.words(exitPassed, "explain x a --json").out), &rows); err != nil || len(rows) != 4 {
		t.Errorf("--json: %v, %d rows", err, len(rows))
	}
}

func TestShowHasOutputsWhenAsked(t *testing.T) {
	t.Parallel()
	s := twoLanguages(t)
	s.words(exitPassed, "run SUITE --id=x -q")
	plain := s.words(exitPassed, "show x --failing")
	holds(t, plain.out, "fail  a|lang=de|#1\n", "fail  a|lang=en|#2\n")
	if strings.Contains(plain.out, "output  no") {
		t.Error("outputs are shown though nobody asked")
	}
	got := s.words(exitPassed, "show x --failing --output --limit=3")
	if n := strings.Count(got.out, `output  no\x1b[2J\x00\u202e`); n != 3 {
		t.Errorf("%d outputs of 3 rows:\n%s", n, got.out)
	}
	holds(t, got.err, "1 row more")
	if lines := s.words(exitPassed, "show x --output --json").out; lines != s.words(exitPassed, "show x --json").out {
		t.Error("--output changes what --json prints")
	}
}

func TestTestcasesOfTrialsAndCombinationsHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := twoLanguages(t)
	s.words(exitPassed, "run SUITE --id=x -q")
	got := s.words(exitPassed, "report x --as=junit").out
	for _, name := range []string{"a|lang=de|#1", "a|lang=de|#2", "a|lang=en|#1", "a|lang=en|#2"} {
		if strings.Count(got, `<testcase name="`+name+`"`) != 1 {
			t.Errorf("%s is there %d times", name, strings.Count(got, `<testcase name="`+name+`"`))
		}
	}
}
