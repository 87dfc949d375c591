package stat

import "math"

// Sequence is an asymptotic confidence sequence: an interval that may be read
// after every look of a nightly series or a live lane (Waudby-Smith and others
// 2021, in the one-sided form of GLIDE). The zero value is not useful.
type Sequence struct {
	Delta float64 // error of one side, over all looks together, below ½
	Tight float64 // summed variance at which the interval should be narrowest
}

// width is how far an end lies from the running mean of t values whose summed
// variance is v.
func (s Sequence) width(t, v float64) float64 {
	log := -2 * math.Log(2*s.Delta)
	rho := (log + math.Log(log+1)) / s.Tight
	grown := v*rho + 1
	return math.Sqrt(2 * grown / (t * t * rho) * math.Log1p(math.Sqrt(grown)/(2*s.Delta)))
}

// Interval is the interval around the mean of t values so far, whose summed
// variance is v: each end errs at any look with probability Delta at most.
func (s Sequence) Interval(mean, t, v float64) Interval {
	if !(t > 0) {
		return Interval{math.Inf(-1), math.Inf(1)}
	}
	width := s.width(t, v)
	return Interval{mean - width, mean + width}
}
