package work

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"newel"
	"newel/pack"
)

// slowly scores items that wait for something outside, as many at the same time
// as the run has room for: whoever is asked owns the limit. Rows are written while
// others are waited for, so that a kill costs little.
func (w *Worker) slowly(ctx context.Context, r *running, ref newel.Ref) (done, left int, err error) {
	over, err := r.room.turn(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer over()
	batch, todo, err := w.load(ctx, r, ref)
	if err != nil {
		return 0, 0, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	p := &passing{worker: w, run: r, batch: batch, last: ref.Last, stop: stop, ready: make(chan newel.Packed, len(todo))}
	go func() { // ends when ready is closed, which is waited for below
		p.all(ctx, todo, over)
		close(p.ready)
	}()
	for records := range together(p.ready) {
		if err := w.commit(ctx, ref, records); err != nil {
			stop(err)
			continue
		}
		done += len(records)
	}
	return done, p.left, context.Cause(ctx)
}

// passing is a chunk whose items are being scored.
type passing struct {
	worker *Worker
	run    *running
	batch  *pack.Batch
	last   bool
	stop   context.CancelCauseFunc
	ready  chan newel.Packed

	mu   sync.Mutex
	left int
}

// all scores the items and returns when the last one is done. Entered is called
// when all are under way.
func (p *passing) all(ctx context.Context, todo []int, entered func()) {
	var items sync.WaitGroup
	for _, offset := range todo {
		if !p.run.room.enter(ctx) {
			break
		}
		items.Go(func() {
			defer p.run.room.leave()
			p.one(ctx, offset)
		})
	}
	entered()
	items.Wait()
}

func (p *passing) one(ctx context.Context, offset int) {
	packed, err := p.worker.item(ctx, p.run, p.batch, offset, p.last)
	switch {
	case err == nil:
		p.ready <- packed
	case errors.Is(err, errLeft):
		p.mu.Lock()
		p.left++
		p.mu.Unlock()
	case ctx.Err() == nil:
		p.stop(fmt.Errorf("item %d: %w", p.batch.Items[offset].N, err))
	}
}

// gatherFor is how long rows wait for others to be written with. A kill costs no
// more than that: replies are in the journal already.
const gatherFor = 200 * time.Millisecond

// together yields what becomes ready within gatherFor as one list.
func together(ready <-chan newel.Packed) func(yield func([]newel.Packed) bool) {
	return func(yield func([]newel.Packed) bool) {
		for first := range ready {
			yield(gather([]newel.Packed{first}, ready))
		}
	}
}

func gather(list []newel.Packed, ready <-chan newel.Packed) []newel.Packed {
	enough := time.NewTimer(gatherFor)
	defer enough.Stop()
	for {
		select {
		case packed, more := <-ready:
			if !more {
				return list
			}
			list = append(list, packed)
		case <-enough.C:
			return list
		}
	}
}
