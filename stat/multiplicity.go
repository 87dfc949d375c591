package stat

import (
	"cmp"
	"math"
	"slices"
)

// Holm gives the step-down adjusted p-values (Holm 1979), in the order given.
// NaN entries take no part and stay NaN.
func Holm(p []float64) []float64 {
	out, order := ascending(p)
	highest := 0.0
	for rank, at := range order {
		highest = max(highest, min(1, float64(len(order)-rank)*p[at]))
		out[at] = highest
	}
	return out
}

// BenjaminiHochberg gives the step-up adjusted p-values (Benjamini and Hochberg
// 1995), in the order given: an entry ≤ q is a discovery at false-discovery
// rate q. For drill-down tables, never decisive. NaN entries stay NaN.
func BenjaminiHochberg(p []float64) []float64 {
	out, order := ascending(p)
	lowest := 1.0
	for rank := len(order) - 1; rank >= 0; rank-- {
		at := order[rank]
		lowest = min(lowest, float64(len(order))*p[at]/float64(rank+1))
		out[at] = lowest
	}
	return out
}

// ascending gives a slice full of NaN and the places of the numbers of p, from
// the smallest.
func ascending(p []float64) (blank []float64, order []int) {
	blank = make([]float64, len(p))
	for i, v := range p {
		blank[i] = math.NaN()
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return blank, order
}
