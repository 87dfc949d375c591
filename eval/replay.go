package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"newel"
)

// Replayed is what deriving a run again came to.
type Replayed struct {
	Items    int
	Rows     int
	Recorded int // different answers from outside, taken as they were recorded
	Digest   newel.Hash
}

// DryPlan plans without storing anything, for a plan's digest.
func DryPlan(ctx context.Context, def *Definition) (newel.Plan, error) {
	put := func(context.Context, newel.ChunkInfo, Content) error { return nil }
	plan, _, err := MakePlan(ctx, def, put, func(context.Context, func(string)) error { return nil })
	return plan, err
}

// errOutside says that a replay would have to ask somebody.
var errOutside = errors.New("an answer from outside is not in the store: the run cannot be derived again")

// Replay derives every row of a run again from what is stored, with work, which
// must read from the store that it is given, and returns the digest that comes
// out. Nothing is written and nobody is asked.
func Replay(ctx context.Context, store newel.Store, run *newel.Run, worker func(*Shadow) newel.Work) (*Replayed, error) {
	if err := CheckPlan(ctx, store, run); err != nil {
		return nil, err
	}
	shadow := &Shadow{Store: store, answers: newel.NewBitmap(run.Plan.Items)}
	work := worker(shadow)
	digest := NewDigest(&run.Plan)
	defer digest.Close()
	chunks, err := store.Chunks(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	out, replies := &Replayed{}, map[uint64]bool{}
	for _, info := range chunks {
		shadow.records = nil
		if r := work(ctx, newel.Ref{Run: run.ID, Chunk: info.N, Stage: newel.Both, Last: true}); r.Err != nil {
			return nil, r.Err
		}
		if err := out.add(ctx, store, run, info, shadow, digest, replies); err != nil {
			return nil, fmt.Errorf("replay chunk %d: %w", info.N, err)
		}
	}
	out.Recorded = run.Plan.Items - len(shadow.answers.Missing(run.Plan.Items)) + len(replies)
	out.Digest, err = digest.Sum()
	return out, err
}

// add takes a chunk's rows, and notes the different replies that they were read
// from: rows that ask the same share one.
func (r *Replayed) add(ctx context.Context, store newel.Store, run *newel.Run, info newel.ChunkInfo, shadow *Shadow, digest *Digest, replies map[uint64]bool) error {
	var s scanner
	return s.chunk(ctx, shadowed{store, shadow}, run, info, false, func(it *newel.ItemRows) error {
		if !it.Done {
			return fmt.Errorf("item %d gave no rows", it.N)
		}
		r.Items++
		r.Rows += len(it.Results)
		it.EachCall(func(_ *newel.Result, ref newel.CallRef) {
			if !ref.Reply.IsZero() {
				replies[shortKey(ref)] = true
			}
		})
		return digest.Add(it)
	})
}

// Shadow is a store for a replay: plans and answers are those of the real one,
// rows are kept back.
type Shadow struct {
	newel.Store
	mu      sync.Mutex
	records []newel.Packed
	answers newel.Bitmap // items whose answer of a target was read
}

func (s *Shadow) sorted() []newel.Packed {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortFunc(s.records, func(a, b newel.Packed) int { return cmp.Compare(a.Offset, b.Offset) })
	return s.records
}

// Done says that no row is there.
func (s *Shadow) Done(context.Context, string, int) (newel.Bitmap, error) { return nil, nil }

// Commit keeps rows back.
func (s *Shadow) Commit(_ context.Context, _ string, _ int, records []newel.Packed) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = append(s.records, records...)
	return len(records), nil
}

// OutputOf returns a recorded answer.
func (s *Shadow) OutputOf(ctx context.Context, run string, item int) ([]byte, error) {
	answer, err := s.Store.OutputOf(ctx, run, item)
	if errors.Is(err, newel.ErrNotFound) {
		return nil, errOutside
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers.Set(item)
	return answer, err
}

// shadowed reads rows from the shadow and all else from the store.
type shadowed struct {
	newel.Store
	shadow *Shadow
}

func (s shadowed) Records(context.Context, string, int) ([]newel.Packed, error) {
	return s.shadow.sorted(), nil
}
