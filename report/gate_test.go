package report_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"newel"
	"newel/report"
	"newel/report/reporttest"
)

func textOf(t *testing.T, sum *newel.Summary, opt report.TextOptions) string {
	t.Helper()
	return string(rendered(t, func(b *bytes.Buffer) error { return report.Text(b, sum, opt) }))
}

// section returns the lines below a title up to the next empty one.
func section(text, title string) []string {
	_, rest, _ := strings.Cut(text, "\n"+title)
	rest, _, _ = strings.Cut(rest, "\n\n")
	return strings.Split(rest, "\n")[1:]
}

func gated(rules ...newel.GateRule) *newel.Summary {
	s := reporttest.Complete()
	s.Gate = &newel.GateSummary{State: newel.GateFailed, Rules: rules}
	return s
}

func ruleOf(name string, state newel.GateState) newel.GateRule {
	return newel.GateRule{Rule: name, State: state, Why: "why " + name}
}

func TestRulesThatWereNotPassedComeFirst(t *testing.T) {
	t.Parallel()
	advisory := ruleOf("hint", newel.GateFailed)
	advisory.Advisory = true
	sum := gated(ruleOf("a", newel.GatePassed), advisory, ruleOf("b", newel.GateInconclusive), ruleOf("c", newel.GateFailed), ruleOf("d", newel.GateInvalid))
	got := slices.DeleteFunc(section(textOf(t, sum, report.TextOptions{}), "Gate"), func(l string) bool { return strings.HasPrefix(l, "      ") })
	want := []string{"  failed  c", "  invalid  d", "  inconclusive  b", "  failed (advisory)  hint", "  passed  a"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestALongGateIsCut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failed, passed int
		want           string
	}{
		"one rule too many is shown": {0, 21, "  passed  p-20"},
		"passed ones are counted":    {2, 30, "  and 12 more passed"},
		"failed ones are counted":    {25, 3, "  and 5 more not passed, 3 more passed"},
	} {
		var rules []newel.GateRule
		for i := range c.passed {
			rules = append(rules, ruleOf(fmt.Sprintf("p-%d", i), newel.GatePassed))
		}
		for i := range c.failed {
			rules = append(rules, ruleOf(fmt.Sprintf("f-%d", i), newel.GateFailed))
		}
		got := strings.Join(section(textOf(t, gated(rules...), report.TextOptions{Width: 100}), "Gate"), "\n")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in\n%s", name, c.want, got)
		}
		if whole := textOf(t, gated(rules...), report.TextOptions{Verbose: true}); strings.Count(whole, "      why ") != len(rules) {
			t.Errorf("%s: not every rule stands in the verbose report", name)
		}
	}
}

func TestDefaultRulesThatWerePassedStandOnOneLine(t *testing.T) {
	t.Parallel()
	var rules []newel.GateRule
	for _, r := range []string{"a", "b", "c"} {
		rules = append(rules, newel.GateRule{Rule: r + ": errors ≤ 0.01 (default)", Rubric: r, State: newel.GatePassed, Default: true})
	}
	got := section(textOf(t, gated(rules...), report.TextOptions{}), "Gate")
	if want := []string{"  passed  errors ≤ 0.01 (default) for 3 rubrics"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	rules[1].State = newel.GateFailed
	if got := section(textOf(t, gated(rules...), report.TextOptions{}), "Gate"); got[0] != "  failed  b: errors ≤ 0.01 (default)" {
		t.Errorf("a default that failed is not shown: %q", got)
	}
}

func TestANoteNeverTakesThePlaceOfOneCheck(t *testing.T) {
	t.Parallel()
	sum := reporttest.Complete() // four checks that missed something, one that did not
	if got := textOf(t, sum, report.TextOptions{}); !strings.Contains(got, "not contains") || strings.Contains(got, "not shown") {
		t.Errorf("the one check is not shown:\n%s", got)
	}
	sum.Rubrics[0].Checks = append(sum.Rubrics[0].Checks, newel.CheckSummary{Check: "json", Pass: 10_000})
	if got := textOf(t, sum, report.TextOptions{}); strings.Contains(got, "not contains") || !strings.Contains(got, "and 2 checks that are not shown") {
		t.Errorf("two checks are not counted:\n%s", got)
	}
}

func TestEveryCommandThatIsPrintedHasTheHint(t *testing.T) {
	t.Parallel()
	running := reporttest.Incomplete()
	running.State = newel.Running
	many := gated(slices.Repeat([]newel.GateRule{ruleOf("f", newel.GateFailed)}, 30)...)
	many.Slices = reporttest.ManySlices().Slices
	for _, sum := range []*newel.Summary{running, many, reporttest.Failing()} {
		text := textOf(t, sum, report.TextOptions{Width: 160, Hint: " --store sqlite:x"})
		commands := 0
		for line := range strings.Lines(text) {
			for _, verb := range []string{"newel show ", "newel resume ", "newel report ", "newel follow "} {
				if strings.Contains(line, verb) {
					commands++
					if !strings.HasSuffix(line, " --store sqlite:x\n") {
						t.Errorf("without the hint: %q", line)
					}
				}
			}
		}
		if commands == 0 {
			t.Error("no command is printed")
		}
	}
}

func TestOnlyWhatGoesOnWithARunHasTheFlagsForIt(t *testing.T) {
	t.Parallel()
	running := reporttest.Incomplete()
	running.State = newel.Running
	text := textOf(t, running, report.TextOptions{Width: 160, Hint: " --store sqlite:x", Resume: " --allow-commands suites"})
	counts := map[string]int{}
	for line := range strings.Lines(text) {
		for verb, end := range map[string]string{
			"newel resume ": " --store sqlite:x --allow-commands suites\n", "newel follow ": " --store sqlite:x --allow-commands suites\n", "newel show ": " --store sqlite:x\n",
		} {
			if strings.Contains(line, verb) {
				counts[verb]++
				if !strings.HasSuffix(line, end) {
					t.Errorf("%q does not end in %q", line, end)
				}
			}
		}
	}
	if counts["newel resume "] != 2 || counts["newel follow "] != 1 {
		t.Errorf("printed %v", counts)
	}
}

func TestSlicesWithoutARateSayWhy(t *testing.T) {
	t.Parallel()
	sum := reporttest.Complete()
	sum.Slices = nil
	for lang, l := range map[string]newel.Ledger{
		"undone": {Planned: 3}, "unjudged": {Planned: 3, Unjudged: 3}, "errors": {Planned: 3, Error: 3},
		"quarantined": {Planned: 3, Pass: 2, Fail: 1}, "mixed": {Planned: 2, Unjudged: 1, Error: 1},
	} {
		sum.Slices = append(sum.Slices, newel.Slice{Dims: map[string]string{"l": lang}, Rubric: "arguments", Ledger: l})
	}
	sum.Slices = append(sum.Slices, newel.Slice{Dims: map[string]string{"l": "measured"}, Rubric: "tone", Ledger: newel.Ledger{Planned: 1, Pass: 1}})
	for name, got := range map[string]string{"text": textOf(t, sum, report.TextOptions{Width: 120}), "markdown": markdownOf(t, sum, 0)} {
		for _, want := range []string{"none: no row is done", "none: all unjudged", "none: only errors", "none: in quarantine", "none: unjudged, errors"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing", name, want)
			}
		}
		if strings.Contains(got, "l=measured") {
			t.Errorf("%s shows a slice of a rubric that decides nothing", name)
		}
	}
	sum.Slices = sum.Slices[len(sum.Slices)-1:]
	if got := textOf(t, sum, report.TextOptions{}); strings.Contains(got, "\nSlices\n") {
		t.Error("a title stands over nothing")
	}
}

func TestAReportSaysWhatARunWasNarrowedTo(t *testing.T) {
	t.Parallel()
	sum := reporttest.Complete()
	sum.Selection = &newel.Selection{Where: `dims.lang == "de"`, Limit: 20, Rubrics: []string{"arguments"}}
	sum.Plan.Trials = 3
	want := `cases where dims.lang == "de"; the first 20 cases; of rubrics arguments`
	for name, got := range map[string]string{"text": textOf(t, sum, report.TextOptions{Width: 120}), "markdown": markdownOf(t, sum, 0)} {
		if !strings.Contains(got, want) || !strings.Contains(got, "3 trials") {
			t.Errorf("%s: %q or the trials are missing", name, want)
		}
	}
}
