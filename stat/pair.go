package stat

import "math"

// Side is one run's half of a pair; see Row for the fields.
type Side struct {
	Pred    float64
	Stratum uint16
	Mark    Mark
}

// Pair is one row of a candidate run and its partner in the baseline (same
// case, combination and trial), or several equal pairs.
type Pair struct {
	Candidate, Baseline Side
	Cluster             int32 // index of the cluster, or Alone
	Times               int32 // how many equal pairs this stands for; 0 means 1
	Same                bool  // equal call keys: same ruler, same content, so no difference
}

func (p Pair) times() int64 { return max(1, int64(p.Times)) }

func (p Pair) half(s Side) Row {
	return Row{Pred: s.Pred, Cluster: p.Cluster, Times: p.Times, Stratum: s.Stratum, Mark: s.Mark}
}

// bare drops predictions and marks that no formula reads.
func (p Pair) bare() Pair {
	p.Times = int32(p.times())
	if p.Cluster < 0 {
		p.Cluster = Alone
	}
	if p.Same {
		p.Candidate, p.Baseline = Side{}, Side{}
	}
	return p
}

// PairTally gathers pairs and merges equal ones, as Tally does for rows. The
// zero value is ready.
type PairTally struct {
	pairs []Pair
	at    map[pairKey]int
}

type pairKey struct {
	same                bool
	candidate, baseline rowKey
}

// Add counts a pair.
func (t *PairTally) Add(p Pair) {
	p = p.bare()
	if key, ok := p.key(); ok && p.Cluster == Alone {
		if at, known := t.at[key]; known && p.joins(t.pairs[at]) {
			t.pairs[at].Times += p.Times
			return
		}
		if t.at == nil {
			t.at = map[pairKey]int{}
		}
		t.at[key] = len(t.pairs)
	} else if last := len(t.pairs) - 1; last >= 0 && p.joins(t.pairs[last]) {
		t.pairs[last].Times += p.Times
		return
	}
	t.pairs = append(t.pairs, p)
}

func (p Pair) key() (pairKey, bool) {
	candidate, one := p.half(p.Candidate).key()
	baseline, two := p.half(p.Baseline).key()
	return pairKey{p.Same, candidate, baseline}, one && two
}

func (p Pair) joins(o Pair) bool {
	return p.Same == o.Same && int64(p.Times)+int64(o.Times) <= math.MaxInt32 &&
		p.half(p.Candidate).joins(o.half(o.Candidate)) && p.half(p.Baseline).joins(o.half(o.Baseline))
}

// Pairs are the pairs gathered so far, in order of their first appearance.
func (t *PairTally) Pairs() []Pair { return t.pairs }
