package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"newel"
)

func TestLabelsThatAreNeitherPassNorFailAreCountedOnceACase(t *testing.T) {
	t.Parallel()
	list := cases(30)
	for i, value := range []string{`"yes"`, `4`, `"no"`, `null`} {
		list[i].Case.Labels = []newel.Named{{Name: "zeta", Value: newel.Raw(value)}}
	}
	def := definition(list)
	def.Trials = 2
	def.Quarantined = func(id string) bool { return id == "c2" }
	want := []string{`label "zeta": 2 of 28 values are neither pass nor fail ("yes"): not compared`}
	store := newStore()
	sum := summary(t, store, start(t, store, "x", 2, def))
	if !slices.Equal(sum.Warnings, want) {
		t.Errorf("the report warns of %q, want %q", sum.Warnings, want)
	}
	put := func(context.Context, newel.ChunkInfo, Content) error { return nil }
	_, counts, err := MakePlan(context.Background(), def, put, func(context.Context, func(string)) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(counts.Labels.Warnings(), want) {
		t.Errorf("the plan warns of %q, want %q", counts.Labels.Warnings(), want)
	}
}

func TestMeasuresAndJudgesMayBeLabelledWithNumbersAndChoices(t *testing.T) {
	t.Parallel()
	l := NewLabelCount([]string{"tone", "length", "better"}, []bool{false, true, false}, []bool{false, false, true})
	l.Add([]newel.Named{{Name: "better", Value: newel.Raw(`"first"`)}, {Name: "length", Value: newel.Raw("3")}, {Name: "tone", Value: newel.Raw(`"pass"`)}}, newel.Bitmap{7})
	l.Add([]newel.Named{{Name: "tone", Value: newel.Raw("3")}}, newel.Bitmap{2})
	if got := l.Warnings(); got != nil {
		t.Errorf("warnings %q, want none", got)
	}
	l.Add([]newel.Named{{Name: "tone", Value: newel.Raw("3")}}, newel.Bitmap{1})
	if got := l.Warnings(); len(got) != 1 || !strings.Contains(got[0], `"tone": 1 of 2 values is`) {
		t.Errorf("warnings %q", got)
	}
}

func TestCasesInQuarantineStayOutOfAgreement(t *testing.T) {
	t.Parallel()
	def := definition(cases(40))
	def.Quarantined = func(id string) bool { return id == "c17" || id == "c1" }
	store := newStore()
	sum := summary(t, store, start(t, store, "x", 2, def))
	if len(sum.Agreement) != 1 || sum.Agreement[0].N != 38 {
		t.Errorf("agreement %+v, want 38 rows", sum.Agreement)
	}
	of := 0
	for _, s := range sum.Slices {
		if s.Agreement != nil {
			of += s.Agreement.N
		}
	}
	if of != 38 {
		t.Errorf("the slices compare %d rows, want 38", of)
	}
}

func TestASelectionThatCannotBeAskedIsOneMistakeForEachReason(t *testing.T) {
	t.Parallel()
	def := definition(cases(250))
	def.Select = func(_ context.Context, s *newel.Subject) (bool, error) {
		if s.Case.ID == "c3" {
			return false, fmt.Errorf("another reason")
		}
		return false, fmt.Errorf("no such key: tone")
	}
	_, err := DryPlan(context.Background(), def)
	var mistakes *newel.Mistakes
	if !errors.As(err, &mistakes) || mistakes.Len() != 2 {
		t.Fatalf("got %v, want two mistakes", err)
	}
	for i, want := range []string{`cases.jsonl:1: case "c0": --where: no such key: tone (and so 248 more cases)`, `cases.jsonl:4: case "c3": --where: another reason`} {
		if got := mistakes.List()[i].String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
