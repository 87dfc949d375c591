package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"newel"
	"newel/bench/upstream"
	"newel/report"
)

// pairCases are n cases with two outputs each and two passages.
func pairCases(n int) string {
	var b strings.Builder
	for i := range n {
		line, _ := json.Marshal(map[string]any{"id": fmt.Sprintf("case-%d", i), "input": fmt.Sprintf("Where is order %d?", i),
			"outputs": map[string]string{"new": fmt.Sprintf("Order %d ships\nat noon.", i), "old": "No idea."},
			"context": []map[string]string{{"id": "p1", "text": "Orders ship at noon."}, {"id": "p2", "text": "We are closed."}}, "labels": map[string]string{"tone": "warm"}})
		b.Write(append(line, '\n'))
	}
	return b.String()
}

const askedOfMain = "judge:\n  gateway: {name: main, url: \"${GW}\", key_env: GWKEY}\n  model: gpt-4o-mini\n"

// choosing is a judge that always chooses the same, whatever is shown where.
func choosing(word string) upstream.Script {
	script := courtScript()
	script.Act = func(*upstream.Call) upstream.Act {
		return upstream.Act{Text: `{"analysis":"It is.","choice":"` + word + `","check":"` + upstream.Mark + `"}`}
	}
	return script
}

func newPairs(t *testing.T, script upstream.Script, text string) *court {
	t.Helper()
	c := newCourt(t, script, text)
	write(t, c.dir, "cases.jsonl", pairCases(6))
	return c
}

func (c *court) reported(run string) (sum newel.Summary) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(c.words(exitPassed, "report "+run+" --as json").out), &sum); err != nil {
		c.t.Fatal(err)
	}
	return sum
}

func TestAJudgeThatFollowsTheOrderIsSeenWithoutLabels(t *testing.T) {
	t.Parallel()
	c := newPairs(t, choosing("first"), "rubrics:\n  - name: better\n    judge: {pair: [new, old], both_orders: true, sample: all}\n"+askedOfMain)
	c.words(exitPassed, "run SUITE --id=x -q")
	got := c.reported("x").Rubrics[0].Choices
	if got == nil || got.N != 6 || fmt.Sprint(got.Counts) != "[{new 0} {old 0} {tie 6}]" || got.Orders == nil || got.Orders.Orders != (newel.Orders{Asked: 6, First: 6}) || *got.Orders.Consistency != 0 {
		t.Errorf("choices %+v", got)
	}
	text := strings.Join(strings.Fields(c.words(exitPassed, "report x").out), " ")
	holds(t, text, "better new 0 0.0 %", "better tie 6 100.0 %", "same choice in both orders: 0 of 6 pairs (0.0 %)", "6 chose what was shown first, 0 second", "warning: rubric \"better\": in 6 of 6 pairs the judge chose by the order")
	holds(t, c.words(exitPassed, "report x --as markdown").out, "| `better` | `tie` | 6 | 100.0 % |", "| `better` | 6 | 0 | 0.0 % | 6 | 0 |")
	shown := c.words(exitPassed, "explain x case-1").out
	holds(t, shown, "Shown the other way round: It is.\n", "output new  Order 1 ships\n", "at noon.\n", "output old  No idea.\n", "2 paid calls, $")
	if strings.Contains(shown, `\n`) {
		t.Errorf("line ends are escaped:\n%s", shown)
	}
}

func TestAChoiceByACriterionIsTheRowsAndIsComparedWithLabels(t *testing.T) {
	t.Parallel()
	c := newPairs(t, choosing("warm"), "rubrics:\n  - name: tone\n    judge: {criterion: Which tone is it?, choices: [warm, cold], pass: [warm], sample: all, at: outputs.new}\n"+askedOfMain)
	c.words(exitPassed, "run SUITE --id=x -q")
	sum := c.reported("x")
	if got := sum.Rubrics[0].Choices; got == nil || fmt.Sprint(got.Counts) != "[{warm 6} {cold 0}]" || got.Orders != nil {
		t.Errorf("choices %+v", got)
	}
	if len(sum.Agreement) != 1 || sum.Agreement[0].Choices == nil || sum.Agreement[0].Agree != 6 {
		t.Errorf("agreement %+v", sum.Agreement)
	}
	holds(t, c.words(exitPassed, "show x --case=case-1").out, "choice warm", "1 paid call, $")
}

// toldCalls are the calls of a case's only row, and what was scored.
func (c *court) toldCalls(run, name string) (calls []newel.ToldCall, scored scoredJSON) {
	c.t.Helper()
	var rows []struct {
		Calls  []newel.ToldCall
		Scored scoredJSON
	}
	if err := json.Unmarshal([]byte(c.words(exitPassed, "explain "+run+" "+name+" --json").out), &rows); err != nil || len(rows) != 1 {
		c.t.Fatalf("%d rows, %v", len(rows), err)
	}
	return rows[0].Calls, rows[0].Scored
}

func TestExplainShowsWhatWasAskedAndWhatCameBack(t *testing.T) {
	t.Parallel()
	const odd = "I would say it is\nfine.\x1b[2J"
	script := courtScript()
	script.Act = func(call *upstream.Call) upstream.Act { return upstream.Act{Text: odd} }
	c := newPairs(t, script, "rubrics:\n  - name: kind\n    judge: {criterion: Is kind., at: outputs.new, sample: all}\n"+askedOfMain)
	c.words(exitPassed, "run SUITE --id=x -q --limit=2")
	asked := c.asked()
	calls, scored := c.toldCalls("x", "case-1")
	if len(calls) != 2 || calls[0].Reply == nil || calls[1].Reply == nil || calls[0].Reply.Text != odd || calls[1].Reply.Text != odd {
		t.Fatalf("calls %+v", calls)
	}
	first, repair := calls[0].Prompt, calls[1].Prompt
	if len(first) != 2 || first[0].Role != "system" || !strings.Contains(first[0].Text, "Is kind.") || !strings.Contains(first[1].Text, "Order 1 ships\nat noon.") {
		t.Errorf("prompt %+v", first)
	}
	if len(repair) != 4 || repair[2].Role != "assistant" || repair[2].Text != odd || !strings.Contains(repair[3].Text, "That reply does not count") {
		t.Errorf("repair %+v", repair)
	}
	if string(scored.Outputs["old"]) != `"No idea."` || len(scored.Context) != 2 || scored.Context[1] != (passageJSON{"p2", "We are closed."}) {
		t.Errorf("scored %+v", scored)
	}
	text := c.words(exitPassed, "explain x case-1 -v").out
	holds(t, text, "    system\n    │ ", "\n    │ at noon.\n", "    assistant\n", "    │ I would say it is\n    │ fine.\\x1b[2J\n", "    passage 1, p1\n    │ Orders ship at noon.\n")
	if strings.ContainsAny(text, "\x1b") || strings.Contains(text, "sk-court-81") {
		t.Errorf("it acts on a terminal, or tells a key:\n%q", text)
	}
	if short := c.words(exitPassed, "explain x case-1").out; strings.Contains(short, "│") {
		t.Errorf("without -v it shows prompts:\n%s", short)
	}
	if n := c.asked(); n > 0 || asked != 4 {
		t.Errorf("%d calls were made, and explain made %d", asked, n)
	}
}

func TestAPlanShowsThePromptsOfACaseThatARunThenSends(t *testing.T) {
	t.Parallel()
	c := newPairs(t, choosing("first"), "rubrics:\n  - name: better\n    judge: {pair: [new, old], both_orders: true, sample: all}\n"+
		"  - name: noon\n    floor: [contains: {value: noon, at: outputs.new, settles: pass}]\n    judge: {criterion: Is kind., at: outputs.new, sample: all, audit: 0}\n"+askedOfMain)
	c.env = nil // no key, no gateway
	var rows []report.PlannedRow
	if err := json.Unmarshal([]byte(c.words(exitPassed, "plan SUITE --show case-2 --json").out), &rows); err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if !rows[0].Asked || len(rows[0].Calls) != 2 || rows[1].Asked || !strings.Contains(rows[1].Why, "the floor settles it (pass)") {
		t.Fatalf("%+v", rows)
	}
	text := c.words(exitPassed, "plan SUITE --show case-2").out
	holds(t, strings.Join(strings.Fields(text), " "), rows[0].Calls[0].Key+" · main · gpt-4o-mini · at most $")
	holds(t, text, "case-2  better\n  asked: no layer below settles it\n", "    system\n    │ ", "    │ at noon.\n", "not asked: the floor settles it (pass)")
	holds(t, c.words(exitUsage, "plan SUITE --show case-22").err, `no case "case-22"`, "did you mean")
	c.env = []string{"GW=" + c.up.URL + "/v1", "GWKEY=sk-court-81"}
	if n := c.asked(); n > 0 {
		t.Fatalf("a plan asked %d times", n)
	}
	c.words(exitPassed, "run SUITE --id=x -q --rubric=better")
	calls, _ := c.toldCalls("x", "case-2")
	for i, call := range calls {
		want := rows[0].Calls[i]
		if call.Key.String() != want.Key || fmt.Sprint(call.Prompt) != fmt.Sprint(want.Prompt) {
			t.Errorf("call %d: planned %+v, sent %+v", i, want, call)
		}
	}
}
