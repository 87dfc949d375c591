package paid

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"newel"
)

// ask asks n questions at once and returns how they ended.
type ended struct{ replies, spent, stopped, faults int }

func askAll(t *testing.T, ctx context.Context, a *Account, n int, change func(i int, q *Question)) ended {
	t.Helper()
	var mu sync.Mutex
	var e ended
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			q := question(i, func(context.Context) Attempt {
				time.Sleep(time.Second)
				return good("yes", 4)
			})
			if change != nil {
				change(i, &q)
			}
			got, err := a.Ask(ctx, q)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, newel.ErrSpent):
				e.spent++
			case errors.Is(err, ErrStopped):
				e.stopped++
			case err != nil:
				t.Error(err)
			case got.Fault != nil:
				e.faults++
			default:
				e.replies++
			}
		})
	}
	group.Wait()
	return e
}

func TestBudget(t *testing.T) {
	t.Parallel()
	hang := func(i int, q *Question) {
		q.Send = func(context.Context) Attempt {
			time.Sleep(time.Second)
			return bad(Fault{Kind: newel.KindTimeout, Again: true, MayCost: true})
		}
	}
	tests := []struct {
		name   string
		budget newel.Money
		n      int
		change func(i int, q *Question)
		want   ended
		spent  newel.Money
		held   newel.Money
		took   time.Duration // 0: not looked at
	}{
		{"enough for all at their worst", 1000, 100, nil, ended{replies: 100}, 400, 0, time.Second},
		{"enough for all at what they cost, as calls come back", 406, 100, nil, ended{replies: 100}, 400, 0, 0},
		{"never with a worst price above what is left when nothing is under way", 405, 100, nil, ended{replies: 99, spent: 1}, 396, 0, 0},
		{"not enough for one", 9, 20, nil, ended{spent: 20}, 0, 0, 0},
		{"enough for half of it", 208, 100, nil, ended{replies: 50, spent: 50}, 200, 0, 0},
		{"attempts that may have cost something use it up", 55, 10, hang, ended{spent: 10}, 0, 50, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newShelf(tt.budget)
			inBubble(t, Options{Journal: s, InFlight: 100}, func(t *testing.T, a *Account) {
				start := time.Now()
				if got := askAll(t, t.Context(), a, tt.n, tt.change); got != tt.want {
					t.Errorf("%+v, want %+v", got, tt.want)
				}
				if took := time.Since(start); tt.took > 0 && took != tt.took {
					t.Errorf("took %s", took)
				}
				x, _ := s.Spending(t.Context(), "r")
				if x.Spent != tt.spent || x.Held != tt.held || x.Reserved != 0 || s.over > 0 {
					t.Errorf("%+v, %s over", x, s.over)
				}
				c := a.Counts()
				if c.Spent != tt.spent || c.Held != tt.held || c.InFlight != 0 || c.Waiting != 0 {
					t.Errorf("%+v", c)
				}
			})
		})
	}
}

func TestAfterTheBudgetIsSpent(t *testing.T) {
	t.Parallel()
	s := newShelf(15)
	inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
		if got := askAll(t, t.Context(), a, 3, nil); got != (ended{replies: 2, spent: 1}) {
			t.Errorf("%+v", got)
		}
		if got := askAll(t, t.Context(), a, 3, nil); got != (ended{replies: 2, spent: 1}) {
			t.Errorf("replies that are there cost nothing: %+v", got)
		}
	})
}

func TestReservingTogether(t *testing.T) {
	t.Parallel()
	s := newShelf(0)
	s.onReserve = func() { time.Sleep(2 * time.Millisecond) }
	inBubble(t, Options{Journal: s, InFlight: 50}, func(t *testing.T, a *Account) {
		if got := askAll(t, t.Context(), a, 1000, nil); got.replies != 1000 {
			t.Errorf("%+v", got)
		}
		// Fifty have a slot and sixteen more are ahead of it.
		sum := 0
		for _, n := range s.reserves {
			sum += n
		}
		if s.mostOpen > 66 || sum != 1000 || len(s.reserves) > 250 {
			t.Errorf("%d open at most, %d reserved in %d steps", s.mostOpen, sum, len(s.reserves))
		}
	})
}

func TestStoppingWhileMoneyIsReserved(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		budget newel.Money
		slow   time.Duration
		stopAt time.Duration
		took   time.Duration
	}{
		{"while the journal writes", 0, 3 * time.Second, time.Second, 3 * time.Second},
		{"while the budget waits for a call that is under way", 10, 0, 500 * time.Millisecond, time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newShelf(tt.budget)
			s.onReserve = func() { time.Sleep(tt.slow) }
			inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				time.AfterFunc(tt.stopAt, cancel)
				start := time.Now()
				got := askAll(t, ctx, a, 30, nil)
				if got.replies+got.stopped != 30 || got.replies > 1 || time.Since(start) != tt.took {
					t.Errorf("%+v in %s", got, time.Since(start))
				}
				if len(s.intents) != 0 {
					t.Errorf("%d intents left", len(s.intents))
				}
				s.onReserve = nil
				if got := askAll(t, t.Context(), a, 1, func(_ int, q *Question) { q.Worst = 5; q.Key = keyOf(99) }); got.replies != 1 {
					t.Errorf("afterwards: %+v", got)
				}
			})
		})
	}
}

func TestDearOnesDoNotBlockTheirFollowersForEver(t *testing.T) {
	t.Parallel()
	s := newShelf(30)
	inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() { askAll(t, t.Context(), a, 1, nil) })
		synctest.Wait()
		group.Go(func() {
			if got := askAll(t, ctx, a, 1, func(_ int, q *Question) { q.Key, q.Worst = keyOf(50), 25 }); got.stopped != 1 {
				t.Errorf("the dear one: %+v", got)
			}
		})
		synctest.Wait()
		group.Go(func() {
			start := time.Now()
			got := askAll(t, t.Context(), a, 1, func(_ int, q *Question) { q.Key = keyOf(51) })
			if got.replies != 1 || time.Since(start) != time.Second {
				t.Errorf("its follower: %+v in %s", got, time.Since(start))
			}
		})
		synctest.Wait()
		cancel() // the dear one leaves
		group.Wait()
	})
}

func TestACallOnItsWayIsServedBeforeNewOnes(t *testing.T) {
	t.Parallel()
	s := newShelf(25)
	inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
		hang := bad(Fault{Kind: newel.KindTimeout, Again: true, MayCost: true})
		first, _ := script(hang, good("yes", 4))
		second := func(context.Context) Attempt {
			time.Sleep(3 * time.Second)
			return good("yes", 4)
		}
		want := []error{nil, nil, newel.ErrSpent}
		var group sync.WaitGroup
		for i, send := range []func(context.Context) Attempt{first, second, second} {
			group.Go(func() {
				if _, err := a.Ask(t.Context(), question(i, send)); !errors.Is(err, want[i]) {
					t.Errorf("call %d: %v, want %v", i, err, want[i])
				}
			})
			synctest.Wait()
		}
		group.Wait()
	})
}
