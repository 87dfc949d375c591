package stat

// fill is the verdict that missing rows are given: none for the point
// estimate, Fail and Pass for the two ends (Manski 1990).
type fill = Mark

// sample fits the contributions u of rows (post-stratified regression, Cochran
// 1977; PPI++ of Angelopoulos and others 2023 with "unlabelled" widened to
// "all"; weights N/n and not 1/π, Hájek 1971).
type sample struct {
	rows   []Row
	fill   fill
	strata []stratum
	known  stratum // all known strata together
	noRate bool    // a stratum has neither verdicts nor predictions

	n       int64 // all rows
	mean    float64
	squares float64 // SS(u)
	all     Kish
	decided Kish
}

func (s *sample) cluster(i int) int32 { return s.rows[i].Cluster }

func fit(rows []Row, g grouping, f fill) *sample {
	s := &sample{rows: rows, fill: f}
	s.count()
	s.regress()
	s.average()
	s.spreadOver(g)
	return s
}

// count fills in what the strata hold and which of them are known.
func (s *sample) count() {
	for _, r := range s.rows {
		for int(r.Stratum) >= len(s.strata) {
			s.strata = append(s.strata, stratum{scored: true})
		}
		h := &s.strata[r.Stratum]
		h.rows += r.times()
		h.scored = h.scored && r.scored()
		if r.Mark.Decided() {
			h.judged += r.times()
		} else if r.Mark == Missing {
			h.missing += r.times()
		}
	}
	for i := range s.strata {
		s.strata[i].settle(s.fill)
		s.noRate = s.noRate || s.strata[i].blind()
		s.n += s.strata[i].rows
	}
}

// verdict is the row's y under the fill, and whether it is decided.
func (s *sample) verdict(r Row) (y float64, decided bool) {
	mark := r.Mark
	if s.fill.Decided() && (mark == Missing || s.strata[r.Stratum].filled) {
		mark = s.fill
	}
	if mark == Pass {
		return 1, true
	}
	return 0, mark == Fail
}

// regress finds λ, μ and s² of every sampled stratum.
func (s *sample) regress() {
	sums := make([]moments, len(s.strata))
	for _, r := range s.rows {
		if y, decided := s.verdict(r); decided {
			sums[r.Stratum].add(y, r, s.strata[r.Stratum].scored)
		}
	}
	for i := range s.strata {
		s.strata[i].fit(sums[i])
	}
	for _, r := range s.rows {
		if y, decided := s.verdict(r); decided {
			miss := y - s.strata[r.Stratum].predict(r)
			sums[r.Stratum].rss += float64(r.times()) * float64(miss*miss)
		}
	}
	for i := range s.strata {
		if h := &s.strata[i]; h.n > 1 {
			h.spread = sums[i].rss / float64(h.n-1)
		}
	}
}

// contribution is u: the row's share in the estimate and in its variance.
func (s *sample) contribution(r Row) float64 {
	h := &s.strata[r.Stratum]
	y, decided := s.verdict(r)
	if h.known {
		return y
	}
	u := h.predict(r)
	if decided {
		u += float64(float64(h.boost*h.weight) * (y - u))
	}
	return u
}

// average finds the estimate and every stratum's rate.
func (s *sample) average() {
	rates := make([]float64, len(s.strata))
	total := 0.0
	for _, r := range s.rows {
		h := &s.strata[r.Stratum]
		u := s.contribution(r)
		total += float64(float64(r.times()) * u)
		if !h.known {
			u = h.predict(r)
		}
		rates[r.Stratum] += float64(float64(r.times()) * u)
	}
	s.mean = total / float64(s.n)
	passed := 0.0
	for i := range s.strata {
		h := &s.strata[i]
		h.rate = clip(rates[i]/float64(h.rows), 0, 1)
		if h.known {
			s.known.rows += h.rows
			passed += rates[i]
		}
	}
	s.known.rate = passed / float64(s.known.rows)
	s.known.n, s.known.weight = s.known.rows, 1
}

// spreadOver finds SS(u) and the cluster counts.
func (s *sample) spreadOver(g grouping) {
	sizes := make([]Kish, len(s.strata)+1) // the last: known rows
	for _, i := range g.alone {
		r := s.rows[i]
		gap := s.contribution(r) - s.mean
		s.squares += float64(float64(r.times()) * float64(gap*gap))
		s.all.Add(1, r.times())
		if _, decided := s.verdict(r); decided {
			s.decided.Add(1, r.times())
			sizes[s.class(r)].Add(1, r.times())
		}
	}
	within := make([]int64, len(sizes))
	g.each(s.cluster, func(rows []int32) { s.addCluster(rows, within, sizes) })
	if c := float64(s.all.Clusters); c > 1 {
		s.squares *= c / (c - 1)
	}
	for i := range s.strata {
		s.strata[i].size = sizes[i].Size()
	}
	s.known.size = sizes[len(s.strata)].Size()
}

func (s *sample) addCluster(rows []int32, within []int64, sizes []Kish) {
	gap, size, decidedSize := 0.0, int64(0), int64(0)
	for _, i := range rows {
		r := s.rows[i]
		size += r.times()
		gap += float64(float64(r.times()) * (s.contribution(r) - s.mean))
		if _, decided := s.verdict(r); decided {
			decidedSize += r.times()
			within[s.class(r)] += r.times()
		}
	}
	s.squares += float64(gap * gap)
	s.all.Add(size, 1)
	s.decided.Add(decidedSize, 1)
	for _, i := range rows {
		h := s.class(s.rows[i])
		sizes[h].Add(within[h], 1)
		within[h] = 0
	}
}

// class is the row's stratum, with all known ones as one.
func (s *sample) class(r Row) int {
	if s.strata[r.Stratum].known {
		return len(s.strata)
	}
	return int(r.Stratum)
}

// sampled calls visit with each stratum that is not known.
func (s *sample) sampled(visit func(h *stratum)) {
	for i := range s.strata {
		if h := &s.strata[i]; h.rows > 0 && !h.known {
			visit(h)
		}
	}
}

// allKnown says that every row is decided.
func (s *sample) allKnown() bool { return s.known.rows == s.n }

// gaps says that the two ends differ: a row is missing, or a stratum has no
// verdict at all.
func (s *sample) gaps() bool {
	for _, h := range s.strata {
		if h.missing > 0 || h.rows > 0 && h.judged == 0 {
			return true
		}
	}
	return false
}

// theta is the estimate in [0,1], with rounding dust at either end removed.
func (s *sample) theta() float64 {
	const dust = 1e-12
	switch {
	case s.mean < dust:
		return 0
	case s.mean > 1-dust:
		return 1
	}
	return s.mean
}
