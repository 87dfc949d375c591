package judge

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

// LLMBar, natural part: eight recorded judges over 100 pairs in both orders.
// The figures are those of the authors' result files: average accuracy in per
// cent, right in both orders, and the same output whichever is shown first.

type llmbarRow struct {
	Case, Judge, Prompting string
	Presented, Swapped     struct{ Completion string }
}

var llmbarPublished = map[string]string{
	"GPT-4 Vanilla":         "95.5 93 95",
	"GPT-4 CoT":             "94.5 90 91",
	"GPT-4 Vanilla_NoRules": "93.5 92 97",
	"ChatGPT Vanilla":       "81.5 67 71",
	"ChatGPT CoT":           "74.0 56 64",
	"LLaMA2 CoT":            "75.5 59 67",
	"Falcon CoT":            "57.0 14 14",
	"PaLM2 Vanilla":         "83.0 73 80",
}

// llmbarVerdict is where the authors read a verdict: the first "… is better",
// else the end.
var llmbarVerdict = regexp.MustCompile(`Output \(([ab])\)(?: is better|\s*\z)`)

func TestLLMBarsPublishedFigures(t *testing.T) {
	t.Parallel()
	better := map[string]string{}
	for _, c := range lines[struct {
		ID     string
		Labels struct{ Better string }
	}](t, "llmbar-judge/natural_cases.jsonl.zst") {
		better[c.ID] = c.Labels.Better
	}
	def := Definition{
		Prompt: builtin(t, "pairwise"), Pair: [2]string{"first", "second"}, BothOrders: true, Replies: pathOf(t, "vars.replies"),
		Form: Form{Kind: Choice, Options: []Option{{"first", []string{"a"}}, {"second", []string{"b"}}}},
		Pass: Pass{Texts: Texts{From: pathOf(t, "vars.better")}},
		Extract: func(_ *newel.Subject, text string) (string, error) {
			if m := llmbarVerdict.FindStringSubmatch(text); m != nil {
				return m[1], nil
			}
			return "", &newel.OutputError{Msg: "no verdict"}
		},
	}
	j, err := New(def, Env{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]*[4]int{}
	for _, r := range lines[llmbarRow](t, "llmbar-judge/natural_recorded_judges.jsonl.zst") {
		sum := got[r.Judge+" "+r.Prompting]
		if sum == nil {
			sum = new([4]int)
			got[r.Judge+" "+r.Prompting] = sum
		}
		llmbarCount(t, j, r, better[r.Case], sum)
	}
	shown := map[string]string{}
	for name, sum := range got {
		if sum[3] != 100 {
			t.Errorf("%s has %d pairs", name, sum[3])
		}
		shown[name] = fmt.Sprintf("%.1f %d %d", float64(sum[0])/2, sum[1], sum[2])
	}
	if diff := cmp.Diff(llmbarPublished, shown); diff != "" {
		t.Errorf("(-published +replayed)\n%s", diff)
	}
}

// llmbarCount adds one pair: right by order, right in both, the same in both,
// pairs.
func llmbarCount(t *testing.T, j *Judge, r llmbarRow, better string, sum *[4]int) {
	t.Helper()
	replies, err := newel.CanonicalOf([]string{r.Presented.Completion, r.Swapped.Completion})
	if err != nil {
		t.Fatal(err)
	}
	s := subject(newel.Case{ID: r.Case, Vars: named(map[string]newel.Raw{"replies": replies, "better": quoted(better)})})
	score := j.Score(context.Background(), s)
	p, err := j.plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := make([]outcome, 2)
	if err := j.replayAll(s, p, outcomes); err != nil {
		t.Fatal(err)
	}
	one, other := j.ballot(p.calls[0], outcomes[0]), j.ballot(p.calls[1], outcomes[1])
	sum[3]++
	for _, b := range []ballot{one, other} {
		if b.word == better {
			sum[0]++
		}
	}
	if score.Verdict == newel.Pass {
		sum[1]++
	}
	if score.Err == nil && score.Choice != Tie || one.err != nil && other.err != nil { // published so: two replies without a verdict agree
		sum[2]++
	}
	if score.Err == nil && one.word != other.word && (score.Choice != Tie || score.Verdict != newel.Undecided) {
		t.Errorf("%s: %s and %s give %q %v", r.Case, one.word, other.word, score.Choice, score.Verdict)
	}
}

// PandaLM's test set: two recorded judges against the majority of three people.
func TestPandaLMsPublishedFigures(t *testing.T) {
	t.Parallel()
	rows := lines[struct {
		ID     string
		Labels struct{ Majority string }
		Judges map[string]struct {
			Verdict string `json:"verdict_raw"`
		} `json:"recorded_judges"`
	}](t, "pandalm-judge/cases.jsonl.zst")
	for name, c := range map[string]struct {
		tie, want string
		errors    int
	}{
		"gpt-3.5-turbo": {"Tie", "0.6977 0.5365 0.5324 0.5274 0.4755", 25},
		"pandalm-7b":    {"0", "0.6677 0.5738 0.5750 0.5743 0.4354", 0},
	} {
		def := Definition{
			Pair: [2]string{"first", "second"}, Replies: pathOf(t, "vars.reply"),
			Form: Form{Kind: Choice, Options: []Option{{"first", []string{"1"}}, {"second", []string{"2"}}, {Tie, []string{c.tie}}}},
			Pass: Pass{Texts: Texts{From: pathOf(t, "vars.majority")}},
		}
		j, err := New(def, Env{})
		if err != nil {
			t.Fatal(err)
		}
		var said, true_ []string
		unread := 0
		for _, r := range rows {
			s := subject(newel.Case{ID: r.ID, Vars: named(map[string]newel.Raw{"reply": quoted(r.Judges[name].Verdict), "majority": quoted(r.Labels.Majority)})})
			score := j.Score(context.Background(), s)
			if score.Err != nil && score.Err.Kind == newel.KindUnparsable {
				unread++
			} else if (score.Choice == r.Labels.Majority) != (score.Verdict == newel.Pass) || score.Verdict == newel.Undecided {
				t.Errorf("%s: %q %v", r.ID, score.Choice, score.Verdict)
			}
			said, true_ = append(said, score.Choice), append(true_, r.Labels.Majority)
		}
		if got := agreement(said, true_, []string{"first", "second", Tie}); got != c.want || unread != c.errors {
			t.Errorf("%s: %s with %d unread, published %s with %d", name, got, unread, c.want, c.errors)
		}
	}
}

// agreement is accuracy, macro precision, recall and F1 over the classes, and
// Cohen's kappa over all words; what could not be read is a word of its own,
// and wrong.
func agreement(said, want, classes []string) string {
	n := float64(len(said))
	count := func(list []string, word string) (c float64) {
		for _, w := range list {
			if w == word {
				c++
			}
		}
		return c
	}
	right, chance := 0.0, 0.0
	hits := map[string]float64{}
	for i := range said {
		if said[i] == want[i] {
			right++
			hits[said[i]]++
		}
	}
	var precision, recall, f1 float64
	for _, c := range classes {
		p, r := hits[c]/math.Max(count(said, c), 1), hits[c]/math.Max(count(want, c), 1)
		precision, recall = precision+p, recall+r
		if p+r > 0 {
			f1 += 2 * p * r / (p + r)
		}
		chance += count(said, c) / n * count(want, c) / n
	}
	k := float64(len(classes))
	return fmt.Sprintf("%.4f %.4f %.4f %.4f %.4f", right/n, precision/k, recall/k, f1/k, (right/n-chance)/(1-chance))
}

// XSTest: GPT-4's recorded labels meet the human ones on 345 of 450 replies, the
// authors' string match on 342.
func TestXSTestsPublishedFigures(t *testing.T) {
	t.Parallel()
	rows := lines[struct {
		ID     string
		Labels struct {
			Human   string `json:"human_final"`
			GPT4    string `json:"gpt4_judge_raw"`
			Matched string `json:"string_match_baseline"`
		}
	}](t, "xstest-refusal/mistral_guard.jsonl.zst")
	prompt := builtin(t, "refusal")
	def := Definition{Prompt: prompt, Replies: pathOf(t, "vars.reply"), Form: Form{Kind: Choice, Options: prompt.Options}, Pass: Pass{Texts: Texts{Const: []string{"compliance"}}}}
	j, err := New(def, Env{})
	if err != nil {
		t.Fatal(err)
	}
	got := []int{0, 0}
	for _, r := range rows {
		for i, reply := range []string{r.Labels.GPT4, r.Labels.Matched} {
			score := j.Score(context.Background(), subject(newel.Case{ID: r.ID, Vars: named(map[string]newel.Raw{"reply": quoted(reply)})}))
			if score.Err != nil {
				t.Errorf("%s: %v", r.ID, score.Err)
			}
			if score.Choice == r.Labels.Human {
				got[i]++
			}
		}
	}
	if !slices.Equal(got, []int{345, 342}) || len(rows) != 450 {
		t.Errorf("%v of %d, published 345 and 342 of 450", got, len(rows))
	}
}
