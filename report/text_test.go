package report_test

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"newel"
	"newel/report"
	"newel/report/reporttest"
)

func TestTextReadsAsTheGoldenFilesDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sum *newel.Summary
		opt report.TextOptions
	}{
		"complete.txt":         {reporttest.Complete(), report.TextOptions{}},
		"sampled.txt":          {reporttest.Sampled(), report.TextOptions{Width: 80}},
		"sampled-narrow.txt":   {reporttest.Sampled(), report.TextOptions{Width: 44}},
		"complete-verbose.txt": {reporttest.Complete(), report.TextOptions{Width: 100, Verbose: true}},
		"complete-color.txt":   {reporttest.Complete(), report.TextOptions{Width: 100, Color: true}},
		"complete-narrow.txt":  {reporttest.Complete(), report.TextOptions{Width: 40}},
		"failing.txt":          {reporttest.Failing(), report.TextOptions{Width: 100}},
		"inconclusive.txt":     {reporttest.Inconclusive(), report.TextOptions{Width: 80}},
		"incomplete.txt":       {reporttest.Incomplete(), report.TextOptions{Width: 80}},
		"unknown-cost.txt":     {reporttest.UnknownCost(), report.TextOptions{Width: 80}},
		"free.txt":             {reporttest.Free(), report.TextOptions{Width: 80}},
		"many-slices.txt":      {reporttest.ManySlices(), report.TextOptions{Width: 80}},
		"empty.txt":            {reporttest.Empty(), report.TextOptions{Width: 80}},
		"hostile.txt":          {reporttest.Hostile(), report.TextOptions{Width: 80}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, "text/"+name, rendered(t, func(b *bytes.Buffer) error { return report.Text(b, c.sum, c.opt) }))
		})
	}
}

func TestTextKeepsToItsWidth(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 60, 80, 132} {
		for _, sum := range summaries() {
			for _, verbose := range []bool{false, true} {
				got := string(rendered(t, func(b *bytes.Buffer) error {
					return report.Text(b, sum, report.TextOptions{Width: width, Verbose: verbose})
				}))
				calm(t, got)
				within(t, strings.TrimSuffix(got, "report digest  "+report.Visible(sum.Digest)+"\n"), width, 1) // the headline is one line on purpose
			}
		}
	}
}

func summaries() []*newel.Summary {
	return []*newel.Summary{reporttest.Complete(), reporttest.Failing(), reporttest.Inconclusive(), reporttest.Incomplete(), reporttest.UnknownCost(),
		reporttest.Free(), reporttest.Sampled(), reporttest.ManySlices(), reporttest.Empty(), reporttest.Small(), reporttest.SmallIncomplete(), reporttest.Hostile()}
}

func TestTheFirstLineOfAFailingGateNamesRubricDifferenceAndCases(t *testing.T) {
	t.Parallel()
	got := string(rendered(t, func(b *bytes.Buffer) error {
		return report.Text(b, reporttest.Failing(), report.TextOptions{Width: 40})
	}))
	first, _, _ := strings.Cut(got, "\n")
	want := "FAILED  arguments at least 99 %: 98.2 % [97.9, 98.4]: the upper end misses 99 % by 0.6 points; cases a-0017, 退款-18|lang=zh|#2, a-0020, …; and 1 more rule"
	if first != want {
		t.Errorf("first line\n got %q\nwant %q", first, want)
	}
	if report.Headline(reporttest.Failing()) != want {
		t.Errorf("Headline differs from the report's first line")
	}
}

func TestHeadlines(t *testing.T) {
	t.Parallel()
	gate := func(state newel.GateState, rules ...newel.GateRule) *newel.Summary {
		s := reporttest.Complete()
		s.Gate = &newel.GateSummary{State: state, Rules: rules}
		return s
	}
	lying := reporttest.Complete()
	lying.Ledger.Planned++
	bare := reporttest.Empty()
	bare.Gate = nil
	point := -0.041
	for name, c := range map[string]struct {
		sum  *newel.Summary
		want string
	}{
		"a passed gate counts its rules, advisory ones left out": {reporttest.Complete(), "PASSED  refunds: 3 of 3 rules passed; 10,000 cases: 912 pass, 195 fail, 8,885 unjudged, 8 error"},
		"an incomplete run is never green":                       {reporttest.Incomplete(), "INCOMPLETE  refunds: 18,600 of 30,000 rows done, 11,400 not done; the run is stopped"},
		"a sealed run whose ledger does not add up":              {lying, "INCOMPLETE  refunds: 30,000 of 30,001 rows done, 1 not done; the run is sealed"},
		"no gate says so":      {reporttest.Free(), "DONE  refunds: 10,000 cases: 912 pass, 195 fail, 8,885 unjudged, 8 error (no gate)"},
		"no rows and no gate":  {bare, "EMPTY  refunds: no rows, nothing was scored"},
		"no rows under a gate": {reporttest.Empty(), "INVALID  arguments at least 99 %: no rows"},
		"an advisory rule that is invalid decides": {gate(newel.GateInvalid, newel.GateRule{Rule: "min 0.9", Rubric: "tone", State: newel.GateInvalid, Advisory: true, Why: "no rows"}),
			"INVALID  tone: min 0.9: no rows"},
		"an advisory rule that failed does not": {gate(newel.GateFailed, newel.GateRule{Rule: "x", State: newel.GateFailed, Advisory: true}, newel.GateRule{Rule: "y", Rubric: "r", State: newel.GateFailed, Broken: 3, Why: "worse", Cases: []string{"c1"}}),
			"FAILED  r: y: worse (3 broken, 0 fixed); cases c1"},
		"a rule without words shows its number": {gate(newel.GateFailed, newel.GateRule{Rule: "no worse", Rubric: "r", State: newel.GateFailed, Point: &point, Interval: &[2]float64{-0.052, -0.03}}),
			"FAILED  r: no worse: -0.041 [-0.052, -0.030]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := report.Headline(c.sum); got != c.want {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestAnIncompleteRunSaysHowToGoOn(t *testing.T) {
	t.Parallel()
	sum := reporttest.Incomplete()
	sum.State = newel.Running
	got := string(rendered(t, func(b *bytes.Buffer) error { return report.Text(b, sum, report.TextOptions{}) }))
	for _, want := range []string{"newel resume r-20260301-0042", "newel follow r-20260301-0042", "NOT complete", "no report digest"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestTheLastLineIsTheReportDigest(t *testing.T) {
	t.Parallel()
	sum := reporttest.Complete()
	got := string(rendered(t, func(b *bytes.Buffer) error { return report.Text(b, sum, report.TextOptions{}) }))
	if want := "\nreport digest  " + sum.Digest + "\n"; !strings.HasSuffix(got, want) {
		t.Errorf("the report ends in %q", got[len(got)-100:])
	}
}

func TestColorOnlyAddsToTheText(t *testing.T) {
	t.Parallel()
	sgr := regexp.MustCompile(`\x1b\[(1|2|31|32|33|0)m`)
	for _, sum := range summaries() {
		plain := rendered(t, func(b *bytes.Buffer) error { return report.Text(b, sum, report.TextOptions{}) })
		colored := rendered(t, func(b *bytes.Buffer) error { return report.Text(b, sum, report.TextOptions{Color: true}) })
		if bytes.Equal(plain, colored) {
			t.Errorf("%s: no colour", sum.Run)
		}
		if stripped := sgr.ReplaceAll(colored, nil); !bytes.Equal(stripped, plain) {
			t.Errorf("%s: without its colours the text is another", sum.Run)
		}
	}
}

func TestAWriteErrorComesBack(t *testing.T) {
	t.Parallel()
	sum := reporttest.Small()
	rows := reporttest.Rows(sum)
	for name, write := range map[string]func(w *brokenWriter) error{
		"text":     func(w *brokenWriter) error { return report.Text(w, sum, report.TextOptions{}) },
		"json":     func(w *brokenWriter) error { return report.JSON(w, sum) },
		"jsonl":    func(w *brokenWriter) error { return report.JSONL(w, rows()) },
		"csv":      func(w *brokenWriter) error { return report.CSV(w, rows(), nil) },
		"junit":    func(w *brokenWriter) error { return report.JUnit(w, sum, rows) },
		"markdown": func(w *brokenWriter) error { return report.Markdown(w, sum, 0) },
		"rows":     func(w *brokenWriter) error { return report.RowText(w, rows(), report.TextOptions{}) },
	} {
		if err := write(&brokenWriter{100}); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestAnErrorOfTheRowsComesBack(t *testing.T) {
	t.Parallel()
	sum := reporttest.Small()
	lost := errors.New("the store went away")
	var b bytes.Buffer
	for name, err := range map[string]error{
		"jsonl": report.JSONL(&b, failingRows(lost)),
		"csv":   report.CSV(&b, failingRows(lost), nil),
		"junit": report.JUnit(&b, sum, func() report.Rows { return failingRows(lost) }),
		"rows":  report.RowText(&b, failingRows(lost), report.TextOptions{}),
	} {
		if !errors.Is(err, lost) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestAnIncompleteRunSaysWhatIsPaidAndWhatItTakes(t *testing.T) {
	t.Parallel()
	sum := reporttest.Incomplete()
	budget, item, enough := newel.Dollar, newel.Dollar/400, 2*newel.Dollar
	sum.Unfinished = &newel.Unfinished{Replies: 300, USD: newel.Dollar * 3 / 4, HeldUSD: newel.Dollar / 5, UnknownCalls: 2, Items: 400, Budget: &budget, Short: true, ItemUSD: &item, Enough: &enough}
	text := strings.Join(strings.Fields(textOf(t, sum, report.TextOptions{Width: 80})), " ")
	for _, want := range []string{
		"300 replies of judges are paid for and kept (≥ $0.75, unknown for 2 calls, at most $0.20 more)",
		"too little is left of the budget of $1: $0.75 is spent, and what is not known comes to at most $0.20",
		"400 items are left, at about $0.0025 an item",
		" --budget 2",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	sum.Unfinished.Short = false
	if text := textOf(t, sum, report.TextOptions{}); strings.Contains(text, "--budget 2") || strings.Contains(text, "too little is left") {
		t.Errorf("of a budget that holds it says\n%s", text)
	}
}
