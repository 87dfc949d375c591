package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/gateway/realtest"
)

// facts are what a very small model is asked about: what it reads, and what an
// output made of it.
var facts = []struct{ context, right, wrong string }{
	{"The library opens at nine on weekdays and is closed on Sundays.", "It opens at nine on weekdays.", "It is open on Sundays from ten."},
	{"Orders placed before noon ship the same day.", "An order placed at 11:00 ships the same day.", "Shipping is always free."},
	{"The bridge was opened in 1932 and is 503 metres long.", "The bridge is 503 metres long.", "The bridge was opened in 1923."},
	{"Tea is served from three to five in the garden.", "Tea is served until five.", "Tea is served in the hall."},
	{"The museum has two floors and a lift.", "There is a lift in the museum.", "The museum has five floors."},
	{"Refunds are decided by the billing team within five days.", "The billing team decides refunds.", "Refunds take a month."},
}

// smallBench is a bench whose judge is a real model of 135 million parameters.
// Nothing that it says is held against the truth, which it meets by chance.
func smallBench(t testing.TB, url, rubrics, judge string) *bench {
	t.Helper()
	b := &bench{dir: t.TempDir(), env: []string{"SMALL=" + url}}
	var lines strings.Builder
	for i, f := range facts[:times(3, len(facts))] {
		for j, output := range []string{f.right, f.wrong} {
			line, _ := json.Marshal(map[string]any{"id": fmt.Sprint("g", 2*i+j), "input": "Tell me about it.", "context": f.context, "output": output}) // of texts
			lines.Write(append(line, '\n'))
		}
	}
	write(t, b.dir, "cases.jsonl", lines.String())
	b.suite = write(t, b.dir, "suite.yaml", `newel: v1
name: small
data: {file: cases.jsonl}
rubrics:
`+rubrics+smallJudge+judge)
	return b
}

// smallJudge asks one question at a time.
const smallJudge = `judge:
  gateway: {name: small, url: "${SMALL}"}
  model: smollm2
  timeout: 2m
  in_flight: 1
  sample: all
`

const smallParams = "  params: {temperature: 0, seed: 1, max_tokens: 100}\n"

// replied is what the journal has of a run.
type replied struct {
	texts, likely int // replies with a text, with likelihoods
	good          int
	byKey         map[newel.Hash]string // texts
}

func (b *bench) replied(t testing.TB, id string) replied {
	t.Helper()
	s := opened(t, b.dir)
	defer s.Close()
	got := replied{byKey: map[newel.Hash]string{}}
	for e, err := range s.Paid(t.Context(), id) {
		var r struct {
			Text, Finish string
			Tokens       []json.RawMessage
		}
		if err == nil {
			err = json.Unmarshal(e.Reply, &r)
		}
		if err != nil {
			t.Fatalf("run %s: %v in %s", id, err, e.Reply)
		}
		if r.Text != "" {
			got.texts++
		}
		if len(r.Tokens) > 0 {
			got.likely++
		}
		if e.Good {
			got.good++
		}
		got.byKey[e.Key] = r.Text
		t.Logf("%s good=%v %s %.200q", id, e.Good, r.Finish, r.Text)
	}
	return got
}

// judgedSomehow checks that each row has a verdict, or says why its replies
// could not be read, and that all its replies are in the journal. It returns how
// many rows have a verdict, and the replies.
func (b *bench) judgedSomehow(t *testing.T, id string, rows, most int) (judged int, in replied) {
	t.Helper()
	in = b.replied(t, id)
	all := b.rowsOf(t, id)
	calls := 0
	for name, r := range all {
		calls += len(r.Calls)
		if len(r.Calls) == 0 || len(r.Calls) > most {
			t.Errorf("%s: %d calls, want 1 to %d", name, len(r.Calls), most)
		}
		for _, c := range r.Calls {
			if in.byKey[c.Key] == "" || c.Attempts != 1 || c.Cost.Status != newel.CostUnknown || c.ModelUsed != "smollm2" {
				t.Errorf("%s: want a reply of smollm2 in the journal at its first attempt, of unknown cost: %+v", name, c)
			}
		}
		switch {
		case r.Verdict == "pass" || r.Verdict == "fail":
			judged++
		case r.Error == nil || r.Error.Kind != "unparsable" || r.Error.Message == "":
			t.Errorf("%s: %s, %+v", name, r.Verdict, r.Error)
		case len(r.Calls) == 1 && !strings.Contains(r.Error.Message, "cut off"):
			t.Errorf("%s: not asked again, though: %s", name, r.Error.Message)
		}
	}
	if len(all) != rows || calls != len(in.byKey) || in.texts != calls || in.good < judged {
		t.Errorf("%d rows of %d with %d calls, of which the journal has %d replies, %d with a text, %d good", len(all), rows, calls, len(in.byKey), in.texts, in.good)
	}
	t.Logf("%s: %d of %d rows judged, %d calls", id, judged, rows, calls)
	b.derived(t, id)
	return judged, in
}

// derived checks that a run comes out again from its replies alone.
func (b *bench) derived(t testing.TB, id string) {
	t.Helper()
	wantCode(t, b.with(t, nil, nil, "replay", id), exitPassed)
}

func TestRealModelJudges(t *testing.T) {
	t.Parallel()
	url := realtest.Model(t)
	t.Run("grounded or not", func(t *testing.T) {
		b := smallBench(t, url, "  - name: grounded\n    judge: {prompt: \"builtin:groundedness@1\"}\n", smallParams)
		b.run(t, exitPassed, "x")
		rows := 2 * times(3, len(facts))
		if judged, _ := b.judgedSomehow(t, "x", rows, 2); 2*judged < rows {
			t.Errorf("%d of %d rows are judged: the model used to manage most", judged, rows)
		}
	})
	t.Run("pairs in both orders", func(t *testing.T) { smallPairs(t, url) })
	t.Run("free text, and scores by likelihood", func(t *testing.T) {
		b := smallBench(t, url, `  - name: free
    judge: {prompt: "Is it about time? {{ output }}", structured: false}
  - name: scored
    judge: {prompt: "How clear is it, from 1 to 5? {{ output }}", reply: score, score: {min: 1, max: 5, pass: 4}, logprobs: true}
`, smallParams)
		n := times(1, 2)
		b.run(t, exitPassed, "x", fmt.Sprint("--limit=", n))
		if _, in := b.judgedSomehow(t, "x", 2*n, 2); in.likely < n {
			t.Errorf("%d replies came with likelihoods, want those of %d scores", in.likely, n)
		}
	})
	t.Run("twice the same", func(t *testing.T) { smallTwice(t, url) })
}

// smallTwice asks anew with temperature 0, one at a time, the prompt read from
// its beginning each time: only so does this server compute the same twice.
func smallTwice(t *testing.T, url string) {
	b := smallBench(t, url, "  - name: short\n    judge: {prompt: \"Is it about time? {{ output }}\"}\n",
		"  params: {temperature: 0, seed: 1, max_tokens: 80, cache_prompt: false}\n")
	var replies []map[newel.Hash]string
	var digests []newel.Hash
	for _, id := range []string{"once", "twice"} {
		b.run(t, exitPassed, id, "--no-cache", fmt.Sprint("--limit=", times(1, 3)))
		run, _ := b.sealed(t, id)
		replies, digests = append(replies, b.replied(t, id).byKey), append(digests, run.Digest)
		b.derived(t, id)
	}
	if d := cmp.Diff(replies[0], replies[1]); d != "" {
		t.Errorf("the model does not repeat itself (-once +twice)\n%s", d)
	}
	if digests[0] != digests[1] {
		t.Errorf("the digest is %s, then %s", digests[0], digests[1])
	}
}

// smallPairs compares short pairs of the example in both orders.
func smallPairs(t *testing.T, url string) {
	n := times(3, 8)
	b := &bench{dir: t.TempDir(), env: []string{"SMALL=" + url}}
	pairs, err := os.ReadFile(filepath.Join("..", "..", "examples", "llmbar-judge", "natural_cases.jsonl.zst"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, b.dir, "pairs.jsonl.zst", string(pairs))
	b.suite = write(t, b.dir, "suite.yaml", fmt.Sprintf(`newel: v1
name: pairs
data:
  file: pairs.jsonl.zst
  where: 'size(case.input) + size(case.outputs.first) + size(case.outputs.second) < 240'
  limit: %d
  map: {outputs.first: output_first, outputs.second: output_second, labels.better: labels.better}
rubrics:
  - name: better
    judge: {pair: [first, second], both_orders: true}
`, n)+smallJudge+smallParams)
	b.run(t, exitPassed, "x")
	_, said := b.judgedSomehow(t, "x", n, 4)
	likes := map[string]int{}
	for name, r := range b.rowsOf(t, "x") {
		var choices []string
		for _, c := range r.Calls {
			choice := choiceIn(said.byKey[c.Key])
			likes[choice]++
			choices = append(choices, choice)
		}
		if len(r.Calls) == 2 && r.Error == nil && choices[0] == choices[1] && r.Choice != "tie" {
			t.Errorf("%s: %q whatever is shown there, and the row says %s", name, choices[0], r.Choice)
		}
	}
	if likes["first"] <= likes["second"] {
		t.Errorf("choices by place %v: the model likes what it is shown first", likes)
	}
	t.Logf("choices by place: %v", likes)
}

// choiceIn is the choice of a pairwise reply, by place.
func choiceIn(reply string) string {
	var v struct{ Choice string }
	if json.Unmarshal([]byte(reply), &v) != nil {
		return "unreadable"
	}
	return v.Choice
}
