package stat

import (
	"cmp"
	"math"
	"slices"
)

// Distance says how far apart two ratings are.
type Distance func(a, b float64) float64

// Nominal is 1 between different ratings.
func Nominal(a, b float64) float64 {
	if a == b {
		return 0
	}
	return 1
}

// Squared is the distance of the interval scale, (a−b)².
func Squared(a, b float64) float64 { return (a - b) * (a - b) }

// Krippendorff is α over units, each the ratings it got in any order
// (Krippendorff 1970): 1 is agreement, 0 chance. Units with fewer than two
// ratings do not count. NaN without pairs; 1 where all ratings are equal. It
// takes time in the square of the number of distinct ratings.
func Krippendorff(units [][]float64, distance Distance) float64 {
	var seen, expected, n float64
	totals := map[float64]float64{}
	for _, unit := range units {
		if len(unit) < 2 {
			continue
		}
		counts := map[float64]float64{}
		for _, v := range unit {
			counts[v]++
			totals[v]++
			n++
		}
		seen += disagreement(counts, distance) / float64(len(unit)-1)
	}
	if n == 0 {
		return math.NaN()
	}
	expected = disagreement(totals, distance) / (n - 1)
	if expected == 0 {
		return 1
	}
	return 1 - seen/expected
}

// disagreement sums the distance over all ordered pairs of ratings.
func disagreement(counts map[float64]float64, distance Distance) float64 {
	values := make([]float64, 0, len(counts))
	for v := range counts {
		values = append(values, v)
	}
	slices.SortFunc(values, cmp.Compare[float64])
	sum := 0.0
	for i, a := range values {
		for _, b := range values[i+1:] {
			sum += 2 * counts[a] * counts[b] * distance(a, b)
		}
	}
	return sum
}
