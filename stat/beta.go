package stat

import "math"

// BetaCDF is I_x(a,b), the regularized incomplete beta function, with its
// limits where a or b is zero. It is NaN where a, b or x is outside its domain.
// At a = b = 10⁶ it keeps about twelve digits. (A library's form was tried: at
// a million rows it kept eight, and its inverse left [0,1] for tiny a.)
func BetaCDF(x, a, b float64) float64 {
	switch {
	case !(a >= 0 && b >= 0) || math.IsInf(a+b, 1) || math.IsNaN(x):
		return math.NaN()
	case x <= 0:
		return 0
	case x >= 1 || a == 0:
		return 1
	case b == 0:
		return 0
	case x > (a+1)/(a+b+2):
		return 1 - betaHead(1-x, b, a)*betaFraction(1-x, b, a)
	}
	return betaHead(x, a, b) * betaFraction(x, a, b)
}

// betaHead is x^a(1−x)^b / (a·B(a,b)), by the saddle-point form of Loader
// (2000), in which no large numbers cancel.
func betaHead(x, a, b float64) float64 {
	n := a + b
	log := stirlingError(n) - stirlingError(a) - stirlingError(b) - deviance(a, n*x) - deviance(b, n*(1-x))
	return math.Exp(log) * math.Sqrt(b/(2*math.Pi*a*n))
}

// stirlingError is ln Γ(z+1) less Stirling's formula.
func stirlingError(z float64) float64 {
	if z <= 16 {
		gamma, _ := math.Lgamma(z + 1)
		return gamma - (z+0.5)*math.Log(z) + z - 0.5*math.Log(2*math.Pi)
	}
	s := 1 / (z * z)
	return (1./12 - (1./360-(1./1260-(1./1680-1./1188*s)*s)*s)*s) / z
}

// deviance is x·ln(x/mean) + mean − x, with a series where the two are close.
func deviance(x, mean float64) float64 {
	gap := x - mean
	if math.Abs(gap) >= 0.1*(x+mean) {
		return x*math.Log(x/mean) - gap
	}
	v := gap / (x + mean)
	sum, term := gap*v, 2*x*v
	for j := 3.0; j < 1000; j += 2 {
		term *= v * v
		next := sum + term/j
		if next == sum {
			break
		}
		sum = next
	}
	return sum
}

// betaFraction is the continued fraction of I_x(a,b) (DLMF 8.17.22) by Lentz's
// method. It needs about √max(a,b) steps where x is left of the mean.
func betaFraction(x, a, b float64) float64 {
	const tiny, steps = 1e-300, 1_000_000
	away := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c := 1.0
	d := 1 / away(1-(a+b)*x/(a+1))
	value := d
	for m := 1.0; m < steps; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / away(1+even*d)
		c = away(1 + even/c)
		value *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / away(1+odd*d)
		c = away(1 + odd/c)
		value *= d * c
		if math.Abs(d*c-1) < 1e-16 {
			break
		}
	}
	return value
}

// BetaQuantile is the x at which I_x(a,b) = p: 0 where a is 0 and 1 where b is.
// It takes Newton steps that never leave their bracket.
func BetaQuantile(p, a, b float64) float64 {
	switch {
	case !(a >= 0 && b >= 0 && p >= 0 && p <= 1) || math.IsInf(a+b, 1):
		return math.NaN()
	case a == 0 || p == 0:
		return 0
	case b == 0 || p == 1:
		return 1
	}
	x, low, high := guessBeta(p, a, b), 0.0, 1.0
	for range 100 {
		if !(x > low && x < high) {
			x = between(low, high)
		}
		if x <= low || x >= high {
			break
		}
		miss := BetaCDF(x, a, b) - p
		if miss > 0 {
			high = x
		} else {
			low = x
		}
		step := miss * x * (1 - x) / (a * betaHead(x, a, b))
		if miss == 0 || math.Abs(step) <= 1e-15*x {
			break
		}
		x -= step
	}
	return clip(x, low, high)
}

// between halves a bracket, by its logarithm where its ends are far apart.
func between(low, high float64) float64 {
	switch {
	case low == 0:
		return high * min(high, 1./16)
	case high > 4*low:
		return math.Sqrt(low) * math.Sqrt(high)
	}
	return low + (high-low)/2
}

// guessBeta is a first value: by the normal distribution (Abramowitz and Stegun
// 26.5.22), or by the powers that rule near the ends.
func guessBeta(p, a, b float64) float64 {
	if a < 1 || b < 1 {
		left := math.Exp(a*math.Log(a/(a+b))) / a
		right := math.Exp(b*math.Log(b/(a+b))) / b
		both := left + right
		if p < left/both {
			return math.Pow(a*both*p, 1/a)
		}
		return 1 - math.Pow(b*both*(1-p), 1/b)
	}
	z := NormalQuantile(p)
	one, two := 1/(2*a-1), 1/(2*b-1)
	h := 2 / (one + two)
	lambda := (z*z - 3) / 6
	w := z*math.Sqrt(h+lambda)/h - (two-one)*(lambda+5./6-2/(3*h))
	return a / (a + b*math.Exp(-2*w))
}
