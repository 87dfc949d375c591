package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"newel"
	"newel/pack"
)

// Looked is a row with what was scored.
type Looked struct {
	Row  newel.Row
	Item Seen
}

// Seen is what an item's checks and judges had before them.
type Seen struct {
	Input, Output, Reference newel.Raw // nil: absent
	Outputs                  []newel.Named
	Passages                 []newel.Passage // the context
	// Fetched says that the output is what a target answered; Err is why it did
	// not.
	Fetched bool
	Err     *newel.ScoreError
}

// Look yields the rows that Rows yields, each with what was scored. It reads a
// chunk's cases once, and only where a row of it is selected.
func Look(ctx context.Context, store newel.Store, run *newel.Run, q RowQuery) iter.Seq2[Looked, error] {
	return func(yield func(Looked, error) bool) {
		stopped := false
		err := lookAll(ctx, store, run, q, func(l Looked) error {
			if !yield(l, nil) {
				stopped = true
				return errEnough
			}
			return nil
		})
		if err != nil && !stopped {
			yield(Looked{}, err)
		}
	}
}

func lookAll(ctx context.Context, store newel.Store, run *newel.Run, q RowQuery, yield func(Looked) error) error {
	chunks, err := store.Chunks(ctx, run.ID)
	if err != nil {
		return err
	}
	r, calls := bodyReader{store: store, run: run, chunks: chunks}, newRowCalls(store, run)
	return Scan(ctx, store, run, true, func(it *newel.ItemRows) error {
		if !q.takes(run, it) {
			calls.pass(it)
			return nil
		}
		var seen *Seen
		for i := range it.Results {
			res := &it.Results[i]
			if q.skips(run, res) {
				calls.passOver(res)
				continue
			}
			row := RowView(run, it, res)
			if row.Calls, err = calls.of(ctx, res); err != nil {
				return err
			}
			if seen == nil {
				if seen, err = r.seen(ctx, it.N); err != nil {
					return err
				}
			}
			if err := yield(Looked{row, *seen}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (q RowQuery) takes(run *newel.Run, it *newel.ItemRows) bool {
	return q.Case == "" || q.Case == it.Case || q.Case == it.Show(run.Plan.Trials)
}

// bodyReader reads the cases of items that come in plan order; the cases of the
// last chunk are kept.
type bodyReader struct {
	store  newel.Store
	run    *newel.Run
	chunks []newel.ChunkInfo // from the one that batch is of
	batch  *pack.Batch
}

// seen returns what item n had before its checks.
func (r *bodyReader) seen(ctx context.Context, n int) (*Seen, error) {
	for len(r.chunks) > 0 && n >= r.chunks[0].First+r.chunks[0].Items {
		r.chunks, r.batch = r.chunks[1:], nil
	}
	if len(r.chunks) == 0 {
		return nil, fmt.Errorf("item %d is in no chunk", n)
	}
	info := r.chunks[0]
	if r.batch == nil {
		if err := r.read(ctx, info); err != nil {
			return nil, fmt.Errorf("read the cases of chunk %d: %w", info.N, err)
		}
	}
	c := r.batch.Items[n-info.First].Case
	out := &Seen{Input: c.Input, Output: c.Output, Reference: c.Reference, Outputs: c.Outputs, Passages: c.Context}
	if !r.run.Plan.Asks {
		return out, nil
	}
	return out, r.answer(ctx, n, out)
}

func (r *bodyReader) read(ctx context.Context, info newel.ChunkInfo) error {
	_, index, err := r.store.Chunk(ctx, r.run.ID, info.N)
	if err != nil {
		return err
	}
	chunk, err := pack.ReadChunk(index)
	if err != nil {
		return err
	}
	bodies, err := r.store.Bodies(ctx, r.run.ID, info.N)
	if err != nil {
		return err
	}
	r.batch, err = chunk.Batch(info.First, bodies)
	return err
}

// answer puts what the target answered in place of what the case brought.
func (r *bodyReader) answer(ctx context.Context, n int, out *Seen) error {
	data, err := r.store.OutputOf(ctx, r.run.ID, n)
	if errors.Is(err, newel.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	var got newel.Fetched
	if err := json.Unmarshal(data, &got); err != nil {
		return fmt.Errorf("stored answer of item %d: %w", n, err)
	}
	out.Fetched, out.Output, out.Err = true, got.Output, got.Err
	if got.Context == nil {
		return nil
	}
	out.Passages, err = newel.ParsePassages(got.Context)
	return err
}
