package stat

import "math"

// PairedRule asks that a candidate be worse than its baseline by less than
// Margin. Both runs must have been measured with the same ruler (equal rubric,
// judge and prompt digests): that is the caller's to check.
type PairedRule struct {
	Margin float64
	Level
	Read Read
}

// Difference is what a paired rule found: candidate minus baseline.
type Difference struct {
	State    State // before Holm
	Delta    float64
	Interval Interval
	Bounds   Interval // Manski
	PFailed  float64  // before Holm
	MDE      float64
	Ends     [2]PairedEnd // what stands behind the lower and the upper end

	B, C                     int64 // regressions and improvements seen
	Pairs, Changed, Clusters int64
	McNemar                  [2]float64 // one- and two-sided; NaN with clusters or sampling
}

// PairedEnd is one end of the interval of a difference; what was not used is NaN.
type PairedEnd struct {
	At, Delta float64
	Counts    Discordant // regressions and improvements under the end's filling
	NStar     float64    // effective pairs
	Mover     float64    // the MOVER interval's end, with clusters only
	SE        float64    // where some stratum was sampled
}

// leastPaired is the share of the candidate's rows that must have a partner.
const leastPaired = 0.8

// Decide reads the pairs, in plan order. rows are the candidate's planned rows;
// 0 means as many as there are pairs.
func (r PairedRule) Decide(pairs []Pair, rows int64) Difference {
	c := newComparison(pairs)
	if c.n == 0 || float64(c.n) < leastPaired*float64(rows)-slack {
		return noDifference()
	}
	alpha := r.Alpha()
	point := c.contrast(Undrawn, Undrawn)
	low, high := point, point
	if point.gaps() {
		low, high = c.contrast(Fail, Pass), c.contrast(Pass, Fail)
	}
	lower, _ := low.ends(alpha)
	_, upper := high.ends(alpha)
	out := Difference{Delta: point.mean, Ends: [2]PairedEnd{lower, upper},
		Interval: Interval{lower.At, upper.At}, Bounds: Interval{low.mean, high.mean},
		Pairs: c.n, Changed: c.changed, Clusters: c.clusters.Clusters,
		PFailed: high.failed(r.Margin, upper)}
	if point.blind() {
		out.Delta = math.NaN()
	}
	c.discordance(&out, point)
	out.MDE = MDE(out.Interval, alpha)
	out.State = decide(out.Interval, -r.Margin)
	if r.Read == ReadEstimate {
		out.PFailed = math.NaN()
		out.State = decide(out.Bounds, -r.Margin)
	}
	return out
}

func noDifference() Difference {
	nan := math.NaN()
	unused := PairedEnd{nan, nan, Discordant{}, nan, nan, nan}
	return Difference{State: Invalid, Delta: nan, Interval: Interval{-1, 1}, Bounds: Interval{-1, 1},
		PFailed: nan, MDE: nan, Ends: [2]PairedEnd{unused, unused}, McNemar: [2]float64{nan, nan}}
}

// comparison holds pairs with both halves of the changed ones as rows.
type comparison struct {
	pairs      []Pair
	at         []int32 // place of a pair among the changed ones, −1 if not changed
	a, b       []Row
	of         grouping // of the pairs
	halves     grouping // of the changed pairs
	n, changed int64
	clusters   Kish
}

func newComparison(pairs []Pair) *comparison {
	c := &comparison{pairs: pairs, at: make([]int32, len(pairs))}
	for i, p := range pairs {
		c.n += p.times()
		c.at[i] = -1
		if p.Same {
			continue
		}
		c.changed += p.times()
		c.at[i] = int32(len(c.a))
		c.a = append(c.a, p.half(p.Candidate))
		c.b = append(c.b, p.half(p.Baseline))
	}
	c.of = group(len(pairs), c.cluster)
	c.halves = group(len(c.a), func(i int) int32 { return c.a[i].Cluster })
	for _, i := range c.of.alone {
		c.clusters.Add(1, pairs[i].times())
	}
	c.of.each(c.cluster, func(rows []int32) {
		size := int64(0)
		for _, i := range rows {
			size += pairs[i].times()
		}
		c.clusters.Add(size, 1)
	})
	return c
}

func (c *comparison) cluster(i int) int32 { return c.pairs[i].Cluster }

// discordance counts what was seen to change, and tests it where that is fair.
func (c *comparison) discordance(out *Difference, point *contrast) {
	for _, p := range c.pairs {
		switch {
		case p.Same:
		case p.Candidate.Mark == Fail && p.Baseline.Mark == Pass:
			out.B += p.times()
		case p.Candidate.Mark == Pass && p.Baseline.Mark == Fail:
			out.C += p.times()
		}
	}
	out.McNemar = [2]float64{math.NaN(), math.NaN()}
	if c.clusters.Size() <= 1 && point.known() {
		out.McNemar[0], out.McNemar[1] = McNemar(float64(out.B), float64(out.C))
	}
}

// contrast is a comparison under one filling of the missing rows.
type contrast struct {
	*comparison
	candidate, baseline *sample
	mean                float64 // Δ̂ over all pairs
	squares             float64 // SS(δ)
	decided             Kish    // changed pairs decided in either run
}

func (c *comparison) contrast(candidate, baseline fill) *contrast {
	k := &contrast{comparison: c, candidate: fit(c.a, c.halves, candidate), baseline: fit(c.b, c.halves, baseline)}
	total := 0.0
	for i, p := range c.pairs {
		total += float64(float64(p.times()) * k.delta(int32(i)))
	}
	k.mean = total / float64(c.n)
	for _, i := range c.of.alone {
		gap, times := k.delta(i)-k.mean, c.pairs[i].times()
		k.squares += float64(float64(times) * float64(gap*gap))
		if k.seen(i) {
			k.decided.Add(1, times)
		}
	}
	c.of.each(c.cluster, k.addCluster)
	if n := float64(c.clusters.Clusters); n > 1 {
		k.squares *= n / (n - 1)
	}
	return k
}

func (k *contrast) addCluster(rows []int32) {
	gap, seen := 0.0, int64(0)
	for _, i := range rows {
		times := k.pairs[i].times()
		gap += float64(float64(times) * (k.delta(i) - k.mean))
		if k.seen(i) {
			seen += times
		}
	}
	k.squares += float64(gap * gap)
	k.decided.Add(seen, 1)
}

// delta is δ of a pair: nothing where nothing changed.
func (k *contrast) delta(pair int32) float64 {
	at := k.at[pair]
	if at < 0 {
		return 0
	}
	return k.candidate.contribution(k.a[at]) - k.baseline.contribution(k.b[at])
}

// seen says whether a changed pair is decided in either run.
func (k *contrast) seen(pair int32) bool {
	at := k.at[pair]
	if at < 0 {
		return false
	}
	_, one := k.candidate.verdict(k.a[at])
	_, two := k.baseline.verdict(k.b[at])
	return one || two
}

func (k *contrast) gaps() bool  { return k.candidate.gaps() || k.baseline.gaps() }
func (k *contrast) known() bool { return k.candidate.allKnown() && k.baseline.allKnown() }
func (k *contrast) blind() bool { return k.candidate.noRate || k.baseline.noRate }

// ends are both ends of the interval, as far as this filling gives them.
func (k *contrast) ends(alpha float64) (lower, upper PairedEnd) {
	if k.known() {
		return k.knownEnds(alpha)
	}
	return k.sampledEnd(alpha, -1), k.sampledEnd(alpha, 1)
}

// failed is the p-value against "worse by less than the margin", from the
// upper end.
func (k *contrast) failed(margin float64, upper PairedEnd) float64 {
	switch {
	case !k.known():
		if math.IsNaN(upper.SE) {
			return 1
		}
		return tTest(upper.Delta+margin, upper.SE, k.decided.Effective()-1)
	case math.IsNaN(upper.NStar):
		return 1
	}
	return k.effective(upper.Counts, upper.NStar).failed(margin)
}

// sampledEnd is the t interval's end where some stratum was sampled, with the
// guard of both runs' strata.
func (k *contrast) sampledEnd(alpha, sign float64) PairedEnd {
	nan := math.NaN()
	end := PairedEnd{At: sign, Delta: k.mean, NStar: nan, Mover: nan, SE: nan}
	df := k.decided.Effective() - 1
	if !(df >= 1) {
		return end
	}
	size := k.clusters.Size()
	guard := 0.25 * size * size
	add := func(s *sample, high bool) {
		s.sampled(func(h *stratum) {
			rho := h.rate
			if high {
				rho = 1 - rho
			}
			reach := h.weight * h.size * rho
			guard += h.guard() * reach * reach
		})
	}
	add(k.candidate, sign > 0)
	add(k.baseline, sign < 0)
	end.SE = math.Sqrt(k.squares+guard) / float64(k.n)
	end.At = clip(k.mean+sign*StudentQuantile(1-alpha/2, df)*end.SE, -1, 1)
	return end
}
