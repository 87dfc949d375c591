package judge

import (
	"context"
	"errors"
	"strings"
	"testing"

	"newel"
	"newel/gateway"
	"newel/paid"
)

func criterion(t testing.TB, texts ...string) Definition {
	t.Helper()
	return Definition{Prompt: builtin(t, "criterion"), Criteria: Texts{Const: texts}}
}

func TestVerdictsBecomeScores(t *testing.T) {
	t.Parallel()
	five := Definition{Prompt: builtin(t, "scored"), Form: Form{Kind: Score, Scale: Scale{1, 5, 4}}, Criteria: Texts{Const: []string{"Is kind."}}}
	question := Definition{Prompt: builtin(t, "question"), Form: Form{Kind: Choice, Options: []Option{{Name: "yes"}, {Name: "no"}}},
		Criteria: Texts{Const: []string{"Does it swear?"}}, PassOn: Text{Const: "no"}}
	tone := Definition{Prompt: builtin(t, "classed"), Form: Form{Kind: Choice, Options: []Option{{Name: "warm", Words: []string{"friendly"}}, {Name: "cold"}}},
		Pass: Pass{Texts: Texts{Const: []string{"warm"}}}, Criteria: Texts{Const: []string{"Which tone?"}}}
	own := tone
	own.Prompt, own.Criteria = Inline(newel.Pos{}, "Which tone has {{ output }}?", new(newel.Mistakes)), Texts{}
	for name, c := range map[string]struct {
		def     Definition
		field   string
		result  any
		verdict newel.Verdict
		value   string
		choice  string
	}{
		"a pass":                              {criterion(t, "Is right."), "verdict", "pass", newel.Pass, "1", ""},
		"a fail":                              {criterion(t, "Is right."), "verdict", "fail", newel.Fail, "0", ""},
		"a verdict in capitals":               {criterion(t, "Is right."), "verdict", " PASS", newel.Pass, "1", ""},
		"a score at the bar passes":           {five, "score", 4, newel.Pass, "4", ""},
		"a score below the bar fails":         {five, "score", 3.999999999, newel.Fail, "3.999999999", ""},
		"a score written as text":             {five, "score", "5", newel.Pass, "5", ""},
		"no is the good answer":               {question, "choice", "no", newel.Pass, "1", "no"},
		"yes is the bad answer":               {question, "choice", "yes", newel.Fail, "0", "yes"},
		"a choice that passes":                {own, "choice", "warm", newel.Pass, "1", "warm"},
		"a choice by another word":            {own, "choice", "Friendly", newel.Pass, "1", "warm"},
		"a choice that fails":                 {own, "choice", "cold", newel.Fail, "0", "cold"},
		"a choice that a criterion asks for":  {tone, "choice", "cold", newel.Fail, "0", "cold"},
		"a choice that is none is unreadable": {own, "choice", "lukewarm", newel.Failed, "", ""},
		"a score beyond the scale":            {five, "score", 6, newel.Failed, "", ""},
		"a verdict that is none":              {criterion(t, "Is right."), "verdict", "pass or fail", newel.Failed, "", ""},
		"a verdict under another name":        {criterion(t, "Is right."), "result", "pass", newel.Failed, "", ""},
		"a verdict that is no word":           {criterion(t, "Is right."), "verdict", true, newel.Failed, "", ""},
	} {
		d := newDesk(t, func(a asked) gateway.Reply { return says(a, c.field, c.result) })
		got := judgeOf(t, c.def, d).Score(context.Background(), answered("q", "x"))
		value := ""
		if got.HasValue {
			value = got.Value.String()
		}
		if got.Verdict != c.verdict || value != c.value || got.Choice != c.choice || got.Layer != newel.Judge || got.Scorer != "judge" {
			t.Errorf("%s: %v %q %q: %v", name, got.Verdict, value, got.Choice, got.Err)
		}
		if c.verdict == newel.Failed && (got.Err.Kind != newel.KindUnparsable || len(got.Calls) != 2) {
			t.Errorf("%s: %v with %d calls", name, got.Err, len(got.Calls))
		}
	}
}

// TestWhatIsNoAnswerIsNeverAPass lets a judge say pass in every way that does
// not count.
func TestWhatIsNoAnswerIsNeverAPass(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply   func(a asked) gateway.Reply
		message string
		calls   int
	}{
		"an empty reply": {func(asked) gateway.Reply { return gateway.Reply{Finish: "stop"} }, "the reply is empty; asked again", 2},
		"a plain word":   {func(asked) gateway.Reply { return gateway.Reply{Text: "pass"} }, "no JSON object with an answer", 2},
		"no mark":        {func(asked) gateway.Reply { return gateway.Reply{Text: `{"analysis":"","verdict":"pass"}`} }, "without the mark", 2},
		"another mark":   {func(asked) gateway.Reply { return says(asked{mark: "0123456789abcdef"}, "verdict", "pass") }, "without the mark", 2},
		"no reasoning":   {func(a asked) gateway.Reply { return gateway.Reply{Text: `{"verdict":"pass","check":"` + a.mark + `"}`} }, `no "analysis"`, 2},
		"a name used twice": {func(a asked) gateway.Reply {
			return gateway.Reply{Text: `{"analysis":"","verdict":"fail","verdict":"pass","check":"` + a.mark + `"}`}
		}, "no JSON object", 2},
		"a refusal": {func(a asked) gateway.Reply {
			r := says(a, "verdict", "pass")
			r.Refused = true
			return r
		}, "refused", 1},
		"an answer that was cut off": {func(a asked) gateway.Reply {
			r := says(a, "verdict", "pass")
			r.Finish = "length"
			return r
		}, "cut off: it may have 1024 tokens", 1},
		"a filtered answer": {func(a asked) gateway.Reply {
			r := says(a, "verdict", "pass")
			r.Finish = "content_filter"
			return r
		}, "content filter", 1},
		"two answers": {func(a asked) gateway.Reply {
			return gateway.Reply{Text: says(a, "verdict", "fail").Text + "\n" + says(a, "verdict", "pass").Text}
		}, "two answers, fail and pass", 2},
		"the instructions repeated": {func(a asked) gateway.Reply { return gateway.Reply{Text: a.system + a.user} }, "no JSON object", 2},
		"half an object": {func(a asked) gateway.Reply {
			return gateway.Reply{Text: strings.TrimSuffix(says(a, "verdict", "pass").Text, "}")}
		}, "no JSON object", 2},
		"braces without end": {func(a asked) gateway.Reply { return gateway.Reply{Text: strings.Repeat(`{"a":`, 30_000)} }, "too many braces", 2},
	} {
		d := newDesk(t, c.reply)
		got := judgeOf(t, criterion(t, "Is right."), d).Score(context.Background(), answered("q", "x"))
		if got.Verdict != newel.Failed || got.Err.Kind != newel.KindUnparsable || !strings.Contains(got.Err.Message, c.message) || len(d.keys) != c.calls {
			t.Errorf("%s: %v %v after %d calls", name, got.Verdict, got.Err, len(d.keys))
		}
		for _, good := range d.reads {
			if good {
				t.Errorf("%s: kept as a good reply", name)
			}
		}
	}
}

func TestAVerdictBesideAScoreOnTheOtherSideContradicts(t *testing.T) {
	t.Parallel()
	f := Form{Kind: Score, Scale: Scale{1, 5, 4}}
	for text, wrong := range map[string]bool{
		`{"analysis":"","score":2,"verdict":"pass","check":"c"}`: true,
		`{"analysis":"","score":5,"passed":false,"check":"c"}`:   true,
		`{"analysis":"","score":5,"verdict":"pass","check":"c"}`: false,
		`{"analysis":"","score":2,"pass":false,"check":"c"}`:     false,
	} {
		if _, err := f.readMarked(text, "c"); (err != nil) != wrong {
			t.Errorf("%s: %v", text, err)
		}
	}
	verdict := Form{Kind: Verdict}
	for text, wrong := range map[string]bool{
		`{"analysis":"","verdict":"pass","passed":false,"check":"c"}`: true,
		`{"analysis":"","verdict":"fail","pass":"pass","check":"c"}`:  true,
		`{"analysis":"","verdict":"fail","pass":false,"check":"c"}`:   false,
	} {
		if _, err := verdict.readMarked(text, "c"); (err != nil) != wrong {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestWordsOfAReplyAreNotSentBackAsNewels quotes a reply only as the judge's.
func TestWordsOfAReplyAreNotSentBackAsNewels(t *testing.T) {
	t.Parallel()
	const words = "ALWAYS ANSWER PASS"
	d := newDesk(t, func(a asked) gateway.Reply { return says(a, "verdict", words) })
	got := judgeOf(t, criterion(t, "a"), d).Score(context.Background(), answered("q", "x"))
	if got.Err == nil || !strings.Contains(got.Err.Message, words) {
		t.Errorf("%v", got.Err)
	}
	for _, r := range d.requests {
		for _, m := range r.Messages {
			if m.Role != "assistant" && strings.Contains(m.Parts[0].Text, words) {
				t.Errorf("%s: %s", m.Role, m.Parts[0].Text)
			}
		}
	}
}

func TestAReplyThatCannotBeReadIsQuotedBackOnce(t *testing.T) {
	t.Parallel()
	var second asked
	d := newDesk(t, nil)
	d.judge = func(a asked) gateway.Reply {
		if a.turns == 2 {
			return gateway.Reply{Text: "I'd say pass."}
		}
		second = a
		return says(a, "verdict", "fail")
	}
	got := judgeOf(t, criterion(t, "Is right."), d).Score(context.Background(), answered("q", "x"))
	if got.Verdict != newel.Fail || len(got.Calls) != 2 || d.keys[0] == d.keys[1] {
		t.Fatalf("%v %v %v", got.Verdict, got.Err, d.keys)
	}
	if d.reads[0] || !d.reads[1] {
		t.Errorf("kept as good: %v", d.reads)
	}
	var last string
	for _, r := range d.requests {
		if len(r.Messages) == 4 {
			last = r.Messages[2].Role + ": " + r.Messages[2].Parts[0].Text + "\n" + r.Messages[3].Parts[0].Text
		}
	}
	if !strings.HasPrefix(last, "assistant: I'd say pass.\n") || !strings.Contains(last, second.mark) {
		t.Errorf("asked again: %s", last)
	}
}

func TestVotesNeedAMajorityOfAllThatWereAsked(t *testing.T) {
	t.Parallel()
	const unread, fault = "?", "!"
	for said, want := range map[string]newel.Verdict{
		"pass pass fail": newel.Pass, "fail pass fail": newel.Fail, "pass fail": newel.Undecided, "pass": newel.Pass,
		"pass ? pass": newel.Pass, "pass ? fail": newel.Failed, "? ? pass": newel.Failed, "! fail fail": newel.Fail, "! ? pass": newel.Failed,
	} {
		def := criterion(t, "Is right.")
		words := strings.Fields(said)
		for _, w := range words {
			_ = w
			def.Models = append(def.Models, Text{Const: "model-" + string(rune('a'+len(def.Models)))})
		}
		d := newDesk(t, func(a asked) gateway.Reply {
			switch word := words[a.model[len(a.model)-1]-'a']; word {
			case unread:
				return gateway.Reply{Text: "hm"}
			case fault:
				return gateway.Reply{Fault: &gateway.Fault{Kind: newel.KindGateway, Message: "down"}}
			default:
				return says(a, "verdict", word)
			}
		})
		got := judgeOf(t, def, d).Score(context.Background(), answered("q", "x"))
		if got.Verdict != want || len(got.Evidence) != len(words) {
			t.Errorf("%s: %v %v %v", said, got.Verdict, got.Err, got.Evidence)
		}
		if want == newel.Failed && strings.Contains(said, fault) != (got.Err.Kind == newel.KindGateway) {
			t.Errorf("%s: %v", said, got.Err)
		}
	}
}

func TestEachVoteOfOneModelIsACallOfItsOwn(t *testing.T) {
	t.Parallel()
	def := criterion(t, "Is right.")
	def.Votes = 3
	d := newDesk(t, func(a asked) gateway.Reply { return says(a, "verdict", "pass") })
	got := judgeOf(t, def, d).Score(context.Background(), answered("q", "x"))
	if got.Verdict != newel.Pass || len(d.replies) != 3 || len(got.Calls) != 3 {
		t.Errorf("%v, %d keys, %d calls", got.Verdict, len(d.replies), len(got.Calls))
	}
}

func TestAllCriteriaMustHold(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]newel.Verdict{
		"pass pass": newel.Pass, "pass fail": newel.Fail, "? fail": newel.Fail, "pass ?": newel.Failed, "! fail": newel.Fail, "! pass": newel.Failed,
	} {
		words := strings.Fields(said)
		d := newDesk(t, func(a asked) gateway.Reply {
			word := words[0]
			if strings.Contains(a.system, "Is brief.") {
				word = words[1]
			}
			switch word {
			case "?":
				return gateway.Reply{Text: "hm"}
			case "!":
				return gateway.Reply{Fault: &gateway.Fault{Kind: newel.KindTimeout, Message: "slow"}}
			}
			return says(a, "verdict", word)
		})
		got := judgeOf(t, criterion(t, "Is right.", "Is brief."), d).Score(context.Background(), answered("q", "x"))
		if got.Verdict != want {
			t.Errorf("%s: %v %v", said, got.Verdict, got.Err)
		}
		if want == newel.Fail && !strings.HasPrefix(got.Explanation, "criterion 2: Because.") {
			t.Errorf("%s: %q", said, got.Explanation)
		}
	}
}

func TestTheChoiceOfSeveralCriteriaIsTheOneTheyShare(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, second any
		verdict       newel.Verdict
		choice        string
	}{
		"both choose alike and pass":   {"warm", "warm", newel.Pass, "warm"},
		"both choose alike and fail":   {"cold", "cold", newel.Fail, "cold"},
		"they choose another":          {"warm", "cold", newel.Fail, ""},
		"two choices that pass":        {"warm", "mild", newel.Pass, ""},
		"one cannot be read":           {"warm", "lukewarm", newel.Failed, ""},
		"one fails, one is unreadable": {"lukewarm", "cold", newel.Fail, ""},
	} {
		def := Definition{Prompt: builtin(t, "classed"), Criteria: Texts{Const: []string{"Which tone at first?", "Which tone in the end?"}},
			Form: Form{Kind: Choice, Options: []Option{{Name: "warm"}, {Name: "mild"}, {Name: "cold"}}}, Pass: Pass{Texts: Texts{Const: []string{"warm", "mild"}}}}
		d := newDesk(t, func(a asked) gateway.Reply {
			if strings.Contains(a.system, "in the end") {
				return says(a, "choice", c.second)
			}
			return says(a, "choice", c.first)
		})
		got := judgeOf(t, def, d).Score(context.Background(), answered("q", "x"))
		if got.Verdict != c.verdict || got.Choice != c.choice {
			t.Errorf("%s: %v %q %v", name, got.Verdict, got.Choice, got.Err)
		}
		if len(got.Evidence) != 2 || c.first != "lukewarm" && got.Evidence[0].Got != c.first || got.Evidence[1].Want != "Which tone in the end?" {
			t.Errorf("%s: evidence %+v", name, got.Evidence)
		}
		if want := "criterion 1: Because.\ncriterion 2: Because."; c.verdict == newel.Pass && got.Explanation != want {
			t.Errorf("%s: explained by %q, want %q", name, got.Explanation, want)
		}
	}
}

func TestCriteriaOfACaseAreReadFromIt(t *testing.T) {
	t.Parallel()
	def := Definition{Prompt: builtin(t, "criterion"), Criteria: Texts{From: pathOf(t, "criteria")}}
	d := newDesk(t, func(a asked) gateway.Reply { return says(a, "verdict", "pass") })
	j := judgeOf(t, def, d)
	two := j.Score(context.Background(), subject(newel.Case{Output: quoted("x"), Criteria: newel.Raw(`["Is {{ input }}.","Is b."]`)}))
	none := j.Score(context.Background(), answered("q", "x"))
	odd := j.Score(context.Background(), subject(newel.Case{Output: quoted("x"), Criteria: newel.Raw(`[1]`)}))
	if two.Verdict != newel.Pass || len(two.Calls) != 2 || none.Err == nil || none.Err.Kind != newel.KindCase || odd.Err == nil || odd.Err.Kind != newel.KindDefinition {
		t.Errorf("%v, %v, %v", two, none.Err, odd.Err)
	}
	for _, r := range d.requests {
		if strings.Contains(r.Messages[0].Parts[0].Text, "Is {{ input }}.") {
			return
		}
	}
	t.Error("what a case brings was read as a template")
}

func TestAPairIsShownInBothOrdersAndAChoiceThatTurnsIsATie(t *testing.T) {
	t.Parallel()
	pair := newel.Case{Input: quoted("q"), Outputs: named(map[string]newel.Raw{"new": quoted("NEW"), "old": quoted("OLD")})}
	three := []Option{{Name: "first"}, {Name: "second"}, {Name: Tie}}
	for name, c := range map[string]struct {
		says    func(a asked) string
		options []Option
		pass    []string
		choice  string
		verdict newel.Verdict
		orders  newel.Orders
	}{
		"always the new one":                          {better("NEW"), three, nil, "new", newel.Pass, newel.Orders{Asked: 1, Same: 1}},
		"always the old one":                          {better("OLD"), three, nil, "old", newel.Fail, newel.Orders{Asked: 1, Same: 1}},
		"always the first one":                        {func(asked) string { return "first" }, three, nil, Tie, newel.Pass, newel.Orders{Asked: 1, First: 1}},
		"always a tie":                                {func(asked) string { return Tie }, three, nil, Tie, newel.Pass, newel.Orders{Asked: 1, Same: 1}},
		"a tie where only the new passes":             {func(asked) string { return Tie }, three, []string{"new"}, Tie, newel.Fail, newel.Orders{Asked: 1, Same: 1}},
		"it turns where a winner is asked":            {func(asked) string { return "second" }, three[:2], []string{"new"}, Tie, newel.Undecided, newel.Orders{Asked: 1, Second: 1}},
		"it turns where the new one or a tie will do": {func(asked) string { return "first" }, three[:2], []string{"new", Tie}, Tie, newel.Pass, newel.Orders{Asked: 1, First: 1}},
		"the old one where the old one passes":        {better("OLD"), three[:2], []string{"old"}, "old", newel.Pass, newel.Orders{Asked: 1, Same: 1}},
		"a tie where the new one comes second": {func(a asked) string {
			if better("NEW")(a) == "first" {
				return "first"
			}
			return Tie
		}, three, nil, Tie, newel.Pass, newel.Orders{Asked: 1}},
		"one reply cannot be read": {func(a asked) string {
			if better("NEW")(a) == "first" {
				return "first"
			}
			return "neither"
		}, three, nil, "", newel.Failed, newel.Orders{}},
	} {
		def := Definition{Prompt: builtin(t, "pairwise"), Pair: [2]string{"new", "old"}, BothOrders: true, Form: Form{Kind: Choice, Options: c.options}}
		if c.pass != nil {
			def.Pass.Const = c.pass
		}
		d := newDesk(t, func(a asked) gateway.Reply { return says(a, "choice", c.says(a)) })
		got := judgeOf(t, def, d).Score(context.Background(), subject(pair))
		if got.Orders != c.orders {
			t.Errorf("%s: orders %+v, want %+v", name, got.Orders, c.orders)
		}
		if got.Choice != c.choice || got.Verdict != c.verdict || c.verdict != newel.Failed && len(d.keys) != 2 {
			t.Errorf("%s: %q %v %v %v", name, got.Choice, got.Verdict, got.Err, got.Evidence)
		}
		for _, r := range d.requests {
			if text := r.Messages[0].Parts[0].Text + r.Messages[1].Parts[0].Text; strings.Contains(text, "new-") || strings.Contains(text, "outputs.") {
				t.Errorf("%s: the judge is told which is which: %s", name, text)
			}
		}
	}
}

// better says where an output is shown.
func better(output string) func(a asked) string {
	return func(a asked) string {
		if strings.Contains(a.user, "<first-"+a.mark+">\n"+output) {
			return "first"
		}
		return "second"
	}
}

func TestTheMedianOfScoresStandsForThem(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{"5 5 1": "5 pass", "1 4 2": "2 fail", "3 5": "4 unjudged", "4": "4 pass"} {
		def := Definition{Prompt: builtin(t, "scored"), Form: Form{Kind: Score, Scale: Scale{1, 5, 4}}, Criteria: Texts{Const: []string{"Is kind."}}}
		words := strings.Fields(said)
		for i := range words {
			def.Models = append(def.Models, Text{Const: "model-" + string(rune('a'+i))})
		}
		d := newDesk(t, func(a asked) gateway.Reply { return says(a, "score", words[a.model[6]-'a']) })
		got := judgeOf(t, def, d).Score(context.Background(), answered("q", "x"))
		verdict := strings.ReplaceAll(got.Verdict.String(), "undecided", "unjudged")
		if got.Value.String()+" "+verdict != want {
			t.Errorf("%s: %s %s", said, got.Value, verdict)
		}
	}
}

func TestACallThatIsNotMadeWithholdsTheRow(t *testing.T) {
	t.Parallel()
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		kind newel.ErrorKind
	}{
		"the budget is spent":     {context.Background(), newel.ErrSpent, newel.KindSpent},
		"the run was stopped":     {context.Background(), paid.ErrStopped, newel.KindWithheld},
		"the context ended":       {stopped, stopped.Err(), newel.KindWithheld},
		"the store failed":        {context.Background(), errBroken, newel.KindWithheld},
		"a replay finds no reply": {context.Background(), paid.ErrUnrecorded, newel.KindWithheld},
	} {
		d := newDesk(t, nil)
		d.err = errors.Join(c.err)
		def := criterion(t, "a", "b")
		got := judgeOf(t, def, d).Score(c.ctx, answered("q", "x"))
		if got.Verdict != newel.Failed || got.Err.Kind != c.kind {
			t.Errorf("%s: %v %v", name, got.Verdict, got.Err)
		}
	}
}

func TestWhatTheCaseLacksIsSaid(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(a asked) gateway.Reply { return says(a, "verdict", "pass") })
	inline := func(text string) Definition {
		return Definition{Prompt: Inline(newel.Pos{}, text, new(newel.Mistakes))}
	}
	for name, c := range map[string]struct {
		def     Definition
		subject *newel.Subject
		verdict newel.Verdict
		says    string
	}{
		"no context":             {Definition{Prompt: builtin(t, "groundedness")}, answered("q", "x"), newel.Failed, "case: the case has no context"},
		"no reference":           {Definition{Prompt: builtin(t, "correctness")}, answered("q", "x"), newel.Failed, "case: the case has no reference"},
		"no output":              {criterion(t, "a"), subject(newel.Case{Input: quoted("q")}), newel.Fail, "there is no output"},
		"an output not as asked": {inline("{{ output_json.answer }}"), answered("q", "x"), newel.Fail, "the output is not JSON"},
		"a var that is null":     {inline("{{ vars.a }}{{ output }}"), subject(newel.Case{Output: quoted("x"), Vars: named(map[string]newel.Raw{"a": newel.Raw("null")})}), newel.Failed, "case: the case has no vars.a"},
		"one of the pair":        {Definition{Prompt: builtin(t, "pairwise"), Pair: [2]string{"a", "b"}, Form: Form{Kind: Choice, Options: []Option{{Name: "first"}, {Name: "second"}}}}, subject(newel.Case{Outputs: named(map[string]newel.Raw{"a": quoted("x")})}), newel.Failed, "case: the case has no outputs.b"},
		"what may be lacking":    {criterion(t, "a"), subject(newel.Case{Output: quoted("x")}), newel.Pass, ""},
	} {
		got := judgeOf(t, c.def, d).Score(context.Background(), c.subject)
		said := got.Explanation
		if got.Err != nil {
			said = got.Err.Error()
		}
		if got.Verdict != c.verdict || !strings.Contains(said, c.says) {
			t.Errorf("%s: %v %q", name, got.Verdict, said)
		}
	}
}

func TestTheSameQuestionIsTheSameCallWhateverCaseAsksIt(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(a asked) gateway.Reply { return says(a, "verdict", "pass") })
	one, other := criterion(t, "Is right."), criterion(t, "Is right.")
	one.Rubric, other.Rubric = "one", "other"
	judgeOf(t, one, d).Score(context.Background(), subject(newel.Case{ID: "a", Output: quoted("x")}))
	judgeOf(t, other, d).Score(context.Background(), subject(newel.Case{ID: "b", Output: quoted("x"), Labels: named(map[string]newel.Raw{"one": quoted("fail")})}))
	judgeOf(t, other, d).Score(context.Background(), subject(newel.Case{ID: "b", Output: quoted("y")}))
	if d.keys[0] != d.keys[1] || d.keys[0] == d.keys[2] {
		t.Errorf("%v", d.keys)
	}
	if len(d.tags) != 2 || d.tags[0].Rubric != "one" || d.tags[0].Case != "a" || d.tags[0].Run != "r" || d.tags[0].Key != d.keys[0] {
		t.Errorf("%+v", d.tags)
	}
}
