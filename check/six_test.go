package check

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"newel"
)

// sixChecks is what BenchmarkSixChecks runs: one of each family's most used.
var sixChecks = []string{
	`{"equals": {"from": "vars.want"}}`,
	`{"contains": {"from": "vars.must"}}`,
	`{"regex": {"from": "vars.pattern"}}`,
	`{"json-schema": {"schema": {"type": "object", "required": ["id", "amount", "state", "note"], "properties": {"id": {"type": "integer"}, "amount": {"type": "number", "minimum": 0}, "state": {"enum": ["shipped", "late"]}, "note": {"type": "string"}}}}}`,
	`{"expr": "output_json.amount == reference.amount"}`,
	`{"levenshtein": {"max": 10, "from": "vars.want"}}`,
}

// sixCase returns a case whose output is JSON of about 400 characters, with a
// pattern of its own.
func sixCase(n int) *newel.Case {
	note := strings.Repeat(fmt.Sprintf("Parcel %d leaves today and is billed once. ", n%1000), 8)
	text := fmt.Sprintf(`{"id": %d, "amount": %d.5, "state": "shipped", "note": %q}`, n, n%100, note)
	quoted := newel.AppendString(nil, text)
	return &newel.Case{
		ID: fmt.Sprint("c", n), Output: quoted, Reference: newel.Raw(fmt.Sprintf(`{"amount": %d.5}`, n%100)),
		Vars: []newel.Named{
			{Name: "must", Value: newel.Raw(`"leaves today"`)},
			{Name: "pattern", Value: newel.Raw(fmt.Sprintf(`"Parcel %d leaves (today|tomorrow)"`, n%1000))},
			{Name: "want", Value: quoted},
		},
	}
}

func BenchmarkSixChecks(b *testing.B) {
	var m newel.Mistakes
	list := BuildList(newel.NodeOf(parsed("["+strings.Join(sixChecks, ",")+"]"), newel.Pos{}), &Env{}, &m)
	if err := m.Err(); err != nil {
		b.Fatal(err)
	}
	items := make([]*newel.Item, 1000)
	for i := range items {
		items[i] = &newel.Item{N: i, Case: sixCase(i), Trial: 1}
	}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		s := newel.NewSubject(items[n%len(items)])
		n++
		for _, c := range list {
			if score := c.Score(context.Background(), s); score.Verdict != newel.Pass {
				b.Fatal(c.Name(), ruleSays(score))
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/item")
}

// BenchmarkEqualTexts times comparisons of equal texts of 400 characters beyond
// reading them.
func BenchmarkEqualTexts(b *testing.B) {
	for _, text := range []string{`{"equals": {"from": "vars.want"}}`, `{"contains": {"from": "vars.want"}}`, `{"levenshtein": {"max": 10, "from": "vars.want"}}`,
		`{"equals": {"from": "vars.want", "ignore_case": true}}`, `{"exact-match": {"from": "vars.want"}}`} {
		b.Run(text, func(b *testing.B) {
			c, err := ruleCheck(b, text, &Env{})
			if err != nil {
				b.Fatal(err)
			}
			s := newel.NewSubject(&newel.Item{Case: sixCase(7), Trial: 1})
			b.ReportAllocs()
			for b.Loop() {
				if score := c.Score(context.Background(), s); score.Verdict != newel.Pass {
					b.Fatal(ruleSays(score))
				}
			}
		})
	}
}

// BenchmarkBuildCaseChecks times the checks that each case brings.
func BenchmarkBuildCaseChecks(b *testing.B) {
	raw := newel.Raw(`[{"contains": "17"}, {"regex": {"pattern": "a+"}}, {"length": {"max": 100}}]`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseCaseChecks(raw, newel.Pos{}, false); err != nil {
			b.Fatal(err)
		}
	}
}
