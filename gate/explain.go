package gate

import (
	"math"

	"newel/stat"
)

// Explain says what the rule can show with n rows in so many clusters, for a
// plan to print: above all when it can never pass. Rules by a dimension have
// these numbers for each value.
func (r Rule) Explain(n, clusters int) string {
	rows, groups := int64(max(0, n)), int64(max(0, min(clusters, n)))
	switch {
	case r.statistical() && r.Read == stat.ReadEstimate:
		return "reads the estimate alone: it passes or fails with any number of rows, and promises nothing beyond them"
	case r.Kind == MinRate:
		return r.explainRate(rows, groups)
	case r.Kind == NoWorse:
		return r.explainPairs(rows, groups)
	case r.Kind == MinMean && groups < 2:
		return "a mean needs at least 2 " + noun(rows, groups) + "; this plan has " + count(groups) + ": can never pass"
	case r.Kind == MinMean:
		return "reads the interval of the mean over the rows that have a value, at most " + count(rows)
	case r.Kind == MaxFails:
		return "every one of " + counted(rows, "row", "rows") + " needs a final or judged verdict; " + count(r.Fails) + " may fail"
	case r.Kind == MaxErrors:
		allowed := int64(math.Floor(r.Errors*float64(rows) + 1e-9))
		return count(allowed) + " of " + counted(rows, "row", "rows") + " may be missing"
	case r.Kind == MaxCost:
		return "reads the known cost, and the worst price of what is not known of it"
	}
	return ""
}

// noun is what a rule counts.
func noun(rows, clusters int64) string {
	if rows == clusters {
		return "rows"
	}
	return "clusters"
}

func (r Rule) explainRate(rows, clusters int64) string {
	if r.Of == stat.Suite {
		allowed := int64(math.Floor((1-r.Min)*float64(rows) + 1e-9))
		return "reads exactly these cases: " + count(allowed) + " of " + counted(rows, "row", "rows") + " may fail if all are judged"
	}
	alpha := r.Level.Alpha()
	need := max(2, stat.ClustersForRate(r.Min, alpha))
	what := noun(rows, clusters)
	if clusters < need {
		return "a rate of " + plain(r.Min) + " needs at least " + count(need) + " " + what + ", all of them passing; this plan has " + count(clusters) + ": can never pass"
	}
	low, high := allowedFails(r.Min, clusters, alpha)
	text := "with " + count(clusters) + " " + what + ", if all are judged, passes with up to " + counted(low, "fail", "fails")
	if high <= clusters {
		text += " and fails from " + count(high) + " on"
	}
	return text
}

// allowedFails is up to how many fails among n a rate of least passes, and from
// how many on it fails, by the exact interval.
func allowedFails(least float64, n int64, alpha float64) (passes, fails int64) {
	at := func(k int64) stat.Interval { return stat.ClopperPearson(float64(n-k), float64(n), 1-alpha) }
	passes = firstFrom(0, n, func(k int64) bool { return at(k).Low < least-1e-12 }) - 1
	fails = firstFrom(passes+1, n, func(k int64) bool { return at(k).High < least-1e-12 })
	return passes, fails
}

// firstFrom is the first k in [low, high] for which is holds, high+1 if none;
// is turns once.
func firstFrom(low, high int64, is func(int64) bool) int64 {
	for low <= high {
		middle := low + (high-low)/2
		if is(middle) {
			high = middle - 1
		} else {
			low = middle + 1
		}
	}
	return low
}

// changing is the share of pairs that explainPairs supposes to turn out
// differently, half of them for the better.
const changing = 0.1

func (r Rule) explainPairs(rows, clusters int64) string {
	alpha := r.Level.Alpha()
	need := max(2, stat.PairsForMargin(r.Margin, alpha))
	what := noun(rows, clusters)
	if what == "rows" {
		what = "pairs"
	}
	if clusters < need {
		return "a margin of " + plain(r.Margin) + " needs at least " + count(need) + " " + what + " while none differs; this plan has " + count(clusters) + ": can pass only by being better than the baseline"
	}
	n := float64(clusters)
	seen := stat.Discordant{B: changing / 2 * n, C: changing / 2 * n, N: n}
	one, two := seen.Tango(1-alpha), seen.BonettPrice(1-alpha)
	mde := stat.MDE(stat.Interval{Low: min(one.Low, two.Low), High: max(one.High, two.High)}, alpha)
	return "with " + count(clusters) + " " + what + ", of which one in ten changes, it sees differences of " + fixed(mde, 3)
}
