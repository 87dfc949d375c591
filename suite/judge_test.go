package suite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel/judge"
)

// TestTheJudgesOfTheExamplesRead loads every suite of the examples that has one.
func TestTheJudgesOfTheExamplesRead(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../examples/*/*.yaml")
	ok(t, err)
	judged := 0
	for _, file := range files {
		s, err := Load(file, testEnv)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, r := range s.Rubrics {
			if r.Judge != nil {
				judged++
			}
		}
		ok(t, s.Close())
	}
	if judged < 15 {
		t.Errorf("%d judges in %d files", judged, len(files))
	}
}

const judgedHead = "newel: v1\nname: j\ndata: {cases: [{id: a, output: x}]}\njudge: {gateway: {url: 'https://example.com/v1'}, model: m, sample: all}\nrubrics:\n  - name: r\n    judge: "

// defined is the definition of one judge.
func defined(t *testing.T, text string, files ...string) judge.Definition {
	t.Helper()
	return good(t, judgedHead+text+"\n", files...).Rubrics[0].Judge.Def
}

func TestAJudgesDefinitionHasWhatTheSuiteLeavesOut(t *testing.T) {
	t.Parallel()
	def := defined(t, "{criterion: It is right.}")
	type facts struct {
		Prompt, Gateway, Model string
		Kind                   judge.Kind
		Votes, Retries, Tokens int
		Timeout                string
		Free, Temperature      bool
		Calls                  int
	}
	_, warm := def.Params["temperature"]
	got := facts{def.Prompt.Name, def.Gateway, def.Models[0].Const, def.Form.Kind, def.Votes, def.Retries, def.MaxTokens, def.Timeout.String(), def.Free, warm, def.Calls()}
	want := facts{"builtin:criterion@1", "https://example.com/v1", "m", judge.Verdict, 1, 4, 0, "1m0s", false, false, 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTheKeysOfAJudgeSayWhatIsAsked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, prompt, names string
		kind                judge.Kind
		calls               int
	}{
		"a question is answered with yes or no":          {`{criterion: "Does it swear?", pass_on: "no"}`, "builtin:question@1", "yes no", judge.Choice, 1},
		"a criterion on a scale is rated":                {"{criterion: Is kind., score: {min: 1, max: 5, pass: 4}}", "builtin:scored@1", "", judge.Score, 1},
		"a criterion with choices is classed":            {"{criterion: What tone?, choices: [warm, cold], pass: [warm]}", "builtin:classed@1", "warm cold", judge.Choice, 1},
		"each criterion, model, vote and order is asked": {"{criterion: [a, b], models: [m, n], votes: 3}", "builtin:criterion@1", "pass fail", judge.Verdict, 12},
		"a pair has its names and a tie":                 {"{pair: [new, old], both_orders: true}", "builtin:pairwise@1", "new old tie", judge.Choice, 2},
		"a pair without a tie among its choices":         {"{pair: [new, old], choices: {new: [a], old: [b]}}", "builtin:pairwise@1", "new old", judge.Choice, 1},
		"the choices of a built-in prompt":               {"{prompt: 'builtin:refusal@1', pass: [compliance]}", "builtin:refusal@1", "compliance refusal partial_refusal", judge.Choice, 1},
		"recorded replies cost no call":                  {"{criterion: a, votes: 3, replies: {from: vars.replies}}", "builtin:criterion@1", "pass fail", judge.Verdict, 0},
		"a prompt of the suite":                          {`{prompt: "Is this polite? {{ output }}"}`, "inline", "pass fail", judge.Verdict, 1},
	} {
		def := defined(t, c.text)
		if def.Prompt.Name != c.prompt || def.Form.Kind != c.kind || def.Calls() != c.calls || strings.Join(def.Names(), " ") != c.names {
			t.Errorf("%s: %s %s %d %q", name, def.Prompt.Name, def.Form.Kind, def.Calls(), def.Names())
		}
	}
}

// TestDefaultsThatDoNotFitARubricGiveWay has a suite whose defaults suit some of
// its rubrics.
func TestDefaultsThatDoNotFitARubricGiveWay(t *testing.T) {
	t.Parallel()
	s := good(t, `newel: v1
name: mixed
data: {cases: [{id: a, output: x}]}
judge: {gateway: {url: "https://example.com"}, model: m, sample: all, reply: score, score: {min: 1, max: 5, pass: 4}, logprobs: true, both_orders: true, pass_on: "no", extract: {regex: x}}
rubrics:
  - {name: rated, judge: {prompt: "How good is {{ output }}?"}}
  - {name: grounded, judge: {prompt: "builtin:groundedness@1"}}
  - {name: better, judge: {pair: [a, b]}}
`)
	var got []string
	for _, r := range s.Rubrics {
		def := r.Judge.Def
		got = append(got, fmt.Sprint(def.Form.Kind, def.Logprobs, def.BothOrders, def.Calls()))
	}
	if diff := cmp.Diff([]string{"score true false 1", "verdict false false 1", "choice false true 2"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestMistakesInAJudgeAreAllToldWithTheirPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"a prompt that shows a label":    {`{prompt: "Is {{ output }} as good as {{ labels.r }} says?"}`, "7:21: {{ labels.r }}: what people said about a case is never shown to a judge"},
		"a prompt with a rater's word":   {`{prompt: "{{ output }} {{ case.raters.r.0 }}"}`, "7:21: {{ case.raters.r.0 }}: what people said"},
		"a criterion that is a label":    {"{criterion: {from: labels.r}}", "7:31: labels.r: what people said"},
		"a pass that hangs on a label":   {"{criterion: a, choices: [x, y], pass: {expr: 'case.labels.r'}}", "7:57: pass: what people said"},
		"recorded replies of a rater":    {"{criterion: a, replies: {from: raters.r}}", "7:43: raters.r: what people said"},
		"what is judged is a label":      {"{criterion: a, at: labels.r}", "7:31: labels.r: what people said"},
		"a prompt with a filter":         {`{prompt: "{{ output | upper }}"}`, "7:21: {{ output | upper }}: a prompt takes a path and nothing else"},
		"a prompt that shows nothing":    {`{prompt: "Is it polite?"}`, "7:21: the prompt shows nothing of the case"},
		"a prompt of a pair without one": {"{prompt: 'builtin:pairwise@1'}", "7:21: builtin:pairwise@1 compares two outputs: name them with pair: [a, b]"},
		"a pair that is not shown":       {`{pair: [a, b], prompt: "{{ output }}"}`, "7:35: the prompt compares a pair and must show both"},
		"a score of a verdict's prompt":  {"{prompt: 'builtin:relevance@1', reply: score, score: {min: 1, max: 5, pass: 3}}", "7:51: builtin:relevance@1 is answered with a verdict, not with a score"},
		"choices that pass nothing":      {"{prompt: 'builtin:refusal@1'}", "7:12: builtin:refusal@1 is answered with compliance, refusal, partial_refusal: say which pass"},
		"a choice the prompt has not":    {"{prompt: 'builtin:refusal@1', choices: [yes, refusal], pass: [refusal]}", `7:51: builtin:refusal@1 has the choices compliance, refusal, partial_refusal; "yes" is none`},
		"a pass that is no choice":       {"{criterion: a, choices: [x, y], pass: [z]}", `7:50: pass names "z", which is none of the choices x, y`},
		"a word that means two choices":  {"{criterion: a, choices: {x: ['1'], y: [1]}, pass: [x]}", `7:36: choices: "1" means two of them`},
		"both orders of no pair":         {"{criterion: a, both_orders: true}", "7:40: both_orders goes with pair"},
		"pass_on neither yes nor no":     {"{criterion: a, pass_on: maybe}", `7:36: pass_on is yes or no: the answer that is good; this is "maybe"`},
		"pass_on without a question":     {"{prompt: 'builtin:relevance@1', pass_on: yes}", "7:53: pass_on goes with a criterion that is a question"},
		"logprobs of a verdict":          {"{criterion: a, logprobs: true}", "7:37: logprobs weighs a score"},
		"params that newel writes":       {"{criterion: a, params: {messages: [], response_format: x, max_tokens: 0}}", "7:36: params: messages is not for params"},
		"one model twice":                {"{criterion: a, models: [m, m]}", `7:35: models has "m" twice`},
		"an unknown dialect":             {"{criterion: a, gateway: {url: x, dialect: litelm}}", `7:54: there is no dialect "litelm" (did you mean "litellm"?)`},
		"a recording that is not there":  {"{criterion: a, gateway: {recorded: r.jsonl}}", `7:47: gateway: recorded: "r.jsonl" is not in the suite's folder`},
		"an extract of live replies":     {"{criterion: a, extract: {regex: 'x'}}", "7:36: extract reads recorded replies"},
		"a broken pattern":               {"{criterion: a, replies: {from: vars.r}, extract: {regex: '('}}", "7:69: extract: error parsing regexp"},
		"the criterion as a prompt":      {"{prompt: 'builtin:criterion@1'}", "7:21: builtin:criterion@1 asks about a criterion: write it as criterion: TEXT"},
		"a pair called tie":              {"{pair: [tie, b]}", "7:19: pair is two different outputs, and none is called tie"},
	} {
		_, err := load(t, judgedHead+c.text+"\n")
		if err == nil || !strings.Contains(err.Error(), "suite.yaml:"+c.want) {
			t.Errorf("%s: %v\nwant %s", name, err, c.want)
		}
	}
}

func TestAPromptFileIsReadWithItsFrontMatter(t *testing.T) {
	t.Parallel()
	def := defined(t, "{prompt: 'file:p/tone.md', pass: [warm]}", "p/tone.md", "---\nreply: choice\nchoices: {warm: [kind], cold: []}\nneeds: [output]\n---\nWhich tone?\n---\n{{ input }}\n{{ output }}\n")
	if def.Form.Kind != judge.Choice || strings.Join(def.Names(), " ") != "warm cold" || def.Prompt.Name != "p/tone.md" {
		t.Errorf("%+v", def.Form)
	}
	_, err := load(t, judgedHead+"{prompt: 'file:p.md'}\n", "p.md", "---\nreply: verdict\nname: [\n---\n{{ output }}")
	if err == nil || !strings.Contains(err.Error(), "p.md:4:1: not YAML: ") {
		t.Errorf("%v", err)
	}
	_, err = load(t, judgedHead+"{prompt: 'file:p.md'}\n", "p.md", "---\nreply: verdict\nscroe: 1\n---\n{{ outptu }}")
	want := "p.md:3:1: front matter has no key \"scroe\" (did you mean \"score\"?)\np.md:5:1: {{ outptu }}: path \"outptu\" starts with no field"
	if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "shows nothing") {
		t.Errorf("%v", err)
	}
}

func TestRecordedRepliesAreReadByTheSuitesPattern(t *testing.T) {
	t.Parallel()
	for take, want := range map[string]string{"first": "a", "last": "b"} {
		def := defined(t, "{pair: [x, y], choices: {x: [a], y: [b]}, replies: {from: vars.r}, extract: {regex: 'Output \\(([ab])\\)', take: "+take+"}}")
		got, err := def.Extract(nil, "Output (a) beats Output (b).")
		if got != want || err != nil {
			t.Errorf("%s: %q %v", take, got, err)
		}
		if _, err := def.Extract(nil, "Neither."); err == nil {
			t.Errorf("%s: found in a reply without it", take)
		}
	}
	def := defined(t, "{criterion: a, gateway: {recorded: r.jsonl}}", "r.jsonl", `{"case":"a","reply":"pass"}`)
	if def.Recording == nil || def.Calls() != 0 {
		t.Errorf("%+v", def)
	}
	_, err := load(t, judgedHead+"{criterion: a, gateway: {recorded: r.jsonl}}\n", "r.jsonl", "{\"case\":\"a\",\"reply\":\"pass\"}\n{\"case\":\"a\",\"reply\":\"fail\"}\n")
	if err == nil || !strings.Contains(err.Error(), `r.jsonl:2: case "a" stands twice`) {
		t.Errorf("%v", err)
	}
}

// TestAJudgesPromptIsPartOfTheSuitesDigest changes a prompt's file, and with it
// the suite and the rubric's ruler.
func TestAJudgesPromptIsPartOfTheSuitesDigest(t *testing.T) {
	t.Parallel()
	read := func(prompt string) *Suite {
		return good(t, judgedHead+"{prompt: 'file:p.md'}\n", "p.md", prompt)
	}
	one, same, other := read("Is it kind? {{ output }}"), read("Is it kind? {{ output }}"), read("Is it rude? {{ output }}")
	if one.Digest != same.Digest || one.Digest == other.Digest || one.Rubrics[0].Ruler == other.Rubrics[0].Ruler {
		t.Errorf("%s %s %s, %s %s", one.Digest, same.Digest, other.Digest, one.Rubrics[0].Ruler, other.Rubrics[0].Ruler)
	}
}
