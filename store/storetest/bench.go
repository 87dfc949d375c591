package storetest

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"newel"
)

// Bench measures what runs do most: a suite of free checks, whose chunks and
// records come a chunk at a time, and one whose judge takes its time, whose
// records come one by one from many goroutines.
func Bench(b *testing.B, open Open) {
	b.Run("suite of 10000", func(b *testing.B) {
		suite := NewSuite(10_000)
		b.SetBytes(int64(suite.Bytes))
		for b.Loop() {
			s := open(b)
			suite.Store(b, s, "a")
			ok(b, s.Close())
		}
	})
	b.Run("single records from 64 goroutines", func(b *testing.B) { benchSingles(b, opened(b, open(b))) })
}

func benchSingles(b *testing.B, s newel.Store) {
	const items, workers = 256, 64
	chunks := b.N/items + 1
	planned(b, s, "a", chunks, items)
	var next atomic.Int64
	b.ResetTimer()
	race(workers, func(int) {
		for i := int(next.Add(1)) - 1; i < b.N; i = int(next.Add(1)) - 1 {
			if _, err := s.Commit(ctx, "a", i/items, []newel.Packed{record(i, i%items)}); err != nil {
				b.Error(err)
			}
		}
	})
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
}

// Suite is a made-up suite like those that people run: answers of 400
// characters, each with the one that was expected.
type Suite struct {
	Bytes  int // of all chunks
	chunks [][]byte
	infos  []newel.ChunkInfo
	rows   [][]newel.Packed
}

// perChunk is the number of items at which a chunk closes.
const perChunk = 256

// NewSuite makes a suite of n items.
func NewSuite(n int) *Suite {
	s := &Suite{}
	r := rand.New(rand.NewPCG(1, 2))
	for first := 0; first < n; first += perChunk {
		items := min(perChunk, n-first)
		var chunk []byte
		var rows []newel.Packed
		for i := range items {
			chunk = appendCase(chunk, r, first+i)
			rows = append(rows, newel.Packed{Offset: i, Verdict: newel.Pass, Data: row(r)})
		}
		s.Bytes += len(chunk)
		s.infos = append(s.infos, newel.ChunkInfo{N: len(s.chunks), Hash: newel.HashOf(chunk), First: first, Items: items})
		s.chunks, s.rows = append(s.chunks, chunk), append(s.rows, rows)
	}
	return s
}

var words = [...]string{
	"invoice", "refund", "order", "parcel", "courier", "warehouse", "delay", "ticket", "policy", "account", "balance",
	"payment", "window", "customer", "reply", "agent", "region", "batch", "carrier", "receipt", "credit", "voucher",
	"morning", "evening", "manager", "status", "pending", "settled", "shipped", "returned", "damaged", "approved",
}

func appendCase(dst []byte, r *rand.Rand, n int) []byte {
	var text []byte
	for len(text) < 350 {
		text = fmt.Appendf(text, "%s ", words[r.IntN(len(words))])
	}
	answer := fmt.Sprintf(`{\"id\":\"case-%06d\",\"confidence\":%.3f,\"summary\":\"%s\"}`, n, r.Float64(), text)
	return fmt.Appendf(dst, `{"id":"case-%06d","output":"%s","expected":"%s","must":"%s","pattern":"ref%d$"}`+"\n",
		n, answer, answer, words[r.IntN(len(words))], r.IntN(10_000))
}

// row is as long as a packed row of six checks, and as hard to compress as one
// with values.
func row(r *rand.Rand) []byte {
	data := make([]byte, 60+r.IntN(20))
	for i := range data {
		if i%4 == 0 {
			data[i] = byte(r.Uint32())
		}
	}
	return data
}

// Store writes the whole suite as a run, up to the seal.
func (u *Suite) Store(t testing.TB, s newel.Store, id string) {
	t.Helper()
	ok(t, s.CreateRun(ctx, plain(id)))
	for n, info := range u.infos {
		ok(t, s.PutChunk(ctx, id, info, u.chunks[n], nil))
		must(s.Commit(ctx, id, n, u.rows[n]))(t)
	}
	p := planOf(len(u.infos), 0)
	last := u.infos[len(u.infos)-1]
	p.Items = last.First + last.Items
	ok(t, s.FinishPlan(ctx, id, p))
	must(s.SealRun(ctx, id, newel.Hash{1}, []byte("{}")))(t)
}

// Repeat writes a run of n times the suite, up to the seal. The chunks of each
// round begin with its number, so none is like another. It calls after when a
// chunk is done.
func (u *Suite) Repeat(t testing.TB, s newel.Store, id string, n int, after func()) {
	t.Helper()
	ok(t, s.CreateRun(ctx, plain(id)))
	next := newel.ChunkInfo{}
	for round := range n {
		for i, info := range u.infos {
			chunk := fmt.Appendf(u.chunks[i][:0:0], "%d\n%s", round, u.chunks[i])
			next.Items, next.Hash = info.Items, newel.HashOf(chunk)
			ok(t, s.PutChunk(ctx, id, next, chunk, nil))
			must(s.Commit(ctx, id, next.N, u.rows[i]))(t)
			next.N, next.First = next.N+1, next.First+info.Items
			after()
		}
	}
	p := planOf(next.N, 0)
	p.Items = next.First
	ok(t, s.FinishPlan(ctx, id, p))
}
