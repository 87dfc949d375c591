package report_test

import (
	"bytes"
	"strings"
	"testing"

	"newel"
	"newel/report"
	"newel/report/reporttest"
)

func money(m newel.Money) *newel.Money { return &m }

func ratio(f float64) *float64 { return &f }

// hostileAB has hostile text wherever data brings some.
func hostileAB() *report.AB {
	all := strings.Join(reporttest.HostileStrings(), " ")
	ab := &report.AB{ID: "x", Suite: all, LeastKnown: 0.95}
	for i, side := range []string{"a", "b"} {
		ab.Sides[i] = report.ABSide{Side: side, Run: "x-" + side, Set: []string{"model=" + all}, Calls: 3, Unknown: i, Partly: i, Lost: i, HeldUSD: 7, PaidUnknown: i, Known: ratio(0.97), USD: money(newel.Dollar), PaidUSD: 1}
	}
	r := report.ABRubric{Name: all, Between: report.ABAgreement{N: 2, Agree: 1, Rate: ratio(0.5), Missing: 1},
		Differ: report.ABDiffer{N: 12, USD: [2]*newel.Money{money(5), nil}, Labelled: 1, Right: [2]int{1, 0}, Cases: reporttest.HostileStrings()}}
	r.Sides[0] = report.ABCell{Rows: 3, Verdicts: 2, Calls: 3, USD: money(7), N: 1, Agree: 1, Rate: ratio(1), Failures: 1, Caught: 1, PerCaught: money(7)}
	ab.Rubrics = []report.ABRubric{r}
	ab.Refuse("b", all, 0.5)
	return ab
}

func TestComparisonsStayCalm(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 80, 160} {
		text := string(rendered(t, func(b *bytes.Buffer) error { return report.ABText(b, hostileAB(), report.TextOptions{Width: width}) }))
		calm(t, text)
		within(t, text, width, 0)
	}
	page := string(rendered(t, func(b *bytes.Buffer) error { return report.ABMarkdown(b, hostileAB()) }))
	calm(t, page)
	if len(page) > report.CommentLimit {
		t.Errorf("%d bytes", len(page))
	}
	golden(t, "markdown/ab-hostile.md", []byte(page))
}

func TestComparisonsSayInOneLineWhatTheySay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		a, b *newel.Money
		part int // unknown calls of a
		n    int
		want string
	}{
		{"b is dearer", money(2 * newel.Dollar), money(3 * newel.Dollar), 0, 4, "b costs 1.500 times a: $3 and $2; they agree on 3 of 4 verdicts (75.0 %)"},
		{"a is dearer", money(3 * newel.Dollar), money(2 * newel.Dollar), 0, 0, "a costs 1.500 times b: $3 and $2; there is no verdict of both to compare"},
		{"nearly the same", money(1000 * newel.Dollar), money(1001 * newel.Dollar), 0, 0, "a costs $1000, b $1001; there is no verdict of both to compare"},
		{"the same", money(newel.Dollar), money(newel.Dollar), 0, 0, "both cost $1; there is no verdict of both to compare"},
		{"one is free", money(0), money(newel.Dollar), 0, 0, "a costs $0, b $1; there is no verdict of both to compare"},
		{"a part is not known", money(newel.Dollar), money(5 * newel.Dollar), 1, 0, "a costs ≥ $1, b $5; there is no verdict of both to compare"},
		{"a part that looks the same is not known", money(newel.Dollar), money(newel.Dollar), 1, 0, "a costs ≥ $1, b $1; there is no verdict of both to compare"},
		{"not compared", nil, nil, 0, 0, "dollars are not compared; there is no verdict of both to compare"},
	} {
		ab := &report.AB{Rubrics: []report.ABRubric{{Between: report.ABAgreement{N: tt.n, Agree: max(0, tt.n-1)}}}}
		ab.Sides[0], ab.Sides[1] = report.ABSide{Side: "a", USD: tt.a, Unknown: tt.part}, report.ABSide{Side: "b", USD: tt.b}
		text := string(rendered(t, func(b *bytes.Buffer) error { return report.ABText(b, ab, report.TextOptions{Width: 200}) }))
		if line, _, _ := strings.Cut(text, "\n"); line != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, line, tt.want)
		}
	}
}

func TestBillsSayInOneLineWhatTheyComeTo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		sum  report.BillSum
		want string
	}{
		{"nothing", report.BillSum{}, "$0"},
		{"all is paid for", report.BillSum{Calls: 3, Cached: 3}, "$0: 0 paid calls; 3 more answered by replies that were there (3 of earlier runs, 0 of other rows)"},
		{"one is paid for, and shared", report.BillSum{Calls: 1, Cached: 1, Shared: 4}, "$0: 0 paid calls; 5 more answered by replies that were there (1 of earlier runs, 4 of other rows)"},
		{"a bill", report.BillSum{Calls: 5, Cached: 2, ToPay: 3, USD: money(newel.Dollar), MostUSD: money(2 * newel.Dollar)},
			"about $1 for 3 paid calls, at most $2; 2 more answered by replies that were there (2 of earlier runs, 0 of other rows)"},
		{"a part without a price", report.BillSum{Calls: 3, ToPay: 3, USD: money(newel.Dollar), UnknownCalls: 1, MostUSD: money(2 * newel.Dollar), Unbounded: 1},
			"about $1 for 2 of 3 paid calls, unknown for 1, at most $2 without those of unknown price"},
		{"no price at all", report.BillSum{Calls: 1, ToPay: 1, UnknownCalls: 1, Unbounded: 1}, "an unknown amount for 1 paid call, without a bound"},
		{"what is not there yet", report.BillSum{Open: 4}, "no paid call that is certain; at most 4 calls more, which hang on what is not there yet"},
	} {
		if got := tt.sum.Line(); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
