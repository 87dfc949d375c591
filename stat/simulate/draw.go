package simulate

import (
	"math"
	"math/rand/v2"

	"newel/stat"
)

// rows draws a fully judged run.
func (c Cell) rows(r *rand.Rand) []stat.Row {
	var t stat.Tally
	c.clusters(r, []float64{c.Rate, 1 - c.Rate}, func(cluster int32, kind, times int) {
		t.Add(stat.Row{Pred: math.NaN(), Cluster: cluster, Times: int32(times), Mark: stat.Pass - stat.Mark(kind)})
	})
	return t.Rows()
}

// pairs draws two fully judged runs.
func (c Cell) pairs(r *rand.Rand) []stat.Pair {
	pass, fail := stat.Side{Pred: math.NaN(), Mark: stat.Pass}, stat.Side{Pred: math.NaN(), Mark: stat.Fail}
	kinds := [][2]stat.Side{{pass, pass}, {fail, pass}, {pass, fail}}
	worse, better := (c.Discordance+c.Margin)/2, (c.Discordance-c.Margin)/2
	var t stat.PairTally
	c.clusters(r, []float64{1 - c.Discordance, worse, better}, func(cluster int32, kind, times int) {
		t.Add(stat.Pair{Candidate: kinds[kind][0], Baseline: kinds[kind][1], Cluster: cluster, Times: int32(times)})
	})
	return t.Pairs()
}

// clusters draws the kinds of all rows, cluster by cluster, and adds up what
// each cluster holds. Rows of a cluster share shares drawn from a Dirichlet
// distribution with the intraclass correlation (beta-binomial for two kinds).
func (c Cell) clusters(r *rand.Rand, shares []float64, add func(cluster int32, kind, times int)) {
	if c.ClusterSize == 1 {
		for kind, times := range multinomial(r, shares, c.N) {
			if times > 0 {
				add(stat.Alone, kind, times)
			}
		}
		return
	}
	for k := range c.N / c.ClusterSize {
		own := shares
		if c.ICC > 0 {
			own = c.dirichlet(r, shares)
		}
		for kind, times := range multinomial(r, own, c.ClusterSize) {
			if times > 0 {
				add(int32(k), kind, times)
			}
		}
	}
}

// multinomial counts n independent draws.
func multinomial(r *rand.Rand, shares []float64, n int) []int {
	out := make([]int, len(shares))
	for range n {
		out[pick(r, shares)]++
	}
	return out
}

func pick(r *rand.Rand, shares []float64) int {
	at := r.Float64()
	for i, s := range shares[:len(shares)-1] {
		if at < s {
			return i
		}
		at -= s
	}
	return len(shares) - 1
}

// dirichlet draws shares around their means; with ICC 1 one of them is 1.
func (c Cell) dirichlet(r *rand.Rand, means []float64) []float64 {
	out := make([]float64, len(means))
	if c.ICC >= 1 {
		out[pick(r, means)] = 1
		return out
	}
	weight, sum := (1-c.ICC)/c.ICC, 0.0
	for i, m := range means {
		out[i] = gamma(r, m*weight)
		sum += out[i]
	}
	if sum == 0 { // every part underflowed: one of them is all
		out[pick(r, means)] = 1
		return out
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// gamma draws from the gamma distribution of this shape, 0 for shape 0
// (Marsaglia and Tsang 2000).
func gamma(r *rand.Rand, shape float64) float64 {
	if shape <= 0 {
		return 0
	}
	boost := 1.0
	if shape < 1 {
		boost = math.Pow(r.Float64(), 1/shape)
		shape++
	}
	d := shape - 1./3
	for {
		x := r.NormFloat64()
		v := 1 + x/math.Sqrt(9*d)
		v = v * v * v
		if v > 0 && math.Log(1-r.Float64()) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return boost * d * v
		}
	}
}
