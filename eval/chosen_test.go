package eval

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

// chose is a row whose judge chose so.
func chose(choice string, orders newel.Orders) *newel.Result {
	return &newel.Result{Scores: []newel.Score{
		{Scorer: "length", Layer: newel.Floor, Verdict: newel.Pass},
		{Scorer: "judge", Layer: newel.Judge, Verdict: newel.Pass, Choice: choice, Orders: orders},
	}}
}

func TestChoicesAreCountedThoughNobodyLabelledThem(t *testing.T) {
	t.Parallel()
	turned, alike := newel.Orders{Asked: 1, First: 1}, newel.Orders{Asked: 1, Same: 1}
	third := 1.0 / 3
	for name, c := range map[string]struct {
		rows  []*newel.Result
		names []string
		want  *newel.ChoiceSummary
		warns bool
	}{
		"no choice":   {[]*newel.Result{chose("", newel.Orders{})}, nil, nil, false},
		"of a prompt": {[]*newel.Result{chose("warm", newel.Orders{}), chose("cold", newel.Orders{}), chose("warm", newel.Orders{})}, []string{"warm", "mild", "cold"}, &newel.ChoiceSummary{N: 3, Counts: []newel.ChoiceCount{{Choice: "warm", N: 2}, {Choice: "mild", N: 0}, {Choice: "cold", N: 1}}}, false},
		"that no suite lists": {[]*newel.Result{chose("warm", newel.Orders{}), chose("cold", newel.Orders{})}, nil,
			&newel.ChoiceSummary{N: 2, Counts: []newel.ChoiceCount{{Choice: "cold", N: 1}, {Choice: "warm", N: 1}}}, false},
		"a judge that follows the order": {[]*newel.Result{chose("tie", turned), chose("tie", turned), chose("new", alike)}, []string{"new", "old", "tie"},
			&newel.ChoiceSummary{N: 3, Counts: []newel.ChoiceCount{{Choice: "new", N: 1}, {Choice: "old", N: 0}, {Choice: "tie", N: 2}}, Orders: &newel.OrderSummary{Orders: newel.Orders{Asked: 3, Same: 1, First: 2}, Consistency: &third}}, true},
	} {
		var fold chosenFold
		for _, r := range c.rows {
			fold.add(r)
		}
		got := fold.summary(c.names)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if turns(got) != c.warns {
			t.Errorf("%s: warned %v, want %v", name, turns(got), c.warns)
		}
	}
}

func TestTheNumberOfChoicesCountedIsBounded(t *testing.T) {
	t.Parallel()
	var fold chosenFold
	for i := range 2 * maxChosen {
		fold.add(chose("c"+strings.Repeat("x", i), newel.Orders{}))
	}
	if len(fold.counts) != maxChosen || fold.n != maxChosen {
		t.Errorf("%d choices of %d rows are counted, want %d", len(fold.counts), fold.n, maxChosen)
	}
}
