package paid

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"newel"
)

// instant is a journal that keeps nothing.
type instant struct{ *shelf }

func (instant) Replies(context.Context, string, []newel.Hash, newel.Window) (map[newel.Hash]newel.Entry, error) {
	return nil, nil
}

func (instant) Reserve(_ context.Context, _ string, intents []newel.Intent) (int, error) {
	return len(intents), nil
}

func (instant) Settle(_ context.Context, e newel.Entry, _ [][16]byte) (newel.Entry, error) {
	return e, nil
}

// BenchmarkAsk asks with a thousand calls in flight, a far end that answers at
// once and a journal that costs nothing: what is left is the account's own.
func BenchmarkAsk(b *testing.B) {
	a := New(Options{Journal: instant{newShelf(0)}, Run: "r", InFlight: 1000})
	defer func() { _ = a.Close(context.Background()) }()
	send, _ := script(good(`{"text":"yes","finish":"stop"}`, 3))
	var next atomic.Int64
	var group sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	for range 1000 {
		group.Go(func() {
			var q Question
			for {
				n := next.Add(1)
				if n > int64(b.N) {
					return
				}
				q = question(0, send)
				q.Key[0], q.Key[1], q.Key[2], q.Key[3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
				if _, err := a.Ask(context.Background(), q); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
}

func BenchmarkKey(b *testing.B) {
	body := make([]byte, 0, 4096)
	body = append(body, `{"messages":[{"content":"`...)
	for len(body) < 4000 {
		body = append(body, "some words of a case "...)
	}
	body = append(body, `","role":"user"}],"model":"m"}`...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Key(Shape{Kind: "judge", Body: body, Gateway: "main"}); err != nil {
			b.Fatal(err)
		}
	}
}
