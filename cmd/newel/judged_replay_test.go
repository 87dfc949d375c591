package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"newel/bench/upstream"
)

// allForms are rubrics whose judges answer in every form there is.
const allForms = `  - name: voted
    judge: {prompt: "builtin:groundedness@1", votes: 3, sample: all}
  - name: listed
    judge: {criterion: {from: criteria}, sample: all}
  - name: better
    judge: {pair: [new, old], both_orders: true, sample: all}
  - name: scored
    judge: {criterion: "How helpful is the output?", reply: score, score: {min: 1, max: 5, pass: 4}, sample: all}
  - name: chosen
    judge: {criterion: "What is the output?", choices: [answer, refusal, other], pass: [answer], sample: all}
  - name: drawn
    floor: [contains: {value: "ships", settles: pass}]
    judge: {prompt: "builtin:relevance@1", sample: 0.5, audit: 0.5}
  - name: models
    judge: {prompt: "builtin:faithfulness@1", models: [gpt-4o-mini, gpt-4o, gpt-4.1-mini], sample: all}
`

// troubled judges well, but answers some questions never and others with nonsense.
func troubled(c *upstream.Call) upstream.Act {
	switch markedCase(c) % 10 {
	case 3:
		if strings.Contains(c.Text(), "How helpful") {
			return upstream.Act{Hang: true}
		}
	case 5:
		return upstream.Act{Text: "I would rather not say."}
	case 6:
		return upstream.Act{Refusal: "I cannot help with that."}
	case 8:
		if c.Nth == 1 {
			return upstream.Act{Status: 500}
		}
	}
	return judgement(c)
}

// replays checks that a run derives again to its digest, with nobody to ask and
// no variable set.
func (b *bench) replays(t testing.TB, id string) {
	t.Helper()
	before := b.up.Counts().Requests
	got := b.with(t, nil, nil, "replay", id, "--json")
	var v replayView
	if err := json.Unmarshal([]byte(got.out), &v); err != nil || got.code != exitPassed || !v.Same || v.Recorded == 0 {
		t.Errorf("replay %s: exit %d, %v\n%s%s", id, got.code, err, got.out, got.err)
	}
	if n := b.up.Counts().Requests - before; n != 0 {
		t.Errorf("replay %s asked %d times", id, n)
	}
}

func TestAJudgedRunIsReplayedFromItsReplies(t *testing.T) {
	t.Parallel()
	const cases = 20
	o := setting{cases: cases, rubrics: allForms, judge: "  retries: 0\n  timeout: 2s\n  in_flight: 64\n", script: upstream.Script{Act: troubled}}
	b := newBench(t, o)
	b.run(t, exitPassed, "first")
	run, sum := b.sealed(t, "first")
	seen := map[string]bool{}
	for _, r := range sum.Rubrics {
		l := r.Ledger
		t.Logf("%s: %+v %v", r.Name, l, r.Errors)
		if l.Pass == 0 || r.Name != "drawn" && l.Error == 0 {
			t.Errorf("rubric %s shows nothing: %+v", r.Name, l)
		}
		for kind := range r.Errors {
			seen[string(kind)] = true
		}
	}
	if !seen["timeout"] || !seen["unparsable"] {
		t.Errorf("errors of kinds %v alone", seen)
	}
	b.replays(t, "first")
	before := b.up.Counts().Requests
	b.run(t, exitPassed, "again") // reuses what first paid for, and errs where it did
	asked := b.up.Counts().Requests - before
	again, _ := b.sealed(t, "again")
	if again.Digest != run.Digest {
		t.Errorf("again: report digest %s, want %s", again.Digest, run.Digest)
	}
	b.replays(t, "again")
	b.run(t, exitPassed, "retried", "--retry-errors=first")
	b.replays(t, "retried")
	t.Logf("%d requests, then %d", before, asked)

	// Elsewhere, where neither the suite nor the store nor the gateway is.
	for _, id := range []string{"first", "again", "retried"} {
		other := &bench{dir: t.TempDir(), up: b.up}
		file := filepath.Join(other.dir, id+".newel")
		wantCode(t, b.call(t, "export", id, "--out="+file, "-q"), exitPassed)
		wantCode(t, other.with(t, nil, nil, "import", file, "-q"), exitPassed)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		other.replays(t, id)
		if got, want := other.with(t, nil, nil, "report", id, "--as=jsonl").out, b.call(t, "report", id, "--as=jsonl").out; got != want {
			t.Errorf("%s: the rows of the copy differ", id)
		}
	}
}

// A run that was killed, went on and had its budget raised replays like any other.
func TestARunThatWasInterruptedIsReplayed(t *testing.T) {
	t.Parallel()
	const cases = 60
	o := slowly(cases, 5)
	o.top = "budget: {usd: 0.005}\n"
	b := newBench(t, o)
	p := b.begin(t, "run", b.suite, "--id=x", "-q")
	await(t, "replies", func() bool { return b.up.Counts().Paid >= 5 }, p.done)
	p.killAfter(0)
	wantCode(t, b.call(t, "resume", "x", "-q"), exitIncomplete)
	if got := b.with(t, nil, nil, "replay", "x"); got.code != exitIncomplete {
		t.Errorf("replay of an incomplete run: exit %d\n%s", got.code, got.err)
	}
	wantCode(t, b.call(t, "resume", "x", "--budget=1", "-q"), exitPassed)
	b.judgedAll(t, "x", cases)
	b.replays(t, "x")
}
