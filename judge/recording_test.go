package judge

import (
	"context"
	"strings"
	"testing"

	"newel"
	"newel/gateway"
)

func TestRecordedRepliesAreReadAsTheyStand(t *testing.T) {
	t.Parallel()
	verdict := Form{Kind: Verdict}
	score := Form{Kind: Score, Scale: Scale{1, 5, 4}}
	choice := Form{Kind: Choice, Options: []Option{{Name: "first", Words: []string{"Output (a)", "1"}}, {Name: "second", Words: []string{"Output (b)", "2"}}, {Name: Tie}}}
	for reply, c := range map[string]struct {
		form Form
		want string
	}{
		"pass": {verdict, "pass"}, "Yes.": {verdict, "pass"}, "The text is fine.\n\n**Verdict:** FAIL": {verdict, "fail"}, "Final answer: no": {verdict, "fail"},
		`{"analysis":"r","verdict":"fail"}`: {verdict, "fail"}, "```json\n{\"verdict\": \"pass\"}\n```": {verdict, "pass"}, `Here: {"verdict":"fail"} and so {"verdict":"pass"}.`: {verdict, "pass"},
		"pass\n\nIt could also be said to": {verdict, ""}, "This does not pass": {verdict, ""}, "pass or fail": {verdict, ""}, `{"verdict":"maybe"}`: {verdict, ""}, `{"verdict":"pass"} is what it would like`: {verdict, ""}, "": {verdict, ""},
		`{"verdict":"yes","reason":"r"}`: {verdict, "pass"},
		"4":                              {score, "4"}, "Score: 4/5": {score, "4"}, "Rating: [[3]]": {score, "3"}, "4 out of 5": {score, "4"}, "4/10": {score, ""}, "I'd say 4 of 5 points": {score, ""}, "7": {score, ""}, `{"score": 2}`: {score, "2"},
		`{"score": 2, "verdict": "pass"}`: {score, ""}, "NaN": {score, ""}, "0x4": {score, ""},
		"Output (a)": {choice, "first"}, " output (b) ": {choice, "second"}, "Tie": {choice, "tie"}, "Answer: 2": {choice, "second"}, "garbage": {choice, ""}, "12": {choice, ""}, "Output (a) or Output (b)": {choice, ""}, `{"choice":"1"}`: {choice, "first"},
	} {
		a, err := c.form.readRecorded(reply, c.form.index(), nil)
		got := ""
		if err == nil {
			got = a.result()
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q (%v)", reply, got, c.want, err)
		}
	}
}

func TestRepliesOfAFileStandForCalls(t *testing.T) {
	t.Parallel()
	def := criterion(t, "Is right.", "Is brief.")
	d := newDesk(t, func(a asked) gateway.Reply { return says(a, "verdict", "pass") })
	live := judgeOf(t, def, d)
	keyed := live.Score(context.Background(), answered("q", "keyed"))
	var lines []string
	for key, raw := range d.replies {
		lines = append(lines, `{"call_key":"`+key.String()+`","reply":`+string(raw)+`}`)
	}
	lines = append(lines, `{"case":"a","rubric":"r","replies":["pass",{"text":"fail","finish":"stop"}]}`, `{"case":"b","replies":["pass","pass"]}`, "",
		`{"case":"c","reply":"pass"}`, `{"case":"d","replies":["pass",null]}`, `{"case":"e","replies":["pass",{"text":"pass","finish":"length"}]}`)
	var m newel.Mistakes
	rec := ReadRecording("replies.jsonl", []byte(strings.Join(lines, "\n")), &m)
	if m.Err() != nil {
		t.Fatal(m.Err())
	}
	def.Recording, def.Rubric, def.Gateway, def.Models = rec, "r", "main", []Text{{Const: "m"}}
	j, err := New(def, Env{Client: d})
	if err != nil {
		t.Fatal(err)
	}
	score := func(id, output string) newel.Score {
		return j.Score(context.Background(), subject(newel.Case{ID: id, Input: quoted("q"), Output: quoted(output)}))
	}
	again := score("z", "keyed")
	if again.Verdict != newel.Pass || len(again.Calls) != 2 || !again.Calls[0].Recorded || again.Calls[0].Key != keyed.Calls[0].Key || again.Calls[0].Reply != keyed.Calls[0].Reply {
		t.Errorf("by key: %v %v %+v", again.Verdict, again.Err, again.Calls)
	}
	for id, want := range map[string]string{
		"a": "fail", "b": "pass", "c": "error case: there are 1 recorded replies; the row takes 2 calls", "d": "error unparsable: the reply is empty",
		"e": "error unparsable: the answer was cut off: it may have 1024 tokens, reasoning included (params: {max_tokens: N} allows more)", "f": "error case: no reply is recorded for the case",
	} {
		s := score(id, "x")
		got := s.Verdict.String()
		if s.Err != nil {
			got += " " + s.Err.Error()
		}
		if got != want {
			t.Errorf("%s: %s", id, got)
		}
		for _, c := range s.Calls {
			if !c.Recorded || c.Reply.IsZero() || !c.Key.IsZero() {
				t.Errorf("%s: %+v", id, c)
			}
		}
	}
	if len(d.keys) != 2 {
		t.Errorf("%d calls were made", len(d.keys))
	}
}

func TestRepliesOfTheCaseStandInTheOrderOfTheCalls(t *testing.T) {
	t.Parallel()
	def := criterion(t, "a", "b")
	def.Votes, def.Replies = 2, pathOf(t, "vars.replies")
	j, err := New(def, Env{})
	if err != nil {
		t.Fatal(err)
	}
	got := j.Score(context.Background(), subject(newel.Case{Output: quoted("x"), Vars: named(map[string]newel.Raw{"replies": newel.Raw(`["pass","pass","pass","fail"]`)})}))
	var said []string
	for _, e := range got.Evidence {
		said = append(said, e.Path+": "+e.Got)
	}
	want := "criterion 1, recorded, vote 1: pass; criterion 1, recorded, vote 2: pass; criterion 2, recorded, vote 1: pass; criterion 2, recorded, vote 2: fail"
	if strings.Join(said, "; ") != want || got.Verdict != newel.Undecided {
		t.Errorf("%v %s", got.Verdict, strings.Join(said, "; "))
	}
}

func TestMistakesInARecordingAreToldWithTheirLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"case":"a"}`: "a line has reply, or replies as a list", `{"case":"a","reply":"x","replies":[]}`: "a line has reply, or replies", `{"reply":"x"}`: "belongs to a case or to a call_key",
		`{"case":"a","call_key":"b","reply":"x"}`: "belongs to a case or to a call_key", `{"call_key":"ab","reply":"x"}`: "is not a hash", `{"case":"a","reply":{"txt":"x"}}`: "a reply is a text, or {text,",
		`[]`: "a recorded reply is an object", `{"case":"a","replay":"x"}`: `no "replay" (did you mean "reply"?)`, `{"case":"a","rubric":1,"reply":"x"}`: "rubric is a text", `{`: "read JSON",
		`{"case":"x","reply":"y"}`: `case "x" stands twice`, `{"call_key":"` + strings.Repeat("ab", 32) + `","replies":["a","b"]}`: "more than one reply",
	} {
		var m newel.Mistakes
		ReadRecording("r.jsonl", []byte(`{"case":"x","reply":"y"}`+"\n\n"+line+"\n"), &m)
		if err := m.Err(); err == nil || !strings.HasPrefix(err.Error(), "r.jsonl:3: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
