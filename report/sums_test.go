package report_test

import (
	"bytes"
	"strings"
	"testing"

	"newel"
	"newel/report"
)

const (
	known   = `{"call_key":"77ab100000000000000000000000000000000000000000000000000000000001","cost":{"usd":0.0001,"status":"billed"}}`
	untold  = `{"call_key":"77ab100000000000000000000000000000000000000000000000000000000002","cost":{"usd":null,"status":"unknown","held":0.002}}`
	inStock = `{"call_key":"77ab100000000000000000000000000000000000000000000000000000000003","cost":{"usd":0,"status":"zero_confirmed"},"reused":{"run":"r-0","at":"2027-02-28T10:00:00Z","cost":{"usd":5,"status":"billed"}}}`
)

func TestRowsAndCasesSayWhatTheyCost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		calls [][]newel.Raw
		rows  []string // of show, each within a row
		all   string   // of explain
	}{
		"no calls":           {[][]newel.Raw{nil, nil}, nil, ""},
		"one row with calls": {[][]newel.Raw{{newel.Raw(known), newel.Raw(known)}, nil}, []string{"· 2 paid calls, $0.0002\n"}, ""},
		"two rows": {[][]newel.Raw{{newel.Raw(known)}, {newel.Raw(known), newel.Raw(inStock)}}, []string{"· 1 paid call, $0.0001\n", "· 1 paid call, $0.0001; 1 reply that was there\n"},
			"cost of all rows  2 paid calls, $0.0002; 1 reply that was there\n"},
		"a cost that nobody told": {[][]newel.Raw{{newel.Raw(known), newel.Raw(untold)}}, []string{"· 2 paid calls, ≥ $0.0001, unknown for 1 of 2 calls, at most $0.002 more\n"}, ""},
		"only what was there":     {[][]newel.Raw{{newel.Raw(inStock)}}, []string{"· 0 paid calls, $0; 1 reply that was there\n"}, ""},
	} {
		var rows []newel.Row
		for _, calls := range c.calls {
			rows = append(rows, newel.Row{Case: "a", Rubric: "g", Verdict: "fail", Layer: "judge", Calls: calls})
		}
		opt := report.TextOptions{Width: 200}
		shown := string(rendered(t, func(b *bytes.Buffer) error { return report.RowText(b, rowsOf(rows...), opt) }))
		climb := string(rendered(t, func(b *bytes.Buffer) error { return report.ClimbText(b, rows, nil, opt) }))
		for _, want := range c.rows {
			if !strings.Contains(shown, want) || !strings.Contains(climb, "    cost        "+strings.TrimPrefix(want, "· ")) {
				t.Errorf("%s lacks %q:\n%s\n%s", name, want, shown, climb)
			}
		}
		if c.rows == nil && strings.Contains(shown+climb, "$") {
			t.Errorf("%s has a cost:\n%s\n%s", name, shown, climb)
		}
		if got := strings.Contains(climb, "cost of all rows"); got != (c.all != "") || !strings.Contains(climb, c.all) {
			t.Errorf("%s lacks %q:\n%s", name, c.all, climb)
		}
	}
}
