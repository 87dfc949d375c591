package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"newel"
)

// pandaLM reads the cases of examples/pandalm-judge: people's labels and the
// recorded replies of two judges.
func pandaLM(t *testing.T) (out []pandaCase) {
	t.Helper()
	file, err := os.Open("../examples/pandalm-judge/cases.jsonl.zst")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	plain, err := zstd.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	for in := json.NewDecoder(plain); ; {
		var c pandaCase
		if err := in.Decode(&c); err == io.EOF {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
}

type pandaCase struct {
	ID     string
	Labels struct {
		Annotators json.RawMessage
		Majority   string
	}
	Judges struct {
		GPT struct {
			Verdict string `json:"verdict_raw"`
		} `json:"gpt-3.5-turbo"`
		PandaLM struct {
			Verdict string `json:"verdict_raw"`
		} `json:"pandalm-7b"`
	} `json:"recorded_judges"`
}

var pandaChoices = map[string]string{"1": "first", "2": "second", "0": "tie", "Tie": "tie"}

// judgedChoice is the row of a judge that answered so about a case with this
// label.
func judgedChoice(rubric int, said, label string) newel.Result {
	choice, ok := pandaChoices[said]
	res := newel.Result{Rubric: rubric, Verdict: newel.Fail, Layer: newel.Judge, Inclusion: 1, Choice: choice}
	switch {
	case !ok:
		res.Verdict, res.Layer = newel.Failed, newel.NoLayer
		res.Err = &newel.ScoreError{Kind: newel.KindUnparsable, Message: "no choice in it"}
	case choice == label:
		res.Verdict = newel.Pass
	}
	return res
}

func judgedRun(rubrics ...string) *newel.Run {
	n := len(rubrics)
	run := &newel.Run{Plan: newel.Plan{Trials: 1, Rubrics: rubrics, Measures: make([]bool, n), Judged: make([]bool, n), Scorers: make([][]string, n)}}
	for i := range run.Plan.Judged {
		run.Plan.Judged[i] = true
	}
	return run
}

func everyRubric(n int) newel.Bitmap {
	b := newel.NewBitmap(n)
	for i := range n {
		b.Set(i)
	}
	return b
}

func TestPandaLMsJudgesAgreeWithPeopleAsPublished(t *testing.T) {
	t.Parallel()
	rubrics := []string{"gpt", "pandalm"}
	run := judgedRun(rubrics...)
	f := NewFold(run, FoldOptions{NoDigest: true})
	for _, c := range pandaLM(t) {
		label := newel.Raw(fmt.Sprintf("%q", c.Labels.Majority))
		it := newel.ItemRows{Case: c.ID, Trial: 1, Done: true, Applies: everyRubric(2),
			Labels:  []newel.Named{{Name: "gpt", Value: label}, {Name: "pandalm", Value: label}},
			Raters:  []newel.Named{{Name: "gpt", Value: newel.Raw(c.Labels.Annotators)}, {Name: "other", Value: newel.Raw(`[1,2]`)}},
			Results: []newel.Result{judgedChoice(0, c.Judges.GPT.Verdict, c.Labels.Majority), judgedChoice(1, c.Judges.PandaLM.Verdict, c.Labels.Majority)}}
		if err := f.Add(&it); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := f.Summary()
	if err != nil {
		t.Fatal(err)
	}
	if len(sum.Agreement) != 2 {
		t.Fatalf("want two rubrics with labels, got %+v", sum.Agreement)
	}
	for i, want := range []struct {
		figures  [5]float64 // as published, replies without a verdict counted wrong
		agree    int
		unparsed int
	}{{[5]float64{.6977, .5365, .5324, .5274, .4755}, 697, 25}, {[5]float64{.6677, .5738, .5750, .5743, .4354}, 667, 0}} {
		a := sum.Agreement[i]
		c := a.Choices
		if c == nil || !slices.Equal(c.Names, []string{"first", "second", "tie"}) {
			t.Fatalf("%s: want the choices first, second and tie, got %+v", a.Rubric, c)
		}
		k := c.Counted
		for j, got := range []*float64{k.Accuracy, k.Precision, k.Recall, k.F1, k.Kappa} {
			if math.Abs(*got-want.figures[j]) > 5e-5 {
				t.Errorf("%s: figure %d is %.5f, published %.4f", a.Rubric, j, *got, want.figures[j])
			}
		}
		if k.N != 999 || k.Agree != want.agree || c.LeftOut.N != 999-want.unparsed || a.Unjudged != want.unparsed {
			t.Errorf("%s: %d of %d agree, %d without those unparsed, %d without a choice", a.Rubric, k.Agree, k.N, c.LeftOut.N, a.Unjudged)
		}
		if a.N != c.LeftOut.N || *a.Accuracy != *c.LeftOut.Accuracy || a.Table != [4]int{} {
			t.Errorf("%s: the first line is not that with unparsed replies left out: %+v", a.Rubric, a)
		}
		byLabel := [3]int{}
		for l, row := range c.Table {
			for _, n := range row {
				byLabel[l] += n
			}
			byLabel[l] += c.Unparsed[l]
		}
		if byLabel != [3]int{422, 472, 105} {
			t.Errorf("%s: labels %v, want 422, 472 and 105", a.Rubric, byLabel)
		}
	}
	if left := *sum.Agreement[0].Choices.LeftOut.Accuracy; math.Abs(left-697./974) > 1e-12 {
		t.Errorf("unparsed left out: accuracy %v, want 697/974", left)
	}
	people := sum.Agreement[0].Raters
	if people == nil || people.Cases != 999 || len(people.Pairs) != 3 || sum.Agreement[1].Raters != nil {
		t.Fatalf("want three pairs of people over 999 cases for the first rubric alone, got %+v", people)
	}
	for i, want := range []float64{.852, .879, .862} {
		p := people.Pairs[i]
		if math.Abs(*p.Kappa-want) > 5e-4 || p.N != 999 {
			t.Errorf("people %s and %s: kappa %.4f over %d, published %.3f", p.A, p.B, *p.Kappa, p.N, want)
		}
	}
	if *people.Alpha < .85 || *people.Alpha > .88 {
		t.Errorf("alpha %v lies not among the kappas", *people.Alpha)
	}
}

func TestLabelsAreChoicesOnlyWhereAJudgeChose(t *testing.T) {
	t.Parallel()
	chose := func(choice string, v newel.Verdict) newel.Result {
		return newel.Result{Verdict: v, Layer: newel.Judge, Choice: choice}
	}
	unparsed := newel.Result{Verdict: newel.Failed, Err: &newel.ScoreError{Kind: newel.KindUnparsable}}
	down := newel.Result{Verdict: newel.Failed, Err: &newel.ScoreError{Kind: newel.KindGateway}}
	undrawn := newel.Result{Verdict: newel.Unjudged, Reason: newel.Undrawn}
	said := func(v newel.Verdict) newel.Result { return newel.Result{Verdict: v, Layer: newel.Judge} }
	type row struct {
		label string
		res   newel.Result
	}
	for name, c := range map[string]struct {
		rows        []row
		n, unjudged int
		choices     string // by label, then choice, then unparsed
		table       [4]int
	}{
		"choices against choices": {[]row{{`"a"`, chose("a", newel.Pass)}, {`"b"`, chose("a", newel.Fail)}, {`"b"`, unparsed}, {`"a"`, down}, {`"a"`, undrawn}},
			2, 3, "[a b] [[1 0] [1 0]] [0 1]", [4]int{}},
		"numbers name choices":                 {[]row{{`1`, chose("1", newel.Pass)}, {`2`, chose("1", newel.Fail)}}, 2, 0, "[1 2] [[1 0] [1 0]] [0 0]", [4]int{}},
		"words of people about other choices":  {[]row{{`"pass"`, chose("compliance", newel.Pass)}, {`"fail"`, chose("refusal", newel.Pass)}}, 2, 0, "", [4]int{1, 0, 1, 0}},
		"choices that are such words":          {[]row{{`"pass"`, chose("pass", newel.Pass)}, {`"fail"`, chose("partial", newel.Fail)}}, 2, 0, "[fail partial pass] [[0 1 0] [0 0 0] [0 0 1]] [0 0 0]", [4]int{}},
		"labels without a choice are compared": {[]row{{`"pass"`, said(newel.Pass)}, {`false`, said(newel.Pass)}, {`"fail"`, unparsed}}, 2, 1, "", [4]int{1, 0, 1, 0}},
		"odd labels of verdicts are not":       {[]row{{`"yes"`, said(newel.Pass)}, {`4`, said(newel.Fail)}}, 0, 0, "", [4]int{}},
	} {
		var a agreementFold
		for i := range c.rows {
			a.add(newel.Raw(c.rows[i].label), &c.rows[i].res)
		}
		got, shown := a.summary("r"), ""
		if got.Choices != nil {
			shown = fmt.Sprint(got.Choices.Names, got.Choices.Table, got.Choices.Unparsed)
			shown = strings.ReplaceAll(shown, "][", "] [")
		}
		if got.N != c.n || got.Unjudged != c.unjudged || shown != c.choices || got.Table != c.table || a.empty() != (c.n == 0) {
			t.Errorf("%s: %d compared, %d not, choices %q, table %v; want %d, %d, %q, %v", name, got.N, got.Unjudged, shown, got.Table, c.n, c.unjudged, c.choices, c.table)
		}
	}
}

func TestTooManyChoicesAndRatersAreNotCompared(t *testing.T) {
	t.Parallel()
	run := judgedRun("r")
	f := NewFold(run, FoldOptions{NoDigest: true})
	for i := range 60 {
		label := fmt.Sprintf(`"label %d"`, i)
		it := newel.ItemRows{Case: fmt.Sprint(i), Trial: 1, Done: true, Applies: everyRubric(1),
			Labels: []newel.Named{{Name: "r", Value: newel.Raw(label)}}, Raters: []newel.Named{{Name: "r", Value: newel.Raw("[" + label + "," + label + "]")}},
			Results: []newel.Result{{Verdict: newel.Pass, Layer: newel.Judge, Choice: "x"}}}
		if err := f.Add(&it); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := f.Summary()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`label "r": more than 50 different labels or choices: not compared`, `raters "r": more than 20 people or 50 different labels: not compared`}
	if !slices.Equal(sum.Warnings, want) || len(sum.Agreement) != 0 {
		t.Errorf("warnings %q and agreement %+v, want %q and none", sum.Warnings, sum.Agreement, want)
	}
}

func TestRatersAreComparedByNameAndCountedOnceACase(t *testing.T) {
	t.Parallel()
	run := judgedRun("r")
	run.Plan.Trials = 2
	f := NewFold(run, FoldOptions{NoDigest: true})
	for i, labels := range []string{`{"bo":"a","ann":"a"}`, `{"ann":"b","bo":"a","cy":"a"}`, `{"ann":"a"}`, `{"ann":"a","bo":null}`, `["a"]`} {
		for trial := range 2 {
			it := newel.ItemRows{Case: fmt.Sprint(i), Trial: 1 + trial, Done: true, Applies: everyRubric(1),
				Raters: []newel.Named{{Name: "r", Value: newel.Raw(labels)}}, Results: []newel.Result{{Verdict: newel.Pass, Layer: newel.Judge}}}
			if err := f.Add(&it); err != nil {
				t.Fatal(err)
			}
		}
	}
	sum, err := f.Summary()
	if err != nil {
		t.Fatal(err)
	}
	shown := ""
	for _, p := range sum.Agreement[0].Raters.Pairs {
		shown += fmt.Sprintf("%s–%s %d of %d; ", p.A, p.B, p.Agree, p.N)
	}
	if want := "ann–bo 1 of 2; ann–cy 0 of 1; bo–cy 1 of 1; "; shown != want || sum.Agreement[0].Raters.Cases != 2 {
		t.Errorf("got %s over %d cases, want %s over 2", shown, sum.Agreement[0].Raters.Cases, want)
	}
}
