package stat

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func rowsOf(passed, failed, missing, undrawn int32) []Row {
	var t Tally
	for mark, n := range map[Mark]int32{Pass: passed, Fail: failed, Missing: missing, Undrawn: undrawn} {
		if n > 0 {
			t.Add(Row{Pred: math.NaN(), Cluster: Alone, Times: n, Mark: mark})
		}
	}
	return t.Rows()
}

func TestRulesDecide(t *testing.T) {
	t.Parallel()
	estimate := RateRule{Min: .9, Read: ReadEstimate}
	pair := func(candidate, baseline Mark, n int32) Pair {
		return Pair{Side{math.NaN(), 0, candidate}, Side{math.NaN(), 0, baseline}, Alone, n, false}
	}
	mean := func(read Read, values ...float64) State {
		var rows []Value
		for _, v := range values {
			rows = append(rows, Value{Value: v, Cluster: Alone})
		}
		return MeanRule{Min: .7, Read: read}.Decide(rows).State
	}
	fails := func(k int64, rows []Row) State {
		rule := FailsRule{k}
		return rule.Decide(rule.Count(rows))
	}
	paired := PairedRule{Margin: .02}
	for _, c := range []struct {
		name string
		got  State
		want State
	}{
		{"an estimate at the bar passes", estimate.Decide(rowsOf(9, 1, 0, 0)).State, Passed},
		{"an estimate under the bar fails", estimate.Decide(rowsOf(8, 2, 0, 0)).State, Failed},
		{"a missing row that decides leaves an estimate open", estimate.Decide(rowsOf(9, 0, 1, 0)).State, Passed},
		{"two missing rows that decide leave an estimate open", estimate.Decide(rowsOf(8, 0, 2, 0)).State, Inconclusive},
		{"an estimate without rows is invalid", estimate.Decide(nil).State, Invalid},
		{"a suite's rate under the bar fails", RateRule{Min: .9, Of: Suite}.Decide(rowsOf(8, 2, 0, 0)).State, Failed},
		{"no fails allowed, none seen", fails(0, rowsOf(5, 0, 0, 0)), Passed},
		{"no fails allowed, one missing", fails(0, rowsOf(5, 0, 1, 0)), Inconclusive},
		{"no fails allowed, one left out by the draw", fails(0, rowsOf(5, 0, 0, 1)), Inconclusive},
		{"no fails allowed, one seen", fails(0, rowsOf(5, 1, 0, 0)), Failed},
		{"one fail allowed, one seen", fails(1, rowsOf(5, 1, 0, 0)), Passed},
		{"errors at the allowance", ErrorsRule{.01}.Decide(1, 100), Passed},
		{"errors above the allowance", ErrorsRule{.01}.Decide(2, 100), Invalid},
		{"errors of nothing", ErrorsRule{.01}.Decide(0, 0), Invalid},
		{"cost at the bar", CostRule{5}.Decide(3, 2), Passed},
		{"known cost above the bar", CostRule{5}.Decide(6, 0), Failed},
		{"a worst price that overflows", CostRule{5}.Decide(1, math.MaxInt64), Inconclusive},
		{"a mean well above", mean(ReadInterval, .9, .91, .92, .93), Passed},
		{"a mean well below", mean(ReadInterval, .1, .11, .12, .13), Failed},
		{"a mean around the bar", mean(ReadInterval, .2, .9, .8, .7), Inconclusive},
		{"one value has no interval", mean(ReadInterval, .9), Inconclusive},
		{"one value has an estimate", mean(ReadEstimate, .9), Passed},
		{"values that are not numbers are no values", mean(ReadInterval, math.NaN(), math.Inf(1)), Invalid},
		{"equal values below", mean(ReadInterval, .5, .5), Failed},
		{"no pairs", paired.Decide(nil, 0).State, Invalid},
		{"79 % of the rows paired", paired.Decide([]Pair{pair(Pass, Pass, 790)}, 1000).State, Invalid},
		{"80 % of the rows paired", paired.Decide([]Pair{pair(Pass, Pass, 800)}, 1000).State, Passed},
		{"a paired estimate", PairedRule{Margin: .02, Read: ReadEstimate}.Decide([]Pair{pair(Pass, Pass, 49), pair(Fail, Pass, 1)}, 0).State, Passed},
		{"a paired estimate beyond the margin", PairedRule{Margin: .02, Read: ReadEstimate}.Decide([]Pair{pair(Pass, Pass, 48), pair(Fail, Pass, 2)}, 0).State, Failed},
		{"a paired estimate with a deciding gap", PairedRule{Margin: .02, Read: ReadEstimate}.Decide([]Pair{pair(Pass, Pass, 48), pair(Missing, Pass, 2)}, 0).State, Inconclusive},
		{"a change without a verdict in one run", paired.Decide([]Pair{pair(Undrawn, Pass, 500)}, 0).State, Inconclusive},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.got != c.want {
				t.Errorf("want %s, got %s", c.want, c.got)
			}
		})
	}
}

func TestARateOfOneNeverHoldsOfAPopulation(t *testing.T) {
	t.Parallel()
	if err := (RateRule{Min: 1}).Check(); !errors.Is(err, ErrNeverHolds) {
		t.Errorf("population: want %v, got %v", ErrNeverHolds, err)
	}
	for _, r := range []RateRule{{Min: 1, Of: Suite}, {Min: .99}, {Min: 1, Read: ReadEstimate}} {
		if err := r.Check(); err != nil {
			t.Errorf("%+v: want no error, got %v", r, err)
		}
	}
}

func TestGateListensToAlarmsAndAdvice(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, c := range []struct {
		name  string
		rules []Rule
		want  State
	}{
		{"no rules", nil, Passed},
		{"an alarm spoils a pass", []Rule{{State: Passed, PFailed: .9, Alpha: .05, Alarm: true}}, Inconclusive},
		{"an alarm spares a fail", []Rule{{State: Failed, PFailed: .001, Alpha: .05, Alarm: true}}, Failed},
		{"a fail without a test stands", []Rule{{State: Failed, PFailed: nan, Alpha: .05}}, Failed},
		{"advice to fail is only printed", []Rule{{State: Failed, PFailed: .001, Alpha: .05, Advisory: true}, {State: Passed, PFailed: .9, Alpha: .05}}, Passed},
		{"advice that is invalid counts", []Rule{{State: Invalid, PFailed: nan, Advisory: true}}, Invalid},
		{"looks share alpha", []Rule{{State: Failed, PFailed: .01, Alpha: Level{Looks: 5}.Alpha()}}, Inconclusive},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Gate(c.rules).State; got != c.want {
				t.Errorf("want %s, got %s", c.want, got)
			}
		})
	}
}

func TestAnAuditAlarmsWhenSurelyWrong(t *testing.T) {
	t.Parallel()
	if got := AuditStratum(10, 75, .02, 1); got.State != Alarm {
		t.Errorf("10 wrong of 75: want %s, got %+v", Alarm, got)
	}
}

// scattered are rows of a sampled run with clusters, in plan order.
func scattered(seed uint64, n int) []Row {
	r := rand.New(rand.NewPCG(seed, 1))
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = Row{Pred: float64(r.IntN(8)) / 8, Cluster: int32(r.IntN(n/4)) - 1, Stratum: uint16(r.IntN(3)), Mark: Mark(r.IntN(4))}
		if rows[i].Stratum == 0 {
			rows[i].Mark = max(rows[i].Mark, Missing)
		}
	}
	return rows
}

func TestEqualRowsMayBeGivenAtOnce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		rows := scattered(seed, 200)
		var tally Tally
		var repeated []Row
		for _, r := range rows {
			repeated = append(repeated, r, r, r)
			r.Times = 3
			tally.Add(r)
		}
		for _, rule := range []RateRule{{Min: .5}, {Min: .5, Of: Suite}} {
			want, got := rule.Decide(repeated), rule.Decide(tally.Rows())
			if math.Abs(want.Interval.Low-got.Interval.Low)+math.Abs(want.Interval.High-got.Interval.High) > 1e-12 ||
				want.Rows != got.Rows || want.Clusters != got.Clusters || want.Missing != got.Missing {
				t.Errorf("seed %d, %+v: repeated %+v, counted %+v", seed, rule, want, got)
			}
		}
	}
}

func TestOrderAndNamesOfClustersDoNotMatter(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		rows := scattered(seed, 200)
		turned := slices.Clone(rows)
		slices.Reverse(turned)
		for i := range turned {
			if turned[i].Cluster >= 0 {
				turned[i].Cluster = 1000 - turned[i].Cluster
			}
		}
		want, got := RateRule{Min: .5}.Decide(rows), RateRule{Min: .5}.Decide(turned)
		if math.Abs(want.Interval.Low-got.Interval.Low)+math.Abs(want.Interval.High-got.Interval.High) > 1e-12 {
			t.Errorf("seed %d: want %+v, got %+v", seed, want, got)
		}
	}
}

func TestAnIntervalHoldsItsPointAndStaysInRange(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		rows := scattered(seed, 12+int(seed))
		for _, rule := range []RateRule{{Min: .5}, {Min: .5, Of: Suite}, {Min: .5, Level: Level{Looks: 9}}} {
			got := rule.Decide(rows)
			i, b := got.Interval, got.Bounds
			if !(0 <= i.Low && i.Low <= b.Low && b.Low <= b.High && b.High <= i.High && i.High <= 1) {
				t.Errorf("seed %d: %+v is not 0 ≤ low ≤ bounds ≤ high ≤ 1", seed, got)
			}
			if got.PFailed < 0 || got.PFailed > 1 {
				t.Errorf("seed %d: p %v", seed, got.PFailed)
			}
		}
	}
}

func TestADifferenceTurnsWithItsRuns(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		var pairs, turned []Pair
		rows, others := scattered(seed, 100), scattered(seed+1000, 100)
		for i, r := range rows {
			o := others[i]
			p := Pair{Side{r.Pred, r.Stratum, r.Mark}, Side{o.Pred, o.Stratum, o.Mark}, r.Cluster, 1 + int32(i%2), i%3 == 0}
			pairs = append(pairs, p)
			p.Candidate, p.Baseline = p.Baseline, p.Candidate
			turned = append(turned, p)
		}
		rule := PairedRule{Margin: .05}
		got, back := rule.Decide(pairs, 0), rule.Decide(turned, 0)
		if math.Abs(got.Interval.Low+back.Interval.High)+math.Abs(got.Interval.High+back.Interval.Low) > 1e-9 {
			t.Errorf("seed %d: %+v turned is %+v", seed, got.Interval, back.Interval)
		}
		if i, b := got.Interval, got.Bounds; !(-1 <= i.Low && i.Low <= b.Low && b.High <= i.High && i.High <= 1) {
			t.Errorf("seed %d: %+v is not −1 ≤ low ≤ bounds ≤ high ≤ 1", seed, got)
		}
	}
}

func TestATallyOfAMillionPlainRowsIsAHandful(t *testing.T) {
	t.Parallel()
	var rows Tally
	var pairs PairTally
	for i := range 1_000_000 {
		mark := Mark(i % 4)
		rows.Add(Row{Pred: math.NaN(), Cluster: Alone, Stratum: uint16(i % 3), Mark: mark})
		pairs.Add(Pair{Candidate: Side{math.NaN(), 0, mark}, Baseline: Side{math.NaN(), 0, Pass}, Cluster: Alone})
	}
	if len(rows.Rows()) != 12 || len(pairs.Pairs()) != 4 {
		t.Errorf("want 12 rows and 4 pairs, got %d and %d", len(rows.Rows()), len(pairs.Pairs()))
	}
	if got := (RateRule{Min: .5}).Decide(rows.Rows()).Rows; got != 1_000_000 {
		t.Errorf("want a million rows, got %d", got)
	}
}

func TestAgreementCountsUnparsedBothWays(t *testing.T) {
	t.Parallel()
	table := Table{Counts: [][]int64{{40, 10}, {5, 45}}, Unparsed: []int64{10, 0}}
	without, with := table.Agreement(0, false), table.Agreement(0, true)
	three := Table{Counts: [][]int64{{2, 0, 0}, {1, 1, 0}, {0, 0, 0}}}
	check(t, []near{
		{"accuracy without", without.Accuracy, .85, 1e-12}, {"accuracy with", with.Accuracy, 85. / 110, 1e-12},
		{"precision without", without.Precision, 40. / 45, 1e-12}, {"precision with", with.Precision, 40. / 45, 1e-12},
		{"recall without", without.Recall, .8, 1e-12}, {"recall with", with.Recall, 40. / 60, 1e-12},
		{"F1 without", without.F1, 80. / 95, 1e-12}, {"F1 with", with.F1, 80. / 105, 1e-12},
		{"kappa without", without.Kappa, .7, 1e-12},
		{"kappa with", with.Kappa, (85./110 - (60*45.+50*55)/12100) / (1 - (60*45.+50*55)/12100), 1e-12},
		{"macro precision leaves out a class nobody named", three.Macro(false).Precision, (2./3 + 1) / 2, 1e-12},
		{"macro recall", three.Macro(false).Recall, .75, 1e-12},
		{"macro F1", three.Macro(false).F1, (.8 + 2./3) / 2, 1e-12},
		// Cohen 1960 as retold everywhere: 20, 5, 10, 15 gives .4.
		{"kappa of 50 proposals", Table{Counts: [][]int64{{20, 5}, {10, 15}}}.Agreement(0, false).Kappa, .4, 1e-12},
	})
	if got := (Table{}).Macro(true); got.N != 0 || !math.IsNaN(got.Accuracy) {
		t.Errorf("no rows: want NaN, got %+v", got)
	}
	if got := (Table{Counts: [][]int64{{5}}}).Agreement(0, true).Kappa; !math.IsNaN(got) {
		t.Errorf("one class only: want kappa NaN, got %v", got)
	}
}

func TestPercentiles(t *testing.T) {
	t.Parallel()
	values := []float64{4, 1, math.NaN(), 3, 2}
	check(t, []near{
		{"p50 between two", Percentile(values, .5), 2.5, 0},
		{"p95", Percentile(values, .95), 3.85, 1e-12},
		{"p0", Percentile(values, 0), 1, 0}, {"p100", Percentile(values, 1), 4, 0},
		{"of one", Percentile([]float64{7}, .3), 7, 0},
	})
	if values[0] != 4 || !math.IsNaN(Percentile(nil, .5)) {
		t.Error("want the input left alone, and NaN of nothing")
	}
}

func TestFixedSequenceStopsAtTheFirstThatDoesNotHold(t *testing.T) {
	t.Parallel()
	// 0 of 59 certifies 5 % with 95 %; 0 of 58 does not.
	steps := []Step{{59, 0}, {200, 3}, {300, 30}, {5000, 0}}
	if got := FixedSequence(steps, .05, .05); got != 2 {
		t.Errorf("want 2, got %d", got)
	}
	if got := FixedSequence([]Step{{58, 0}}, .05, .05); got != 0 {
		t.Errorf("want 0, got %d", got)
	}
}

func TestHolmLeavesOutWhatHasNoTest(t *testing.T) {
	t.Parallel()
	got := fmt.Sprint(Holm([]float64{math.NaN(), .02, .03}), BenjaminiHochberg([]float64{math.NaN()}))
	if want := "[NaN 0.04 0.04] [NaN]"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

func TestQuantilesNeverPanicAndInvert(t *testing.T) {
	t.Parallel()
	for _, a := range []float64{0, 1e-3, .5, 1, 17.25, 368, 1e5, 1e6} {
		for _, b := range []float64{0, 1e-3, .5, 1, 17.25, 368, 1e5, 1e6} {
			for _, p := range []float64{0, 1e-9, .0125, .025, .5, .975, 1} {
				x := BetaQuantile(p, a, b)
				if !(x >= 0 && x <= 1) {
					t.Errorf("quantile %v of (%v,%v): %v", p, a, b, x)
				}
				// Where x sits at an end of [0,1] neighbouring floats are too coarse to come back.
				if back := BetaCDF(x, a, b); a > .1 && b > .1 && p > 0 && p < 1 && x < 1-1e-6 && math.Abs(back-p) > 1e-8 {
					t.Errorf("quantile %v of (%v,%v): %v goes back to %v", p, a, b, x, back)
				}
			}
		}
	}
	nan := math.NaN()
	for _, x := range []float64{BetaQuantile(nan, 1, 1), BetaQuantile(.5, -1, 1), BetaCDF(nan, 1, 1), StudentQuantile(.5, nan), StudentCDF(nan, 1), StudentCDF(1, 0)} {
		if !math.IsNaN(x) {
			t.Errorf("outside its domain: want NaN, got %v", x)
		}
	}
}

func TestSequence(t *testing.T) {
	t.Parallel()
	s := Sequence{Delta: .025, Tight: 25}
	check(t, []near{
		{"at 100", s.Interval(.5, 100, 25).High - .5, 0.15206782560246337, 1e-12},
		{"at 400", .5 - s.Interval(.5, 400, 100).Low, 0.07824956305876334, 1e-12},
	})
	if got := s.Interval(0, 0, 0); !math.IsInf(got.High, 1) {
		t.Errorf("before the first value: want the whole line, got %v", got)
	}
}

func TestASequenceSurvivesPeeking(t *testing.T) {
	t.Parallel()
	const series, looks, delta = 2000, 400, .025
	r := rand.New(rand.NewPCG(20240601, 7))
	s := Sequence{Delta: delta, Tight: looks / 4 * .25}
	crossed := 0
	for range series {
		sum, over := 0.0, false
		for look := 1; look <= looks; look++ {
			sum += float64(r.IntN(2))
			// Asymptotic: readings start at 30 values.
			over = over || look >= 30 && s.Interval(sum/float64(look), float64(look), float64(look)*.25).Low > .5
		}
		if over {
			crossed++
		}
	}
	// Three standard errors above the nominal error.
	if limit := series*delta + 3*math.Sqrt(series*delta*(1-delta)); float64(crossed) > limit || crossed == 0 {
		t.Errorf("want between 1 and %.0f series of %d above their mean, got %d", limit, series, crossed)
	}
}

func TestTheSameRowsGiveTheSameBits(t *testing.T) {
	t.Parallel()
	rows := scattered(3, 400)
	if a, b := (RateRule{Min: .5}).Decide(rows), (RateRule{Min: .5}).Decide(slices.Clone(rows)); !reflect.DeepEqual(a, b) {
		t.Errorf("first %+v, then %+v", a, b)
	}
}

func BenchmarkRateOfAMillionPlainRows(b *testing.B) {
	for b.Loop() {
		var t Tally
		for i := range 1_000_000 {
			t.Add(Row{Pred: math.NaN(), Cluster: Alone, Mark: Fail + Mark(min(1, i%50))})
		}
		RateRule{Min: .9}.Decide(t.Rows())
	}
}

func BenchmarkRateOfAMillionScoredRowsInClusters(b *testing.B) {
	rows := make([]Row, 1_000_000)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range rows {
		rows[i] = Row{Pred: r.Float64(), Cluster: int32(i / 10), Stratum: 1}
		if r.IntN(10) == 0 {
			rows[i].Mark = Fail + Mark(r.IntN(2))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		RateRule{Min: .9}.Decide(rows)
	}
}
