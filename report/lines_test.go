package report_test

import (
	"bytes"
	"strings"
	"testing"

	"newel"
	"newel/report"
)

// turned is a row of a pair that was judged another way in each order.
func turned() newel.Row {
	why := "The first is clearer.\r\nShown the other way round: the first is clearer.\n\n\x1b[2J"
	return newel.Row{Case: "q1", Rubric: "better", Verdict: "fail", Layer: "judge", Choice: "tie", Explanation: why,
		Evidence: []newel.Evidence{{Path: "gpt", Got: "new,\nold"}},
		Scores:   []newel.RowScore{{Scorer: "judge", Layer: "judge", Verdict: "fail", Choice: "tie", Explanation: why}}}
}

func TestLineEndsOfExplanationsAreLines(t *testing.T) {
	t.Parallel()
	sum := &newel.Summary{State: newel.Sealed, Ledger: newel.Ledger{Planned: 1, Fail: 1},
		Failing: []newel.FailingCase{{Case: "q1", Rubric: "better", Check: "judge", Why: turned().Explanation}}}
	for name, c := range map[string]struct {
		write func(b *bytes.Buffer) error
		want  string
	}{
		"show": {func(b *bytes.Buffer) error { return report.RowText(b, rowsOf(turned()), report.TextOptions{}) },
			"      The first is clearer.\n        Shown the other way round: the first is clearer.\n        \\x1b[2J\n        - at gpt, got new,\n          old\n"},
		"explain": {func(b *bytes.Buffer) error {
			return report.ClimbText(b, []newel.Row{turned()}, nil, report.TextOptions{Verbose: true})
		}, "judge: fail, choice tie, The first is clearer.\n                  Shown the other way round: the first is clearer.\n                  \\x1b[2J\n"},
		"the report": {func(b *bytes.Buffer) error { return report.Text(b, sum, report.TextOptions{}) },
			"      The first is clearer.\n        Shown the other way round: the first is clearer.\n"},
		"Markdown": {func(b *bytes.Buffer) error { return report.Markdown(b, sum, 0) },
			"| `The first is clearer.`<br>`Shown the other way round: the first is clearer.`<br>`\\x1b[2J` |"},
	} {
		got := string(rendered(t, c.write))
		if !strings.Contains(got, c.want) || strings.Contains(got, `\n`) || strings.Contains(got, `\r`) {
			t.Errorf("%s lacks %q:\n%s", name, c.want, got)
		}
		calm(t, got)
	}
}
