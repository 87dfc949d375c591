package work

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"newel"
	"newel/pack"
)

// slowly scores items that wait for something outside, all of them at the same
// time: the target owns the limit. Rows are written as they come, those that
// are ready together in one commit, so that a kill costs little.
func (w *Worker) slowly(ctx context.Context, r *running, batch *pack.Batch, ref newel.Ref, todo []int) (done, left int, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ready := make(chan newel.Packed, len(todo))
	var items sync.WaitGroup
	var count sync.Mutex
	for _, offset := range todo {
		items.Go(func() {
			packed, err := w.item(ctx, r, batch, offset, ref.Last)
			switch {
			case err == nil:
				ready <- packed
			case errors.Is(err, errLeft):
				count.Lock()
				left++
				count.Unlock()
			case ctx.Err() == nil:
				stop(fmt.Errorf("item %d: %w", batch.Items[offset].N, err))
			}
		})
	}
	go func() {
		items.Wait()
		close(ready)
	}()
	for records := range together(ready) {
		if err := w.commit(ctx, ref, records); err != nil {
			stop(err)
			continue
		}
		done += len(records)
	}
	return done, left, context.Cause(ctx)
}

// together yields what is ready at the same time as one list.
func together(ready <-chan newel.Packed) func(yield func([]newel.Packed) bool) {
	return func(yield func([]newel.Packed) bool) {
		for first := range ready {
			list := []newel.Packed{first}
			for len(ready) > 0 {
				list = append(list, <-ready)
			}
			yield(list)
		}
	}
}
