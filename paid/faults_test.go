package paid

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"newel"
)

// weather is a far end where much goes wrong.
type weather struct {
	mu      sync.Mutex
	random  *rand.Rand
	hurdles float64 // of the shares below; 1: as they stand

	attempts, throttled, faults int
	cost                        newel.Money // what it charges, told or not
	told                        newel.Money
	under                       int
	killed                      int // under way when the journal went away
}

func (w *weather) send(ctx context.Context) Attempt {
	w.mu.Lock()
	w.attempts++
	w.under++
	x := w.random.Float64() / w.hurdles
	cost := newel.Money(w.random.Int64N(11))
	d := time.Duration(50+w.random.Int64N(100)) * time.Millisecond
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.under--
		w.mu.Unlock()
	}()
	got := w.make(ctx, x, cost, d)
	w.mu.Lock()
	defer w.mu.Unlock()
	if got.Fault != nil && got.Fault.Throttled {
		w.throttled++
	} else if got.Fault != nil {
		w.faults++
	}
	if c := got.Call.Cost; c.Exact() {
		w.told += *c.USD
		w.cost += *c.USD
	} else if got.Fault == nil || got.Fault.MayCost {
		w.cost += cost
	}
	return got
}

// make is 20 % refusals, 5 % HTTP 500, 1 % hangs, 1 % bodies cut short, 1 %
// failed attempts that were billed, 1 % replies of unknown cost.
func (w *weather) make(ctx context.Context, x float64, cost newel.Money, d time.Duration) Attempt {
	switch {
	case x < 0.20:
		return bad(Fault{Kind: newel.KindGateway, Message: "HTTP 429", Throttled: true, Again: true, After: time.Second})
	case x < 0.25:
		time.Sleep(d)
		return bad(Fault{Kind: newel.KindGateway, Message: "HTTP 500", Again: true})
	case x < 0.26:
		<-ctx.Done()
		return bad(Fault{Kind: newel.KindTimeout, Message: "no answer", Again: true, MayCost: true})
	case x < 0.27:
		time.Sleep(d)
		return bad(Fault{Kind: newel.KindGateway, Message: "the body ends early", Again: true, MayCost: true})
	case x < 0.28:
		time.Sleep(d)
		got := bad(Fault{Kind: newel.KindGateway, Message: "no choices", Again: true})
		got.Call.Cost = usd(cost)
		return got
	}
	time.Sleep(d)
	got := good("yes", cost)
	if x < 0.29 {
		got.Call.Cost = newel.Charge{Status: newel.CostUnknown}
	}
	return got
}

func TestBadWeather(t *testing.T) {
	t.Parallel()
	const items = 5000
	s := newShelf(0)
	w := &weather{random: rand.New(rand.NewPCG(3, 4)), hurdles: 1}
	inBubble(t, Options{Journal: s, InFlight: 50}, func(t *testing.T, a *Account) {
		start := time.Now()
		got := askAll(t, t.Context(), a, items, func(_ int, q *Question) { q.Send, q.Retries = w.send, 5 })
		if got.replies != items {
			t.Errorf("%+v", got)
		}
		if w.attempts != items+w.throttled+w.faults {
			t.Errorf("%d attempts, %d refused, %d failed", w.attempts, w.throttled, w.faults)
		}
		c := a.Counts()
		if c.Attempts != int64(w.attempts) || c.Throttled != int64(w.throttled) || c.Retried != int64(w.faults) {
			t.Errorf("%+v", c)
		}
		t.Logf("%d attempts, %d refused, in %s: %+v", w.attempts, w.throttled, time.Since(start), c.Lanes)
		// Cuts do not help here: the lane is not to shrink for ever.
		if limit := c.Lanes[0].Limit; limit < 25 {
			t.Errorf("the limit is %d", limit)
		}
	})
	x, _ := s.Spending(t.Context(), "r")
	if x.Spent > w.told || x.Spent+x.Held < w.cost || x.Open != 0 || x.Surplus != 0 {
		t.Errorf("%+v; told %s, cost %s", x, w.told, w.cost)
	}
}

// TestMoneyAddsUp asks at random, with few keys, a budget that is too small and
// callers that leave.
func TestMoneyAddsUp(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 7))
		s := newShelf(newel.Money(50 + random.Int64N(2000)))
		s.slow = time.Duration(random.Int64N(20)) * time.Millisecond
		w := &weather{random: rand.New(rand.NewPCG(seed, 8)), hurdles: 1 + 2*random.Float64()}
		const inFlight, worst = 10, 10
		inBubble(t, Options{Journal: s, InFlight: inFlight, Patience: 30 * time.Second}, func(t *testing.T, a *Account) {
			var group sync.WaitGroup
			for range 300 {
				key, leaves, comes := keyOf(int(random.Int64N(200))), random.Int64N(4) == 0, random.Int64N(3000)
				after := time.Duration(random.Int64N(3000)) * time.Millisecond
				group.Go(func() {
					time.Sleep(time.Duration(comes) * time.Millisecond)
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					if leaves {
						time.AfterFunc(after, cancel)
					}
					q := question(0, w.send)
					q.Key = key
					got, err := a.Ask(ctx, q)
					checkAnswer(t, s, key, got, err, leaves)
				})
			}
			group.Wait()
			if c := a.Counts(); c.InFlight != 0 || c.Waiting != 0 || a.desk.active != 0 || len(a.desk.queue) != 0 || len(a.flights) != 0 {
				t.Errorf("seed %d: something is left: %+v, %d active", seed, c, a.desk.active)
			}
			for _, ln := range a.lanes.order {
				if ln.open != 0 || ln.wanted != 0 || len(ln.ready) != 0 {
					t.Errorf("seed %d: lane %s has %d open, %d wanted", seed, ln.name, ln.open, ln.wanted)
				}
			}
		})
		checkMoney(t, seed, s, w, inFlight*worst)
	}
}

func checkAnswer(t *testing.T, s *shelf, key newel.Hash, got Answer, err error, leaves bool) {
	switch {
	case errors.Is(err, ErrStopped) && !leaves:
		t.Errorf("stopped, and nobody did: %v", err)
	case errors.Is(err, ErrStopped), errors.Is(err, newel.ErrSpent):
	case err != nil:
		t.Error(err)
	case got.Fault == nil:
		if got.Ref.Seq != 0 || got.Ref.Reply != newel.HashOf(got.Reply) || string(got.Reply) != "yes" {
			t.Errorf("%+v", got)
		}
	}
}

func checkMoney(t *testing.T, seed uint64, s *shelf, w *weather, slack newel.Money) {
	for key, entries := range s.entries {
		deciding := 0
		for _, e := range entries {
			if e.Seq == 0 {
				deciding++
			}
			if !e.Fault && e.Seq != 0 {
				t.Errorf("seed %d: call %s was paid twice", seed, key)
			}
		}
		if deciding > 1 {
			t.Errorf("seed %d: %d replies decide", seed, deciding)
		}
	}
	x := s.spending("r")
	switch {
	case x.Open != 0 || x.Reserved != 0:
		t.Errorf("seed %d: %d intents are left", seed, x.Open)
	case s.over > slack || x.Spent+x.Held > *s.budget+slack:
		t.Errorf("seed %d: %s over the budget", seed, s.over)
	case x.Spent+x.Held < w.cost:
		t.Errorf("seed %d: %s spent, %s held, but it cost %s", seed, x.Spent, x.Held, w.cost)
	}
}

// TestKilled has the journal go away in the middle, as a kill does, and another
// account go on.
func TestKilled(t *testing.T) {
	t.Parallel()
	s := newShelf(0)
	w := &weather{random: rand.New(rand.NewPCG(5, 6)), hurdles: 1e-9}
	const items, inFlight = 400, 50
	inBubble(t, Options{Journal: s, InFlight: inFlight}, func(t *testing.T, a *Account) {
		time.AfterFunc(400*time.Millisecond, func() {
			s.mu.Lock()
			w.mu.Lock()
			defer s.mu.Unlock()
			defer w.mu.Unlock()
			s.broken, w.killed = errors.New("killed"), w.under
			// What has money reserved and was not sent would never be.
			if open := len(s.intents); open > inFlight+ahead(inFlight) {
				t.Errorf("%d intents are open", open)
			}
		})
		var group sync.WaitGroup
		for i := range items {
			group.Go(func() {
				_, err := a.Ask(t.Context(), question(i, func(ctx context.Context) Attempt {
					if s.gone() {
						time.Sleep(time.Hour) // a dead process sends nothing
						return bad(Fault{Kind: newel.KindInternal})
					}
					return w.send(ctx)
				}))
				_ = err // of the calls that were lost
			})
		}
		group.Wait()
	})
	s.broken = nil
	inBubble(t, Options{Journal: s, InFlight: inFlight}, func(t *testing.T, a *Account) {
		if got := askAll(t, t.Context(), a, items, func(_ int, q *Question) { q.Send = w.send }); got.replies != items {
			t.Errorf("%+v", got)
		}
	})
	if w.attempts > items+w.killed || w.killed == 0 {
		t.Errorf("%d calls for %d items, %d under way at the kill", w.attempts, items, w.killed)
	}
}

func (s *shelf) gone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken != nil
}
