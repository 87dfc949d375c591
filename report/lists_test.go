package report_test

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
	"testing"
	"time"

	"newel"
	"newel/report"
	"newel/report/reporttest"
)

// lists are the renderings for people beside the report, by golden file.
func lists() map[string]func(b *bytes.Buffer, opt report.TextOptions) error {
	hostile := reporttest.Hostile()
	return map[string]func(b *bytes.Buffer, opt report.TextOptions) error{
		"rows.txt": func(b *bytes.Buffer, opt report.TextOptions) error {
			return report.RowText(b, reporttest.Rows(reporttest.Small())(), opt)
		},
		"rows-hostile.txt": func(b *bytes.Buffer, opt report.TextOptions) error {
			return report.RowText(b, reporttest.Rows(hostile)(), opt)
		},
		"rows-none.txt": func(b *bytes.Buffer, opt report.TextOptions) error { return report.RowText(b, rowsOf(), opt) },
		"climb.txt": func(b *bytes.Buffer, opt report.TextOptions) error {
			return report.ClimbText(b, reporttest.Climb(), climbSeen(), opt)
		},
		"climb-none.txt": func(b *bytes.Buffer, opt report.TextOptions) error {
			return report.ClimbText(b, nil, nil, opt)
		},
		"climb-hostile.txt": func(b *bytes.Buffer, opt report.TextOptions) error {
			return report.ClimbText(b, hostileClimb(), hostileSeen(), opt)
		},
		"outputs.txt":   func(b *bytes.Buffer, opt report.TextOptions) error { return report.OutputText(b, seenRows(), opt) },
		"runs.txt":      func(b *bytes.Buffer, opt report.TextOptions) error { return report.RunsTable(b, runs(), opt) },
		"runs-none.txt": func(b *bytes.Buffer, opt report.TextOptions) error { return report.RunsTable(b, nil, opt) },
		"diff.txt":      func(b *bytes.Buffer, opt report.TextOptions) error { return report.DiffText(b, diff(), opt) },
		"diff-none.txt": func(b *bytes.Buffer, opt report.TextOptions) error {
			return report.DiffText(b, &report.Diff{A: report.DiffRun{Run: "r-1", Suite: "s"}, B: report.DiffRun{Run: "r-2", Suite: "s"}, Pairs: 3, Same: 3}, opt)
		},
		"cost.txt":      func(b *bytes.Buffer, opt report.TextOptions) error { return report.CostText(b, costs(), opt) },
		"cost-held.txt": func(b *bytes.Buffer, opt report.TextOptions) error { return report.CostText(b, heldCosts(), opt) },
	}
}

func TestListsReadAsTheGoldenFilesDo(t *testing.T) {
	t.Parallel()
	for name, write := range lists() {
		golden(t, "lists/"+name, rendered(t, func(b *bytes.Buffer) error { return write(b, report.TextOptions{}) }))
	}
	golden(t, "lists/diff.json", rendered(t, func(b *bytes.Buffer) error { return report.DiffJSON(b, diff()) }))
	golden(t, "lists/cost.json", rendered(t, func(b *bytes.Buffer) error { return report.CostJSON(b, costs()) }))
}

func TestListsKeepToTheirWidthAndStayCalm(t *testing.T) {
	t.Parallel()
	for name, write := range lists() {
		for _, width := range []int{40, 72, 80, 160} {
			for _, verbose := range []bool{false, true} {
				got := string(rendered(t, func(b *bytes.Buffer) error { return write(b, report.TextOptions{Width: width, Verbose: verbose}) }))
				calm(t, got)
				skip := 0
				if strings.HasPrefix(name, "diff") || strings.HasPrefix(name, "cost") {
					skip = 1 // a headline
				}
				within(t, got, width, skip)
			}
		}
	}
}

func runs() []report.RunLine {
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.FixedZone("", 3600))
	return []report.RunLine{
		{ID: "r-20260301-0042", Suite: "refunds", State: newel.Sealed, Gate: newel.GateFailed, Runner: "celery", Created: at, Items: 10_000,
			Tally: newel.Tally{Done: 10_000, Pass: 9_800, Fail: 192, Error: 8}, Labels: map[string]string{"branch": "main"}},
		{ID: "r-20260301-0041", Suite: "refunds", State: newel.Stopped, Created: at.Add(-time.Hour), Items: 10_000, Tally: newel.Tally{Done: 6_200, Pass: 6_085, Fail: 115}},
		{ID: "r-20260301-0040", Suite: "refunds", State: newel.Sealed, Created: at.Add(-2 * time.Hour), Items: 12, Tally: newel.Tally{Done: 12, Pass: 12}},
		{ID: reporttest.ANSI, Suite: reporttest.Wide, State: newel.Planned},
	}
}

func hostileClimb() []newel.Row {
	rows := reporttest.Climb()
	for i := range rows {
		h := reporttest.HostileStrings()[i]
		rows[i].Rubric, rows[i].Explanation, rows[i].Choice, rows[i].Verdict = h, h, h, h
		rows[i].Dims = map[string]string{h: h}
		for j := range rows[i].Scores {
			rows[i].Scores[j].Scorer, rows[i].Scores[j].Explanation, rows[i].Scores[j].Verdict = h, h, h
		}
	}
	rows[1].Calls = append(rows[1].Calls, newel.Raw("{\"call_key\":\"77ab100000000000000000000000000000000000000000000000000000000001\",\"outcome\":\"\\u001b[2J\",\"gateway\":\"\\u202e\"}"), newel.Raw("\x1b not json"))
	rows[2].Case, rows[2].Shown = reporttest.RTL, reporttest.RTL
	return rows
}

func TestEachItemOfACaseHasAHeadOfItsOwn(t *testing.T) {
	t.Parallel()
	row := func(lang, shown string) newel.Row {
		return newel.Row{Case: "a", Shown: shown, Rubric: "r", Verdict: "fail", Dims: map[string]string{"lang": lang}, Quarantined: lang == "en"}
	}
	rows := []newel.Row{row("de", "a|lang=de"), row("de", "a|lang=de"), row("en", "a|lang=en")}
	climb := string(rendered(t, func(b *bytes.Buffer) error { return report.ClimbText(b, rows, nil, report.TextOptions{}) }))
	for _, want := range []string{"a|lang=de\n", "  dims  lang=de\n", "\na|lang=en\n", "  dims  lang=en\n"} {
		if strings.Count(climb, want) != 1 {
			t.Errorf("climb: %d times %q", strings.Count(climb, want), want)
		}
	}
	list := string(rendered(t, func(b *bytes.Buffer) error { return report.RowText(b, rowsOf(rows...), report.TextOptions{}) }))
	for _, want := range []string{"fail  a|lang=de\n", "fail  a|lang=en\n"} {
		if !strings.Contains(list, want) {
			t.Errorf("rows: no %q", want)
		}
	}
	if strings.Count(climb, "in quarantine") != 1 || strings.Count(list, "in quarantine") != 1 {
		t.Error("the item in quarantine is not marked, or others are")
	}
}

func TestRunsShowTheirLabelsWhereTheyFit(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]bool{80: false, 120: true} {
		got := string(rendered(t, func(b *bytes.Buffer) error { return report.RunsTable(b, runs()[:3], report.TextOptions{Width: width}) }))
		if strings.Contains(got, "branch=main") != want {
			t.Errorf("%d columns:\n%s", width, got)
		}
	}
}

func text(s string) newel.Raw { return newel.Raw(newel.AppendString(nil, s)) }

func climbSeen() map[string]*report.Subject {
	return map[string]*report.Subject{reporttest.Climb()[0].Item: {
		Input:  newel.Raw(`[{"role":"user","content":"When does order 17 ship?"}]`),
		Output: text("Order 17 ships on 3 March.\n\n" + strings.Repeat("We are sorry for the delay. ", 40)), Reference: text("It ships today."), Context: []newel.Passage{{ID: "p7", Text: "Order 17 ships on 3 March."}, {Text: "Orders are packed at night."}}, Fetched: true}}
}

func hostileSeen() map[string]*report.Subject {
	all := strings.Join(reporttest.HostileStrings(), "\n")
	return map[string]*report.Subject{reporttest.Climb()[0].Item: {Input: newel.Raw(all), Output: text(all), Reference: newel.Raw("\x1b{"), Context: []newel.Passage{{ID: all, Text: all}}, Whole: true}}
}

func seenRows() iter.Seq2[report.SeenRow, error] {
	return func(yield func(report.SeenRow, error) bool) {
		rows := reporttest.Climb()
		for i, s := range []*report.Subject{
			{Output: text("one\ntwo")}, {Output: text(strings.Repeat("line\n", 30))}, {}, {Err: &newel.ScoreError{Kind: newel.KindTarget, Message: "refused\x1b[2J"}},
		} {
			if !yield(report.SeenRow{Row: rows[i], Subject: s}, nil) {
				return
			}
		}
	}
}

func TestExplainShowsWholeTextsWhenAsked(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 1_000) + "end"
	for whole, want := range map[bool]string{false: "5,003 characters; -v shows all", true: "word end\n"} {
		rows := reporttest.Climb()[:1]
		seen := map[string]*report.Subject{rows[0].Item: {Output: text(long), Whole: whole}}
		got := string(rendered(t, func(b *bytes.Buffer) error { return report.ClimbText(b, rows, seen, report.TextOptions{}) }))
		if !strings.Contains(got, want) || strings.Count(got, "word") > 130 != whole {
			t.Errorf("whole %v: %d words", whole, strings.Count(got, "word"))
		}
	}
}

func diff() *report.Diff {
	m := func(v newel.Money) *newel.Money { return &v }
	return &report.Diff{
		A: report.DiffRun{Run: "r-20260228-0040", Suite: "refunds", Digest: "4be1d2c3b4a5968778695a4b3c2d1e0f"}, B: report.DiffRun{Run: "r-20260301-0042", Suite: "refunds"},
		Pairs: 29_990, Same: 29_930, OnlyA: 10, OnlyB: 20,
		Broken: report.DiffRows{N: 48, Rows: []report.DiffRow{
			{Case: "a-0101", Rubric: "arguments", From: "pass", To: "fail", FromLayer: "floor", ToLayer: "floor", Why: `amount: want number, got "12"`},
			{Case: "退款-18|lang=zh|#2 with a name that is far too long for a page of eighty columns", Rubric: "grounded", From: "pass", To: "fail", FromLayer: "classifier", ToLayer: "judge"}}},
		Fixed:   report.DiffRows{N: 1, Rows: []report.DiffRow{{Case: "a-0007", Rubric: "arguments", From: "fail", To: "pass"}}},
		Verdict: report.DiffRows{N: 1, Rows: []report.DiffRow{{Case: "a-0009", Rubric: "grounded", From: "pass", To: "error", FromLayer: "judge", Why: "503 after 4 attempts"}}},
		Layer:   report.DiffRows{N: 10, Rows: []report.DiffRow{{Case: reporttest.Lines, Rubric: "grounded", From: "pass", To: "pass", FromLayer: "classifier", ToLayer: "judge"}}},
		Cost:    report.DiffCosts{N: 2, From: m(newel.Dollar), To: nil, Rows: []report.DiffCost{{Case: "a-0101", From: m(125_000_000), To: m(0)}, {Case: "a-0102", From: m(125_000_000)}}},
	}
}

func costs() *report.CostTable {
	return &report.CostTable{By: "rubric", Lines: []report.CostLine{
		{Key: "grounded", Rows: 10_000, Calls: 1_019, Cached: 120, UnknownCalls: 3, USD: 1_234_567_800_000, TimeMS: 812_000},
		{Key: "policy", Rows: 10_000, Calls: 12, UnknownCalls: 12, TimeMS: 9_000},
		{Key: "arguments", Rows: 10_000},
	}, Total: report.CostLine{Rows: 30_000, Calls: 1_031, Cached: 120, UnknownCalls: 15, USD: 1_234_567_800_000, TimeMS: 821_000},
		Notes: []string{"2026-03-02: 3 calls settled after the seal, $0.004"}}
}

// heldCosts are those of a run that was killed, and some of whose calls timed out
// at first.
func heldCosts() *report.CostTable {
	t := &report.CostTable{By: "model", Lines: []report.CostLine{
		{Key: "(lost)", Lost: 2, HeldUSD: 7_408_000_000},
		{Key: "gpt-5-mini", Rows: 12, Calls: 12, Cached: 5, Shared: 3, PartlyKnown: 1, USD: 4_401_000_000, HeldUSD: 14_816_000_000, TimeMS: 61_000, QueuedMS: 2_500},
		{Key: "house-model", Rows: 2, Calls: 2, UnknownCalls: 2, Unbounded: true},
	}, Total: report.CostLine{Key: "total"}}
	for i := range t.Lines {
		if err := t.Total.Add(&t.Lines[i]); err != nil {
			panic(err)
		}
	}
	return t
}

func TestDiffAndCostJSONListsAreNeverNull(t *testing.T) {
	t.Parallel()
	for name, doc := range map[string][]byte{
		"diff": rendered(t, func(b *bytes.Buffer) error { return report.DiffJSON(b, &report.Diff{}) }),
		"cost": rendered(t, func(b *bytes.Buffer) error { return report.CostJSON(b, &report.CostTable{}) }),
	} {
		if !json.Valid(doc) || strings.Contains(string(doc), `"rows": null`) || strings.Contains(string(doc), `"lines": null`) {
			t.Errorf("%s: %s", name, doc)
		}
	}
}

// A row says rightly how the judge came to see it, or that it did not.
func TestAClimbSaysHowTheJudgeCameToSeeARow(t *testing.T) {
	t.Parallel()
	of := func(inclusion float64, change func(*newel.Row)) newel.Row {
		r := newel.Row{Item: "1", Case: "c", Shown: "c", Rubric: "grounded", Verdict: "pass", Layer: "floor", Inclusion: &inclusion,
			Scores: []newel.RowScore{{Scorer: "contains", Layer: "floor", Verdict: "pass"}}}
		change(&r)
		return r
	}
	judged := func(r *newel.Row) {
		r.Layer, r.Scores = "judge", append(r.Scores, newel.RowScore{Scorer: "judge", Layer: "judge", Verdict: "pass"})
	}
	for name, c := range map[string]struct {
		row  newel.Row
		says string
	}{
		"all are judged":        {of(1, judged), "decided by the judge; judged"},
		"drawn of the residual": {of(0.1, judged), "; judged (probability 0.1)"},
		"left out by the sample": {of(0.1, func(r *newel.Row) {
			r.Verdict, r.Layer, r.Reason = "unjudged", "", newel.Undrawn
		}), "; not drawn (probability 0.1)"},
		"audited": {of(0.6, func(r *newel.Row) {
			judged(r)
			r.Audit = &newel.RowAudit{Layer: "floor", Verdict: "pass"}
		}), "; audited (probability 0.6); audit: the floor said pass"},
		"decided by the floor": {of(0.6, func(*newel.Row) {}), "decided by the floor; not drawn for the audit (probability 0.6)"},
		"an error below": {of(0, func(r *newel.Row) {
			r.Verdict, r.Layer, r.Error = "error", "", &newel.ScoreError{Kind: newel.KindCase, Message: "no such field"}
		}), "no such field"},
	} {
		text := strings.Join(strings.Fields(string(rendered(t, func(b *bytes.Buffer) error {
			return report.ClimbText(b, []newel.Row{c.row}, nil, report.TextOptions{Width: 200})
		}))), " ")
		if !strings.Contains(text, c.says) || strings.Contains(text, "drawn for the judge") {
			t.Errorf("%s: it does not say %q:\n%s", name, c.says, text)
		}
	}
}

func TestWhatIsSampledIsSaidOnlyWhereSomethingIs(t *testing.T) {
	t.Parallel()
	half := 0.5
	sum := reporttest.Complete()
	for i := range sum.Rubrics {
		sum.Rubrics[i].Strata = nil
	}
	sum.Rubrics[0].Strata = []newel.Stratum{{Layer: "floor", Verdict: "fail", Rows: 10, Decided: 10, Rate: &half, Audit: &newel.Audited{N: 5, Wrong: 1}}}
	for as, text := range map[string]string{
		"text":     textOf(t, sum, report.TextOptions{}),
		"markdown": string(rendered(t, func(b *bytes.Buffer) error { return report.Markdown(b, sum, 0) })),
	} {
		if strings.Contains(text, "What sampled rates are made of") || !strings.Contains(text, "What audits found") {
			t.Errorf("%s of what was only audited:\n%s", as, text)
		}
	}
}
