package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"newel"
)

// What was paid for before a budget was spent is told by whoever looks at the
// run, with the budget that it takes to end it.
func TestARunWhoseBudgetIsSpentSaysWhatItTakes(t *testing.T) {
	t.Parallel()
	const cases = 60
	b := newBench(t, setting{cases: cases, judge: "  in_flight: 4\n", top: "budget: {usd: 0.005}\n"})
	got := b.call(t, "run", b.suite, "--id=x")
	wantCode(t, got, exitIncomplete)
	var sum newel.Summary
	if err := json.Unmarshal([]byte(b.call(t, "report", "x", "--json").out), &sum); err != nil {
		t.Fatal(err)
	}
	u := sum.Unfinished
	if u == nil || u.Replies == 0 || u.Replies != b.up.Counts().Paid || u.Items != cases-sum.Cases.Done() || !u.Short || u.Enough == nil || *u.Enough <= *u.Budget {
		t.Fatalf("%+v with %+v", u, sum.Cases)
	}
	kept := "replies of judges are paid for and kept"
	for name, text := range map[string]string{
		"the end of run": got.err,
		"report":         b.call(t, "report", "x").out,
		"markdown":       b.call(t, "report", "x", "--as=markdown").out,
		"junit":          b.call(t, "report", "x", "--as=junit").out,
		"show":           b.call(t, "show", "x").err,
		"explain":        b.call(t, "explain", "x", "case-"+lastOpen(t, b)).err,
		"a second run":   b.call(t, "resume", "x").err,
	} {
		text = strings.Join(strings.Fields(text), " ")
		for _, want := range []string{"newel resume x --budget " + u.Enough.String(), kept, "an estimate"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, text)
			}
		}
	}
	if gate := b.call(t, "gate", "x"); gate.code != exitIncomplete || !strings.Contains(gate.err, "--budget "+u.Enough.String()) {
		t.Errorf("gate: exit %d\n%s", gate.code, gate.err)
	}
	wantCode(t, b.call(t, "resume", "x", "-q", "--budget="+u.Enough.String()), exitPassed)
	if _, sum := b.sealed(t, "x"); sum.Unfinished != nil || b.up.Counts().Requests != cases {
		t.Errorf("after the end: %+v, %d requests", sum.Unfinished, b.up.Counts().Requests)
	}
}

// lastOpen is the number of a case of run x that has no row.
func lastOpen(t *testing.T, b *bench) string {
	t.Helper()
	rows := b.call(t, "report", "x", "--as=jsonl").out
	for _, n := range []string{"59", "58", "57", "56", "55", "54", "53", "52", "51", "50"} {
		if !strings.Contains(rows, `"case-`+n+`"`) {
			return n
		}
	}
	t.Fatal("the last ten cases all have rows")
	return ""
}

func TestACaseWithoutARowYetIsNotTakenForASlip(t *testing.T) {
	t.Parallel()
	b := newBench(t, setting{cases: 20, judge: "  in_flight: 2\n", top: "budget: {usd: 0.002}\n"})
	wantCode(t, b.call(t, "run", b.suite, "--id=x", "-q"), exitIncomplete)
	open := ""
	for n := range 20 {
		name := "case-" + string(rune('0'+n/10)) + string(rune('0'+n%10))
		name = strings.Replace(name, "case-0", "case-", 1)
		if got := b.call(t, "explain", "x", name); got.code == exitIncomplete {
			open = got.err
		}
	}
	if !strings.Contains(open, "has no row yet") || !strings.Contains(open, "newel resume x") || strings.Contains(open, "did you mean") {
		t.Errorf("it says\n%s", open)
	}
	if got := b.call(t, "explain", "x", "case-nowhere"); got.code != exitUsage || !strings.Contains(got.err, "has no row of a case") {
		t.Errorf("of no case: exit %d\n%s", got.code, got.err)
	}
}

// An interrupted run whose budget is ample goes on without --budget.
func TestAnInterruptedRunSaysWhatIsKept(t *testing.T) {
	t.Parallel()
	const cases = 150
	o := slowly(cases, 10)
	o.top = "budget: {usd: 5}\n"
	b := newBench(t, o)
	p := b.begin(t, "run", b.suite, "--id=x")
	await(t, "calls to be paid", func() bool { return b.up.Counts().Paid >= 20 }, p.done)
	p.signal(os.Interrupt)
	got := p.wait()
	wantCode(t, got, exitInterrupted)
	if !strings.Contains(got.err, "replies of judges are paid for and kept") || !strings.Contains(got.err, "newel resume x") || strings.Contains(got.err, "--budget") {
		t.Errorf("it says\n%s", got.err)
	}
}
