package stat

import "math"

// auditedFew is the least number of decided rows from which a stratum learns
// how much its predictions are worth.
const auditedFew = 20

// stratum is what the estimate knows of one stratum under one fill.
type stratum struct {
	rows, judged, missing int64 // as given; judged ones have a verdict
	n                     int64 // decided under the fill
	filled                bool  // nothing judged: every row gets the fill
	known                 bool  // every row decided
	scored                bool  // every row has a prediction

	lambda, mu float64
	weight     float64 // w = rows/n
	boost      float64 // √(n/(n−1)), 1 if n = 1
	spread     float64 // s²: variance of the residuals
	rate       float64 // p: mean contribution without residuals, in [0,1]
	size       float64 // m̃ of the decided rows
}

func (h *stratum) settle(f fill) {
	h.n = h.judged
	h.filled = h.judged == 0 && f.Decided()
	switch {
	case h.filled:
		h.n = h.rows
	case f.Decided():
		h.n += h.missing
	}
	h.known = h.n == h.rows
	h.weight, h.boost = 1, 1
	if h.n > 0 {
		h.weight = float64(h.rows) / float64(h.n)
	}
	if h.n > 1 {
		h.boost = math.Sqrt(float64(h.n) / float64(h.n-1))
	}
}

// blind says that nothing can be said of the stratum's rate.
func (h *stratum) blind() bool { return h.rows > 0 && h.n == 0 && !h.scored }

// moments are sums over the decided rows of a stratum, shifted by the first
// prediction so that equal predictions have a variance of exactly zero.
type moments struct {
	any               bool
	origin            float64
	y, f, ff, yf, rss float64
}

func (m *moments) add(y float64, r Row, scored bool) {
	times := float64(r.times())
	m.y += float64(times * y)
	if !scored {
		return
	}
	if !m.any {
		m.any, m.origin = true, r.Pred
	}
	f := r.Pred - m.origin
	m.f += float64(times * f)
	m.ff += float64(times * float64(f*f))
	m.yf += float64(times * float64(y*f))
}

func (h *stratum) fit(m moments) {
	if h.n == 0 {
		h.lambda = 1 // no verdicts: the prediction stands for them
		return
	}
	n := float64(h.n)
	y, f := m.y/n, m.f/n
	if variance := m.ff/n - float64(f*f); h.n >= auditedFew && h.scored && !h.known && variance > 0 {
		h.lambda = clip((m.yf/n-float64(y*f))/variance, 0, 1)
	}
	h.mu = y - float64(h.lambda*(f+m.origin))
}

// predict is λf + μ.
func (h *stratum) predict(r Row) float64 {
	if h.lambda == 0 {
		return h.mu
	}
	return float64(h.lambda*r.Pred) + h.mu
}

// guard is κ: how much of a stratum's rate enters the variance beside what was
// seen, because nothing wrong among a few audited is not a variance of zero.
func (h *stratum) guard() float64 {
	n := float64(h.n)
	return max(0.25, (1-n/float64(h.rows))*min(2, n*n/4))
}

func clip(x, low, high float64) float64 { return min(high, max(low, x)) }
