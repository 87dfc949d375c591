package eval

import (
	"math"
	"slices"

	"newel"
	"newel/stat"
)

// maxDistinct is how many different values a median is exact for. Beyond, it
// is that of buckets 0.1 % wide.
const maxDistinct = 10_000

// valueFold keeps what is told of a scorer's values: count, mean with a
// clustered interval, median, least and most.
type valueFold struct {
	n        int64
	sum      float64
	low      newel.Value
	high     newel.Value
	distinct map[newel.Value]int64
	buckets  map[int32]int64 // instead, when there are too many
	// Of closed clusters of k values that sum to s: Σs², Σks, Σk².
	ss, ks, kk float64
	sizes      stat.Kish
	open       map[int32]*clusterSum
}

type clusterSum struct {
	k int64
	s float64
}

func newValueFold() *valueFold {
	return &valueFold{low: math.MaxInt64, high: math.MinInt64, distinct: map[newel.Value]int64{}, open: map[int32]*clusterSum{}}
}

func (v *valueFold) add(value newel.Value, cluster int32) {
	f := value.Float()
	v.n++
	v.sum += f
	v.low, v.high = min(v.low, value), max(v.high, value)
	v.quantile(value)
	if cluster == stat.Alone {
		v.closeCluster(1, f)
		return
	}
	c := v.open[cluster]
	if c == nil {
		c = &clusterSum{}
		v.open[cluster] = c
	}
	c.k++
	c.s += f
}

func (v *valueFold) closeCluster(k int64, s float64) {
	v.ss += float64(s * s)
	v.ks += float64(float64(k) * s)
	v.kk += float64(float64(k) * float64(k))
	v.sizes.Add(k, 1)
}

func (v *valueFold) quantile(value newel.Value) {
	if v.buckets == nil {
		v.distinct[value]++
		if len(v.distinct) <= maxDistinct {
			return
		}
		v.buckets = map[int32]int64{}
		for d, n := range v.distinct {
			v.buckets[bucketOf(d)] += n
		}
		v.distinct = nil
		return
	}
	v.buckets[bucketOf(value)]++
}

// gamma is the ratio of a bucket's ends.
const gamma = 1.002

// bucketOf numbers buckets by magnitude, negative ones below zero.
func bucketOf(value newel.Value) int32 {
	if value == 0 {
		return 0
	}
	b := 1 + int32(math.Ceil(math.Log(math.Abs(float64(value)))/math.Log(gamma)))
	if value < 0 {
		return -b
	}
	return b
}

func bucketMiddle(b int32) float64 {
	switch {
	case b == 0:
		return 0
	case b < 0:
		return -bucketMiddle(-b)
	}
	return 2 * math.Pow(gamma, float64(b-1)) / (1 + gamma) / newel.ValueScale
}

func (v *valueFold) median() float64 {
	if v.buckets != nil {
		return weightedMedian(v.buckets, bucketMiddle, v.n)
	}
	return weightedMedian(v.distinct, func(x newel.Value) float64 { return x.Float() }, v.n)
}

// weightedMedian is the middle value, or the mean of the two middle ones.
func weightedMedian[K newel.Value | int32](counts map[K]int64, value func(K) float64, n int64) float64 {
	keys := make([]K, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	at := func(rank int64) float64 {
		for _, k := range keys {
			if rank -= counts[k]; rank < 0 {
				return value(k)
			}
		}
		return math.NaN()
	}
	return (at((n-1)/2) + at(n/2)) / 2
}

// summary closes the fold. The interval is Student's over clusters, as
// stat.Mean has it; nil under two effective clusters.
func (v *valueFold) summary(scorer string, alpha float64) newel.ValueSummary {
	for _, c := range v.open {
		v.closeCluster(c.k, c.s)
	}
	v.open = nil
	mean := v.sum / float64(v.n)
	out := newel.ValueSummary{Scorer: scorer, N: int(v.n), Mean: mean, P50: v.median(), Min: v.low.Float(), Max: v.high.Float()}
	clusters := float64(v.sizes.Clusters)
	if df := v.sizes.Effective() - 1; df >= 1 && clusters > 1 {
		squares := max(0, v.ss-2*mean*v.ks+mean*mean*v.kk)
		half := stat.StudentQuantile(1-alpha/2, df) * math.Sqrt(clusters/(clusters-1)*squares) / float64(v.n)
		out.Interval = &[2]float64{mean - half, mean + half}
	}
	return out
}
