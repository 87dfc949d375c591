package eval

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
	layer, verdict := res.Layer, res.Verdict
	if res.Layer == newel.Judge || !res.Verdict.Settled() {
		layer, verdict = newel.NoLayer, newel.Undecided
		if res.Audit != nil {
			layer, verdict = res.Audit.Layer, res.Audit.Verdict
		}
	}
	if layer == newel.Floor && verdict == newel.Fail {
		return row
	}
	if layer == newel.NoLayer {
		row.Stratum = 1
		row.Pred = residualPrediction(res)
		return row
	}
	row.Stratum = 2 + 2*uint16(layer)
	row.Pred = 0
	if verdict == newel.Pass {
		row.Stratum++
		row.Pred = 1
	}
	if res.Layer != newel.Judge {
		row.Mark = stat.Undrawn // settled below a judge: a prediction
	}
	return row
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
	last   string
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
	if it.Case != c.last || c.next == 0 {
		c.last = it.Case
		c.next++
	}
	return c.next - 1
}
