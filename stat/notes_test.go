package stat

import (
	"math"
	"testing"
)

// near is a number with the digits that its source prints.
type near struct {
	name      string
	got, want float64
	within    float64
}

func check(t *testing.T, cases []near) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if !(math.Abs(c.got-c.want) <= c.within) {
				t.Errorf("want %v ± %v, got %v", c.want, c.within, c.got)
			}
		})
	}
}

func both(name string, got, want Interval, within float64) []near {
	return []near{{name + ", low", got.Low, want.Low, within}, {name + ", high", got.High, want.High, within}}
}

func TestProportionsMatchThePublishedTables(t *testing.T) {
	t.Parallel()
	cases := []near{
		{"5000 rows at .655", 100 * ProportionSE(.655, 5000), .672, 5e-4},
		{"5000 rows at .630", 100 * ProportionSE(.630, 5000), .683, 5e-4},
		{"164 rows at .836", 100 * ProportionSE(.836, 164), 2.891, 5e-4},
		{"164 rows at .867", 100 * ProportionSE(.867, 164), 2.652, 5e-4},
		{"2500 rows at .753", 100 * ProportionSE(.753, 2500), .863, 5e-4},
		{"2500 rows at .780", 100 * ProportionSE(.780, 2500), .828, 5e-4},
		{"one-sided upper end, none of 30", ClopperPearson(0, 30, .9).High, .09503, 5e-6},
		{"one-sided upper end, none of 59", ClopperPearson(0, 59, .9).High, .04951, 5e-6},
		{"rule of three", RuleOfThree(30), .1, 1e-15},
		{"rule of three never exceeds 1", RuleOfThree(2), 1, 0},
	}
	cases = append(cases, both("Wilson 10/10", Wilson(10, 10, .95), Interval{.7225, 1}, 5e-5)...)
	cases = append(cases, both("Wilson 0/30", Wilson(0, 30, .95), Interval{0, .1135}, 5e-5)...)
	cases = append(cases, both("Wilson 81/263", Wilson(81, 263, .95), Interval{.2553, .3662}, 5e-5)...)
	cases = append(cases, both("Wilson 47/50", Wilson(47, 50, .95), Interval{.8378, .9794}, 5e-5)...)
	cases = append(cases, both("Manski", ManskiBounds(900, 20, 1000), Interval{.9, .92}, 1e-15)...)
	// Newcombe 1998, table II, example (a), method 10.
	cases = append(cases, both("Newcombe 56/70, 48/80", Newcombe(56, 70, 48, 80, .95), Interval{.0524, .3339}, 5e-5)...)
	check(t, cases)
}

func TestStudentQuantilesMatchTheTable(t *testing.T) {
	t.Parallel()
	var cases []near
	for df, want := range map[float64]float64{1: 12.7062, 2: 4.30265, 4: 2.77645, 9: 2.26216,
		10: 2.22814, 30: 2.04227, 1000: 1.96234} {
		cases = append(cases, near{"t", StudentQuantile(.975, df), want, 5e-5},
			near{"t mirrored", StudentQuantile(.025, df), -want, 5e-5},
			near{"round trip", StudentCDF(StudentQuantile(.975, df), df), .975, 1e-14})
	}
	check(t, append(cases, near{"a million degrees", StudentQuantile(.975, 1e6), 1.9599663568141, 3e-12}))
}

func TestMeansOverClusters(t *testing.T) {
	t.Parallel()
	var ladder []Value
	for i := range 20 {
		ladder = append(ladder, Value{Value: float64(i), Cluster: int32(i % 4)})
	}
	glide := NewMean([]Value{{5, 0, 2}, {7, 1, 2}})
	differences := NewMean([]Value{{2, Alone, 1}, {0, Alone, 1}})
	statistic, p := differences.Test(0)
	one := NewMean([]Value{{1, 3, 1}, {2, 3, 1}})
	check(t, []near{
		{"20 values in 4 clusters", NewMean(ladder).SE, .645497, 5e-7},
		{"the same without C/(C−1)", NewMean(ladder).SE * math.Sqrt(.75), .559017, 5e-7},
		{"two pairs, mean", glide.Point, 6, 0},
		{"two pairs, normal low end", glide.Point + NormalQuantile(.025)*glide.SE, 4.040, 5e-4},
		{"two pairs, normal high end", glide.Point - NormalQuantile(.025)*glide.SE, 7.960, 5e-4},
		{"paired t", statistic, 1, 1e-15},
		{"paired t, df", differences.DF(), 1, 0},
		{"paired t, p", p, .5, 1e-12},
		{"design effect", DesignEffect(50, .04), 2.96, 1e-12},
		{"effective rows", 10000 / DesignEffect(50, .04), 3378, .5},
	})
	if got := one.Interval(.05); !math.IsInf(got.Low, -1) || !math.IsInf(got.High, 1) {
		t.Errorf("one cluster: want no interval, got %v", got)
	}
}

func TestPairsMatchTheNotes(t *testing.T) {
	t.Parallel()
	cases := []near{{"corrected χ² of 121 and 59", McNemarCorrected(121, 59), 20.672, 5e-4},
		{"corrected χ² of 30 and 14", McNemarCorrected(30, 14), 5.1136, 5e-5},
		{"corrected χ² of nothing", McNemarCorrected(0, 0), 0, 0}}
	for _, v := range []struct{ b, c, one, two float64 }{{5, 0, .03125, .0625}, {4, 0, .0625, .125},
		{9, 2, .032715, .065430}, {10, 3, .046143, .092285}, {15, 5, .020695, .041389},
		{30, 14, .011314, .022629}, {0, 0, 1, 1}} {
		one, two := McNemar(v.b, v.c)
		cases = append(cases, near{"one-sided", one, v.one, 5e-7}, near{"two-sided", two, v.two, 6e-7})
	}
	for _, v := range []struct {
		d         Discordant
		low, high float64
	}{{Discordant{12, 5, 200}, -.0074, .0767}, {Discordant{3, 2, 500}, -.0083, .0123},
		{Discordant{40, 10, 500}, .0321, .0874}, {Discordant{0, 0, 50}, -.0533, .0533}} {
		// The notes print the damage, which is the difference with its sign turned.
		got := v.d.BonettPrice(.95)
		cases = append(cases, both("Bonett–Price", Interval{-got.High, -got.Low}, Interval{v.low, v.high}, 5e-5)...)
	}
	check(t, cases)
}

func TestPlansMatchTheNotes(t *testing.T) {
	t.Parallel()
	trials := func(k int) float64 { return Power{Between: 1. / 12, NoiseA: 1. / 6, RepeatsA: k}.Variance() }
	check(t, []near{
		{"969 cases see 3 points", Power{Between: 1. / 9}.Cases(.03, .05, .8), 968.997, 5e-4},
		{"one repeat", trials(1), .25, 1e-12},
		{"two repeats", trials(2), .1667, 5e-5},
		{"four repeats", trials(4), .125, 1e-12},
		{"a share of judge calls", JudgeShare(1, 100, .01, .05), math.Sqrt(.01 * .01 / .04), 1e-15},
		{"a weak score that is worth nothing", JudgeShare(1, 100, .0496, .05), 1, 0},
		{"clusters for a rate of 0", float64(ClustersForRate(0, .05)), 0, 0},
		{"clusters for a rate of 1", float64(ClustersForRate(1, .05)), math.MaxInt64, 0},
	})
	got := Neyman([]int64{8000, 1500, 500}, []float64{.1, .4, .5}, 330)
	if want := [3]int64{160, 120, 50}; [3]int64(got) != want {
		t.Errorf("Neyman: want %v, got %v", want, got)
	}
	if got := Neyman([]int64{100, 1}, []float64{0, 0}, 10); got[0]+got[1] == 0 || got[1] > 1 {
		t.Errorf("Neyman without spread: want at least two of the first and at most one of the second, got %v", got)
	}
}

func TestJudgeHealthMatchesThePaper(t *testing.T) {
	t.Parallel()
	got := JudgeHealth{Passed: 400, Rows: 1000, Specificity: .7, Sensitivity: .9, BadLabels: 200, GoodLabels: 200}.Corrected(.95)
	good, bad := SplitLabels(200, .4, .7, .9, 10)
	check(t, append(both("interval", got.Interval, Interval{.0564, .2627}, 5e-5),
		near{"point", got.Point, .1667, 5e-5}, near{"adjusted", got.Adjusted, .165644, 5e-7},
		near{"shift", got.Shift, -.006102, 5e-7}, near{"se", got.SE, .052650, 5e-7},
		near{"good labels", float64(good), 64, 0}, near{"bad labels", float64(bad), 136, 0}))
	if useless := (JudgeHealth{5, 10, .5, .5, 10, 10}).Corrected(.95); !math.IsNaN(useless.Point) || useless.Interval != (Interval{0, 1}) {
		t.Errorf("a judge no better than chance: want NaN in [0,1], got %v", useless)
	}
}

func TestKrippendorffMatchesInspect(t *testing.T) {
	t.Parallel()
	check(t, []near{
		{"always opposite", Krippendorff([][]float64{{0, 1}, {0, 1}, {1, 0}, {1, 0}}, Nominal), -.75, 1e-12},
		{"one rater of three strays once", Krippendorff([][]float64{{1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {0, 0, 1}}, Nominal), 1 - 132./420, 1e-12},
		{"units of different size", Krippendorff([][]float64{{1, 1, 0}, {0, 0}}, Nominal), 1. / 3, 1e-12},
		{"interval scale", Krippendorff([][]float64{{1, 2}, {3, 4}, {1, 1}}, Squared), 19. / 24, 1e-12},
		{"a lone rating does not count", Krippendorff([][]float64{{1, 2}, {3, 4}, {1, 1}, {9}}, Squared), 19. / 24, 1e-12},
		{"all equal", Krippendorff([][]float64{{1, 1}, {1, 1}}, Nominal), 1, 0},
	})
	if got := Krippendorff([][]float64{{1}}, Nominal); !math.IsNaN(got) {
		t.Errorf("no pairs: want NaN, got %v", got)
	}
}
