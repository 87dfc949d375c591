package stat

import (
	"cmp"
	"math"
	"slices"
)

// MDE is the smallest difference that an interval of this width would have
// seen with power 0.8 (Bloom 1995): (U−L)/2·(1 + z₀.₈/z_{1−α/2}).
func MDE(i Interval, alpha float64) float64 {
	return (i.High - i.Low) / 2 * (1 - NormalQuantile(0.8)/NormalQuantile(alpha/2))
}

// ClustersForRate is how many clusters, all of them passing, a rate of at least
// m in (0,1) needs: ⌈ln(α/2)/ln m⌉. For any other m it is 0 (m ≤ 0) or
// math.MaxInt64 (m ≥ 1: no number will do).
func ClustersForRate(m, alpha float64) int64 {
	switch {
	case m <= 0:
		return 0
	case m >= 1:
		return math.MaxInt64
	}
	return ceil(math.Log(alpha/2) / math.Log(m))
}

// PairsForMargin is how many pairs, none of them different, a margin m in (0,1]
// needs: ⌈z²(1−m)/m⌉; math.MaxInt64 for m ≤ 0.
func PairsForMargin(m, alpha float64) int64 {
	if m <= 0 {
		return math.MaxInt64
	}
	z := NormalQuantile(alpha / 2)
	return ceil(z * z * (1 - m) / m)
}

func ceil(x float64) int64 {
	if x >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(math.Ceil(x - slack))
}

// Power plans a comparison of means (Miller 2024): Between is the variance ω²
// of true differences over cases, NoiseA and NoiseB the variances of one
// repeat, RepeatsA and RepeatsB how many are averaged (0 means 1).
type Power struct {
	Between            float64
	NoiseA, NoiseB     float64
	RepeatsA, RepeatsB int
}

// Variance is that of one case's averaged difference.
func (p Power) Variance() float64 {
	return p.Between + p.NoiseA/float64(max(1, p.RepeatsA)) + p.NoiseB/float64(max(1, p.RepeatsB))
}

// Cases is how many cases see a difference delta ≠ 0 with the power asked for,
// as an unrounded number: (z_{α/2}+z_β)²·Variance/delta².
func (p Power) Cases(delta, alpha, power float64) float64 {
	z := NormalQuantile(1-alpha/2) + NormalQuantile(power)
	return z * z * p.Variance() / (delta * delta)
}

// Neyman shares n draws over strata in proportion to rows × standard deviation
// (Neyman 1934), rounded by largest remainders. No stratum gets fewer than 2,
// nor more than its rows, so the sum can differ from n where those bind.
func Neyman(rows []int64, deviation []float64, n int64) []int64 {
	total := 0.0
	for h := range rows {
		total += float64(rows[h]) * deviation[h]
	}
	out := make([]int64, len(rows))
	rest := make([]float64, len(rows))
	left := n
	for h := range rows {
		share := 0.0
		if total > 0 {
			share = float64(n) * float64(rows[h]) * deviation[h] / total
		}
		whole := math.Floor(share + slack)
		out[h], rest[h] = int64(whole), share-whole
		left -= out[h]
	}
	for _, h := range descending(rest)[:min(max(left, 0), int64(len(rows)))] {
		out[h]++
	}
	for h := range out {
		out[h] = min(rows[h], max(2, out[h]))
	}
	return out
}

func descending(v []float64) []int {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v[b], v[a]) })
	return order
}

// JudgeShare is the uniform share of rows worth the strong judge's price when
// a weak score with mean squared error mse stands in for the rest, variance
// being that of the verdict (cost-optimal active evaluation, arXiv 2506.07949).
func JudgeShare(costWeak, costStrong, mse, variance float64) float64 {
	if mse >= costStrong/(costStrong+costWeak)*variance {
		return 1
	}
	return min(1, math.Sqrt(costWeak/costStrong*mse/(variance-mse)))
}
