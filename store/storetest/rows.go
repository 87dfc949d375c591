package storetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"newel"
)

var rowChecks = []check{
	{"records come back in order of offset, whatever their size", recordsComeBack},
	{"committing again changes nothing", commitAgain},
	{"of two records for an item in one commit the first is kept", commitTwice},
	{"a record outside the chunk or without verdict stores nothing of its commit", commitRefused},
	{"a record may change hands after the commit", commitCopies},
	{"of many writers the first has the item, and nothing counts twice", firstWriterWins},
	{"single records from many writers are all there", singles},
	{"the first answer for an item is kept", firstAnswer},
	{"of many answers at the same time all see the one that is kept", answerRace},
}

func recordsComeBack(t *testing.T, s newel.Store) {
	planned(t, s, "a", 2, 300)
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	want := []newel.Packed{
		{Offset: 0, Verdict: newel.Pass, Data: noise[:1]},
		{Offset: 1, Verdict: newel.Fail, Data: noise},
		{Offset: 128, Verdict: newel.Unjudged, Data: bytes.Repeat([]byte("aé\x00"), 1000)},
		{Offset: 299, Verdict: newel.Failed, Data: []byte{}},
	}
	for _, batch := range [][]newel.Packed{{want[3], want[1]}, {want[2]}, {want[0]}} {
		same(t, "kept", len(batch), must(s.Commit(ctx, "a", 1, batch))(t))
	}
	same(t, "records", want, consistent(t, s, "a")[1])
}

func commitAgain(t *testing.T, s newel.Store) {
	planned(t, s, "a", 1, 20)
	some := []newel.Packed{record(1, 3), record(1, 4)}
	same(t, "kept", 2, must(s.Commit(ctx, "a", 0, some))(t))
	same(t, "kept again", 0, must(s.Commit(ctx, "a", 0, some))(t))
	same(t, "kept of an overlap", 1, must(s.Commit(ctx, "a", 0, []newel.Packed{record(2, 2), record(2, 3)}))(t))
	same(t, "kept of nothing", 0, must(s.Commit(ctx, "a", 0, nil))(t))
	same(t, "records", []newel.Packed{record(2, 2), record(1, 3), record(1, 4)}, consistent(t, s, "a")[0])
}

func commitTwice(t *testing.T, s newel.Store) {
	planned(t, s, "a", 1, 20)
	same(t, "kept", 1, must(s.Commit(ctx, "a", 0, []newel.Packed{record(1, 3), record(2, 3)}))(t))
	same(t, "records", []newel.Packed{record(1, 3)}, consistent(t, s, "a")[0])
}

func commitRefused(t *testing.T, s newel.Store) {
	planned(t, s, "a", 1, 20)
	for _, bad := range []newel.Packed{
		{Offset: -1, Verdict: newel.Pass}, {Offset: 20, Verdict: newel.Pass}, {Offset: 1 << 40, Verdict: newel.Pass},
		{Offset: 2}, {Offset: 2, Verdict: newel.Failed + 1},
	} {
		if _, err := s.Commit(ctx, "a", 0, []newel.Packed{record(1, 1), bad}); err == nil {
			t.Errorf("took %+v", bad)
		}
	}
	same(t, "records", 0, len(consistent(t, s, "a")[0]))
}

func commitCopies(t *testing.T, s newel.Store) {
	planned(t, s, "a", 1, 20)
	batch := []newel.Packed{record(1, 3), record(1, 2)}
	must(s.Commit(ctx, "a", 0, batch))(t)
	same(t, "the caller's records", []newel.Packed{record(1, 3), record(1, 2)}, batch)
	clear(batch[0].Data)
	got := consistent(t, s, "a")[0]
	same(t, "records", []newel.Packed{record(1, 2), record(1, 3)}, got)
	clear(got[1].Data)
	same(t, "records read again", []newel.Packed{record(1, 2), record(1, 3)}, consistent(t, s, "a")[0])
}

func firstWriterWins(t *testing.T, s newel.Store) {
	const writers, chunks, items = 64, 3, 100
	planned(t, s, "a", chunks, items)
	var kept [writers]int
	race(writers, func(w int) { kept[w] = scatter(t, s, "a", w, chunks, items) })
	var records [writers]int
	for n, chunk := range consistent(t, s, "a") {
		same(t, fmt.Sprintf("records of chunk %d", n), items, len(chunk))
		for _, got := range chunk {
			w := writerOf(t, got)
			records[w]++
		}
	}
	same(t, "records of each writer", kept, records)
}

// scatter commits every item of a run in batches of a writer's own order.
func scatter(t testing.TB, s newel.Store, id string, w, chunks, items int) (kept int) {
	r := rand.New(rand.NewPCG(uint64(w), 1))
	for _, n := range r.Perm(chunks) {
		for order := r.Perm(items); len(order) > 0; {
			size := min(1+r.IntN(40), len(order))
			var batch []newel.Packed
			for _, i := range order[:size] {
				batch = append(batch, record(w, i))
			}
			order = order[size:]
			k, err := s.Commit(ctx, id, n, batch)
			if err != nil {
				t.Error(err)
				return kept
			}
			kept += k
		}
	}
	return kept
}

// writerOf returns whose record it is, and fails where it is nobody's.
func writerOf(t testing.TB, got newel.Packed) (w int) {
	t.Helper()
	if _, err := fmt.Sscanf(string(got.Data), "%d/", &w); err != nil {
		t.Fatalf("record %q: %v", got.Data, err)
	}
	same(t, "record", record(w, got.Offset), got)
	return w
}

func singles(t *testing.T, s newel.Store) {
	const writers, items = 64, 256
	planned(t, s, "a", 4, items)
	var kept atomic.Int32
	race(writers, func(w int) {
		for i := w; i < 4*items; i += writers {
			k, err := s.Commit(ctx, "a", i/items, []newel.Packed{record(w, i%items)})
			if err != nil {
				t.Error(err)
			}
			kept.Add(int32(k))
		}
	})
	same(t, "kept", int32(4*items), kept.Load())
	for n, chunk := range consistent(t, s, "a") {
		for _, got := range chunk {
			same(t, "writer", (n*items+got.Offset)%writers, writerOf(t, got))
		}
	}
}

func firstAnswer(t *testing.T, s newel.Store) {
	planned(t, s, "a", 1, 4)
	long := bytes.Repeat([]byte(filler), 50)
	for item, answer := range [][]byte{long, []byte("short"), {}} {
		same(t, "stored", string(answer), string(must(s.PutOutput(ctx, "a", item, answer))(t)))
		same(t, "stored before", string(answer), string(must(s.PutOutput(ctx, "a", item, []byte("late")))(t)))
		same(t, "read", string(answer), string(must(s.OutputOf(ctx, "a", item))(t)))
	}
	_, err := s.OutputOf(ctx, "a", 3)
	wantErr(t, newel.ErrNotFound, err)
}

func answerRace(t *testing.T, s newel.Store) {
	planned(t, s, "a", 1, 4)
	var got [16]string
	race(len(got), func(w int) {
		stored, err := s.PutOutput(ctx, "a", 2, fmt.Append(nil, "answer ", w))
		if err != nil {
			t.Error(err)
		}
		got[w] = string(stored)
	})
	var want [16]string
	kept := string(must(s.OutputOf(ctx, "a", 2))(t))
	for w := range want {
		want[w] = kept
	}
	same(t, "answers seen", want, got)
}
