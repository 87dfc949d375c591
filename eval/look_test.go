package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func look(t *testing.T, store newel.Store, run *newel.Run, q RowQuery) (rows []newel.Row, seen []Seen) {
	t.Helper()
	for l, err := range Look(context.Background(), store, run, q) {
		if err != nil {
			t.Fatal(err)
		}
		rows, seen = append(rows, l.Row), append(seen, l.Item)
	}
	return rows, seen
}

func TestLookYieldsTheSameRowsWithWhatWasScored(t *testing.T) {
	t.Parallel()
	list := cases(700) // three chunks
	for i := range list {
		list[i].Case.Input, list[i].Case.Reference = newel.Raw(fmt.Sprintf(`"question %d"`, i)), newel.Raw("[1]")
		list[i].Case.Outputs = pairOfLook()
		list[i].Case.Context = []newel.Passage{{Text: "a"}, {Text: "b"}}
	}
	store := newStore()
	run := start(t, store, "r", 2, definition(list))
	for name, q := range map[string]RowQuery{"all": {}, "failing": {Failing: true, Rubric: "alpha"}, "one case": {Case: "c555"}, "none": {Case: "x"}} {
		var want []newel.Row
		for row, err := range Rows(context.Background(), store, run, q) {
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, row)
		}
		rows, seen := look(t, store, run, q)
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for i, s := range seen {
			n := rows[i].Case[1:]
			want := Seen{Input: newel.Raw(`"question ` + n + `"`), Output: newel.Raw(`"answer ` + n + `"`), Reference: newel.Raw("[1]"), Outputs: pairOfLook(), Passages: []newel.Passage{{Text: "a"}, {Text: "b"}}}
			if diff := cmp.Diff(want, s); diff != "" {
				t.Errorf("%s, %s: %s", name, rows[i].Case, diff)
			}
		}
	}
}

// pairOfLook are two outputs that a case brings.
func pairOfLook() []newel.Named {
	return []newel.Named{{Name: "new", Value: newel.Raw(`"x"`)}, {Name: "old", Value: newel.Raw(`"y"`)}}
}

func TestLookShowsWhatATargetAnswered(t *testing.T) {
	t.Parallel()
	store := newStore()
	run := start(t, store, "r", 1, definition(cases(3)))
	asked := *run
	asked.Plan.Asks = true
	failure := &newel.ScoreError{Kind: newel.KindTimeout, Message: "no answer"}
	for n, f := range map[int]newel.Fetched{
		0: {Output: newel.Raw(`"fetched"`), Context: newel.Raw(`["p"]`)},
		1: {Err: failure},
	} {
		data, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.PutOutput(context.Background(), "r", n, data); err != nil {
			t.Fatal(err)
		}
	}
	_, seen := look(t, store, &asked, RowQuery{Rubric: "zeta"})
	want := []Seen{{Output: newel.Raw(`"fetched"`), Passages: []newel.Passage{{Text: "p"}}, Fetched: true}, {Fetched: true, Err: failure}, {Output: newel.Raw(`"answer 2"`)}}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}

func TestLookStopsWhenAsked(t *testing.T) {
	t.Parallel()
	store := newStore()
	run := start(t, store, "r", 1, definition(cases(10)))
	n := 0
	for _, err := range Look(context.Background(), store, run, RowQuery{}) {
		if n++; err != nil || n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d rows", n)
	}
}
