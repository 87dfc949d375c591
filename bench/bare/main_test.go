package main

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/bench/six"
)

func TestTheLoopCountsWhatWasPlanted(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 8, 64, 250} {
		dir := t.TempDir()
		if err := six.Write(dir, 1, n); err != nil {
			t.Fatal(err)
		}
		passed, err := run(filepath.Join(dir, six.CasesFile))
		if err != nil {
			t.Fatal(err)
		}
		if want := six.Passing(n); passed != want {
			t.Errorf("%d cases: want %d to pass, got %d", n, want, passed)
		}
	}
}

func TestEachPlantedCaseFailsInItsOwnWay(t *testing.T) {
	t.Parallel()
	checks, err := compile()
	if err != nil {
		t.Fatal(err)
	}
	want := map[int][]string{
		7: {"equals", "contains"}, 31: {"json-schema"},
		63: {"equals", "contains", "regex", "json-schema", "expr", "levenshtein"},
	}
	got := map[int][]string{}
	for i := range 100 {
		c := six.At(1, i)
		quoted := func(text string) newel.Raw { return newel.AppendString(nil, text) }
		s := newel.NewSubject(&newel.Item{Case: &newel.Case{
			ID: c.ID, Output: quoted(c.Output), Reference: quoted(c.Expected),
			Vars: []newel.Named{{Name: "must", Value: quoted(c.Must)}, {Name: "pattern", Value: quoted(c.Pattern)}},
		}})
		for _, check := range checks {
			score := check.Score(context.Background(), s)
			if score.Err != nil {
				t.Fatal(fmt.Errorf("case %d, %s: %w", i, check.Name(), score.Err))
			}
			if score.Verdict != newel.Pass {
				got[i] = append(got[i], check.Name())
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
