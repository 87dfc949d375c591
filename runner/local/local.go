// Package local carries references to goroutines of this process.
package local

import (
	"context"
	"sync"

	"newel"
)

// Runner runs Work on a pool of goroutines.
type Runner struct {
	work    newel.Work
	workers int
}

// New returns a runner of so many workers, at least one.
func New(work newel.Work, workers int) *Runner { return &Runner{work, max(1, workers)} }

// Name is "local".
func (r *Runner) Name() string { return "local" }

// Carry works on refs until they end. When ctx is done it takes no more, lets
// what is under way finish and returns the cause.
func (r *Runner) Carry(ctx context.Context, refs <-chan newel.Ref, receipt func(newel.Receipt)) error {
	var pool sync.WaitGroup
	var one sync.Mutex
	for range r.workers {
		pool.Go(func() {
			for ref := range take(ctx, refs) {
				done := r.work(ctx, ref)
				one.Lock()
				receipt(done)
				one.Unlock()
			}
		})
	}
	pool.Wait()
	return context.Cause(ctx)
}

// take yields references until they end or ctx is done.
func take(ctx context.Context, refs <-chan newel.Ref) func(yield func(newel.Ref) bool) {
	return func(yield func(newel.Ref) bool) {
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
				return
			case ref, ok := <-refs:
				if !ok || !yield(ref) {
					return
				}
			}
		}
	}
}
