package stat

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// vector is one entry of testdata/gate-vectors.json, whose head says how rows
// and outputs are written.
type vector struct {
	Name string
	Fn   string
	In   vectorInput
	Out  json.RawMessage
}

type vectorInput struct {
	X, N, B, C, Confidence, Min, Margin, Lower, Upper float64
	Looks                                             int
	Of                                                string
	Rows                                              [][]any
	P                                                 []float64
	Wrong, Errors, Planned                            int64
	Allowance                                         float64
	Strata                                            int
	Known                                             float64
	WorstUnknown                                      float64 `json:"worst_unknown"`
	Max                                               float64
	Rules                                             []struct {
		State    State
		PFailed  *float64 `json:"p_failed"`
		Alpha    float64
		Advisory bool
	}
}

func (in vectorInput) level() Level { return Level{Confidence: in.Confidence, Looks: in.Looks} }

func TestGateVectors(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/gate-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) != 80 {
		t.Fatalf("vectors: want 80, got %d", len(file.Vectors))
	}
	for _, v := range file.Vectors {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			answer, ok := answers[v.Fn]
			if !ok {
				t.Fatalf("no function answers %q", v.Fn)
			}
			var want any
			if err := json.Unmarshal(v.Out, &want); err != nil {
				t.Fatal(err)
			}
			compare(t, v.Fn, want, plain(t, answer(v.In)))
		})
	}
}

// answers is how each function of the vectors is called.
var answers = map[string]func(vectorInput) any{
	"clopper_pearson": func(in vectorInput) any { return ends(ClopperPearson(in.X, in.N, in.Confidence)) },
	"tango":           func(in vectorInput) any { return ends(Discordant{in.B, in.C, in.N}.Tango(in.Confidence)) },
	"bonett_price":    func(in vectorInput) any { return ends(Discordant{in.B, in.C, in.N}.BonettPrice(in.Confidence)) },
	"mcnemar_exact": func(in vectorInput) any {
		one, two := McNemar(in.B, in.C)
		return []any{one, two}
	},
	"rate_rule":     rateAnswer,
	"paired_counts": countsAnswer,
	"paired_rule":   func(in vectorInput) any { return pairedAnswer(in, vectorPairs(in.Rows)) },
	"mde":           func(in vectorInput) any { return MDE(Interval{in.Lower, in.Upper}, in.level().Alpha()) },
	"holm":          func(in vectorInput) any { return Holm(in.P) },
	"benjamini_hochberg": func(in vectorInput) any {
		return BenjaminiHochberg(in.P)
	},
	"audit": func(in vectorInput) any {
		a := AuditStratum(in.Wrong, int64(in.N), in.Allowance, in.Strata)
		return map[string]any{"state": a.State, "lower": a.Interval.Low, "upper": a.Interval.High, "p": a.P}
	},
	"n_min_rate":   func(in vectorInput) any { return ClustersForRate(in.Min, 0.05) },
	"n_min_margin": func(in vectorInput) any { return PairsForMargin(in.Margin, 0.05) },
	"cost_rule": func(in vectorInput) any {
		pico := func(usd float64) int64 { return int64(math.Round(usd * 1e12)) }
		return CostRule{pico(in.Max)}.Decide(pico(in.Known), pico(in.WorstUnknown))
	},
	"errors_rule": func(in vectorInput) any { return ErrorsRule{in.Max}.Decide(in.Errors, in.Planned) },
	"gate":        gateAnswer,
}

func ends(i Interval) []any { return []any{i.Low, i.High} }

// number is a JSON number, or null where there is none.
func number(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return x
}

func rateAnswer(in vectorInput) any {
	rule := RateRule{Min: in.Min, Level: in.level()}
	if in.Of == "suite" {
		rule.Of = Suite
	}
	var tally Tally
	clusters, strata := index{}, index{}
	for _, r := range in.Rows {
		side := vectorSide(r[2:], strata)
		tally.Add(Row{side.Pred, clusters.cluster(r[1]), int32(r[0].(float64)), side.Stratum, side.Mark})
	}
	got := rule.Decide(tally.Rows())
	return map[string]any{"state": got.State, "p_failed": number(got.PFailed), "point": number(got.Point),
		"interval": ends(got.Interval), "bounds": ends(got.Bounds),
		"nstar": []any{number(got.NStar[0]), number(got.NStar[1])}}
}

func countsAnswer(in vectorInput) any {
	pair := func(times float64, candidate, baseline Mark) Pair {
		nan := math.NaN()
		return Pair{Side{nan, 0, candidate}, Side{nan, 0, baseline}, Alone, int32(times), false}
	}
	pairs := []Pair{pair(in.N-in.B-in.C, Pass, Pass)}
	if in.B > 0 {
		pairs = append(pairs, pair(in.B, Fail, Pass))
	}
	if in.C > 0 {
		pairs = append(pairs, pair(in.C, Pass, Fail))
	}
	return pairedAnswer(in, pairs)
}

func pairedAnswer(in vectorInput, pairs []Pair) any {
	got := PairedRule{Margin: in.Margin, Level: in.level()}.Decide(pairs, 0)
	low, high := got.Ends[0], got.Ends[1]
	out := map[string]any{"state": got.State, "delta": number(got.Delta), "interval": ends(got.Interval),
		"p_failed": number(got.PFailed), "mde": got.MDE,
		"mcnemar": []any{number(got.McNemar[0]), number(got.McNemar[1])},
		"nstar":   number(low.NStar), "nstar_L": number(low.NStar), "nstar_U": number(high.NStar),
		"mover_L": number(low.Mover), "mover_U": number(high.Mover),
		"bc_L": []any{low.Counts.B, low.Counts.C}, "bc_U": []any{high.Counts.B, high.Counts.C},
		"se_L": number(low.SE), "se_U": number(high.SE),
		"tango":        ends(low.Counts.Tango(0.95)),
		"bonett_price": ends(low.Counts.BonettPrice(0.95))}
	return out
}

func gateAnswer(in vectorInput) any {
	var rules []Rule
	for _, r := range in.Rules {
		rule := Rule{State: r.State, PFailed: math.NaN(), Alpha: r.Alpha, Advisory: r.Advisory}
		if r.PFailed != nil {
			rule.PFailed = *r.PFailed
		}
		rules = append(rules, rule)
	}
	got := Gate(rules)
	adjusted := []any{}
	for _, p := range got.Adjusted {
		adjusted = append(adjusted, number(p))
	}
	return map[string]any{"p_adjusted": adjusted, "states": got.States, "state": got.State, "exit": got.State.Exit()}
}

// index numbers names in order of appearance.
type index map[string]int

func (x index) of(name string) int {
	if _, ok := x[name]; !ok {
		x[name] = len(x)
	}
	return x[name]
}

func (x index) cluster(name any) int32 {
	if name == "*" {
		return Alone
	}
	return int32(x.of(name.(string)))
}

// vectorSide reads stratum, prediction, drawn and verdict.
func vectorSide(r []any, strata index) Side {
	side := Side{math.NaN(), uint16(strata.of(r[0].(string))), Undrawn}
	if f, ok := r[1].(float64); ok {
		side.Pred = f
	}
	switch verdict, judged := r[3].(float64); {
	case judged && verdict == 1:
		side.Mark = Pass
	case judged:
		side.Mark = Fail
	case r[2].(float64) == 1:
		side.Mark = Missing
	}
	return side
}

func vectorPairs(rows [][]any) []Pair {
	var tally PairTally
	clusters, ours, theirs := index{}, index{}, index{}
	for _, r := range rows {
		tally.Add(Pair{vectorSide(r[3:7], ours), vectorSide(r[7:11], theirs),
			clusters.cluster(r[1]), int32(r[0].(float64)), r[2].(float64) == 1})
	}
	return tally.Pairs()
}

// plain turns an answer into what JSON would read back.
func plain(t *testing.T, v any) any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// compare wants got to hold all of want, numbers to 1e-9 (relative above 1).
func compare(t *testing.T, at string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		for key, v := range want {
			fields, _ := got.(map[string]any)
			compare(t, at+"."+key, v, fields[key])
		}
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			t.Errorf("%s: want %v, got %v", at, want, got)
			return
		}
		for i, v := range want {
			compare(t, at, v, list[i])
		}
	case float64:
		if x, ok := got.(float64); !ok || math.Abs(x-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("%s: want %v, got %v", at, want, got)
		}
	default:
		if want != got {
			t.Errorf("%s: want %v, got %v", at, want, got)
		}
	}
}
