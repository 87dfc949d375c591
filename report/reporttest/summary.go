package reporttest

import (
	"fmt"
	"strings"
	"time"

	"newel"
)

// Complete is a sealed run of 10,000 cases whose gate passed.
func Complete() *newel.Summary {
	s := &newel.Summary{
		Run:    "r-20260301-0042",
		Labels: map[string]string{"branch": "main", "commit": "4be1d2c"},
		Suite:  newel.SuiteRef{Name: "refunds", Digest: digest("a1")},
		Plan:   newel.PlanRef{Digest: digest("b2"), Items: 10_000, Cases: 10_000, Rubrics: 3, Trials: 1},
		Digest: digest("c3"),
		Runner: "local",
		State:  newel.Sealed,
		Ledger: newel.Ledger{Planned: 30_000, Pass: 20_815, Fail: 196, Unjudged: 8_981, Error: 8},
		Cases:  newel.Ledger{Planned: 10_000, Pass: 912, Fail: 195, Unjudged: 8_885, Error: 8},
		Rubrics: []newel.RubricSummary{
			arguments(), grounded(), tone(),
		},
		Agreement: []newel.Agreement{{Rubric: "grounded", N: 400, Agree: 371, Accuracy: f(0.9275), Precision: f(0.9551),
			Recall: f(0.9482), F1: f(0.9516), Kappa: f(0.812), Table: [4]int{256, 14, 12, 118}, Unjudged: 9}},
		Slices: slices("de", "en", "退款"),
		Cost: newel.Cost{USD: 1_234_567_800_000, Calls: 1_019, Cached: 120, PaidTwiceAtMost: 2,
			ByRubric: map[string]newel.Money{"grounded": 1_234_567_800_000},
			ByModel:  map[string]newel.Money{"gpt-5-mini": 1_200_000_000_000, "gpt-5-nano": 34_567_800_000}},
		Gate:       passedGate(),
		Times:      times(),
		Quarantine: []newel.QuarantineLine{{ID: "a-0007", Until: "2026-04-01", Why: "the gold answer is disputed", State: "in force"}},
		Failing: []newel.FailingCase{
			{Case: "a-0017", Rubric: "arguments", Check: "json-schema", Why: `amount: want number, got "12"`},
			{Case: "退款-18|lang=zh|#2", Rubric: "arguments", Check: "expr", Why: "output_json.amount == reference.amount is false: the output says 120.00 and the reference says 12.00, and neither the currency nor the rounding rule of the shop explains a factor of ten between them"},
			{Case: "a-0020", Rubric: "grounded", Check: "criterion", Why: "The answer names a date that none of the passages holds."},
		},
	}
	return s
}

func arguments() newel.RubricSummary {
	return newel.RubricSummary{
		Name: "arguments", Ledger: newel.Ledger{Planned: 10_000, Pass: 9_815, Fail: 185},
		Rate: f(0.9815), Interval: &[2]float64{0.97866, 0.98405}, Confidence: 0.95, Method: "Clopper-Pearson", Clusters: 10_000,
		Layers: newel.LayerCounts{Floor: 10_000},
		Checks: []newel.CheckSummary{{Check: "json-schema", Pass: 9_900, Fail: 100, Undecided: 0, Error: 0}, {Check: "expr", Pass: 9_915, Fail: 85, Undecided: 0, Error: 0}, {Check: "not contains", Pass: 10_000, Fail: 0, Undecided: 0, Error: 0}},
	}
}

func grounded() newel.RubricSummary {
	return newel.RubricSummary{
		Name: "grounded", Ledger: newel.Ledger{Planned: 10_000, Pass: 1_000, Fail: 11, Unjudged: 8_981, Error: 8},
		Rate: f(0.9312), Interval: &[2]float64{0.914, 0.9458}, Confidence: 0.95, Method: "Korn-Graubard", Clusters: 2_500,
		Bounds: &[2]float64{0.9305, 0.9313}, Quarantined: 1,
		Layers: newel.LayerCounts{Floor: 4, Classifier: 120, Judge: 887},
		Values: []newel.ValueSummary{{Scorer: "criterion", N: 899, Mean: 4.213, Interval: &[2]float64{4.15, 4.276}, P50: 4, Min: 1, Max: 5}},
		Checks: []newel.CheckSummary{{Check: "citations", Pass: 0, Fail: 4, Undecided: 9_996, Error: 0}, {Check: "criterion", Pass: 880, Fail: 7, Undecided: 0, Error: 8}},
		Errors: map[string]int{"gateway": 6, "timeout": 2},
	}
}

func tone() newel.RubricSummary {
	return newel.RubricSummary{
		Name: "tone", Ledger: newel.Ledger{Planned: 10_000, Pass: 10_000}, MeasureOnly: true, Confidence: 0.95,
		Layers: newel.LayerCounts{Floor: 10_000}, Clusters: 10_000,
		Values: []newel.ValueSummary{
			{Scorer: "length", N: 10_000, Mean: 412.7, P50: 398, Min: 3, Max: 2_114},
			{Scorer: "drift", N: 10_000, Mean: 0.000012, P50: 0, Min: 0, Max: 0.004},
		},
	}
}

func slices(langs ...string) []newel.Slice {
	var out []newel.Slice
	for i, lang := range langs {
		pass := 3_300 - 40*i
		r := float64(pass) / 3_333
		out = append(out, newel.Slice{Dims: map[string]string{"language": lang}, Rubric: "arguments",
			Ledger: newel.Ledger{Planned: 3_333, Pass: pass, Fail: 3_333 - pass},
			Rate:   &r, Interval: &[2]float64{r - 0.006, r + 0.005}})
	}
	return out
}

func passedGate() *newel.GateSummary {
	return &newel.GateSummary{State: newel.GatePassed, Baseline: "branch=main (r-20260228-0040)", Rules: []newel.GateRule{
		{Rule: "arguments at least 97 %", Rubric: "arguments", State: newel.GatePassed, Why: "98.2 % [97.9, 98.4]: the lower end reaches 97 %",
			Point: f(0.9815), Interval: &[2]float64{0.97866, 0.98405}, N: 10_000, Clusters: 10_000, NStar: f(10_000), MDE: f(0.0038)},
		{Rule: "no worse than the baseline by 2 points", Rubric: "grounded", State: newel.GatePassed, Why: "+0.3 points [-0.8, +1.4]",
			Point: f(0.003), Interval: &[2]float64{-0.008, 0.014}, N: 1_011, Broken: 4, Fixed: 7, McNemar: &[2]float64{0.887, 0.549}, Looks: 1},
		{Rule: "mean of tone.length at most 400", Rubric: "tone", State: newel.GateFailed, Advisory: true, Why: "412.7 is above 400"},
		{Rule: "errors at most 1 % of each rubric", State: newel.GatePassed, Why: "0.08 % at most (grounded)"},
	}}
}

func times() newel.Times {
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	return newel.Times{Created: at, Started: at.Add(2 * time.Second), Sealed: at.Add(102 * time.Second), WallMS: 100_240}
}

// Failing is Complete with a gate that failed on two rules.
func Failing() *newel.Summary {
	s := Complete()
	s.Gate.State = newel.GateFailed
	s.Gate.Rules[0] = newel.GateRule{Rule: "arguments at least 99 %", Rubric: "arguments", State: newel.GateFailed,
		Why:   "98.2 % [97.9, 98.4]: the upper end misses 99 % by 0.6 points",
		Cases: []string{"a-0017", "退款-18|lang=zh|#2", "a-0020", "a-0021", "a-0044", "a-0051", "a-0060"},
		Point: f(0.9815), Interval: &[2]float64{0.97866, 0.98405}, N: 10_000, Clusters: 10_000, NStar: f(10_000),
		P: f(0.0000021), PAdjusted: f(0.0000042), MDE: f(0.0038)}
	s.Gate.Rules[1].State = newel.GateFailed
	s.Gate.Rules[1].Why = "-4.1 points [-5.2, -3.0] where -2 are allowed"
	s.Gate.Rules[1].Broken, s.Gate.Rules[1].Fixed = 48, 7
	s.Gate.Rules[1].Cases = []string{"a-0101", "a-0102"}
	return s
}

// Inconclusive is Complete with a gate that could not tell.
func Inconclusive() *newel.Summary {
	s := Complete()
	s.Gate.State = newel.GateInconclusive
	s.Gate.Rules[0].State = newel.GateInconclusive
	s.Gate.Rules[0].Rule = "arguments at least 98 %"
	s.Gate.Rules[0].Why = "98.2 % [97.9, 98.4]: 98 % lies within"
	return s
}

// Incomplete is a run that was stopped after 6,200 of 10,000 items.
func Incomplete() *newel.Summary {
	s := Complete()
	s.State, s.Digest, s.Gate, s.Agreement, s.Slices = newel.Stopped, "", nil, nil, nil
	s.Times.Sealed = time.Time{}
	s.Ledger = newel.Ledger{Planned: 30_000, Pass: 12_906, Fail: 115, Unjudged: 5_568, Error: 11}
	s.Cases = newel.Ledger{Planned: 10_000, Pass: 566, Fail: 115, Unjudged: 5_508, Error: 11}
	s.Rubrics[0].Ledger = newel.Ledger{Planned: 10_000, Pass: 6_085, Fail: 115}
	s.Rubrics[1].Ledger = newel.Ledger{Planned: 10_000, Pass: 621, Unjudged: 5_568, Error: 11}
	s.Rubrics[2].Ledger = newel.Ledger{Planned: 10_000, Pass: 6_200}
	s.Warnings = []string{"the budget of $5.00 was spent; resume with --budget to go on"}
	return s
}

// UnknownCost is Complete with calls whose price nobody told.
func UnknownCost() *newel.Summary {
	s := Complete()
	s.Cost.UnknownCalls = 3
	s.Warnings = []string{"3 calls have no known cost: gpt-5-nano is not in the price table and the gateway sent none"}
	return s
}

// Free is a run without any paid call and without a gate.
func Free() *newel.Summary {
	s := Complete()
	s.Cost, s.Gate = newel.Cost{}, nil
	return s
}

// ManySlices is Complete with 60 slices, the lowest rate last.
func ManySlices() *newel.Summary {
	s := Complete()
	langs := make([]string, 60)
	for i := range langs {
		langs[i] = fmt.Sprintf("lang-%02d", i)
	}
	s.Slices = slices(langs...)
	return s
}

// Empty is a sealed run of a suite that selected no case.
func Empty() *newel.Summary {
	return &newel.Summary{Run: "r-empty", Suite: newel.SuiteRef{Name: "refunds", Digest: digest("a1")},
		Plan: newel.PlanRef{Digest: digest("b2"), Rubrics: 1, Trials: 1}, Digest: digest("d4"), Runner: "local", State: newel.Sealed,
		Rubrics: []newel.RubricSummary{{Name: "arguments", Confidence: 0.95}},
		Gate: &newel.GateSummary{State: newel.GateInvalid, Rules: []newel.GateRule{
			{Rule: "arguments at least 99 %", Rubric: "arguments", State: newel.GateInvalid, Why: "no rows"}}},
		Times: times()}
}

// Small is a run of eight cases whose rows Rows gives in full.
func Small() *newel.Summary {
	s := Complete()
	s.Run, s.Plan.Items, s.Plan.Cases, s.Plan.Rubrics = "r-small", 8, 8, 2
	s.Rubrics = []newel.RubricSummary{arguments(), grounded()}
	s.Rubrics[0].Ledger = newel.Ledger{Planned: 8, Pass: 5, Fail: 3}
	s.Rubrics[1].Ledger = newel.Ledger{Planned: 8, Pass: 3, Fail: 1, Unjudged: 3, Error: 1}
	s.Ledger = newel.Ledger{Planned: 16, Pass: 8, Fail: 4, Unjudged: 3, Error: 1}
	s.Cases = newel.Ledger{Planned: 8, Pass: 3, Fail: 4, Error: 1}
	return s
}

// SmallIncomplete is Small without the rows of its last two cases.
func SmallIncomplete() *newel.Summary {
	s := Small()
	s.State, s.Digest, s.Gate = newel.Stopped, "", nil
	s.Rubrics[0].Ledger = newel.Ledger{Planned: 8, Pass: 5, Fail: 1}
	s.Rubrics[1].Ledger = newel.Ledger{Planned: 8, Pass: 3, Fail: 1, Unjudged: 2}
	s.Ledger = newel.Ledger{Planned: 16, Pass: 8, Fail: 2, Unjudged: 2}
	s.Cases = newel.Ledger{Planned: 8, Pass: 3, Fail: 2, Unjudged: 1}
	return s
}

func f(v float64) *float64 { return &v }

// digest is 64 digits that begin with head.
func digest(head string) string { return head + strings.Repeat("0123456789abcdef", 4)[len(head):] }
