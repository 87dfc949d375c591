package main

import (
	"context"

	"newel"
	"newel/ladder"
	"newel/suite"
)

// emptyProbe tries a rubric's floor on an empty answer, to find rubrics that
// pass whatever is said.
type emptyProbe struct {
	rubric        *ladder.Rubric // nil: its layers cannot be tried
	tried, passed int
}

func newEmptyProbe(s *suite.Suite, index int) *emptyProbe {
	r := s.Rubrics[index]
	if len(r.Classifiers) > 0 || r.Judge != nil || r.Measure {
		return &emptyProbe{}
	}
	return &emptyProbe{rubric: s.Floor(index)}
}

func (e *emptyProbe) try(ctx context.Context, it *newel.Item) {
	if e.rubric == nil || e.tried == probes {
		return
	}
	bare := *it.Case
	bare.Output = newel.Raw(`""`)
	item := *it
	item.Case = &bare
	e.tried++
	if e.rubric.Climb(ctx, newel.NewSubject(&item)).Verdict == newel.Pass {
		e.passed++
	}
}
