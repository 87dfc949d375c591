package main

import (
	"context"

	"newel"
)

// sealed is a store that can tell whether a sealed run is as it was sealed.
type sealed interface {
	CheckSeal(ctx context.Context, id string) error
}

// intact looks at every stored byte of a sealed run, so that nothing is told of
// rows that were changed since.
func intact(ctx context.Context, store newel.Store, run *newel.Run) error {
	s, can := store.(sealed)
	if run.State != newel.Sealed || !can {
		return nil
	}
	return s.CheckSeal(ctx, run.ID)
}
