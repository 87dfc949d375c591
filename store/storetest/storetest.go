// Package storetest is the suite that every store passes: what newel.Store
// promises, tried out. Run is for all stores, Lasting for those that keep their
// runs when the process ends, Bench measures.
//
// It knows nothing of how a store keeps things. How a store fails when its
// disk, server or network does is tested beside that store.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"newel"
)

// Open returns a new, empty store.
type Open func(t testing.TB) newel.Store

// Run joins a store to the suite. Stores are closed here.
func Run(t *testing.T, open Open) {
	for _, group := range [][]check{runChecks, planChecks, rowChecks, sealChecks, journalChecks, payRaces, fileChecks} {
		for _, c := range group {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.test(t, opened(t, open(t)))
			})
		}
	}
}

// check is one sentence of the contract.
type check struct {
	name string
	test func(*testing.T, newel.Store)
}

func opened(t testing.TB, s newel.Store) newel.Store {
	t.Cleanup(func() { ok(t, s.Close()) })
	return s
}

var ctx = context.Background()

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		ok(t, err)
		return v
	}
}

// same compares values whole. No bytes are the same as none.
func same(t testing.TB, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmp.Comparer(bytes.Equal)); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func wantErr(t testing.TB, want, got error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Fatalf("error %v, want %v", got, want)
	}
}

// instant has microseconds, which no store keeps, and is not in UTC.
func instant() time.Time {
	return time.Date(2030, 5, 17, 9, 30, 1, 234567000, time.FixedZone("", 2*3600))
}

// plain is a run with nothing but its name.
func plain(id string) *newel.Run {
	return &newel.Run{ID: id, Suite: "billing", Created: instant()}
}

// content returns the content of a chunk and its description.
func content(n, first, items int) ([]byte, newel.ChunkInfo) {
	data := fmt.Appendf(nil, "chunk from %d: %d items, %s", first, items, filler)
	return data, newel.ChunkInfo{N: n, Hash: newel.HashOf(data), First: first, Items: items}
}

const filler = "The courier says the parcel was handed over, the customer says it was not."

// planned creates a run of chunks with so many items each and finishes its
// plan.
func planned(t testing.TB, s newel.Store, id string, chunks, items int) []newel.ChunkInfo {
	t.Helper()
	ok(t, s.CreateRun(ctx, plain(id)))
	var infos []newel.ChunkInfo
	for n := range chunks {
		data, info := content(n, n*items, items)
		ok(t, s.PutChunk(ctx, id, info, data, nil))
		infos = append(infos, info)
	}
	ok(t, s.FinishPlan(ctx, id, planOf(chunks, items)))
	return infos
}

func planOf(chunks, items int) newel.Plan {
	return newel.Plan{
		Scoring: newel.Scoring, SuiteDigest: newel.HashOf([]byte("suite")), Digest: newel.HashOf([]byte("plan")),
		Items: chunks * items, Cases: chunks * items, Chunks: chunks, Trials: 1, Seed: -7,
		Rubrics: []string{"faithful", "polite"},
	}
}

// record returns a record by a writer for an item. Verdict and data follow
// from both, so a reader can tell whose record it is.
func record(writer, offset int) newel.Packed {
	return newel.Packed{
		Offset:  offset,
		Verdict: newel.Pass + newel.Verdict((writer+offset)%4),
		Data:    fmt.Appendf(nil, "%d/%d/%s", writer, offset, filler[:(writer*7+offset)%len(filler)]),
	}
}

// fill commits all items of a planned run.
func fill(t testing.TB, s newel.Store, id string, chunks, items int) {
	t.Helper()
	for n := range chunks {
		var all []newel.Packed
		for i := range items {
			all = append(all, record(0, i))
		}
		if kept := must(s.Commit(ctx, id, n, all))(t); kept != items {
			t.Fatalf("chunk %d: kept %d of %d", n, kept, items)
		}
	}
}

// consistent checks that the bitmap and the tally of every chunk are those of
// its records, and returns the records by chunk.
func consistent(t testing.TB, s newel.Store, id string) [][]newel.Packed {
	t.Helper()
	var all [][]newel.Packed
	for _, info := range must(s.Chunks(ctx, id))(t) {
		records := must(s.Records(ctx, id, info.N))(t)
		done := newel.NewBitmap(info.Items)
		var tally newel.Tally
		for i, r := range records {
			if i > 0 && records[i-1].Offset >= r.Offset {
				t.Fatalf("chunk %d: offset %d after %d", info.N, r.Offset, records[i-1].Offset)
			}
			done.Set(r.Offset)
			tally.Add(r.Verdict)
		}
		same(t, fmt.Sprintf("tally of chunk %d", info.N), tally, info.Tally)
		same(t, fmt.Sprintf("done of chunk %d", info.N), done, must(s.Done(ctx, id, info.N))(t))
		all = append(all, records)
	}
	return all
}

// race calls do from n goroutines at once and waits for all.
func race(n int, do func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	wg.Wait()
}
