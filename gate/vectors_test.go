package gate_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"newel"
	"newel/gate"
	"newel/stat"
)

// vector is one entry of the numbers that package stat is held to. Here they
// go the whole way: as rows of a run, through a collector.
type vector struct {
	Name, Fn string
	In       struct {
		Rows                          [][]any
		Confidence, Min, Margin, B, C float64
		N                             float64
		Looks                         int
		Of                            string
	}
	Out struct {
		State    newel.GateState
		PFailed  *float64 `json:"p_failed"`
		Point    *float64
		Delta    *float64
		Interval *[2]float64
		Bounds   *[2]float64
		NStar    any
		MDE      *float64
		McNemar  *[2]*float64
	}
}

func vectors(t *testing.T) []vector {
	t.Helper()
	raw, err := os.ReadFile("../stat/testdata/gate-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []json.RawMessage }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	var out []vector
	for _, one := range file.Vectors {
		var head struct{ Fn string }
		if err := json.Unmarshal(one, &head); err != nil {
			t.Fatal(err)
		}
		if head.Fn != "rate_rule" && head.Fn != "paired_rule" && head.Fn != "paired_counts" {
			continue
		}
		var v vector
		if err := json.Unmarshal(one, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// half turns stratum, prediction, drawn and verdict into a result.
func half(f []any) newel.Result {
	stratum, drawn := f[0].(string), f[2].(float64) == 1
	verdict := newel.Failed
	if v, ok := f[3].(float64); ok {
		verdict = newel.Fail
		if v == 1 {
			verdict = newel.Pass
		}
	}
	settled := map[string]newel.Verdict{"pass": newel.Pass, "fail": newel.Fail}[stratum]
	switch {
	case stratum == "floor":
		return fail()
	case settled != newel.Undecided && !drawn:
		return newel.Result{Verdict: settled, Layer: newel.Classifier}
	case settled != newel.Undecided && verdict == newel.Failed:
		return newel.Result{Verdict: verdict, Audit: &newel.Audit{Layer: newel.Classifier, Verdict: settled}}
	case settled != newel.Undecided:
		return audited(settled, verdict)
	}
	res := newel.Result{Verdict: verdict, Layer: newel.Judge}
	if !drawn {
		res.Verdict, res.Layer, res.Reason = newel.Unjudged, newel.NoLayer, newel.Undrawn
	} else if verdict == newel.Failed {
		res.Layer = newel.NoLayer
	}
	if f, ok := f[1].(float64); ok {
		v, _ := newel.ValueOf(f)
		res.Scores = []newel.Score{{Scorer: "linear", Layer: newel.Classifier, Value: v, HasValue: true}}
	}
	return res
}

// vectorRuns turns rows into a candidate and, for pairs, a baseline.
func vectorRuns(v *vector) (candidate, baseline *run) {
	rubric := "r"
	for _, r := range v.In.Rows {
		if r[2] != "known" && r[len(r)-4] != "known" {
			rubric = "r?"
		}
	}
	candidate, baseline = newRun(rubric), newRun(rubric)
	for _, r := range v.In.Rows {
		for range int(r[0].(float64)) {
			id := fmt.Sprintf("c%d", len(candidate.items))
			cluster, _ := r[1].(string)
			cluster = strings.TrimPrefix(cluster, "*")
			if v.Fn == "rate_rule" {
				candidate.add(id, half(r[2:])).Cluster = cluster
				continue
			}
			candidate.add(id, half(r[3:7])).Cluster = cluster
			before := baseline.add(id, half(r[7:]))
			if r[2].(float64) == 0 {
				before.Scored = newel.HashOf([]byte("another output of " + id))
			}
		}
	}
	if v.Fn == "rate_rule" {
		baseline = nil
	}
	return candidate, baseline
}

// counted turns counts of pairs into runs.
func countedRuns(v *vector) (candidate, baseline *run) {
	candidate, baseline = newRun("r"), newRun("r")
	both := func(n float64, now, before newel.Result) {
		candidate.many(int(n), now)
		baseline.many(int(n), before)
	}
	both(v.In.N-v.In.B-v.In.C, pass(), pass())
	both(v.In.B, fail(), pass())
	both(v.In.C, pass(), fail())
	return candidate, baseline
}

func (v *vector) rule() gate.Rule {
	r := gate.Rule{Kind: gate.MinRate, Rubric: "r", Min: v.In.Min, Margin: v.In.Margin,
		Level: stat.Level{Confidence: v.In.Confidence, Looks: v.In.Looks}}
	if v.Fn != "rate_rule" {
		r.Kind = gate.NoWorse
	}
	if v.In.Of == "suite" {
		r.Of = stat.Suite
	}
	return r
}

func TestTheNumbersOfTheVectorsComeOutOfWholeRuns(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, v := range vectors(t) {
		if v.Name == "residual not drawn at all" {
			continue // its known passes stand under a judge, which no ladder does
		}
		tried++
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			candidate, baseline := vectorRuns(&v)
			if v.Fn == "paired_counts" {
				candidate, baseline = countedRuns(&v)
			}
			rules := []gate.Rule{v.rule(), {Kind: gate.MaxErrors, Errors: 1}}
			if len(candidate.items) == 0 {
				rules = rules[:1]
			}
			// The audits of the vectors are no subject here.
			opt := gate.Options{Allowance: func(string, newel.Layer, newel.Verdict) float64 { return 1 }}
			checkVector(t, &v, collect(t, rules, candidate, baseline, opt).Finish().Rules[0])
		})
	}
	if tried != 45 {
		t.Errorf("want 45 vectors, got %d", tried)
	}
}

func checkVector(t *testing.T, v *vector, got newel.GateRule) {
	t.Helper()
	if got.State != v.Out.State {
		t.Errorf("state: want %s, got %s: %s", v.Out.State, got.State, got.Why)
	}
	if got.State == newel.GateInvalid {
		return
	}
	near := func(what string, want, got *float64) {
		t.Helper()
		if want == nil {
			return
		}
		if got == nil || math.Abs(*want-*got) > 1e-9*max(1, math.Abs(*want)) {
			t.Errorf("%s: want %v, got %v", what, *want, got)
		}
	}
	point := v.Out.Point
	if v.Fn != "rate_rule" {
		point = v.Out.Delta
	}
	near("point", point, got.Point)
	near("p", v.Out.PFailed, got.P)
	near("mde", v.Out.MDE, got.MDE)
	for i := range 2 {
		near("interval", &v.Out.Interval[i], &got.Interval[i])
		if v.Out.Bounds != nil && v.Out.Bounds[0] != v.Out.Bounds[1] {
			near("bounds", &v.Out.Bounds[i], &got.Bounds[i])
		}
		if v.Out.McNemar != nil && v.Out.McNemar[i] != nil {
			near("McNemar", v.Out.McNemar[i], &got.McNemar[i])
		}
	}
	if list, ok := v.Out.NStar.([]any); ok {
		if low, ok := list[0].(float64); ok {
			near("n*", &low, got.NStar)
		}
	}
}
