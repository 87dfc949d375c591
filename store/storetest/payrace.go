package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"newel"
)

var payRaces = []check{
	{"of many who settle the same calls one decides each and all others are surplus", settleRace},
	{"many who reserve, settle and release never pass the budget", budgetRace},
	{"a seal and the last replies do not miss each other", sealAgainstReplies},
	{"of many who supplement one succeeds", supplementRace},
	{"of many who put the same entries each is kept once", putRace},
}

func settleRace(t *testing.T, s newel.Store) {
	const writers, keys = 64, 16
	ok(t, s.CreateRun(ctx, plain("a")))
	var intents []newel.Intent
	for i := range writers * keys {
		intents = append(intents, intent(i, 7))
	}
	same(t, "taken", len(intents), must(s.Reserve(ctx, "a", intents))(t))
	var told [writers][keys]newel.Entry
	race(writers, func(w int) {
		for i := range keys {
			n := (i + w) % keys
			e := reply("a", keyOf(n), fmt.Sprintf("%d by %d", n, w))
			got, err := s.Settle(ctx, e, idsOf(intents[w*keys+n]))
			if err != nil {
				t.Error(err)
			}
			told[w][n] = got
		}
	})
	for n := range keys {
		for w := range writers {
			same(t, fmt.Sprintf("what %d was told decides %d", w, n), told[0][n], told[w][n])
		}
	}
	now, all := moneyAddsUp(t, s, "a")
	same(t, "account", newel.Spending{
		Spent: writers * keys * newel.Dollar / 100, Calls: writers * keys, Surplus: (writers - 1) * keys,
	}, now)
	for i, e := range all {
		same(t, "number", i%writers, e.Seq)
	}
}

// price is what spender's calls cost at most; the dollar is no multiple of it.
const price = 7 * newel.Dollar / 1000

// spender does what a worker does with money: it reserves some intents, sends
// some of them and settles those, and gives the others back.
type spender struct {
	s    newel.Journal
	run  string
	r    *rand.Rand
	said func(newel.Entry) // of each entry that was acknowledged
}

// spend goes on until the budget has held nothing so many times, and returns
// how many intents were ever taken.
func (p spender) spend(misses int) (taken int, err error) {
	for misses > 0 {
		n, err := p.once()
		if err != nil {
			return taken, err
		}
		if n == 0 {
			misses--
		}
		taken += n
	}
	return taken, nil
}

// once reserves some intents and uses those that the budget holds.
func (p spender) once() (taken int, err error) {
	var intents []newel.Intent
	for range 1 + p.r.IntN(4) {
		in := newel.Intent{Key: keyOf(p.r.IntN(200)), Worst: price}
		for i := range in.ID {
			in.ID[i] = byte(p.r.Uint32())
		}
		intents = append(intents, in)
	}
	taken, err = p.s.Reserve(ctx, p.run, intents)
	if err != nil {
		return 0, err
	}
	return taken, p.use(intents[:taken])
}

func (p spender) use(intents []newel.Intent) error {
	for _, in := range intents {
		switch p.r.IntN(8) {
		case 0, 1:
			if err := p.s.Release(ctx, p.run, idsOf(in)); err != nil {
				return err
			}
			continue
		case 2:
			if err := p.settle(newel.Entry{Key: in.Key, Fault: true, Held: in.Worst}, in); err != nil {
				return err
			}
			continue
		}
		cost := newel.Money(p.r.Int64N(int64(in.Worst) + 1))
		e := newel.Entry{Key: in.Key, Good: true, Cost: &cost, Reply: fmt.Appendf(nil, "%s%d", filler, cost), Call: []byte(filler)}
		if err := p.settle(e, in); err != nil {
			return err
		}
	}
	return nil
}

func (p spender) settle(e newel.Entry, in newel.Intent) error {
	e.Run = p.run
	decides, err := p.s.Settle(ctx, e, idsOf(in))
	if err == nil && p.said != nil {
		p.said(decides)
	}
	return err
}

// within reports an account that is above its budget.
func within(t testing.TB, s newel.Store, run string) {
	t.Helper()
	now, err := s.Spending(ctx, run)
	if err != nil {
		t.Error(err)
		return
	}
	if all := now.Spent + now.Held + now.Reserved; all > *now.Budget || now.Reserved < 0 || now.Open < 0 {
		t.Errorf("%s of %s: %+v", all, *now.Budget, now)
	}
}

// watched looks at the accounts in turn until done is closed.
func watched(t testing.TB, s newel.Store, runs []string, done chan struct{}, wg *sync.WaitGroup) {
	wg.Go(func() {
		for i := 0; !t.Failed(); i++ {
			within(t, s, runs[i%len(runs)])
			select {
			case <-done:
				return
			default:
			}
		}
	})
}

// spentAll checks the account of a run whose spenders all came to their end.
func spentAll(t testing.TB, s newel.Store, run string) {
	t.Helper()
	within(t, s, run)
	now, _ := moneyAddsUp(t, s, run)
	if now.Open != 0 || now.Reserved != 0 {
		t.Errorf("%d open with %s in the end", now.Open, now.Reserved)
	}
	if left := *now.Budget - now.Spent - now.Held; left >= price {
		t.Errorf("%s of the budget is left and was refused", left)
	}
}

func budgetRace(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	ok(t, s.SetBudget(ctx, "a", usd(newel.Dollar)))
	done := make(chan struct{})
	var wg sync.WaitGroup
	watched(t, s, []string{"a"}, done, &wg)
	race(16, func(w int) {
		p := spender{s: s, run: "a", r: rand.New(rand.NewPCG(uint64(w), 1))}
		if _, err := p.spend(3); err != nil {
			t.Error(err)
		}
	})
	close(done)
	wg.Wait()
	p := spender{s: s, run: "a", r: rand.New(rand.NewPCG(99, 1))}
	must(p.spend(1))(t) // all others have given back by now
	spentAll(t, s, "a")
}

func sealAgainstReplies(t *testing.T, s newel.Store) {
	planned(t, s, "a", 0, 0)
	var acked atomic.Int32
	sealed := make(chan struct{})
	race(9, func(w int) {
		if w == 8 {
			for acked.Load() < 20 && !t.Failed() {
				look(t, s)
			}
			if won, err := s.SealRun(ctx, "a", newel.Hash{1}, nil); err != nil || !won {
				t.Errorf("won %v: %v", won, err)
			}
			close(sealed)
			return
		}
		for i := 0; ; i++ {
			_, err := s.Settle(ctx, reply("a", keyOf(8*i+w), "reply"), nil)
			if errors.Is(err, newel.ErrSealed) {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			acked.Add(1)
		}
	})
	<-sealed
	now, _ := moneyAddsUp(t, s, "a")
	same(t, "calls", int(acked.Load()), now.Calls)
}

// look reads, which gives the others time.
func look(t testing.TB, s newel.Store) {
	if _, err := s.Spending(ctx, "a"); err != nil {
		t.Error(err)
	}
}

func supplementRace(t *testing.T, s newel.Store) {
	planned(t, s, "a", 0, 0)
	settled(t, s, newel.Entry{Key: keyOf(1), Run: "a", Held: 9})
	settled(t, s, newel.Entry{Key: keyOf(2), Run: "a", Held: 9})
	many := func(n int) {
		t.Helper()
		var won atomic.Int64
		race(16, func(w int) {
			switch err := s.Supplement(ctx, newel.Entry{Key: keyOf(n), Run: "a", Cost: usd(newel.Money(w + 1))}); {
			case err == nil:
				won.Add(int64(w + 1))
			case !errors.Is(err, newel.ErrConflict):
				t.Error(err)
			}
		})
		if won.Load() == 0 || won.Load() > 16 {
			t.Fatalf("supplements of %d in all", won.Load())
		}
	}
	many(1)
	moneyAddsUp(t, s, "a")
	must(s.SealRun(ctx, "a", newel.Hash{1}, nil))(t)
	many(2)
	moneyAddsUp(t, s, "a")
}

func putRace(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	var entries []newel.Entry
	for i := range 50 {
		entries = append(entries, reply("a", keyOf(i), "reply"), reply("b", keyOf(i), "reply"))
	}
	race(16, func(int) {
		if err := s.PutEntries(ctx, entries); err != nil {
			t.Error(err)
		}
	})
	for _, run := range []string{"a", "b"} {
		now, _ := moneyAddsUp(t, s, run)
		same(t, "calls", 50, now.Calls)
	}
}
