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

// Krippendorff is α over units, each the ratings it got in any order; see
// Ratings.
func Krippendorff(units [][]float64, distance Distance) float64 {
	r := Ratings{Distance: distance}
	for _, unit := range units {
		r.Add(unit)
	}
	return r.Alpha()
}

// Ratings gathers the ratings of units one after another; its memory grows with
// the number of distinct ratings alone.
type Ratings struct {
	Distance Distance // nil: Nominal
	Units    int64    // that count: with two ratings at least
	seen, n  float64
	totals   map[float64]float64
}

// Add takes in one unit with the ratings it got, in any order. A unit with fewer
// than two does not count.
func (r *Ratings) Add(unit []float64) {
	if len(unit) < 2 {
		return
	}
	if r.totals == nil {
		r.totals = map[float64]float64{}
	}
	counts := map[float64]float64{}
	for _, v := range unit {
		counts[v]++
		r.totals[v]++
		r.n++
	}
	r.Units++
	r.seen += disagreement(counts, r.distance()) / float64(len(unit)-1)
}

func (r *Ratings) distance() Distance {
	if r.Distance == nil {
		return Nominal
	}
	return r.Distance
}

// Alpha is Krippendorff's α (1970): 1 is agreement, 0 chance. NaN without
// pairs; 1 where all ratings are equal. It takes time in the square of the
// number of distinct ratings.
func (r *Ratings) Alpha() float64 {
	if r.n == 0 {
		return math.NaN()
	}
	expected := disagreement(r.totals, r.distance()) / (r.n - 1)
	if expected == 0 {
		return 1
	}
	return 1 - r.seen/expected
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
