package work

import (
	"context"
	"sync"
)

// room bounds how many items of a run are under way at the same time, over all
// chunks that are worked on. Chunks go in one after the other, so that no more
// of them are in memory than needed. A nil room has no bound.
type room struct {
	free chan struct{} // holds as many as items are under way
	door chan struct{} // holds one: the chunk whose items go in
}

func newRoom(atOnce int) *room {
	if atOnce <= 0 {
		return nil
	}
	return &room{free: make(chan struct{}, atOnce), door: make(chan struct{}, 1)}
}

// turn waits until the items of a chunk may go in. Over, which may be called
// again, lets in the next.
func (r *room) turn(ctx context.Context) (over func(), err error) {
	if r == nil {
		return func() {}, nil
	}
	select {
	case r.door <- struct{}{}:
		return sync.OnceFunc(func() { <-r.door }), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// enter waits for one item's place. It is false when ctx is done.
func (r *room) enter(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	if r == nil {
		return true
	}
	select {
	case r.free <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// leave gives a place back.
func (r *room) leave() {
	if r != nil {
		<-r.free
	}
}
