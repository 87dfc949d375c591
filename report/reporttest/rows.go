package reporttest

import (
	"encoding/hex"
	"fmt"
	"iter"

	"newel"
)

// Rows gives rows that add up to the ledgers of s's rubrics, by item with all
// rubrics mixed, anew at each call. The first hundred cases that fail or err have
// a reason and evidence.
func Rows(s *newel.Summary) func() iter.Seq2[newel.Row, error] {
	hostile := s.Suite.Name != "refunds"
	return func() iter.Seq2[newel.Row, error] {
		return func(yield func(newel.Row, error) bool) {
			for i := range mostRows(s) {
				for r := range s.Rubrics {
					row, ok := rowOf(s, i, r)
					if !ok {
						continue
					}
					if hostile {
						spoil(&row, i)
					}
					if !yield(row, nil) {
						return
					}
				}
			}
		}
	}
}

func mostRows(s *newel.Summary) int {
	most := 0
	for _, r := range s.Rubrics {
		most = max(most, r.Ledger.Done())
	}
	return most
}

// rowOf is row i of a rubric: first those that pass, then fail, unjudged, error.
func rowOf(s *newel.Summary, i, rubric int) (newel.Row, bool) {
	r := s.Rubrics[rubric]
	l := r.Ledger
	if i >= l.Done() {
		return newel.Row{}, false
	}
	id := newel.ItemIDOf(fmt.Sprintf("a-%04d", i), nil, 1)
	row := newel.Row{Item: hex.EncodeToString(id[:]), Case: fmt.Sprintf("a-%04d", i), Shown: fmt.Sprintf("a-%04d", i), Trial: 1, Rubric: r.Name,
		Dims: map[string]string{"language": [...]string{"de", "en"}[i%2]}}
	switch {
	case i < l.Pass:
		row.Verdict, row.Layer = "pass", "floor"
	case i < l.Pass+l.Fail:
		failed(&row)
	case i < l.Pass+l.Fail+l.Unjudged:
		row.Verdict, row.Reason, row.Inclusion = "unjudged", newel.Undrawn, f(0.1)
	default:
		row.Verdict = "error"
		row.Error = &newel.ScoreError{Kind: newel.KindGateway, Message: "503 after 4 attempts"}
	}
	return row, true
}

func failed(row *newel.Row) {
	v := newel.Value(250_000_000)
	row.Verdict, row.Layer, row.Value = "fail", "floor", &v
	row.Explanation = `amount: want number, got "12"`
	row.Evidence = []newel.Evidence{{Path: "output_json.amount", Want: "number", Got: `"12"`}}
	row.Scores = []newel.RowScore{
		{Scorer: "json", Layer: "floor", Verdict: "pass"},
		{Scorer: "json-schema", Layer: "floor", Verdict: "fail", Value: &v, Explanation: `amount: want number, got "12"`},
	}
}

// spoil puts hostile text wherever data can bring text.
func spoil(row *newel.Row, i int) {
	all := HostileStrings()
	h := all[i%len(all)]
	row.Case = h + row.Case
	row.Shown = row.Case
	row.Dims = map[string]string{h: h, "language": Formula}
	if row.Verdict == "pass" {
		return
	}
	row.Explanation, row.Choice = h, h
	row.Evidence = []newel.Evidence{{Path: h, Want: h, Got: h}}
	row.Scores = []newel.RowScore{{Scorer: h, Layer: "floor", Verdict: row.Verdict, Explanation: h}}
	if row.Error != nil {
		row.Error = &newel.ScoreError{Kind: newel.ErrorKind(h), Message: h}
	}
	if row.Reason != "" {
		row.Reason = h
	}
}

// Climb is the rows of one case with all that explain can show.
func Climb() []newel.Row {
	low, high := newel.Value(412_000_000), newel.Value(4_000_000_000)
	dims := map[string]string{"language": "de", "route": "refund"}
	id := newel.ItemIDOf("a-0020", nil, 1)
	item := hex.EncodeToString(id[:])
	return []newel.Row{
		{Item: item, Case: "a-0020", Shown: "a-0020", Trial: 1, Dims: dims, Rubric: "arguments", Verdict: "pass", Layer: "floor",
			Scores: []newel.RowScore{{Scorer: "json-schema", Layer: "floor", Verdict: "pass"}, {Scorer: "expr", Layer: "floor", Verdict: "pass"}}},
		{Item: item, Case: "a-0020", Shown: "a-0020", Trial: 1, Dims: dims, Rubric: "grounded", Verdict: "fail", Layer: "judge", Value: &high, Inclusion: f(0.1),
			Explanation: "The answer names a date that none of the passages holds.",
			Evidence:    []newel.Evidence{{Path: "context.0.text", Want: "a date", Got: "Order 17 ships today."}},
			Scores: []newel.RowScore{
				{Scorer: "citations", Layer: "floor", Verdict: "undecided"},
				{Scorer: "linear", Layer: "classifier", Verdict: "undecided", Value: &low, Explanation: "between 0.2 and 0.8"},
				{Scorer: "criterion", Layer: "judge", Verdict: "fail", Value: &high, Explanation: "The answer names a date that none of the passages holds."}},
			Audit: &newel.RowAudit{Layer: "classifier", Verdict: "pass", Value: &low},
			Calls: []newel.Raw{
				newel.Raw(`{"call_key":"9f3c0d00000000000000000000000000000000000000000000000000000000aa","gateway":"main","model_requested":"gpt-5-mini","model_used":"gpt-5-mini-2026-01","outcome":"ok","cost":{"usd":0.000125,"status":"gateway_computed"},"latency_client_ms":812.4,"attempts":2,"fallback":"yes","gateway_cache":"miss"}`),
				newel.Raw(`{"call_key":"77ab100000000000000000000000000000000000000000000000000000000001","gateway":"main","model_requested":"gpt-5-mini","outcome":"timeout","cost":{"usd":null,"status":"unknown","held":0.002}}`),
				newel.Raw(`{"call_key":"77ab100000000000000000000000000000000000000000000000000000000002","gateway":"main","model_requested":"gpt-5-mini","outcome":"ok","cost":{"usd":0.0001,"status":"billed"},"paid_anew":{"run":"r-0","why":["the model: \"gpt-5-nano\" there, \"gpt-5-mini\" here","the prompt"]}}`),
				newel.Raw(`{"call_key":"77ab100000000000000000000000000000000000000000000000000000000003","gateway":"main","model_requested":"gpt-5-mini","outcome":"ok","cost":{"usd":0,"status":"zero_confirmed"},"reused":{"run":"r-0","at":"2027-02-28T10:00:00Z","cost":{"usd":0.0001,"status":"billed"}}}`),
				newel.Raw(`{"strange":true}`)}},
		{Item: item, Case: "a-0020", Shown: "a-0020", Trial: 1, Dims: dims, Rubric: "policy", Verdict: "unjudged", Reason: newel.Undrawn, Inclusion: f(0.05),
			Scores: []newel.RowScore{{Scorer: "banned", Layer: "floor", Verdict: "undecided"}}},
		{Item: item, Case: "a-0020", Shown: "a-0020", Trial: 1, Dims: dims, Rubric: "sql", Verdict: "error",
			Error:  &newel.ScoreError{Kind: newel.KindTimeout, Message: "no answer within 30s"},
			Scores: []newel.RowScore{{Scorer: "sql", Layer: "floor", Verdict: "error", Error: &newel.ScoreError{Kind: newel.KindTimeout, Message: "no answer within 30s"}}}},
	}
}
