package paid

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"newel"
)

// upstream is a far end that takes so many calls at a time.
type upstream struct {
	mu      sync.Mutex
	room    int
	under   int
	after   time.Duration // what it says when it refuses
	refuses time.Duration // how long it takes to refuse
	latency func() time.Duration
	served  int
	refused int
	busy    time.Duration // time that calls it has served took
}

func (u *upstream) send(ctx context.Context) Attempt {
	u.mu.Lock()
	if u.under >= u.room {
		u.refused++
		u.mu.Unlock()
		time.Sleep(u.refuses)
		return bad(Fault{Kind: newel.KindGateway, Message: "HTTP 429", Throttled: true, Again: true, After: u.after})
	}
	u.under++
	d := u.latency()
	u.mu.Unlock()
	time.Sleep(d)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.under--
	u.served++
	u.busy += d
	return good("yes", 1)
}

// take returns what was counted since it was called last.
func (u *upstream) take() (served, refused int, busy time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	served, refused, busy = u.served, u.refused, u.busy
	u.served, u.refused, u.busy = 0, 0, 0
	return served, refused, busy
}

// keepAsking asks new questions, so many at a time, until ctx is done.
func keepAsking(ctx context.Context, a *Account, atOnce int, send func(context.Context) Attempt, change ...func(*Question)) *sync.WaitGroup {
	var group sync.WaitGroup
	for i := range atOnce {
		group.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				q := question(i<<32+n, send)
				for _, f := range change {
					f(&q)
				}
				if _, err := a.Ask(ctx, q); err != nil {
					return
				}
			}
		})
	}
	return &group
}

func TestLaneFollowsWhatTheFarEndTakes(t *testing.T) {
	t.Parallel()
	for _, latency := range []time.Duration{400 * time.Millisecond, 2 * time.Second} {
		for _, after := range []time.Duration{0, time.Second, 2 * time.Second} {
			for _, inFlight := range []int{0, 100} {
				t.Run(fmt.Sprintf("latency %s, after %s, in flight %d", latency, after, inFlight), func(t *testing.T) {
					t.Parallel()
					follow(t, latency, after, inFlight)
				})
			}
		}
	}
	t.Run("far too many at first", func(t *testing.T) {
		t.Parallel()
		follow(t, time.Second, time.Second, 1000)
	})
}

// A far end that answers sooner than it wants to be left alone shows within a
// few pauses what it takes, or most of a short run is spent on pausing.
func TestLaneSettlesInAFewPauses(t *testing.T) {
	t.Parallel()
	for _, inFlight := range []int{0, 32, 100} {
		t.Run(fmt.Sprint("in flight ", inFlight), func(t *testing.T) {
			t.Parallel()
			u := &upstream{room: 20, after: time.Second, latency: func() time.Duration { return 100 * time.Millisecond }}
			inBubble(t, Options{Journal: newShelf(0), InFlight: inFlight}, func(t *testing.T, a *Account) {
				ctx, cancel := context.WithCancel(t.Context())
				group := keepAsking(ctx, a, 150, u.send)
				for _, room := range []int{20, 14} { // so small a step is a small share
					u.mu.Lock()
					u.room = room
					u.mu.Unlock()
					time.Sleep(5 * time.Second)
					_, lost, _ := u.take()
					time.Sleep(5 * time.Second)
					served, refused, busy := u.take()
					if use := busy.Seconds() / (5 * float64(room)); use < 0.9 || 20*refused > served {
						t.Errorf("%d at a time: %d refused in 5 s, then %.3f of it used, %d of %d refused", room, lost, use, refused, served+refused)
					}
				}
				cancel()
				group.Wait()
			})
		})
	}
}

// follow has an upstream that takes 20 calls at a time, then 60, then 10. A
// part of each phase is left out: that in which the lane settles.
func follow(t *testing.T, latency, after time.Duration, inFlight int) {
	const settling, measured = 30 * time.Second, 60 * time.Second
	random := rand.New(rand.NewPCG(1, 2))
	u := &upstream{after: after, refuses: 5 * time.Millisecond}
	u.latency = func() time.Duration { return latency/2 + time.Duration(random.Int64N(int64(latency))) }
	inBubble(t, Options{Journal: newShelf(0), InFlight: inFlight}, func(t *testing.T, a *Account) {
		ctx, cancel := context.WithCancel(t.Context())
		u.room = 20
		group := keepAsking(ctx, a, max(inFlight, 100)+50, u.send)
		for _, room := range []int{20, 60, 10} {
			u.mu.Lock()
			u.room = room
			u.mu.Unlock()
			time.Sleep(settling)
			early, lost, _ := u.take()
			time.Sleep(measured)
			served, refused, busy := u.take()
			use := busy.Seconds() / (measured.Seconds() * float64(room))
			share := float64(refused) / float64(served+refused)
			t.Logf("%d at a time: settling %d served, %d refused; then use %.3f, refused %.4f (%d of %d)", room, early, lost, use, share, refused, served+refused)
			if use < 0.9 || share > 0.05 {
				t.Errorf("%d at a time: %.3f of it used, %.4f refused", room, use, share)
			}
		}
		cancel()
		group.Wait()
	})
}

func TestLaneBegins(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		inFlight int
		want     int // under way at once
		later    int // after ten seconds
	}{
		{"a number that is written is reached at once", 500, 500, 500},
		{"else it doubles from twenty to a hundred", 0, 20, 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, Options{Journal: newShelf(0), InFlight: tt.inFlight}, func(t *testing.T, a *Account) {
				ctx, cancel := context.WithCancel(t.Context())
				group := keepAsking(ctx, a, 1000, func(context.Context) Attempt {
					time.Sleep(time.Second)
					return good("yes", 1)
				})
				synctest.Wait()
				if n := a.Counts().InFlight; n != tt.want {
					t.Errorf("%d in flight, want %d", n, tt.want)
				}
				time.Sleep(10*time.Second + 1)
				synctest.Wait()
				if n := a.Counts().InFlight; n != tt.later {
					t.Errorf("later %d in flight, want %d", n, tt.later)
				}
				cancel()
				group.Wait()
			})
		})
	}
}

func TestCallsGoInTheOrderInWhichTheyCame(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{Journal: newShelf(0), InFlight: 2}, func(t *testing.T, a *Account) {
		var mu sync.Mutex
		var order []int
		var group sync.WaitGroup
		for i := range 40 {
			send := func(context.Context) Attempt {
				mu.Lock()
				order = append(order, i)
				again := len(order) > 10
				mu.Unlock()
				time.Sleep(time.Second)
				if i == 3 && !again {
					return bad(Fault{Kind: newel.KindGateway, Throttled: true, After: 5 * time.Second})
				}
				return good("yes", 1)
			}
			group.Go(func() {
				if got, err := a.Ask(t.Context(), question(i, send)); err != nil || got.Fault != nil {
					t.Error(got, err)
				}
			})
			synctest.Wait()
		}
		group.Wait()
		// The third is refused for as long as fewer than ten were sent: it keeps its
		// place, and of two calls that come back together either may be followed.
		for i, n := range order {
			if at := slices.IndexFunc(order[i+1:], func(m int) bool { return m <= n-2 }); at >= 0 {
				t.Errorf("%d went before %d: %v", n, order[i+1+at], order)
			}
		}
	})
}
