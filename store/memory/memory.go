// Package memory keeps runs in memory: a store for tests of everything that
// needs one. It holds to the same contract as the stores that last, and forgets
// all at the end of the process.
package memory

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"newel"
)

// Store is a newel.Store in memory. Make it with New.
type Store struct {
	mu    sync.Mutex
	runs  map[string]*run
	order []*run // as created
	blobs map[newel.Hash][]byte
	files map[newel.Hash][]byte
	held  map[string]bool
	clock func() time.Time

	accounts map[string]*account
	good     map[newel.Hash][]*newel.Entry // what later runs may use, as stored
}

type run struct {
	newel.Run
	chunks  map[int]*chunk
	outputs map[int][]byte
}

type chunk struct {
	newel.ChunkInfo
	done    newel.Bitmap
	records map[int]newel.Packed
}

// New returns an empty store. A nil clock is time.Now.
func New(clock func() time.Time) *Store {
	if clock == nil {
		clock = time.Now
	}
	return &Store{
		runs: map[string]*run{}, blobs: map[newel.Hash][]byte{}, held: map[string]bool{}, clock: clock,
		accounts: map[string]*account{}, good: map[newel.Hash][]*newel.Entry{},
	}
}

// URL says that there is nothing to find again.
func (s *Store) URL() string { return "memory:" }

// Close does nothing.
func (s *Store) Close() error { return nil }

// instant returns t as every store keeps it: UTC, in milliseconds.
func instant(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Millisecond)
}

func (s *Store) run(ctx context.Context, id string) (*run, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if r, ok := s.runs[id]; ok {
		return r, nil
	}
	return nil, fmt.Errorf("run %q %w", id, newel.ErrNotFound)
}

// open returns a run that is not sealed.
func (s *Store) open(ctx context.Context, id string) (*run, error) {
	r, err := s.run(ctx, id)
	if err == nil && r.State == newel.Sealed {
		err = fmt.Errorf("run %q is %w", id, newel.ErrSealed)
	}
	return r, err
}

// CreateRun stores a new run.
func (s *Store) CreateRun(ctx context.Context, r *newel.Run) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.ID == "" || r.State == newel.Sealed {
		return fmt.Errorf("run %q: a new run has an id and is not sealed", r.ID)
	}
	if _, err := s.run(ctx, r.ID); err == nil {
		return fmt.Errorf("run %q %w", r.ID, newel.ErrExists)
	} else if !errors.Is(err, newel.ErrNotFound) {
		return err
	}
	kept := &run{Run: *copyRun(r), chunks: map[int]*chunk{}, outputs: map[int][]byte{}}
	kept.State = cmp.Or(r.State, newel.Planned)
	kept.Created, kept.Started, kept.Sealed = instant(r.Created), instant(r.Started), time.Time{}
	if r.Created.IsZero() {
		kept.Created = instant(s.clock())
	}
	s.runs[r.ID] = kept
	s.order = append(s.order, kept)
	return nil
}

// copyRun shares the plan: nobody changes one.
func copyRun(r *newel.Run) *newel.Run {
	out := *r
	out.Labels = maps.Clone(r.Labels)
	out.Definition, out.Summary = bytes.Clone(r.Definition), bytes.Clone(r.Summary)
	return &out
}

// Run returns a run.
func (s *Store) Run(ctx context.Context, id string) (*newel.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.run(ctx, id)
	if err != nil {
		return nil, err
	}
	return copyRun(&r.Run), nil
}

// ListRuns returns runs, the newest first.
func (s *Store) ListRuns(ctx context.Context, q newel.RunQuery) ([]*newel.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var out []*newel.Run
	for _, r := range slices.Backward(s.order) {
		if matches(&r.Run, q) {
			found := copyRun(&r.Run)
			found.Definition, found.Summary = nil, nil
			out = append(out, found)
		}
	}
	slices.SortStableFunc(out, func(a, b *newel.Run) int { return b.Created.Compare(a.Created) })
	if q.Limit > 0 && len(out) > q.Limit {
		out = out[:q.Limit]
	}
	return out, nil
}

func matches(r *newel.Run, q newel.RunQuery) bool {
	for name, value := range q.Labels {
		if got, ok := r.Labels[name]; !ok || got != value {
			return false
		}
	}
	return (q.Suite == "" || r.Suite == q.Suite) && (q.State == "" || r.State == q.State)
}

// SetState moves a run on. The first time it is running it has started.
func (s *Store) SetState(ctx context.Context, id string, to newel.State, from ...newel.State) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if to == newel.Sealed {
		return fmt.Errorf("run %q: only SealRun seals", id)
	}
	r, err := s.run(ctx, id)
	switch {
	case err != nil:
		return err
	case !slices.Contains(from, r.State):
		return fmt.Errorf("run %q is %s: %w", id, r.State, newel.ErrConflict)
	case r.State == newel.Sealed:
		return fmt.Errorf("run %q is %w", id, newel.ErrSealed)
	}
	r.State = to
	if to == newel.Running && r.Started.IsZero() {
		r.Started = instant(s.clock())
	}
	return nil
}

// FinishPlan stores the complete plan. The same plan again is no change.
func (s *Store) FinishPlan(ctx context.Context, id string, p newel.Plan) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Digest.IsZero() {
		return fmt.Errorf("run %q: a complete plan has a digest", id)
	}
	r, err := s.run(ctx, id)
	switch {
	case err != nil:
		return err
	case samePlan(r.Plan, p):
		return nil
	case r.State == newel.Sealed:
		return fmt.Errorf("run %q is %w", id, newel.ErrSealed)
	case !r.Plan.Digest.IsZero():
		return fmt.Errorf("the plan of run %q: %w", id, newel.ErrConflict)
	}
	r.Plan = p
	return nil
}

// samePlan compares whole plans by their canonical form.
func samePlan(a, b newel.Plan) bool {
	x, errX := newel.CanonicalOf(a)
	y, errY := newel.CanonicalOf(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// SealRun ends a run. Its seal hash covers the record, the chunks' hashes, the
// records, the outputs and the account with its entries.
func (s *Store) SealRun(ctx context.Context, id string, digest newel.Hash, summary []byte) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.run(ctx, id)
	if err != nil || r.State == newel.Sealed {
		return false, err
	}
	var t newel.Tally
	items := 0
	for _, c := range r.chunks {
		t.Plus(c.Tally)
		items += c.Items
	}
	if p := r.Plan; p.Digest.IsZero() || len(r.chunks) != p.Chunks || items != p.Items || t.Done != p.Items {
		return false, fmt.Errorf("run %q has %d of %d items: %w", id, t.Done, p.Items, newel.ErrConflict)
	}
	r.State, r.Sealed, r.Digest, r.Summary = newel.Sealed, instant(s.clock()), digest, bytes.Clone(summary)
	a := s.accountOf(id)
	seal, err := newel.CanonicalOf([]any{r.Run, r.hashes(), r.outputs, a.now, a.sorted(), len(a.intents)})
	r.SealHash = newel.HashOf(seal)
	return err == nil, err
}

// hashes returns, by chunk, its content's hash and its records.
func (r *run) hashes() map[int]any {
	out := map[int]any{}
	for n, c := range r.chunks {
		out[n] = []any{c.Hash, c.ChunkInfo.Bodies, c.records}
	}
	return out
}

// EraseRun removes an unsealed run. Its account stays if anything was paid or
// may have been.
func (s *Store) EraseRun(ctx context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.open(ctx, id)
	if err != nil {
		return err
	}
	delete(s.runs, id)
	s.order = slices.DeleteFunc(s.order, func(o *run) bool { return o == r })
	used := map[newel.Hash]bool{}
	for _, other := range s.runs {
		for _, c := range other.chunks {
			used[c.Hash], used[c.ChunkInfo.Bodies] = true, true
		}
	}
	maps.DeleteFunc(s.blobs, func(h newel.Hash, _ []byte) bool { return !used[h] })
	if a := s.accounts[id]; a != nil && !a.paid() {
		delete(s.accounts, id)
		for key := range a.entries {
			s.good[key] = slices.DeleteFunc(s.good[key], func(e *newel.Entry) bool { return e.Run == id })
		}
	}
	return nil
}

// HoldRun keeps others in this process from the run.
func (s *Store) HoldRun(ctx context.Context, id string) (func() error, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if s.held[id] {
		return nil, fmt.Errorf("run %q: %w", id, newel.ErrHeld)
	}
	s.held[id] = true
	return sync.OnceValue(func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.held, id)
		return nil
	}), nil
}
