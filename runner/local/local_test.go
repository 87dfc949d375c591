package local

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"newel"
)

func offer(n int) <-chan newel.Ref {
	refs := make(chan newel.Ref, n)
	for i := range n {
		refs <- newel.Ref{Run: "r", Chunk: i}
	}
	close(refs)
	return refs
}

func TestEveryReferenceIsWorkedOnOnce(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{-1, 1, 2, 64} {
		seen := make([]int, 100)
		work := func(_ context.Context, ref newel.Ref) newel.Receipt { return newel.Receipt{Ref: ref, Done: 1} }
		err := New(work, workers).Carry(context.Background(), offer(len(seen)), func(r newel.Receipt) { seen[r.Ref.Chunk]++ })
		if err != nil {
			t.Fatal(err)
		}
		for chunk, n := range seen {
			if n != 1 {
				t.Errorf("%d workers: chunk %d has %d receipts", workers, chunk, n)
			}
		}
	}
}

func TestAStopFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	cause := errors.New("enough")
	ctx, stop := context.WithCancelCause(context.Background())
	var begun, receipts atomic.Int64
	var under sync.WaitGroup
	under.Add(2)
	work := func(_ context.Context, ref newel.Ref) newel.Receipt {
		begun.Add(1)
		under.Done()
		under.Wait() // both workers are busy now
		stop(cause)
		return newel.Receipt{Ref: ref}
	}
	err := New(work, 2).Carry(ctx, offer(100), func(newel.Receipt) { receipts.Add(1) })
	if !errors.Is(err, cause) || begun.Load() != 2 || receipts.Load() != 2 {
		t.Errorf("%v after %d begun and %d receipts; want the cause, and both that were under way", err, begun.Load(), receipts.Load())
	}
}
