package upstream_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"newel/bench/upstream"
)

func TestTurnsAreCountedForEachCall(t *testing.T) {
	t.Parallel()
	s := upstream.Start(t, upstream.Script{Act: upstream.InTurn(upstream.Act{Status: 503}, upstream.Act{Status: 429}, upstream.Act{Text: "ok"})})
	for _, id := range []string{"one", "two"} {
		var statuses []int
		for range 4 {
			statuses = append(statuses, ask(t, s.URL+chat, body("the same"), "X-Request-Id", id).status)
		}
		if d := cmp.Diff([]int{503, 429, 200, 200}, statuses); d != "" {
			t.Errorf("%s (-want +got):\n%s", id, d)
		}
	}
	s.Close()
	if d := cmp.Diff(map[string]int{"one": 2, "two": 2}, s.Paid()); d != "" {
		t.Errorf("paid (-want +got):\n%s", d)
	}
	if c := s.Counts(); c.Again != 2 || c.MostAsked != 4 {
		t.Errorf("want two answers paid again and four requests a call, got %+v", c)
	}
}

// shares runs n calls, some at once, and returns what came of each.
func shares(t *testing.T, seed uint64, n int, order func(int) int) []int {
	t.Helper()
	s := upstream.Start(t, upstream.Script{Seed: seed, Shares: []upstream.Share{{0.2, upstream.Act{Status: 429}}, {0.05, upstream.Act{Status: 500}}}})
	statuses := make([]int, n)
	for i := range n {
		k := order(i)
		statuses[k] = ask(t, s.URL+chat, body(fmt.Sprintf("case-%d", k))).status
	}
	return statuses
}

func TestSharesAreTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	const n = 400
	forwards := shares(t, 7, n, func(i int) int { return i })
	backwards := shares(t, 7, n, func(i int) int { return n - 1 - i })
	if d := cmp.Diff(forwards, backwards); d != "" {
		t.Errorf("(-forwards +backwards):\n%s", d)
	}
	count := map[int]int{}
	for _, status := range forwards {
		count[status]++
	}
	if count[429] < 50 || count[429] > 110 || count[500] < 5 || count[500] > 40 {
		t.Errorf("want about 80 of 429 and 20 of 500, got %v", count)
	}
	if cmp.Equal(forwards, shares(t, 8, n, func(i int) int { return i })) {
		t.Error("another seed drew the same")
	}
}

func TestCallsBeyondTheCapacityAreRefused(t *testing.T) {
	t.Parallel()
	let, arrived := make(chan struct{}), make(chan bool, 9)
	s := upstream.Start(t, upstream.Script{Capacity: []upstream.Level{{InFlight: 2}}, RetryAfter: time.Second, Act: func(*upstream.Call) upstream.Act {
		arrived <- true
		<-let
		return upstream.Act{}
	}})
	var under sync.WaitGroup
	for i := range 2 {
		under.Go(func() { ask(t, s.URL+chat, body(fmt.Sprint("case-", i))) })
	}
	<-arrived
	<-arrived
	a := ask(t, s.URL+chat, body("case-2"))
	if a.status != 429 || a.header.Get("Retry-After") != "1" {
		t.Errorf("want 429 with Retry-After, got %+v", a)
	}
	s.Limit(0)
	close(let)
	under.Wait()
	if a := ask(t, s.URL+chat, body("case-3")); a.status != 429 {
		t.Errorf("want 429 without any capacity, got %+v", a)
	}
	s.Limit(-1)
	if a := ask(t, s.URL+chat, body("case-4")); a.status != 200 {
		t.Errorf("want an answer without a limit, got %+v", a)
	}
	s.Close()
	differs(t, upstream.Counts{Requests: 5, Statuses: map[int]int{200: 3, 429: 2}, Paid: 3, Calls: 5, CallsPaid: 3, Refused: 2, Full: 2, MostAsked: 1, Most: 2}, s.Counts())
}

func TestRequestsAreKept(t *testing.T) {
	t.Parallel()
	s := upstream.Start(t, upstream.Script{Keep: 2})
	for _, text := range []string{"case-1", "case-2", "case-3"} {
		ask(t, s.URL+chat, body(text), "X-Test", text)
	}
	seen := s.Seen()
	if len(seen) != 2 || seen[0].Header.Get("X-Test") != "case-2" || !bytes.Contains(seen[1].Body, []byte("case-3")) {
		t.Errorf("want the last two, got %+v", seen)
	}
	s.Reset()
	differs(t, upstream.Counts{Statuses: map[int]int{}}, s.Counts())
}
