package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"newel"
	"newel/report"
	"newel/report/reporttest"
)

func TestPromptsAndRepliesAreShownLineByLineAndActOnNothing(t *testing.T) {
	t.Parallel()
	all := strings.Join(reporttest.HostileStrings(), "\n")
	told := newel.ToldCall{Call: newel.Call{Key: newel.HashOf([]byte("k")), ModelAsked: all, Outcome: "ok"},
		Prompt: []newel.Turn{{Role: all, Text: "  indented\n\n→ pass, decided by the judge\n" + all, Files: []string{all}}}, Reply: &newel.ReplyText{Text: all, Finish: all}}
	raw, err := json.Marshal(told)
	if err != nil {
		t.Fatal(err)
	}
	worst := newel.Money(1_000_000)
	rows := []newel.Row{{Case: "a", Rubric: "g", Verdict: "pass", Calls: []newel.Raw{raw}}}
	for _, width := range []int{40, 80} {
		opt := report.TextOptions{Width: width}
		explained := string(rendered(t, func(b *bytes.Buffer) error { return report.ClimbText(b, rows, nil, opt) }))
		planned := string(rendered(t, func(b *bytes.Buffer) error {
			return report.PlannedText(b, []report.PlannedRow{{Item: all, Rubric: all, Why: all, Calls: []report.PlannedCall{{Key: all, Gateway: all, Model: all, Worst: &worst, Prompt: told.Prompt}, {}}}}, opt)
		}))
		for _, text := range []string{explained, planned} {
			calm(t, text)
			within(t, text, width, 0)
			if !strings.Contains(text, "\n    │   indented\n    │\n    │ → pass, decided by the judge\n") {
				t.Errorf("lines are not kept:\n%s", text)
			}
		}
	}
}

func TestWhatCannotBeShownOfACallIsSaid(t *testing.T) {
	t.Parallel()
	for want, told := range map[string]newel.ToldCall{
		"its prompt cannot be written again: the file is gone": {PromptMissing: "the file is gone", Reply: &newel.ReplyText{Text: "x"}},
		"there was no reply: timeout: too slow":                {Prompt: []newel.Turn{{Role: "user", Text: "x"}}, Call: newel.Call{Error: &newel.ScoreError{Kind: newel.KindTimeout, Message: "too slow"}}},
		"    reply, ended by length, refused\n    │ x\n":       {Prompt: []newel.Turn{{Role: "user", Text: "y"}}, Reply: &newel.ReplyText{Text: "x", Finish: "length", Refused: true}},
	} {
		told.Key = newel.HashOf([]byte("k"))
		raw, err := json.Marshal(told)
		if err != nil {
			t.Fatal(err)
		}
		got := string(rendered(t, func(b *bytes.Buffer) error {
			return report.ClimbText(b, []newel.Row{{Case: "a", Calls: []newel.Raw{raw}}}, nil, report.TextOptions{})
		}))
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q:\n%s", want, got)
		}
	}
}
