package stat

import "math"

// Discordant are the counts of pairs that a difference is read from: B
// regressions, C improvements, N pairs. They need not be whole.
type Discordant struct{ B, C, N float64 }

// Delta is (C − B)/N.
func (d Discordant) Delta() float64 { return (d.C - d.B) / d.N }

// Tango is the score interval of Delta (Tango 1998), [−1,1] without pairs.
func (d Discordant) Tango(confidence float64) Interval {
	return d.tango(-NormalQuantile((1 - confidence) / 2))
}

// BonettPrice is the adjusted Wald interval of Delta (Bonett and Price 2012).
func (d Discordant) BonettPrice(confidence float64) Interval {
	return d.bonettPrice(-NormalQuantile((1 - confidence) / 2))
}

func (d Discordant) tango(z float64) Interval {
	if !(d.N > 0) {
		return Interval{-1, 1}
	}
	mirrored := Discordant{d.C, d.B, d.N}
	return Interval{-mirrored.tangoUpper(z), d.tangoUpper(z)}
}

// tangoUpper is the delta ≥ Delta at which the score falls to −z.
func (d Discordant) tangoUpper(z float64) float64 {
	low, high := d.Delta(), 1.0
	if low >= 1 {
		return 1
	}
	for range 200 {
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			break
		}
		if d.score(middle) > -z {
			low = middle
		} else {
			high = middle
		}
	}
	return low + (high-low)/2
}

// score is Tango's Z at a supposed difference. For differences below 0 the
// mirror image is used, where nothing cancels.
func (d Discordant) score(delta float64) float64 {
	if delta < 0 {
		return -Discordant{d.C, d.B, d.N}.score(-delta)
	}
	gap := d.C - d.B - d.N*delta
	if gap == 0 {
		return 0
	}
	product := delta * (1 - delta)
	g := delta*(2*d.N+d.B-d.C) - (d.B + d.C)
	root := math.Sqrt(g*g + 8*d.N*d.B*product)
	q := (root - g) / (4 * d.N)
	if g > 0 {
		q = 2 * d.B * product / (root + g)
	}
	return gap / math.Sqrt(d.N*(2*q+product))
}

// adjusted are the centre and standard error of Bonett and Price.
func (d Discordant) adjusted() (centre, se float64) {
	b, c := (d.B+1)/(d.N+2), (d.C+1)/(d.N+2)
	centre = c - b
	return centre, math.Sqrt((b + c - centre*centre) / (d.N + 2))
}

func (d Discordant) bonettPrice(z float64) Interval {
	centre, se := d.adjusted()
	return Interval{max(-1, centre-z*se), min(1, centre+z*se)}
}

// failed is the p-value against "Delta is at least −margin".
func (d Discordant) failed(margin float64) float64 {
	centre, se := d.adjusted()
	return max(NormalCDF(d.score(-margin)), NormalCDF((centre+margin)/se))
}
