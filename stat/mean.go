package stat

import "math"

// Value is one number with its cluster, or several equal ones.
type Value struct {
	Value   float64 // NaN means the row has none
	Cluster int32   // index of the cluster, or Alone
	Times   int32   // how many equal values this stands for; 0 means 1
}

func (v Value) times() int64 { return max(1, int64(v.Times)) }

// Mean is a mean with its standard error over clusters.
type Mean struct {
	Point    float64 // NaN without values
	SE       float64 // √SS/n with the factor C/(C−1); NaN under two clusters
	N        int64   // values
	Clusters Kish
}

// NewMean averages values, in the order given, with the clustered standard
// error (Liang and Zeger 1986; in evaluations, Miller 2024).
func NewMean(values []Value) Mean {
	values = present(values)
	cluster := func(i int) int32 { return values[i].Cluster }
	m := Mean{Point: math.NaN(), SE: math.NaN()}
	total := 0.0
	for _, v := range values {
		m.N += v.times()
		total += float64(float64(v.times()) * v.Value)
	}
	if m.N == 0 {
		return m
	}
	m.Point = total / float64(m.N)
	squares := 0.0
	g := group(len(values), cluster)
	for _, i := range g.alone {
		gap := values[i].Value - m.Point
		squares += float64(float64(values[i].times()) * float64(gap*gap))
		m.Clusters.Add(1, values[i].times())
	}
	g.each(cluster, func(rows []int32) {
		gap, size := 0.0, int64(0)
		for _, i := range rows {
			size += values[i].times()
			gap += float64(float64(values[i].times()) * (values[i].Value - m.Point))
		}
		squares += float64(gap * gap)
		m.Clusters.Add(size, 1)
	})
	if c := float64(m.Clusters.Clusters); c > 1 {
		m.SE = math.Sqrt(c/(c-1)*squares) / float64(m.N)
	}
	return m
}

// present leaves out what is not a number.
func present(values []Value) []Value {
	for i, v := range values {
		if !finite(v.Value) {
			kept := append([]Value(nil), values[:i]...)
			for _, w := range values[i:] {
				if finite(w.Value) {
					kept = append(kept, w)
				}
			}
			return kept
		}
	}
	return values
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// DF is C̃ − 1, the degrees of freedom of its t interval.
func (m Mean) DF() float64 { return m.Clusters.Effective() - 1 }

// Interval is the t interval, two-sided at 1 − alpha; the whole line under two
// effective clusters, because a standard error of 0 would pass any gate.
func (m Mean) Interval(alpha float64) Interval {
	if !(m.DF() >= 1) {
		return Interval{math.Inf(-1), math.Inf(1)}
	}
	half := StudentQuantile(1-alpha/2, m.DF()) * m.SE
	return Interval{m.Point - half, m.Point + half}
}

// Test is Student's t against a true mean of mu, with its two-sided p.
func (m Mean) Test(mu float64) (t, p float64) {
	t = (m.Point - mu) / m.SE
	return t, 2 * StudentCDF(-math.Abs(t), m.DF())
}

// tTest is F_t(gap/se). With se = 0 it is 0 below zero and 1 from there on.
func tTest(gap, se, df float64) float64 {
	switch {
	case se > 0:
		return StudentCDF(gap/se, df)
	case gap < 0:
		return 0
	}
	return 1
}

// MeanRule asks that the mean of a scorer's values be at least Min.
type MeanRule struct {
	Min float64
	Level
	Read Read
}

// MeanFinding is what a mean rule found.
type MeanFinding struct {
	State State // before Holm
	Mean
	Interval Interval // infinite under two effective clusters
	PFailed  float64  // before Holm
	MDE      float64
}

// Decide reads the values, in plan order.
func (r MeanRule) Decide(values []Value) MeanFinding {
	m, alpha := NewMean(values), r.Alpha()
	out := MeanFinding{State: Invalid, Mean: m, Interval: m.Interval(alpha), PFailed: math.NaN()}
	out.MDE = MDE(out.Interval, alpha)
	if m.N == 0 {
		return out
	}
	if r.Read == ReadEstimate {
		out.State = decide(Interval{m.Point, m.Point}, r.Min)
		return out
	}
	out.State = decide(out.Interval, r.Min)
	out.PFailed = 1
	if m.DF() >= 1 {
		out.PFailed = tTest(m.Point-r.Min, m.SE, m.DF())
	}
	return out
}
