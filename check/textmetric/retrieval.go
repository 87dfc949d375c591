package textmetric

import (
	"math"
	"slices"
)

// A Ranking is what a search gave, best first, against what it should have
// found. Gains holds the worth of each relevant id; ids that are missing, or
// whose gain is not above 0 (or infinite), are not relevant. An id that is ranked twice
// counts where it first stands; its other places count as misses.
//
// In every method k is the number of places looked at; 0 or less means all that
// were ranked. The second result is false when nothing is relevant, for then
// the measure is not defined. Averages over queries (MAP, the mean of
// [Ranking.ReciprocalRank] called MRR) are left to the report.
type Ranking struct {
	IDs   []string
	Gains map[string]float64
}

// Relevant gives each id the gain 1.
func Relevant(ids ...string) map[string]float64 {
	gains := make(map[string]float64, len(ids))
	for _, id := range ids {
		gains[id] = 1
	}
	return gains
}

// RecallAt is the share of the relevant ids among the first k (Manning,
// Raghavan, Schütze 2008, ch. 8.3).
func (r Ranking) RecallAt(k int) (float64, bool) {
	ideal := r.ideal()
	if len(ideal) == 0 {
		return 0, false
	}
	return float64(hits(r.gains(k))) / float64(len(ideal)), true
}

// PrecisionAt is the share of the first k that is relevant (Manning et al. 2008,
// ch. 8.4). Places that the ranking does not fill count as misses.
func (r Ranking) PrecisionAt(k int) (float64, bool) {
	if len(r.ideal()) == 0 {
		return 0, false
	}
	if k <= 0 {
		k = len(r.IDs)
	}
	return float64(hits(r.gains(k))) / float64(max(1, k)), true
}

// ReciprocalRank is 1 over the first place that is relevant, 0 if none of the
// first k is (Voorhees 1999).
func (r Ranking) ReciprocalRank(k int) (float64, bool) {
	if len(r.ideal()) == 0 {
		return 0, false
	}
	for i, g := range r.gains(k) {
		if g > 0 {
			return 1 / float64(i+1), true
		}
	}
	return 0, true
}

// AveragePrecision is the mean, over all relevant ids, of the precision at the
// place of each; one that is not among the first k adds 0 (Manning et al. 2008,
// ch. 8.4).
func (r Ranking) AveragePrecision(k int) (float64, bool) {
	ideal := r.ideal()
	if len(ideal) == 0 {
		return 0, false
	}
	found, sum := 0, 0.0
	for i, g := range r.gains(k) {
		if g > 0 {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return sum / float64(len(ideal)), true
}

// NDCG is the discounted cumulated gain of the first k over that of the best
// order of all relevant ids (Järvelin and Kekäläinen 2002). The gain at place i
// is divided by log2(i+1), the discount of trec_eval's ndcg and most later
// work, where the paper leaves place 1 alone and divides by log_b(i) from place
// b on. Gains count as they are, not as powers of 2.
func (r Ranking) NDCG(k int) (float64, bool) {
	ideal := r.ideal()
	if len(ideal) == 0 {
		return 0, false
	}
	if k > 0 && len(ideal) > k {
		ideal = ideal[:k]
	}
	return discounted(r.gains(k)) / discounted(ideal), true
}

func discounted(gains []float64) float64 {
	sum := 0.0
	for i, g := range gains {
		sum += g / (exactLog(float64(i+2)) / math.Ln2)
	}
	return sum
}

// gains lists the gain at each of the first k places.
func (r Ranking) gains(k int) []float64 {
	if k <= 0 || k > len(r.IDs) {
		k = len(r.IDs)
	}
	seen := make(map[string]bool, k)
	out := make([]float64, k)
	for i, id := range r.IDs[:k] {
		if g := r.Gains[id]; counts(g) && !seen[id] {
			out[i] = g
		}
		seen[id] = true
	}
	return out
}

// ideal lists the gains of all relevant ids, largest first.
func (r Ranking) ideal() []float64 {
	var out []float64
	for _, g := range r.Gains {
		if counts(g) {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b float64) int {
		if a > b {
			return -1
		}
		if a < b {
			return 1
		}
		return 0
	})
	return out
}

func counts(gain float64) bool { return gain > 0 && !math.IsInf(gain, 1) }

func hits(gains []float64) int {
	n := 0
	for _, g := range gains {
		if g > 0 {
			n++
		}
	}
	return n
}
