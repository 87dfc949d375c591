package stat

import (
	"errors"
	"math"
)

// Basis is what a rate is claimed of.
type Basis uint8

// The bases: the traffic that the cases stand for, or exactly these cases.
const (
	Population Basis = iota
	Suite
)

// Read is what a rule reads: the interval, or the point with its bounds.
type Read uint8

// The readings.
const (
	ReadInterval Read = iota
	ReadEstimate
)

// RateRule asks that the pass rate be at least Min.
type RateRule struct {
	Min float64
	Level
	Of   Basis
	Read Read
}

// ErrNeverHolds says that no rows at all could meet the rule.
var ErrNeverHolds = errors.New("min: 1 of a population can never hold: no number of cases proves it (use of: suite)")

// Check finds a rule that no rows could ever meet.
func (r RateRule) Check() error {
	if r.Min >= 1 && r.Of == Population && r.Read == ReadInterval {
		return ErrNeverHolds
	}
	return nil
}

// Rate is what a rate rule found.
type Rate struct {
	State    State // before Holm
	Point    float64
	Interval Interval
	Bounds   Interval   // Manski: every missing row failed, every missing row passed
	NStar    [2]float64 // effective rows behind the lower and the upper end
	PFailed  float64    // before Holm
	MDE      float64    // smallest difference the interval could have seen, power 0.8

	Rows, Decided, Missing, Clusters int64
	EffectiveClusters                float64   // C̃ of the decided rows
	Strata                           []Stratum // those with rows, by index
}

// Stratum is one line of the table of strata.
type Stratum struct {
	Index                  uint16
	Rows, Decided, Missing int64
	Rate                   float64 // NaN without verdicts and predictions
}

// Decide reads the rows, in plan order.
func (r RateRule) Decide(rows []Row) Rate {
	if len(rows) == 0 {
		return noRate()
	}
	g := group(len(rows), func(i int) int32 { return rows[i].Cluster })
	point := fit(rows, g, Undrawn)
	low, high := point, point
	if point.gaps() {
		low, high = fit(rows, g, Fail), fit(rows, g, Pass)
	}
	out := describe(point)
	out.Bounds = Interval{low.theta(), high.theta()}
	out.PFailed = math.NaN()
	alpha := r.Alpha()
	if r.Of == Suite {
		out.Interval = Interval{low.suiteEnds(alpha, true).Low, high.suiteEnds(alpha, false).High}
	} else {
		lower, upper := low.lower(alpha), high.upper(alpha)
		out.Interval = Interval{lower.at, upper.at}
		out.NStar = [2]float64{lower.nstar, upper.nstar}
		out.PFailed = upper.failed(r.Min)
	}
	out.MDE = MDE(out.Interval, alpha)
	out.State = decide(out.Interval, r.Min)
	if r.Read == ReadEstimate {
		out.PFailed = math.NaN()
		out.State = decide(out.Bounds, r.Min)
	}
	return out
}

func noRate() Rate {
	nan := math.NaN()
	return Rate{State: Invalid, Point: nan, Interval: Interval{0, 1}, Bounds: Interval{0, 1},
		NStar: [2]float64{nan, nan}, PFailed: nan, MDE: nan}
}

func describe(s *sample) Rate {
	out := Rate{Point: s.theta(), NStar: [2]float64{math.NaN(), math.NaN()}, Rows: s.n,
		Clusters: s.all.Clusters, EffectiveClusters: s.decided.Effective()}
	if s.noRate {
		out.Point = math.NaN()
	}
	for i, h := range s.strata {
		if h.rows == 0 {
			continue
		}
		out.Decided += h.judged
		out.Missing += h.missing
		line := Stratum{Index: uint16(i), Rows: h.rows, Decided: h.judged, Missing: h.missing, Rate: h.rate}
		if h.blind() {
			line.Rate = math.NaN()
		}
		out.Strata = append(out.Strata, line)
	}
	return out
}

// end is one end of an interval with what stands behind it.
type end struct {
	at, nstar, theta float64
}

// failed is the p-value against "the rate is at least m", from the upper end.
func (e end) failed(m float64) float64 {
	if e.at >= 1 || math.IsNaN(e.nstar) {
		return 1
	}
	return BetaCDF(1-m, e.nstar*(1-e.theta), e.nstar*e.theta+1)
}

// lower and upper are the ends of Korn and Graubard (1998) with a guard; with
// every row judged and alone they are those of Clopper and Pearson.
func (s *sample) lower(alpha float64) end {
	e := end{0, math.NaN(), s.theta()}
	if !(s.decided.Effective() >= 2) || e.theta == 0 {
		return e
	}
	e.nstar = s.effective(alpha, e.theta, func(p float64) float64 { return p })
	e.at = clopperPearson(e.nstar*e.theta, e.nstar*(1-e.theta), alpha).Low
	if s.allKnown() {
		e.at = min(e.at, math.Pow(alpha/2, 1/s.unanimous(alpha)))
	}
	return e
}

func (s *sample) upper(alpha float64) end {
	e := end{1, math.NaN(), s.theta()}
	if !(s.decided.Effective() >= 2) || e.theta == 1 {
		return e
	}
	e.nstar = s.effective(alpha, e.theta, func(p float64) float64 { return 1 - p })
	e.at = clopperPearson(e.nstar*e.theta, e.nstar*(1-e.theta), alpha).High
	if s.allKnown() {
		e.at = max(e.at, 1-math.Pow(alpha/2, 1/s.unanimous(alpha)))
	}
	return e
}

// effective is n*: the rows that an independent sample of the same precision
// would have. share turns a stratum's rate into the one that the end guards.
func (s *sample) effective(alpha, theta float64, share func(float64) float64) float64 {
	n := float64(s.n)
	seen := s.squares
	simple := n * n * theta * (1 - theta) / (n - 1)
	add := func(h *stratum, kappa float64) {
		size, rho := h.weight*h.size, share(h.rate)
		seen += kappa * size * size * rho * rho
		simple += kappa * size * rho * rho
	}
	s.sampled(func(h *stratum) { add(h, h.guard()) })
	if s.known.rows > 0 {
		add(&s.known, 0.25)
	}
	return min(n, n*simple/seen*studentRatio(n-1, s.decided.Effective()-1, alpha))
}

// unanimous is n₀: the rows that unanimous clusters are worth.
func (s *sample) unanimous(alpha float64) float64 {
	n, clusters := float64(s.n), s.decided.Effective()
	return min(n, clusters*studentRatio(n-1, clusters-1, alpha))
}

// studentRatio is the squared ratio of two t quantiles: what having few
// clusters costs.
func studentRatio(many, few, alpha float64) float64 {
	if many == few {
		return 1
	}
	ratio := StudentQuantile(1-alpha/2, many) / StudentQuantile(1-alpha/2, few)
	return ratio * ratio
}

// suiteEnds is the interval over exactly these rows: only sampling is
// uncertain (stratified sampling without replacement, Cochran 1977).
func (s *sample) suiteEnds(alpha float64, lower bool) Interval {
	theta := s.theta()
	if s.allKnown() {
		return Interval{theta, theta}
	}
	drawn, variance := int64(0), 0.0
	s.sampled(func(h *stratum) {
		n, all := float64(h.n), float64(h.rows)
		rho := h.rate
		if !lower {
			rho = 1 - rho
		}
		drawn += h.n
		variance += all*all*(1-n/all)*h.spread/n + h.guard()*h.weight*h.weight*rho*rho
	})
	if drawn < 2 {
		return Interval{0, 1}
	}
	n := float64(s.n)
	half := StudentQuantile(1-alpha/2, float64(drawn-1)) * math.Sqrt(variance) / n
	passed := s.known.rate * float64(s.known.rows)
	if s.known.rows == 0 {
		passed = 0
	}
	failed := float64(s.known.rows) - passed
	return Interval{max(passed/n, theta-half), min(1-failed/n, theta+half)}
}
