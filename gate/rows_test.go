package gate_test

import (
	"slices"
	"testing"

	"newel"
	"newel/gate"
	"newel/stat"
)

func TestRowsFollowTheLadder(t *testing.T) {
	t.Parallel()
	score := []newel.Score{{Layer: newel.Classifier, Value: newel.ValueScale / 4, HasValue: true}}
	for _, c := range []struct {
		name    string
		res     newel.Result
		judged  bool
		stratum uint16
		pred    float64 // −1: none
		mark    stat.Mark
	}{
		{"a pass without a judge is final", pass(), false, 0, -1, stat.Pass},
		{"a floor's fail is final under a judge", fail(), true, 0, -1, stat.Fail},
		{"a floor's pass under a judge is a prediction", pass(), true, 5, 1, stat.Undrawn},
		{"a classifier's fail under a judge is a prediction", newel.Result{Verdict: newel.Fail, Layer: newel.Classifier}, true, 6, 0, stat.Undrawn},
		{"an audited row keeps its stratum", audited(newel.Pass, newel.Fail), true, 7, 1, stat.Fail},
		{"an audit that broke is missing", newel.Result{Verdict: newel.Failed, Audit: &newel.Audit{Layer: newel.Classifier, Verdict: newel.Pass}}, true, 7, 1, stat.Missing},
		{"a floor's fail that was audited", newel.Result{Verdict: newel.Fail, Layer: newel.Floor, Audit: &newel.Audit{Layer: newel.Judge, Verdict: newel.Pass}}, true, 0, -1, stat.Fail},
		{"the residual with a score", newel.Result{Verdict: newel.Unjudged, Reason: newel.Undrawn, Scores: score}, true, 1, 0.25, stat.Undrawn},
		{"the residual that the judge saw", newel.Result{Verdict: newel.Pass, Layer: newel.Judge}, true, 1, -1, stat.Pass},
		{"a judge that cannot say", unjudged(newel.NoLayerReason), true, 1, -1, stat.Missing},
	} {
		row := gate.RowOf(&c.res, c.judged)
		pred := row.Pred
		if pred != pred {
			pred = -1
		}
		if row.Stratum != c.stratum || pred != c.pred || row.Mark != c.mark {
			t.Errorf("%s: got %+v", c.name, row)
		}
	}
}

func TestClustersAreCasesUnlessTheyNameOne(t *testing.T) {
	t.Parallel()
	c := gate.NewClusters(&newel.Plan{Trials: 2, Items: 8, Cases: 4})
	var got []int32
	for _, it := range []newel.ItemRows{{Cluster: "book"}, {Case: ""}, {Case: ""}, {Case: "b"}, {Case: "b"}, {Case: "x", Cluster: "book"}, {Case: "y", Cluster: "page"}, {Case: "z"}} {
		got = append(got, c.Of(&it))
	}
	if want := []int32{0, 1, 1, 2, 2, 0, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("want %v, got %v", want, got)
	}
	single := gate.NewClusters(&newel.Plan{Trials: 1, Items: 4, Cases: 4})
	if n := single.Of(&newel.ItemRows{Case: "a"}); n != stat.Alone {
		t.Errorf("a case with one row: want it alone, got %d", n)
	}
}
