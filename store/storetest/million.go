package storetest

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"newel"
)

// Million tries out a journal of a million entries, half of them the run's own:
// it is for a slow suite. What was put is found again, what is settled beside
// it is counted, and the account is that of all entries.
func Million(t *testing.T, s newel.Store) {
	const n, batch = 1_000_000, 5_000
	planned(t, s, "a", 0, 0)
	ok(t, s.CreateRun(ctx, plain("next")))
	suite := NewJudged(batch)
	at := instant().UTC().Truncate(time.Millisecond)
	start := time.Now()
	for first := 0; first < n; first += batch {
		var entries []newel.Entry
		for i := range batch {
			entries = append(entries, newel.Entry{
				Key: keyOf(first + i), Run: []string{"a", "b"}[i%2], At: at.Add(time.Duration(first+i) * time.Millisecond),
				Good: true, Cost: usd(3), Reply: suite.replies[i], Call: suite.calls[i],
			})
		}
		ok(t, s.PutEntries(ctx, entries))
	}
	t.Log("put:", time.Since(start))

	start = time.Now()
	r := rand.New(rand.NewPCG(8, 9))
	window := newel.Window{From: at, To: at.Add(n / 2 * time.Millisecond)}
	for range 100 {
		var keys []newel.Hash
		want := 0
		for range 256 {
			i := r.IntN(n + 1000)
			keys = append(keys, keyOf(i))
			if i <= n/2 {
				want++
			}
		}
		if got := must(s.Replies(ctx, "next", keys, window))(t); len(got) > want || len(got) < want-256/8 { // some are drawn twice
			t.Fatalf("%d replies of %d", len(got), want)
		}
	}
	t.Log("25600 keys looked up:", time.Since(start))

	start = time.Now()
	race(64, func(w int) {
		for i := range 16 {
			if _, err := s.Settle(ctx, newel.Entry{Key: keyOf(2*i + w%2), Run: "a", Cost: usd(5)}, nil); err != nil {
				t.Error(err)
			}
		}
	})
	t.Log("1024 settled:", time.Since(start))
	start = time.Now()
	if !must(s.SealRun(ctx, "a", newel.Hash{1}, nil))(t) {
		t.Fatal("not sealed")
	}
	t.Log("sealed:", time.Since(start))
	start = time.Now()
	checkMillion(t, s, n/2)
	t.Log("read:", time.Since(start))
}

// checkMillion reads all that run a paid, as it comes.
func checkMillion(t *testing.T, s newel.Store, put int) {
	var got newel.Spending
	last := newel.Entry{Seq: -1}
	for e, err := range s.Paid(ctx, "a") {
		ok(t, err)
		if c := bytes.Compare(last.Key[:], e.Key[:]); c > 0 || c == 0 && last.Seq >= e.Seq {
			t.Fatalf("%s, %d after %s, %d", e.Key, e.Seq, last.Key, last.Seq)
		}
		last = e
		got.Calls++
		if e.Seq > 0 {
			got.Surplus++
		}
		got.Spent += *e.Cost
	}
	// Of the keys that are settled half were put, the other half decide once.
	same(t, "account", newel.Spending{Spent: newel.Money(3*put) + 5*1024, Calls: put + 1024, Surplus: 1024 - 16}, got)
	same(t, "account", got, must(s.Spending(ctx, "a"))(t))
}
