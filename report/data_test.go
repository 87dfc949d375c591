package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/report"
	"newel/report/reporttest"
)

func TestJSONReadsAsTheGoldenFilesDo(t *testing.T) {
	t.Parallel()
	for name, sum := range map[string]*newel.Summary{
		"complete.json": reporttest.Complete(), "sampled.json": reporttest.Sampled(), "incomplete.json": reporttest.Incomplete(), "empty.json": reporttest.Empty(), "hostile.json": reporttest.Hostile(),
	} {
		golden(t, "json/"+name, rendered(t, func(b *bytes.Buffer) error { return report.JSON(b, sum) }))
	}
}

func TestJSONHoldsTheWholeSummary(t *testing.T) {
	t.Parallel()
	for _, sum := range []*newel.Summary{reporttest.Complete(), reporttest.Failing(), reporttest.Incomplete()} {
		got := rendered(t, func(b *bytes.Buffer) error { return report.JSON(b, sum) })
		var back newel.Summary
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatal(err)
		}
		again := rendered(t, func(b *bytes.Buffer) error { return report.JSON(b, &back) })
		if diff := cmp.Diff(string(got), string(again)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestJSONListsAreNeverNull(t *testing.T) {
	t.Parallel()
	sum := &newel.Summary{Rubrics: []newel.RubricSummary{{}}, Gate: &newel.GateSummary{Rules: []newel.GateRule{{}}}}
	var got map[string]any
	if err := json.Unmarshal(rendered(t, func(b *bytes.Buffer) error { return report.JSON(b, sum) }), &got); err != nil {
		t.Fatal(err)
	}
	rubric := got["rubrics"].([]any)[0].(map[string]any)
	rule := got["gate"].(map[string]any)["rules"].([]any)[0].(map[string]any)
	for name, v := range map[string]any{"agreement": got["agreement"], "slices": got["slices"], "labels": got["labels"], "values": rubric["values"],
		"checks": rubric["checks"], "errors": rubric["errors"], "cases": rule["cases"], "by_rubric": got["cost"].(map[string]any)["by_rubric"]} {
		if v == nil {
			t.Errorf("%s is null", name)
		}
	}
	if sum.Rubrics[0].Values != nil || sum.Gate.Rules[0].Cases != nil {
		t.Error("the summary itself was changed")
	}
}

func TestJSONLAndCSVReadAsTheGoldenFilesDo(t *testing.T) {
	t.Parallel()
	small, hostile := reporttest.Rows(reporttest.Small()), reporttest.Rows(reporttest.Hostile())
	golden(t, "rows/small.jsonl", rendered(t, func(b *bytes.Buffer) error { return report.JSONL(b, small()) }))
	golden(t, "rows/climb.jsonl", rendered(t, func(b *bytes.Buffer) error { return report.JSONL(b, rowsOf(reporttest.Climb()...)) }))
	golden(t, "rows/small.csv", rendered(t, func(b *bytes.Buffer) error { return report.CSV(b, small(), nil) }))
	golden(t, "rows/hostile.csv", rendered(t, func(b *bytes.Buffer) error { return report.CSV(b, hostile(), []string{"language", "nowhere"}) }))
}

func TestJSONLHasOneRowALine(t *testing.T) {
	t.Parallel()
	sum := reporttest.Hostile()
	n := 0
	for line := range bytes.Lines(rendered(t, func(b *bytes.Buffer) error { return report.JSONL(b, reporttest.Rows(sum)()) })) {
		var row map[string]any
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if row["scores"] == nil || row["calls"] == nil || row["dims"] == nil {
			t.Errorf("a list is null: %s", line)
		}
		n++
	}
	if n != sum.Ledger.Done() {
		t.Errorf("%d lines for %d rows", n, sum.Ledger.Done())
	}
}

func TestCSVReadsBackRowByRow(t *testing.T) {
	t.Parallel()
	sum := reporttest.Hostile()
	doc := rendered(t, func(b *bytes.Buffer) error { return report.CSV(b, reporttest.Rows(sum)(), []string{"language"}) })
	if !utf8.Valid(doc) || bytes.IndexByte(doc, 0) >= 0 {
		t.Error("broken UTF-8 or a NUL")
	}
	records, err := csv.NewReader(bytes.NewReader(doc)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := "item,case,trial,dims,rubric,verdict,reason,layer,value,choice,explanation,error_kind,error_message,inclusion,scores,shown,quarantined,calls,cost_usd,cost_status,model_used,latency_ms,held_usd,dims.language"
	if got := strings.Join(records[0], ","); got != want {
		t.Errorf("header\n got %s\nwant %s", got, want)
	}
	if len(records)-1 != sum.Ledger.Done() {
		t.Errorf("%d records for %d rows", len(records)-1, sum.Ledger.Done())
	}
	for _, r := range records[1:] {
		for i, cell := range r {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("%s begins as a formula: %q", records[0][i], cell)
			}
		}
		if !json.Valid([]byte(r[3])) || !json.Valid([]byte(r[14])) {
			t.Errorf("not JSON: %q, %q", r[3], r[14])
		}
	}
}

func TestCSVHoldsNothingThatActs(t *testing.T) {
	t.Parallel()
	sum := reporttest.Hostile()
	doc := rendered(t, func(b *bytes.Buffer) error { return report.CSV(b, reporttest.Rows(sum)(), nil) })
	calm(t, strings.NewReplacer("\t", "", "\r", "").Replace(string(doc)))
	row := newel.Row{Dims: map[string]string{"a": reporttest.RTL, "b": "\U000e0041\u009b"}}
	records, err := csv.NewReader(bytes.NewReader(rendered(t, func(b *bytes.Buffer) error { return report.CSV(b, rowsOf(row), nil) }))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var dims map[string]string
	if err := json.Unmarshal([]byte(records[1][3]), &dims); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(row.Dims, dims); diff != "" {
		t.Errorf("dims read back as others: %s", diff)
	}
}

func TestCSVGuardsTextButNotNumbers(t *testing.T) {
	t.Parallel()
	value, inclusion := newel.Value(-1_500_000_000), 0.1
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\tx": "'\tx", "\rx": "'\rx", "  =1": "'  =1", "＝1": "'＝1",
		"a=1": "a=1", "": "", "'=1": "'=1", " ": " ", "plain": "plain",
	} {
		row := newel.Row{Case: text, Value: &value, Inclusion: &inclusion}
		doc := rendered(t, func(b *bytes.Buffer) error { return report.CSV(b, rowsOf(row), nil) })
		records, err := csv.NewReader(bytes.NewReader(doc)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		// A reader of CSV may take a carriage return within a cell for a line end.
		if got := records[1][1]; got != want && strings.ReplaceAll(want, "\r", "\n") != got {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
		if records[1][8] != "-1.5" || records[1][13] != "0.1" {
			t.Errorf("numbers became %q and %q", records[1][8], records[1][13])
		}
	}
}

func TestRowsAreStreamedNotHeld(t *testing.T) {
	t.Parallel()
	written := &counter{}
	ahead := 0
	rows := func(yield func(newel.Row, error) bool) {
		for i := range 20_000 {
			ahead = max(ahead, i-written.lines)
			if !yield(newel.Row{Case: "a", Rubric: "r", Verdict: "pass"}, nil) {
				return
			}
		}
	}
	for name, write := range map[string]func() error{
		"jsonl": func() error { return report.JSONL(written, rows) },
		"csv":   func() error { return report.CSV(written, rows, nil) },
	} {
		written.lines, ahead = 0, 0
		if err := write(); err != nil || ahead > 1000 {
			t.Errorf("%s: %d rows were read before they were written (%v)", name, ahead, err)
		}
	}
}

// counter counts line ends.
type counter struct{ lines int }

func (c *counter) Write(p []byte) (int, error) {
	c.lines += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

var _ io.Writer = (*counter)(nil)
