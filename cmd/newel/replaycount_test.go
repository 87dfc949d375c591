package main

import (
	"encoding/json"
	"testing"
)

// Rows that ask the same share a reply, and looks into the journal come in any
// order and number: what replay counts is neither of them.
func TestAReplayCountsDifferentReplies(t *testing.T) {
	t.Parallel()
	const cases = 40
	twice := onePrompt + "  - name: again\n    judge: {prompt: \"builtin:groundedness@1\", sample: all}\n" +
		"  - name: voted\n    judge: {criterion: It is polite., sample: all, votes: 3}\n"
	b := newBench(t, setting{cases: cases, rubrics: twice, judge: "  in_flight: 32\n"})
	b.run(t, exitPassed, "x")
	const want = cases + 3*cases
	if c := b.up.Counts(); c.Requests != want {
		t.Fatalf("%d requests, want %d", c.Requests, want)
	}
	for range 5 {
		var v replayView
		got := b.with(t, nil, nil, "replay", "x", "--json")
		if err := json.Unmarshal([]byte(got.out), &v); err != nil || v.Recorded != want {
			t.Errorf("it counts %d answers, want %d: %v\n%s", v.Recorded, want, err, got.err)
		}
	}
}
