package stat

import (
	"math"
	"slices"
)

// Percentile is the value below which a share p in [0,1] of values lies, by
// linear interpolation between neighbours (Hyndman and Fan 1996, type 7, which
// is what spreadsheets and NumPy give). It skips NaN, and is NaN without
// values. The input is left as it is.
func Percentile(values []float64, p float64) float64 {
	sorted := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) {
			sorted = append(sorted, v)
		}
	}
	if len(sorted) == 0 || math.IsNaN(p) {
		return math.NaN()
	}
	slices.Sort(sorted)
	at := clip(p, 0, 1) * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[low] + float64((at-float64(low))*(sorted[low+1]-sorted[low]))
}
