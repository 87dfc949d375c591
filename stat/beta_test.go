package stat

import (
	"math"
	"math/big"
	"testing"
)

// exactTail is P(Bin(n, p/q) ≥ k) in whole numbers.
func exactTail(k, n, p, q int64) float64 {
	sum := new(big.Int)
	for i := k; i <= n; i++ {
		term := new(big.Int).Binomial(n, i)
		term.Mul(term, new(big.Int).Exp(big.NewInt(p), big.NewInt(i), nil))
		term.Mul(term, new(big.Int).Exp(big.NewInt(q-p), big.NewInt(n-i), nil))
		sum.Add(sum, term)
	}
	out, _ := new(big.Rat).SetFrac(sum, new(big.Int).Exp(big.NewInt(q), big.NewInt(n), nil)).Float64()
	return out
}

func TestBetaIsTheBinomialTail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ k, n, p, q int64 }{
		{1, 1, 1, 3}, {47, 50, 9, 10}, {5, 16, 1, 50}, {368, 368, 99, 100}, {990, 993, 98, 100},
		{300, 360, 9, 10}, {1, 2000, 1, 2000}, {1015, 2000, 1, 2}, {700, 2000, 1, 3}, {30, 2000, 1, 2000},
	} {
		want := exactTail(c.k, c.n, c.p, c.q)
		got := BetaCDF(float64(c.p)/float64(c.q), float64(c.k), float64(c.n-c.k+1))
		if math.Abs(got-want) > 2e-12*want {
			t.Errorf("P(Bin(%d, %d/%d) ≥ %d): want %v, got %v", c.n, c.p, c.q, c.k, want, got)
		}
	}
}

func TestBetaMeetsItsClosedForms(t *testing.T) {
	t.Parallel()
	var cases []near
	for _, a := range []float64{.3, 1, 17.25, 5000, 1e6} {
		x := math.Pow(.025, 1/a)
		cases = append(cases, near{"power", BetaCDF(x, a, 1), .025, 1e-11},
			near{"power turned", BetaCDF(-math.Expm1(math.Log(.025)/a), 1, a), .975, 1e-9},
			near{"halves", BetaCDF(.5, a, a), .5, 1e-11},
			near{"quantile of a power", BetaQuantile(.025, a, 1), x, 1e-13})
	}
	// At a = .01 the root is 10⁻¹⁶⁰; turned it would be 1.
	cases = append(cases, near{"tiny power", BetaQuantile(.025, .01, 1) / math.Pow(.025, 100), 1, 1e-12})
	check(t, append(cases, near{"arcsine", BetaCDF(.3, .5, .5), 2 / math.Pi * math.Asin(math.Sqrt(.3)), 1e-14}))
}
