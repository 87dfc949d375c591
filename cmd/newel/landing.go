package main

import (
	"context"
	"fmt"

	"newel"
	"newel/store/sqlite"
)

// landing is the state of a run while it is copied into a store. Sealing it,
// which is one step, makes it a run like any other.
const landing newel.State = "landing"

// landed is a store whose runs on their way in are seen by nobody.
type landed struct{ *sqlite.Store }

// Run returns a run; ErrNotFound also for one on its way in.
func (s landed) Run(ctx context.Context, id string) (*newel.Run, error) {
	run, err := s.Store.Run(ctx, id)
	if err == nil && run.State == landing {
		return nil, fmt.Errorf("run %q %w", id, newel.ErrNotFound)
	}
	return run, err
}

// ListRuns returns runs, the newest first.
func (s landed) ListRuns(ctx context.Context, q newel.RunQuery) ([]*newel.Run, error) {
	list, err := s.Store.ListRuns(ctx, q)
	here := withoutLanding(list)
	if len(here) < len(list) && len(list) == q.Limit { // there may be more
		whole := q
		whole.Limit = 0
		if list, err = s.Store.ListRuns(ctx, whole); err == nil {
			here = withoutLanding(list)
			here = here[:min(len(here), q.Limit)]
		}
	}
	return here, err
}

func withoutLanding(list []*newel.Run) []*newel.Run {
	var here []*newel.Run
	for _, r := range list {
		if r.State != landing {
			here = append(here, r)
		}
	}
	return here
}

// tidy erases what a killed import left, as far as it can: nobody sees it, and
// what stays now goes with the next command.
func (s landed) tidy(ctx context.Context) {
	list, err := s.Store.ListRuns(ctx, newel.RunQuery{State: landing})
	if err != nil {
		return
	}
	for _, r := range list {
		s.eraseLeft(ctx, r.ID)
	}
}

// eraseLeft erases a run on its way in that no process holds.
func (s landed) eraseLeft(ctx context.Context, id string) {
	release, err := s.HoldRun(ctx, id)
	if err != nil {
		return
	}
	defer release()
	if run, err := s.Store.Run(ctx, id); err == nil && run.State == landing {
		_ = s.EraseRun(ctx, id)
	}
}

// inbound is a store that a run is copied into.
type inbound struct{ landed }

// Run returns a run also where it is on its way in: copying goes over what an
// earlier copy left.
func (s inbound) Run(ctx context.Context, id string) (*newel.Run, error) { return s.Store.Run(ctx, id) }

// CreateRun stores a run that is on its way in.
func (s inbound) CreateRun(ctx context.Context, r *newel.Run) error {
	coming := *r
	coming.State = landing
	return s.Store.CreateRun(ctx, &coming)
}

// SetState leaves the run on its way in: only its seal makes it seen.
func (s inbound) SetState(context.Context, string, newel.State, ...newel.State) error { return nil }
