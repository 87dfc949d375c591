package stat

import "math"

// Interval is a closed interval of reals.
type Interval struct{ Low, High float64 }

// Level is how sure a rule must be. The zero value is 95 %, one look.
type Level struct {
	Confidence float64 // two-sided; 0 means 0.95
	Looks      int     // how often the rule will be read, fixed beforehand; 0 means 1
}

// Alpha is (1 − confidence) ÷ looks: the error that one look may spend, half of
// it on either side.
func (l Level) Alpha() float64 {
	confidence, looks := l.Confidence, l.Looks
	if confidence == 0 {
		confidence = 0.95
	}
	if looks == 0 {
		looks = 1
	}
	return (1 - confidence) / float64(looks)
}

// ClopperPearson is the exact interval of a proportion, x of n (Clopper and
// Pearson 1934). x and n need not be whole (Korn and Graubard 1998). With n = 0
// it is [0,1].
func ClopperPearson(x, n, confidence float64) Interval {
	return clopperPearson(x, n-x, 1-confidence)
}

// clopperPearson takes passes and fails apart, so that neither loses digits.
func clopperPearson(x, rest, alpha float64) Interval {
	out := Interval{0, 1}
	if x > 0 {
		out.Low = BetaQuantile(alpha/2, x, rest+1)
	}
	if rest > 0 {
		out.High = 1 - BetaQuantile(alpha/2, rest, x+1)
	}
	return out
}

// Wilson is the score interval of a proportion, x of n (Wilson 1927). With
// n = 0 it is [0,1]. It is for display: near 0 and 1 its error rate reaches
// several times the nominal one, so no rule reads it.
func Wilson(x, n, confidence float64) Interval {
	if n <= 0 {
		return Interval{0, 1}
	}
	z := -NormalQuantile((1 - confidence) / 2)
	p, square := x/n, z*z
	centre := (p + square/(2*n)) / (1 + square/n)
	half := z / (1 + square/n) * math.Sqrt(p*(1-p)/n+square/(4*n*n))
	return Interval{max(0, centre-half), min(1, centre+half)}
}

// RuleOfThree is 3/n: about the one-sided 95 % upper end with nothing wrong
// among n (Hanley and Lippman-Hand 1983).
func RuleOfThree(n float64) float64 { return min(1, 3/n) }

// ProportionSE is the standard error of a proportion p of n independent rows.
func ProportionSE(p, n float64) float64 { return math.Sqrt(p * (1 - p) / n) }

// ManskiBounds are the smallest and largest share of passes among n planned
// rows that passed and missing allow (Manski 1990). NaN without rows.
func ManskiBounds(passed, missing, n float64) Interval {
	return Interval{passed / n, (passed + missing) / n}
}

// Newcombe is the interval of p₁ − p₂ for independent samples (Newcombe 1998,
// method 10): two Wilson intervals combined by the square-and-add rule.
func Newcombe(x1, n1, x2, n2, confidence float64) Interval {
	one, two := Wilson(x1, n1, confidence), Wilson(x2, n2, confidence)
	return combine(estimate{x1 / n1, one}, estimate{x2 / n2, two}, 0)
}

// estimate is a point with its interval.
type estimate struct {
	point float64
	Interval
}

// combine is the MOVER interval of a − b (Zou and Donner 2008; with the
// correlation term, Zou 2008): the method of variance estimates recovery.
func combine(a, b estimate, correlation float64) Interval {
	delta := a.point - b.point
	side := func(x, y float64) float64 {
		return math.Sqrt(max(0, x*x+y*y-2*correlation*x*y))
	}
	return Interval{
		Low:  max(-1, delta-side(a.point-a.Low, b.High-b.point)),
		High: min(1, delta+side(a.High-a.point, b.point-b.Low)),
	}
}
