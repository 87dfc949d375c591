package stat

// McNemar is the exact test of b regressions against c improvements (McNemar
// 1947): oneSided = P(Bin(b+c, ½) ≥ b), twoSided = min(1, 2·P(Bin ≥ max(b,c))).
// Both are 1 when nothing changed. It holds for pairs without clusters and is
// printed, never decisive.
func McNemar(b, c float64) (oneSided, twoSided float64) {
	return binomialTail(b, b+c, 0.5), min(1, 2*binomialTail(max(b, c), b+c, 0.5))
}

// binomialTail is P(Bin(n,p) ≥ k).
func binomialTail(k, n, p float64) float64 {
	if k <= 0 {
		return 1
	}
	return BetaCDF(p, k, n-k+1)
}

// McNemarCorrected is the χ² form with continuity correction (Edwards 1948),
// (|b−c|−1)²/(b+c), and 0 when nothing changed.
func McNemarCorrected(b, c float64) float64 {
	if b+c == 0 {
		return 0
	}
	gap := max(b-c, c-b) - 1
	return gap * gap / (b + c)
}
