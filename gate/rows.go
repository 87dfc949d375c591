package gate

import (
	"math"

	"github.com/cespare/xxhash/v2"

	"newel"
	"newel/stat"
)

// RowOf returns what statistics need of a result: its stratum, its mark, and
// what the layers below the judge predicted. The cluster is the caller's.
//
// Without a judge above them, passes and fails are final and so is a floor's
// fail always: stratum 0. Under a judge, strata are those of the layer that
// settled, with its verdict; the residual is stratum 1.
func RowOf(res *newel.Result, judged bool) stat.Row {
	row := stat.Row{Pred: math.NaN(), Mark: markOf(res)}
	if !judged {
		return row
	}
	layer, verdict := settledBy(res)
	switch {
	case layer == newel.Floor && verdict == newel.Fail:
		return row
	case layer == newel.NoLayer:
		row.Stratum = residual
		row.Pred = residualPrediction(res)
		return row
	}
	row.Stratum = settledStratum(layer, verdict)
	row.Pred = 0
	if verdict == newel.Pass {
		row.Pred = 1
	}
	if res.Layer != newel.Judge && res.Verdict.Settled() {
		row.Mark = stat.Undrawn // settled below a judge: a prediction
	}
	return row
}

// residual is the stratum of rows that no layer below the judge settled.
const residual = 1

// settledStratum numbers the strata of a layer's verdicts, above residual.
func settledStratum(layer newel.Layer, verdict newel.Verdict) uint16 {
	s := 2 + 2*uint16(layer)
	if verdict == newel.Pass {
		s++
	}
	return s
}

// StratumOf is the reverse of RowOf's numbering: the layer below the judge that
// settled a stratum's rows, with its verdict; NoLayer for the residual. It holds
// for rubrics that have a judge.
func StratumOf(stratum uint16) (newel.Layer, newel.Verdict) {
	switch {
	case stratum == 0:
		return newel.Floor, newel.Fail
	case stratum == residual:
		return newel.NoLayer, newel.Undecided
	case stratum%2 == 1:
		return newel.Layer(stratum/2 - 1), newel.Pass
	}
	return newel.Layer(stratum/2 - 1), newel.Fail
}

// settledBy returns the layer below the judge that settled a row, with its
// verdict; NoLayer for the residual.
func settledBy(res *newel.Result) (newel.Layer, newel.Verdict) {
	switch {
	case res.Layer != newel.Judge && res.Verdict.Settled():
		return res.Layer, res.Verdict
	case res.Audit != nil:
		return res.Audit.Layer, res.Audit.Verdict
	}
	return newel.NoLayer, newel.Undecided
}

func markOf(res *newel.Result) stat.Mark {
	switch {
	case res.Verdict == newel.Pass:
		return stat.Pass
	case res.Verdict == newel.Fail:
		return stat.Fail
	case res.Verdict == newel.Unjudged && res.Reason == newel.Undrawn:
		return stat.Undrawn
	}
	return stat.Missing
}

// missing says that a row should have a verdict and has none. A row that only
// reports numbers has nothing to miss.
func missing(res *newel.Result) bool {
	measured := res.Verdict == newel.Unjudged && res.Reason == newel.Measured
	return markOf(res) == stat.Missing && !measured
}

// residualPrediction is the calibrated score that a classifier gave a row that
// it did not settle; NaN where none did.
func residualPrediction(res *newel.Result) float64 {
	for i := range res.Scores {
		if s := &res.Scores[i]; s.Layer == newel.Classifier && s.HasValue {
			return min(1, max(0, s.Value.Float()))
		}
	}
	return math.NaN()
}

// Clusters numbers the clusters of a run: a case's cluster, else the case.
type Clusters struct {
	single bool // each case is one item
	begun  bool
	last   string // the last case without a cluster, and its number
	lastN  int32
	next   int32
	named  map[uint64]int32
}

// NewClusters returns an empty numbering for a plan.
func NewClusters(plan *newel.Plan) *Clusters {
	return &Clusters{single: plan.Trials <= 1 && plan.Items == plan.Cases, named: map[uint64]int32{}}
}

// Of returns the number of an item's cluster, stat.Alone for an item that
// stands by itself. Items of one case must follow each other.
func (c *Clusters) Of(it *newel.ItemRows) int32 {
	if it.Cluster != "" {
		key := xxhash.Sum64String(it.Cluster)
		n, ok := c.named[key]
		if !ok {
			n = c.next
			c.next++
			c.named[key] = n
		}
		return n
	}
	if c.single {
		return stat.Alone
	}
	if it.Case != c.last || !c.begun {
		c.begun, c.last, c.lastN = true, it.Case, c.next
		c.next++
	}
	return c.lastN
}
