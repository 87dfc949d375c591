package storetest

import (
	"testing"

	"newel"
)

var planChecks = []check{
	{"a chunk comes back, and putting it again is no change", chunkComesBack},
	{"another chunk in the place of one is a conflict", chunkConflict},
	{"a finished plan takes no more chunks", chunkAfterPlan},
	{"chunks put at the same time are all there, in order", chunksInOrder},
	{"bodies come back, apart from the index", bodiesComeBack},
	{"a content that is not what its hash says is never handed out", chunkChecked},
	{"erasing a run keeps the chunks that another run has", eraseKeepsShared},
	{"an erased run leaves nothing to a new one of its name", eraseLeavesNothing},
}

func chunkComesBack(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	data, info := content(3, 12, 9)
	for range 2 {
		ok(t, s.PutChunk(ctx, "a", info, data, nil))
	}
	chunkIs(t, s, "a", info, data)
	same(t, "chunks", []newel.ChunkInfo{info}, must(s.Chunks(ctx, "a"))(t))
	same(t, "done", newel.NewBitmap(9), must(s.Done(ctx, "a", 3))(t))
	same(t, "records", 0, len(must(s.Records(ctx, "a", 3))(t)))

	must(s.Commit(ctx, "a", 3, []newel.Packed{record(0, 1)}))(t)
	ok(t, s.PutChunk(ctx, "a", info, data, nil))
	same(t, "records after putting it again", []newel.Packed{record(0, 1)}, must(s.Records(ctx, "a", 3))(t))
}

func bodiesComeBack(t *testing.T, s newel.Store) {
	for _, id := range []string{"a", "b"} {
		ok(t, s.CreateRun(ctx, plain(id)))
	}
	index, info := content(0, 0, 4)
	bodies := []byte("the bodies of four cases")
	info.Bodies = newel.HashOf(bodies)
	for range 2 {
		ok(t, s.PutChunk(ctx, "a", info, index, bodies))
		ok(t, s.PutChunk(ctx, "b", info, index, bodies))
	}
	chunkIs(t, s, "a", info, index)
	same(t, "bodies", string(bodies), string(must(s.Bodies(ctx, "a", 0))(t)))
	other := info
	other.Bodies = newel.HashOf([]byte("other bodies"))
	wantErr(t, newel.ErrConflict, s.PutChunk(ctx, "a", other, index, []byte("other bodies")))

	ok(t, s.EraseRun(ctx, "a"))
	same(t, "bodies that another run has", string(bodies), string(must(s.Bodies(ctx, "b", 0))(t)))
	_, err := s.Bodies(ctx, "a", 0)
	wantErr(t, newel.ErrNotFound, err)
	_, err = s.Bodies(ctx, "b", 1)
	wantErr(t, newel.ErrNotFound, err)

	bare, infoBare := content(1, 4, 2)
	ok(t, s.PutChunk(ctx, "b", infoBare, bare, nil))
	same(t, "no bodies", 0, len(must(s.Bodies(ctx, "b", 1))(t)))

	wrong, infoWrong := content(2, 6, 2)
	infoWrong.Bodies = newel.HashOf([]byte("what was meant"))
	if s.PutChunk(ctx, "b", infoWrong, wrong, []byte("what was put")) == nil {
		if got, err := s.Bodies(ctx, "b", 2); err == nil {
			t.Fatalf("bodies %q were handed out under another hash", got)
		}
	}
}

func chunkIs(t testing.TB, s newel.Store, run string, info newel.ChunkInfo, data []byte) {
	t.Helper()
	gotInfo, gotData, err := s.Chunk(ctx, run, info.N)
	ok(t, err)
	same(t, "chunk", info, gotInfo)
	same(t, "content", string(data), string(gotData))
}

func chunkConflict(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	data, info := content(0, 0, 4)
	ok(t, s.PutChunk(ctx, "a", info, data, nil))
	other, changed := content(0, 0, 5)
	wantErr(t, newel.ErrConflict, s.PutChunk(ctx, "a", changed, other, nil))
	changed = info
	changed.Items++
	wantErr(t, newel.ErrConflict, s.PutChunk(ctx, "a", changed, data, nil))
	changed = info
	changed.First++
	wantErr(t, newel.ErrConflict, s.PutChunk(ctx, "a", changed, data, nil))
	same(t, "chunks", []newel.ChunkInfo{info}, must(s.Chunks(ctx, "a"))(t))
	if err := s.PutChunk(ctx, "a", newel.ChunkInfo{N: -1}, nil, nil); err == nil {
		t.Fatal("took a chunk with a negative number")
	}
}

func chunkAfterPlan(t *testing.T, s newel.Store) {
	infos := planned(t, s, "a", 2, 4)
	data, info := content(2, 8, 4)
	wantErr(t, newel.ErrConflict, s.PutChunk(ctx, "a", info, data, nil))
	data, info = content(1, 4, 4)
	ok(t, s.PutChunk(ctx, "a", info, data, nil))
	same(t, "chunks", infos, must(s.Chunks(ctx, "a"))(t))
}

func chunksInOrder(t *testing.T, s newel.Store) {
	const chunks, writers = 600, 8
	ok(t, s.CreateRun(ctx, plain("a")))
	want := make([]newel.ChunkInfo, chunks)
	race(writers, func(w int) {
		for n := w; n < chunks; n += writers {
			data, info := content(n, n*3, 3)
			want[n] = info
			if err := s.PutChunk(ctx, "a", info, data, nil); err != nil {
				t.Error(err)
			}
			if _, err := s.Commit(ctx, "a", n, []newel.Packed{record(n, n%3)}); err != nil {
				t.Error(err)
			}
			want[n].Tally.Add(record(n, n%3).Verdict)
		}
	})
	same(t, "chunks", want, must(s.Chunks(ctx, "a"))(t))
}

func chunkChecked(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	_, info := content(0, 0, 4)
	if s.PutChunk(ctx, "a", info, []byte("something else"), nil) != nil {
		return // a store may refuse it at once
	}
	if _, got, err := s.Chunk(ctx, "a", 0); err == nil {
		t.Fatalf("handed out %q", got)
	}
}

func eraseKeepsShared(t *testing.T, s newel.Store) {
	planned(t, s, "a", 3, 4)
	planned(t, s, "b", 2, 4)
	fill(t, s, "b", 2, 4)
	ok(t, s.EraseRun(ctx, "a"))
	for n := range 2 {
		data, info := content(n, n*4, 4)
		info.Tally = must(s.Chunks(ctx, "b"))(t)[n].Tally
		chunkIs(t, s, "b", info, data)
	}
	consistent(t, s, "b")
	_, _, err := s.Chunk(ctx, "a", 0)
	wantErr(t, newel.ErrNotFound, err)

	ok(t, s.EraseRun(ctx, "b"))
	planned(t, s, "c", 3, 4)
	data, info := content(2, 8, 4)
	chunkIs(t, s, "c", info, data)
}

func eraseLeavesNothing(t *testing.T, s newel.Store) {
	planned(t, s, "a", 2, 4)
	fill(t, s, "a", 2, 4)
	must(s.PutOutput(ctx, "a", 1, []byte("answer")))(t)
	ok(t, s.EraseRun(ctx, "a"))
	_, err := s.Run(ctx, "a")
	wantErr(t, newel.ErrNotFound, err)
	same(t, "runs", 0, len(must(s.ListRuns(ctx, newel.RunQuery{}))(t)))

	want := planned(t, s, "a", 2, 4)
	same(t, "chunks", want, must(s.Chunks(ctx, "a"))(t))
	for n := range 2 {
		same(t, "records", 0, len(must(s.Records(ctx, "a", n))(t)))
	}
	_, err = s.OutputOf(ctx, "a", 1)
	wantErr(t, newel.ErrNotFound, err)
}
