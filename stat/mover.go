package stat

import "math"

// knownEnds are the ends where every changed pair is decided in both runs: the
// widest of Tango, Bonett–Price and, with clusters, MOVER (Zou and Donner
// 2008), because one n* for both counts hides the skew of regressions that
// come in clusters.
func (k *contrast) knownEnds(alpha float64) (lower, upper PairedEnd) {
	nan := math.NaN()
	counts := k.counts()
	lower = PairedEnd{At: -1, Delta: k.mean, Counts: counts, NStar: nan, Mover: nan, SE: nan}
	upper = lower
	upper.At = 1
	if !(k.clusters.Effective() >= 2) {
		return lower, upper
	}
	size, n := k.clusters.Size(), float64(k.n)
	lower.NStar = n
	if size > 1 {
		seen := k.squares + 0.25*size*size
		simple := n/(n-1)*(counts.B+counts.C-n*k.mean*k.mean) + 0.25*size
		lower.NStar = min(n, n*simple/seen*studentRatio(n-1, k.clusters.Effective()-1, alpha))
	}
	upper.NStar = lower.NStar
	scaled := k.effective(counts, lower.NStar)
	z := -NormalQuantile(alpha / 2)
	score, adjusted := scaled.tango(z), scaled.bonettPrice(z)
	lower.At, upper.At = min(score.Low, adjusted.Low), max(score.High, adjusted.High)
	if size > 1 {
		wide := k.mover(alpha, counts)
		lower.Mover, upper.Mover = wide.Low, wide.High
		lower.At, upper.At = min(lower.At, wide.Low), max(upper.At, wide.High)
	}
	return lower, upper
}

// counts are the regressions and improvements under the filling.
func (k *contrast) counts() Discordant {
	d := Discordant{N: float64(k.n)}
	for i, p := range k.pairs {
		switch delta := k.delta(int32(i)); {
		case delta < 0:
			d.B += float64(p.times())
		case delta > 0:
			d.C += float64(p.times())
		}
	}
	return d
}

// effective scales counts down to nstar pairs.
func (k *contrast) effective(d Discordant, nstar float64) Discordant {
	if nstar == d.N {
		return d
	}
	share := nstar / d.N
	return Discordant{d.B * share, d.C * share, nstar}
}

// mover takes regressions and improvements as two rates of their own.
func (k *contrast) mover(alpha float64, d Discordant) Interval {
	worse := estimate{d.B / d.N, k.indicator(alpha, -1)}
	better := estimate{d.C / d.N, k.indicator(alpha, 1)}
	return combine(better, worse, k.correlation(better.point, worse.point))
}

// indicator is the interval of the share of pairs whose δ has the sign.
func (k *contrast) indicator(alpha, sign float64) Interval {
	rows := make([]Row, len(k.pairs))
	for i, p := range k.pairs {
		rows[i] = Row{Pred: math.NaN(), Cluster: p.Cluster, Times: p.Times, Mark: Fail}
		if k.delta(int32(i))*sign > 0 {
			rows[i].Mark = Pass
		}
	}
	s := fit(rows, k.of, Undrawn)
	return Interval{s.lower(alpha).at, s.upper(alpha).at}
}

// correlation is that of improvements and regressions over clusters, where it
// is negative and so widens the interval; else 0.
func (k *contrast) correlation(better, worse float64) float64 {
	var bb, cc, bc float64
	add := func(b, c, times float64) {
		bb += float64(times * float64(b*b))
		cc += float64(times * float64(c*c))
		bc += float64(times * float64(b*c))
	}
	gaps := func(i int32) (b, c float64) {
		switch delta := k.delta(i); {
		case delta < 0:
			return 1 - worse, -better
		case delta > 0:
			return -worse, 1 - better
		}
		return -worse, -better
	}
	for _, i := range k.of.alone {
		b, c := gaps(i)
		add(b, c, float64(k.pairs[i].times()))
	}
	k.of.each(k.cluster, func(rows []int32) {
		var b, c float64
		for _, i := range rows {
			one, two := gaps(i)
			b += float64(float64(k.pairs[i].times()) * one)
			c += float64(float64(k.pairs[i].times()) * two)
		}
		add(b, c, 1)
	})
	if !(bb > 0 && cc > 0) {
		return 0
	}
	return min(0, bc/math.Sqrt(bb*cc))
}
