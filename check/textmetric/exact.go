package textmetric

import "math"

// The logarithm and exponential of package math differ in the last bit between
// architectures: some are assembly, and the compiler may fuse a product and a
// sum. These two are plain series with every product rounded.

const (
	ln2High = 6.93147180369123816490e-01 // the upper 32 bits of ln 2
	ln2Low  = 1.90821492927058770002e-10 // the rest
)

// exactLog is the natural logarithm of a finite x > 0, within a few units in
// the last place: x = 2^k·f with f near 1, and ln f = 2·artanh(s) with
// s = (f-1)/(f+1), summed as s + s³/3 + s⁵/5 + … (|s| < 0.172).
func exactLog(x float64) float64 {
	f, k := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f *= 2
		k--
	}
	s := (f - 1) / (f + 1)
	s2 := float64(s * s)
	sum := 0.0
	for n := 23; n >= 3; n -= 2 {
		sum = float64(s2 * (sum + 1/float64(n)))
	}
	low := float64(float64(k)*ln2Low) + float64(2*float64(s*sum))
	return float64(float64(k)*ln2High) + (low + float64(2*s))
}

// exactExp is e to the power of x, within a few units in the last place for
// results that are normal numbers: x = k·ln 2 + r with |r| < 0.35, and the
// series 1 + r + r²/2! + … for e^r.
func exactExp(x float64) float64 {
	if x < -708 {
		return 0
	}
	if x > 709 {
		return math.Inf(1)
	}
	k := math.RoundToEven(x / math.Ln2)
	r := (x - float64(k*ln2High)) - float64(k*ln2Low)
	sum := 1.0
	for n := 15; n >= 1; n-- {
		sum = 1 + float64(r*sum)/float64(n)
	}
	return math.Ldexp(sum, int(k))
}
