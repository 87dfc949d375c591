package target

import (
	"context"
	"fmt"
	"slices"

	"newel"
)

// Set holds a run's targets.
type Set struct {
	targets []*Target
}

// NewSet returns a set of the targets that Parse or ParseMany gave.
func NewSet(targets ...*Target) *Set { return &Set{targets} }

// Names lists the targets as they stand in the matrix dimension target; empty
// for a single one without a name.
func (s *Set) Names() []string {
	var names []string
	for _, t := range s.targets {
		if t.name != "" {
			names = append(names, t.name)
		}
	}
	return names
}

// Variables lists the environment variables that the targets need where they
// are asked, sorted.
func (s *Set) Variables() []string {
	var all []string
	for _, t := range s.targets {
		all = append(all, t.Variables()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Ask gets the output of an item from the target that its matrix names. Every
// failure is in the answer's Err. When ctx is done, nothing more is begun: who
// waits for a free slot or before a retry comes back at once, and the Err is
// nobody's fault. A conversation that is under way is finished.
func (s *Set) Ask(ctx context.Context, it *newel.Item) newel.Fetched {
	t, err := s.of(it)
	if err != nil {
		return newel.Fetched{Err: &newel.ScoreError{Kind: newel.KindDefinition, Message: err.Error()}}
	}
	return t.ask(ctx, it)
}

func (s *Set) of(it *newel.Item) (*Target, error) {
	if len(s.targets) == 1 && s.targets[0].name == "" {
		return s.targets[0], nil
	}
	name, ok := newel.FindDim(it.Matrix, "target")
	if !ok {
		return nil, fmt.Errorf("the item's matrix names no target")
	}
	for _, t := range s.targets {
		if t.name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("no target %q%s", name, newel.DidYouMean(name, s.Names()))
}

// Close ends commands and idle connections. Asks that are under way should
// have come back.
func (s *Set) Close() {
	for _, t := range s.targets {
		t.kind.close()
	}
}
