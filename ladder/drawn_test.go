package ladder

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"newel"
)

// byNumber settles a third of the items as pass and a sixth as fail.
type byNumber struct{}

func (byNumber) Name() string { return "thirds" }

func (byNumber) Score(_ context.Context, s *newel.Subject) newel.Score {
	switch s.Item.N % 6 {
	case 0, 3:
		return newel.Passed()
	case 1:
		return newel.Missed("one")
	}
	return newel.Score{}
}

// drawnBy climbs all items with so many goroutines, in the order given, and
// returns the cases that the judge saw, sorted.
func drawnBy(r *Rubric, items []newel.Item, order []int, workers int) []string {
	results := make([]newel.Result, len(items))
	queue := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range queue {
				results[i] = r.Climb(context.Background(), newel.NewSubject(&items[i]))
			}
		})
	}
	for _, i := range order {
		queue <- i
	}
	close(queue)
	group.Wait()
	var seen []string
	for i, res := range results {
		if len(res.Scores) > 0 && res.Scores[len(res.Scores)-1].Layer == newel.Judge {
			seen = append(seen, items[i].Show(2))
		}
	}
	slices.Sort(seen)
	return seen
}

func manyItems(n int) (items []newel.Item, order []int) {
	for i := range n {
		items = append(items, newel.Item{N: i, Case: &newel.Case{ID: fmt.Sprintf("c%04d", i/2)}, Trial: 1 + i%2})
		order = append(order, i)
	}
	return items, order
}

func sampling(sample, audit float64) *Rubric {
	return &Rubric{Name: "grounded", Seed: 7, Sample: sample, Audit: audit,
		Classifiers: []newel.Scorer{byNumber{}}, Judge: says{name: "judge", score: newel.Passed()}}
}

func TestTheDrawnSetIsTheSameOnAnyWorkersInAnyOrder(t *testing.T) {
	t.Parallel()
	items, order := manyItems(3000)
	r := sampling(0.2, 0.05)
	want := drawnBy(r, items, order, 1)
	if len(want) < 300 || len(want) > 460 { // 1,500 × 0.2 + 1,500 × 0.05 = 375, deviation 17.6
		t.Fatalf("%d of 3,000 items drawn, want about 375", len(want))
	}
	for i, workers := range []int{1, 2, 64} {
		rand.New(rand.NewPCG(1, uint64(i))).Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		if got := drawnBy(r, items, order, workers); !slices.Equal(got, want) {
			t.Errorf("%d workers in another order drew %d items, one worker in plan order %d; they differ", workers, len(got), len(want))
		}
	}
	slices.Reverse(items) // the number in the plan decides nothing
	for i := range items {
		items[i].N = 2 // none settled: the sample alone
	}
	draws := func(items []newel.Item) []string { return drawnBy(sampling(0.2, 0), items, order, 2) }
	reversed := draws(items)
	slices.Reverse(items)
	if got := draws(items); !slices.Equal(got, reversed) {
		t.Error("the same items under other numbers were drawn differently")
	}
}

func TestALargerShareDrawsWhatASmallerOneDid(t *testing.T) {
	t.Parallel()
	items, order := manyItems(2000)
	var before []string
	for _, share := range []float64{0, 0.01, 0.02, 0.05, 0.1, 0.1000001, 0.5, 0.99, 1} {
		got := drawnBy(sampling(share, share/2), items, order, 2)
		for _, name := range before {
			if _, still := slices.BinarySearch(got, name); !still {
				t.Errorf("a share of %v leaves out %s, which a smaller one drew", share, name)
			}
		}
		before = got
	}
	if want := 1000 + 450; len(before) < want || len(before) > want+100 { // all of the residual, half of the settled
		t.Errorf("a share of 1 with an audit of ½ drew %d, want all 1,000 of the residual and about 500 of the rest", len(before))
	}
	if got := drawnBy(sampling(0, 0), items, order, 2); got != nil {
		t.Errorf("a share of 0 drew %d items", len(got))
	}
}

// One number serves both shares, so that a row which a layer settles in one run
// and not in the other keeps its place in the draw.
func TestSampleAndAuditShareOneNumber(t *testing.T) {
	t.Parallel()
	for i := range 500 {
		it := item(fmt.Sprint("c", i))
		u := Draw(7, "grounded", it)
		for _, settled := range []newel.Score{undecided, pass} {
			for share, want := range map[float64]bool{u: false, u + 1e-9: true} {
				r := sampling(share, share)
				r.Classifiers = []newel.Scorer{says{name: "k", score: settled}}
				res := r.Climb(context.Background(), newel.NewSubject(it))
				got := res.Scores[len(res.Scores)-1].Layer == newel.Judge
				if got != want || res.Inclusion != share {
					t.Fatalf("%s with u = %v, share %v: judged %v with inclusion %v, want %v", it.Case.ID, u, share, got, res.Inclusion, want)
				}
			}
		}
	}
}
