package stat

import "math"

// NormalCDF is Φ, the standard normal distribution function.
func NormalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// NormalQuantile is Φ⁻¹. It is −Inf at 0, +Inf at 1 and NaN outside [0,1].
func NormalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// StudentCDF is the distribution function of Student's t with df > 0 degrees
// of freedom, which need not be whole.
func StudentCDF(x, df float64) float64 {
	if !(df > 0) || math.IsNaN(x) {
		return math.NaN()
	}
	tail := studentTail(math.Abs(x), df)
	if x > 0 {
		return 1 - tail
	}
	return tail
}

// studentTail is P(T > x) for x ≥ 0, from whichever of the two forms of the
// incomplete beta keeps its digits.
func studentTail(x, df float64) float64 {
	square := x * x
	if math.IsInf(square, 1) {
		return 0
	}
	if square < df {
		return 0.5 * (1 - BetaCDF(square/(df+square), 0.5, df/2))
	}
	return 0.5 * BetaCDF(df/(df+square), df/2, 0.5)
}

// StudentQuantile is t_{p,df}: the x with StudentCDF(x, df) = p.
func StudentQuantile(p, df float64) float64 {
	switch {
	case !(df > 0 && p >= 0 && p <= 1):
		return math.NaN()
	case p == 0.5:
		return 0
	case p < 0.5:
		return -studentUpper(p, df)
	}
	return studentUpper(1-p, df)
}

// studentUpper is the x ≥ 0 with P(T > x) = tail, tail < ½.
func studentUpper(tail, df float64) float64 {
	if tail <= 0 {
		return math.Inf(1)
	}
	share := BetaQuantile(1-2*tail, 0.5, df/2)
	if share < 0.5 {
		return math.Sqrt(df * share / (1 - share))
	}
	rest := BetaQuantile(2*tail, df/2, 0.5)
	return math.Sqrt(df * (1 - rest) / rest)
}
