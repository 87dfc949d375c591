package eval

import (
	"context"
	"encoding/hex"
	"iter"

	"newel"
)

// RowView returns one result as it is shown, without the records of its calls.
// It shares no memory with it.
func RowView(run *newel.Run, it *newel.ItemRows, res *newel.Result) newel.Row {
	id := newel.ItemIDOf(it.Case, it.Matrix, it.Trial)
	row := newel.Row{
		Item: hex.EncodeToString(id[:]), Case: it.Case, Shown: it.Show(run.Plan.Trials), Quarantined: it.Quarantined, Trial: it.Trial, Dims: make(map[string]string, len(it.Dims)), Rubric: run.Plan.Rubrics[res.Rubric],
		Verdict: res.Verdict.String(), Reason: res.Reason, Layer: res.Layer.String(), Choice: res.Choice, Error: res.Err, Calls: []newel.Raw{},
	}
	for _, d := range it.Dims {
		row.Dims[d.Name] = d.Value
	}
	row.Value = valueView(res.Value, res.HasValue)
	if run.Plan.Judged[res.Rubric] {
		inclusion := res.Inclusion
		row.Inclusion = &inclusion
	}
	if a := res.Audit; a != nil {
		row.Audit = &newel.RowAudit{Layer: a.Layer.String(), Verdict: a.Verdict.String(), Value: valueView(a.Value, a.HasValue)}
	}
	row.Scores = make([]newel.RowScore, len(res.Scores))
	for i := range res.Scores {
		s := &res.Scores[i]
		row.Scores[i] = newel.RowScore{Scorer: s.Scorer, Layer: s.Layer.String(), Verdict: s.Verdict.String(),
			Value: valueView(s.Value, s.HasValue), Choice: s.Choice, Explanation: s.Explanation, Error: s.Err}
		if row.Explanation == "" && s.Verdict == res.Verdict && s.Explanation != "" {
			row.Explanation, row.Evidence = s.Explanation, append([]newel.Evidence(nil), s.Evidence...)
		}
	}
	if row.Explanation == "" {
		row.Evidence = judgeEvidence(res)
	}
	return row
}

// judgeEvidence is what the judge that decided a row looked at, though it said
// nothing about it.
func judgeEvidence(res *newel.Result) []newel.Evidence {
	for i := range res.Scores {
		if s := &res.Scores[i]; s.Layer == newel.Judge && (res.Layer == newel.Judge || res.Layer == newel.NoLayer) {
			return append([]newel.Evidence(nil), s.Evidence...)
		}
	}
	return nil
}

func valueView(v newel.Value, has bool) *newel.Value {
	if !has {
		return nil
	}
	return &v
}

// RowQuery selects rows. Zero fields select nothing out.
type RowQuery struct {
	Case    string // a case's id, or an item as it is shown
	Rubric  string
	Failing bool // fails and errors only
}

// Rows yields a run's rows in plan order.
func Rows(ctx context.Context, store newel.Store, run *newel.Run, q RowQuery) iter.Seq2[newel.Row, error] {
	return func(yield func(newel.Row, error) bool) {
		stopped, calls := false, newRowCalls(store, run)
		err := Scan(ctx, store, run, true, func(it *newel.ItemRows) error {
			if !q.takes(run, it) {
				calls.pass(it)
				return nil
			}
			for i := range it.Results {
				res := &it.Results[i]
				if q.skips(run, res) {
					calls.passOver(res)
					continue
				}
				row := RowView(run, it, res)
				var err error
				if row.Calls, err = calls.of(ctx, res); err != nil {
					return err
				}
				if !yield(row, nil) {
					stopped = true
					return errEnough
				}
			}
			return nil
		})
		if err != nil && !stopped {
			yield(newel.Row{}, err)
		}
	}
}

func (q RowQuery) skips(run *newel.Run, res *newel.Result) bool {
	if q.Rubric != "" && run.Plan.Rubrics[res.Rubric] != q.Rubric {
		return true
	}
	return q.Failing && res.Verdict != newel.Fail && res.Verdict != newel.Failed
}
