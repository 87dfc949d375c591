package report

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"newel"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain text":             "plain text",
		"a\nb\r\tc":              `a\nb\r\tc`,
		"\x1b[31mred":            `\x1b[31mred`,
		"\u009b31m":              `\x9b31m`,
		"\u202egnp":              `\u202egnp`,
		"\u2066x\u2069":          `\u2066x\u2069`,
		"\u2028":                 `\u2028`,
		"\U000e0041":             `\U000e0041`,
		"bad \xff":               `bad \xff`,
		"\x00\x7f":               `\x00\x7f`,
		`C:\dir`:                 `C:\dir`,
		"שלום 退款 é":              "שלום 退款 é",
		"👩\u200d👧 می\u200cخواهم": "👩\u200d👧 می\u200cخواهم",
		"\ufffd":                 "\ufffd",
	} {
		if got := Visible(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a\x1b[2J\u202e\xff")
	f.Fuzz(func(t *testing.T, in string) {
		out := Visible(in)
		if !utf8.ValidString(out) || strings.ContainsFunc(out, acts) {
			t.Errorf("%q became %q", in, out)
		}
		if Visible(out) != out {
			t.Errorf("%q changes when shown again", out)
		}
	})
}

func FuzzWrapKeepsToTheWidth(f *testing.F) {
	f.Add("one two 退款政策 three-is-a-long-word-indeed", 12)
	f.Fuzz(func(t *testing.T, in string, width int) {
		if len(in) > 2000 {
			return // what is longer is cut before it is wrapped
		}
		width = 4 + (width%60+60)%60
		text := Visible(in)
		for _, line := range wrap(text, width, 0) {
			if uniseg.StringWidth(line) > width {
				t.Errorf("%q is wider than %d", line, width)
			}
		}
		if got, want := strings.Join(strings.Fields(strings.Join(wrap(text, width, 0), "")), ""), strings.Join(strings.Fields(text), ""); got != want {
			t.Errorf("wrap lost text: %q, want %q", got, want)
		}
		for _, cut := range []string{fit(text, width), fitName(text, width)} {
			if uniseg.StringWidth(cut) > width {
				t.Errorf("%q is wider than %d", cut, width)
			}
		}
	})
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	p := func(f float64) *float64 { return &f }
	for _, c := range []struct{ what, got, want string }{
		{"a count under a thousand", count(999), "999"},
		{"a count over a million", count(1234567), "1,234,567"},
		{"a negative count", count(-1234), "-1,234"},
		{"a rate with its interval", rate(p(0.599), &[2]float64{0.589, 0.608}), "59.9 % [58.9, 60.8]"},
		{"a rate without", rate(p(0.5), nil), "50.0 %"},
		{"no rate", rate(nil, nil), "–"},
		{"a whole", rate(p(1), nil), "100.0 %"},
		{"not quite a whole", rate(p(0.99996), nil), ">99.9 %"},
		{"not quite nothing", rate(p(0.00001), nil), "<0.1 %"},
		{"nothing", rate(p(0), nil), "0.0 %"},
		{"an interval whose ends only round to nothing and all", rate(p(0.5), &[2]float64{1e-17, 1 - 1e-12}), "50.0 % [<0.1, >99.9]"},
		{"the mean of few values", meanOf(newel.ValueSummary{N: 4, Mean: 0.5, Interval: &[2]float64{-0.3, 1.3}}, 0), "0.500 [n too small]"},
		{"the mean of many values in few clusters", meanOf(newel.ValueSummary{N: 40, Mean: 0.5, Interval: &[2]float64{-0.3, 1.3}}, 4), "0.500 [n too small]"},
		{"the mean of enough values", meanOf(newel.ValueSummary{N: 5, Mean: 0.5, Interval: &[2]float64{0.25, 0.75}}, 5), "0.500 [0.250, 0.750]"},
		{"the mean of enough values without clusters", meanOf(newel.ValueSummary{N: 5, Mean: 0.5, Interval: &[2]float64{0.25, 0.75}}, 0), "0.500 [0.250, 0.750]"},
		{"not a number", rate(p(math.NaN()), nil), "–"},
		{"a small value", number(0.00001234), "1.23e-05"},
		{"a large value", number(123456.78), "123456.8"},
		{"zero", number(0), "0.000"},
		{"nothing spent", outlay{}.String(), "$0"},
		{"cents", dollars(newel.Dollar / 2), "$0.50"},
		{"whole dollars", dollars(5 * newel.Dollar), "$5"},
		{"micro-dollars are rounded", dollars(1_234_567_800_000), "$1.234568"},
		{"less than a micro-dollar is never 0", dollars(125_000), "$0.000000125"},
		{"a lower end is rounded down", outlay{usd: 1_234_567_800_000, unknown: 3, calls: 120}.String(), "≥ $1.234567, unknown for 3 of 120 calls"},
		{"nothing known", outlay{unknown: 1, calls: 1}.String(), "unknown for 1 of 1 call"},
		{"nothing known but a bound", outlay{unknown: 1, calls: 1, held: 2}.String(), "unknown for 1 of 1 call, at most $0.000000000002 more"},
		{"an attempt that may have been billed", outlay{usd: 4_401_000_000, partly: 1, calls: 12, held: 14_815_000_001}.String(),
			"≥ $0.004401, unknown in part for 1 of 12 calls, at most $0.014816 more"},
		{"an attempt that may have been billed, without a price", outlay{usd: newel.Dollar, partly: 2, calls: 12, open: true}.String(), "≥ $1, unknown in part for 2 of 12 calls"},
		{"attempts that were lost", outlay{lost: 2, held: newel.Dollar}.String(), "≥ $0, 2 attempts under way or lost, at most $1 more"},
		{"all at once", outlay{usd: newel.Dollar, unknown: 3, partly: 1, lost: 1, calls: 1000, held: newel.Dollar, open: true}.String(),
			"≥ $1, unknown for 3 and in part for 1 of 1,000 calls, 1 attempt under way or lost, at most $1 more where the price is known"},
		{"calls", callsText(120, 0, 0), "120 paid calls"},
		{"calls and replies that were there", callsText(1, 2, 30), "1 paid call; 32 more answered by replies that were there (2 of earlier runs, 30 of other rows)"},
		{"a refund", dollars(-newel.Dollar / 4), "-$0.25"},
		{"milliseconds", span(850), "850 ms"},
		{"seconds", span(4_270), "4.2 s"},
		{"minutes", span(100_240), "1 min 40 s"},
		{"hours", span(7_500_000), "2 h 05 min"},
		{"one of something", counted(1, "case", "cases"), "1 case"},
		{"a plain shell word", ShellWord("r-1.2/x"), "r-1.2/x"},
		{"a shell word with a quote", ShellWord("it's"), `'it'\''s'`},
		{"an empty shell word", ShellWord(""), "''"},
		{"clip leaves what fits", clip("退款", 2), "退款"},
		{"clip cuts characters, not bytes", clip("退款政策", 3), "退款…"},
		{"a name is cut in the middle", fitName("language=lang-05", 12), "langua…ng-05"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, c.got, c.want)
		}
	}
}

func TestCodeSpans(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":   "`plain`",
		"a`b":     "``a`b``",
		"`a`":     "`` `a` ``",
		"a``b`c":  "```a``b`c```",
		"":        "–",
		"  ":      "–",
		"a|b":     "`a\\|b`",
		`a\|b`:    "`a\\x5c\\|b`",
		`a\`:      "`a\\`",
		"two\nli": "`two\\nli`",
	} {
		if got := codeCell(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestWhatARowsCallsComeTo(t *testing.T) {
	t.Parallel()
	call := func(text string) newel.Raw { return newel.Raw(text) }
	for name, c := range map[string]struct {
		calls []newel.Raw
		want  []string
	}{
		"no call": {nil, []string{"", "", "", "", "", ""}},
		"two known": {[]newel.Raw{
			call(`{"model_used":"m-1","latency_client_ms":1.5,"cost":{"usd":0.25,"status":"billed"}}`),
			call(`{"model_used":"m-1","latency_client_ms":2,"cost":{"usd":0.5,"status":"table_computed"}}`)},
			[]string{"2", "0.75", "table_computed", "m-1", "3.500", ""}},
		"one unknown": {[]newel.Raw{
			call(`{"model_used":"m-1","latency_client_ms":1,"cost":{"usd":0.25,"status":"billed"}}`),
			call(`{"model_used":"m-2","latency_client_ms":1,"cost":{"usd":null,"status":"unknown"}}`)},
			[]string{"2", "", "unknown", "m-1 m-2", "2.000", ""}},
		"one whose earlier attempt may have been billed": {[]newel.Raw{
			call(`{"model_used":"m-1","latency_client_ms":1,"cost":{"usd":0.25,"status":"billed","held":0.5},"failed_attempts":[{"may_cost":true}]}`),
			call(`{"model_used":"m-1","latency_client_ms":1,"cost":{"usd":0.25,"status":"billed"}}`)},
			[]string{"2", "0.5", "lower_bound", "m-1", "2.000", "0.5"}},
		"the same without a price that would bound it": {[]newel.Raw{
			call(`{"model_used":"m-1","latency_client_ms":1,"cost":{"usd":0.25,"status":"billed"},"failed_attempts":[{"may_cost":true}]}`)},
			[]string{"1", "0.25", "lower_bound", "m-1", "1.000", ""}},
		"one unknown that has a bound": {[]newel.Raw{
			call(`{"latency_client_ms":1,"cost":{"usd":null,"status":"unknown","held":0.5}}`)},
			[]string{"1", "", "unknown", "", "1.000", "0.5"}},
		"a reply that was there": {[]newel.Raw{
			call(`{"model_used":"m-1","latency_client_ms":0,"cost":{"usd":0,"status":"zero_confirmed"},"failed_attempts":[{"may_cost":true}],"reused":{"run":"r","cost":{"usd":0.25,"status":"billed","held":0.5},"latency_client_ms":7}}`)},
			[]string{"1", "0", "zero_confirmed", "m-1", "", ""}},
	} {
		got, err := rowBill(c.calls)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}
