package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"newel"
)

// Rows is a run's rows in item order, read as a stream: one row is held at a
// time.
type Rows = iter.Seq2[newel.Row, error]

// JSON writes a summary as indented JSON, the stable form: fields are added,
// never renamed or given another meaning. Lists are never null, names within an
// object stand in a fixed order. Money and values are exact.
func JSON(w io.Writer, sum *newel.Summary) error {
	full := *sum
	full.Rubrics = append([]newel.RubricSummary{}, sum.Rubrics...)
	for i := range full.Rubrics {
		r := &full.Rubrics[i]
		r.Values, r.Checks, r.Errors = listed(r.Values), listed(r.Checks), mapped(r.Errors)
	}
	full.Agreement, full.Slices = listed(full.Agreement), listed(full.Slices)
	full.Labels = mapped(full.Labels)
	full.Cost.ByRubric, full.Cost.ByModel = mapped(full.Cost.ByRubric), mapped(full.Cost.ByModel)
	if full.Gate != nil {
		full.Gate = withCases(full.Gate)
	}
	return indented(w, full)
}

// withCases returns g with empty lists of cases in place of null.
func withCases(g *newel.GateSummary) *newel.GateSummary {
	out := *g
	out.Rules = append([]newel.GateRule{}, g.Rules...)
	for i := range out.Rules {
		out.Rules[i].Cases = listed(out.Rules[i].Cases)
	}
	return &out
}

func indented(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("render json: %w", err)
	}
	return nil
}

// listed returns list, empty instead of nil.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func mapped[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return m
}

// JSONL writes one row a line, the stable form of rows. It stops at the first
// error of rows.
func JSONL(w io.Writer, rows Rows) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for row, err := range rows {
		if err != nil {
			return fmt.Errorf("render jsonl: %w", err)
		}
		row.Dims, row.Scores, row.Calls = mapped(row.Dims), listed(row.Scores), listed(row.Calls)
		if err := enc.Encode(row); err != nil {
			return fmt.Errorf("render jsonl: case %q: %w", row.Case, err)
		}
	}
	return out.Flush()
}
