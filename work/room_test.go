package work

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"newel"
)

// crowd counts how many items are asked about at a time. Each waits until as
// many are there as there is room for.
type crowd struct {
	inside, most atomic.Int64
	full         sync.WaitGroup
}

func (c *crowd) ask(context.Context, *newel.Item) newel.Fetched {
	n := c.inside.Add(1)
	for most := c.most.Load(); n > most && !c.most.CompareAndSwap(most, n); most = c.most.Load() {
	}
	c.full.Done()
	c.full.Wait()
	c.inside.Add(-1)
	return newel.Fetched{Output: newel.Raw(`"yes"`)}
}

func TestNoMoreItemsAreUnderWayThanThereIsRoomFor(t *testing.T) {
	t.Parallel()
	var cases []*newel.Case
	for i := range 3 {
		cases = append(cases, &newel.Case{ID: fmt.Sprint("case-", i)})
	}
	store, program := stored(t, cases...)
	var c crowd
	c.full.Add(3)
	program.Ask = c.ask
	program.AtOnce = 3
	if got := worker(store, program).Work(context.Background(), newel.Ref{Run: "run"}); got.Err != nil || got.Done != 3 || c.most.Load() != 3 {
		t.Errorf("%+v with %d at a time; want all three at a time", got, c.most.Load())
	}

	store, program = stored(t, cases...)
	var alone crowd
	alone.full.Add(1)
	program.AtOnce = 1
	program.Ask = func(ctx context.Context, it *newel.Item) newel.Fetched {
		defer alone.full.Add(1)
		return alone.ask(ctx, it)
	}
	if got := worker(store, program).Work(context.Background(), newel.Ref{Run: "run"}); got.Err != nil || got.Done != 3 || alone.most.Load() != 1 {
		t.Errorf("%+v with %d at a time; want one at a time", got, alone.most.Load())
	}
}

func TestAStopEndsTheWaitForRoom(t *testing.T) {
	t.Parallel()
	cause := errors.New("enough")
	ctx, stop := context.WithCancelCause(context.Background())
	r := newRoom(1)
	over, err := r.turn(ctx)
	if err != nil || !r.enter(ctx) {
		t.Fatal("an empty room lets nobody in")
	}
	stop(cause)
	if _, err := r.turn(ctx); !errors.Is(err, cause) {
		t.Errorf("a chunk at the door: %v, want the cause", err)
	}
	if r.enter(ctx) {
		t.Error("an item enters after the stop")
	}
	over()
	over()
	r.leave()
	if _, err := r.turn(context.Background()); err != nil || !r.enter(context.Background()) {
		t.Error("what was given back is not free")
	}
}
