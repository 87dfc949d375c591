package gate

import (
	"math"

	"newel"
	"newel/stat"
)

// rateWords says what a rate is and what that means.
func rateWords(r Rule, got stat.Rate) words {
	w := words{found: rateText(got.Point, got.Interval, r.Min) + " of " + counted(got.Rows, "row", "rows")}
	if got.Clusters != got.Rows {
		w.found += " in " + counted(got.Clusters, "cluster", "clusters")
	}
	if open := got.Rows - got.Decided - got.Missing; open > 0 {
		w.found += ", " + count(got.Decided) + " of them judged"
	}
	if got.Missing > 0 {
		w.found += ", " + count(got.Missing) + " missing"
	}
	bar := percent(r.Min) + " %"
	if r.Read == stat.ReadEstimate {
		w.passed = "the estimate reaches " + bar
		w.failed = "the estimate misses " + bar + " by " + points(r.Min-got.Bounds.High)
		w.unsure = "the missing rows decide whether it reaches " + bar
		return w
	}
	w.passed = "the lower end reaches " + bar
	w.failed = "the upper end misses " + bar + " by " + points(r.Min-got.Interval.High)
	w.unsure = "needs " + bar + ", which the interval holds; could have seen " + points(got.MDE)
	switch need := stat.ClustersForRate(r.Min, r.Level.Alpha()); {
	case r.Of == stat.Suite:
		w.unsure = "needs " + bar + ", which the interval holds"
	case got.EffectiveClusters < 2:
		w.unsure = "needs " + bar + "; fewer than two clusters show nothing"
	case got.Clusters < need:
		w.unsure = "needs " + bar + ", which takes " + needed(need, got.Clusters != got.Rows, "rows") + " even if all pass"
	}
	return w
}

// costWords says what a run cost, what is not known of that, and what is allowed.
func costWords(r Rule, bill Cost) string {
	known := besideBar(bill.Known, bill.Known.Dollars(), r.USD)
	if bill.Unknown > 0 || bill.Worst > 0 || bill.Open {
		known = besideBar(bill.Known, bill.Known.AtLeast(), r.USD) + " known"
	}
	if bill.Unknown > 0 {
		known += ", " + counted(int64(bill.Unknown), "call", "calls") + " of unknown cost"
	}
	switch more := bill.Worst.AtMost(); {
	case bill.Open && bill.Worst == 0:
		known += ", without a price that would bound it"
	case bill.Open:
		known += ", at most " + more + " more where a price is known, without a bound for the rest"
	case bill.Worst > 0:
		known += ", at most " + more + " more"
	}
	return known + "; allowed " + besideBar(r.USD, r.USD.Dollars(), bill.Known)
}

// besideBar is an amount as shown, or in full where it would look like another one
// that it is not.
func besideBar(m newel.Money, shown string, other newel.Money) string {
	if m != other && shown == other.Dollars() {
		return "$" + m.String()
	}
	return shown
}

// points returns a share as points of percent, never as zero.
func points(share float64) string {
	share = max(0, share)
	d := decimals(1, []float64{100 * share}, []float64{0})
	return fixed(100*share, d) + " points"
}

// pairWords says what a difference is and what that means.
func pairWords(r Rule, got stat.Difference) words {
	w := words{found: rangeText(got.Delta, got.Interval, -r.Margin, true) + " over " + counted(got.Pairs, "pair", "pairs")}
	if got.Clusters != got.Pairs {
		w.found += " in " + counted(got.Clusters, "cluster", "clusters")
	}
	w.found += ", " + count(got.B) + " broken, " + count(got.C) + " fixed"
	margin := plain(r.Margin)
	if r.Read == stat.ReadEstimate {
		w.passed = "the estimate is no worse than by " + margin
		w.failed = "the estimate is worse by more than " + margin
		w.unsure = "the missing rows decide whether it is worse by more than " + margin
		return w
	}
	w.passed = "not worse by more than " + margin
	if got.Interval.High < 0 {
		w.passed = "worse, but by less than " + margin
	}
	w.failed = "worse by more than " + margin
	w.unsure = "the interval reaches below −" + margin + "; could have seen " + signless(got.MDE)
	known := math.IsNaN(got.Ends[0].SE)
	if need := stat.PairsForMargin(r.Margin, r.Level.Alpha()); known && got.Clusters < need {
		w.unsure = "the interval reaches below −" + margin + "; a margin of " + margin + " takes " + needed(need, got.Clusters != got.Pairs, "pairs") + " even if none differs"
	}
	return w
}

// needed counts what a rule takes, in clusters where rows share them.
func needed(n int64, clustered bool, rows string) string {
	if clustered {
		rows = "clusters"
	}
	return count(n) + " " + rows
}

func signless(f float64) string {
	return fixed(f, decimals(3, []float64{f}, []float64{0}))
}

// meanWords says what a mean is and what that means.
func meanWords(r Rule, got stat.MeanFinding) words {
	bar := plain(r.Min)
	if interval(got.Interval) == nil {
		d := decimals(3, []float64{got.Point}, []float64{r.Min})
		w := words{found: fixed(got.Point, d) + " over " + counted(got.N, "value", "values")}
		w.unsure = "needs " + bar + "; fewer than two clusters show nothing"
		w.passed, w.failed = "the estimate reaches "+bar, "the estimate misses "+bar
		return w
	}
	w := words{found: rangeText(got.Point, got.Interval, r.Min, false) + " over " + counted(got.N, "value", "values")}
	if got.Clusters.Clusters != got.N {
		w.found += " in " + counted(got.Clusters.Clusters, "cluster", "clusters")
	}
	w.passed, w.failed = "the lower end reaches "+bar, "the upper end misses "+bar
	if r.Read == stat.ReadEstimate {
		w.passed, w.failed = "the estimate reaches "+bar, "the estimate misses "+bar
	}
	w.unsure = "needs " + bar + ", which the interval holds"
	if !math.IsNaN(got.MDE) {
		w.unsure += "; could have seen " + signless(got.MDE)
	}
	return w
}
