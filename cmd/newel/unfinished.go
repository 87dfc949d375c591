package main

import (
	"context"
	"slices"

	"newel"
	"newel/gateway"
	"newel/judge"
	"newel/ladder"
	"newel/pack"
	"newel/suite"
)

// unfinished says what an incomplete run's judges were paid for, and whether its
// budget holds the rest; nil where its judges ask nobody.
func (a *app) unfinished(ctx context.Context, store newel.Store, run *newel.Run, s *suite.Suite) (*newel.Unfinished, error) {
	sel, err := selectionOf(run)
	if err != nil || !s.Pays(sel.Rubrics) {
		return nil, err
	}
	money, err := store.Spending(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	chunks, err := store.Chunks(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	u := &newel.Unfinished{Replies: money.Calls - money.Surplus, USD: money.Spent, UnknownCalls: money.Unknown, Budget: money.Budget}
	done := 0
	for _, c := range chunks {
		done += c.Tally.Done
		u.Items += c.Items - c.Tally.Done
	}
	if u.HeldUSD, err = money.Held.Add(money.Reserved); err != nil || u.Budget == nil || u.Items == 0 {
		return u, err
	}
	next, err := a.lookAhead(ctx, store, run, s, sel.Rubrics)
	if err != nil {
		return nil, err
	}
	next.enough(u, done)
	return u, nil
}

// nextCalls is what the first items that a run lacks would ask their judges.
type nextCalls struct {
	rubrics []*ladder.Rubric
	judges  []*suite.Judge // by rubric in the suite
	clients map[string]*gateway.Client

	items int
	calls float64     // that are likely to be made about them
	sum   newel.Money // what those are likely to cost, by the price table
	worst newel.Money // of one call
}

// aheadItems is how many items are looked at: judges' calls are alike.
const aheadItems = 8

// lookAhead writes the calls of items that a run lacks, and asks nobody.
func (a *app) lookAhead(ctx context.Context, store newel.Store, run *newel.Run, s *suite.Suite, only []string) (*nextCalls, error) {
	judges, err := a.recorded(store, run, s, only)
	if err != nil {
		return nil, err
	}
	defer judges.close(context.WithoutCancel(ctx))
	program, err := judges.program(only)
	if err != nil {
		return nil, err
	}
	program.Fix(&run.Plan)
	h := &nextCalls{rubrics: program.Rubrics, clients: judges.clients}
	for _, r := range s.Rubrics {
		h.judges = append(h.judges, r.Judge)
	}
	chunks, err := store.Chunks(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	for _, info := range chunks {
		if h.items < aheadItems && info.Tally.Done < info.Items {
			if err := h.chunk(ctx, store, run, info); err != nil {
				return nil, err
			}
		}
	}
	return h, nil
}

// chunk looks at what a chunk lacks.
func (h *nextCalls) chunk(ctx context.Context, store newel.Store, run *newel.Run, info newel.ChunkInfo) error {
	done, err := store.Done(ctx, run.ID, info.N)
	if err != nil {
		return err
	}
	_, index, err := store.Chunk(ctx, run.ID, info.N)
	if err != nil {
		return err
	}
	chunk, err := pack.ReadChunk(index)
	if err != nil {
		return err
	}
	bodies, err := store.Bodies(ctx, run.ID, info.N)
	if err != nil {
		return err
	}
	batch, err := chunk.Batch(info.First, bodies)
	if err != nil {
		return err
	}
	for _, offset := range done.Missing(info.Items) {
		if h.items == aheadItems {
			break
		}
		s := newel.NewSubject(batch.Items[offset])
		if err := attach(ctx, store, run, info.First+offset, s); err != nil {
			return err
		}
		h.item(ctx, s, chunk.Entries[offset].Applies)
	}
	return nil
}

// item adds the calls of an item. What its layers below settle is not looked at:
// it may only be less.
func (h *nextCalls) item(ctx context.Context, s *newel.Subject, applies newel.Bitmap) {
	h.items++
	for _, r := range h.rubrics {
		j, ok := r.Judge.(*judge.Judge)
		if !ok || !applies.Has(r.Index) {
			continue
		}
		planned, err := j.Calls(ctx, s)
		if err != nil {
			continue // it would be answered without a call
		}
		client, share := h.clients[h.judges[r.Index].Def.Gateway], max(r.Sample, r.Audit)
		h.calls += share * float64(len(planned))
		for _, p := range planned {
			likely, _ := client.Likely(p.Body)
			worst, _ := client.Worst(p.Body)
			h.sum = saturated(h.sum, scaled(likely, share), 1)
			h.worst = max(h.worst, worst)
		}
	}
}

// enough says whether a run's budget holds what is left, and what would: what is
// spent and held, the items left at what one is likely to cost, and the last call
// at its worst price.
func (h *nextCalls) enough(u *newel.Unfinished, done int) {
	item, ok := h.itemCost(u, done)
	gone := saturated(u.USD, u.HeldUSD, 1)
	left := *u.Budget - gone
	if !ok {
		u.Short = h.worst > left
		return
	}
	likely := saturated(0, item, u.Items)
	u.ItemUSD = &item
	if u.Short = h.worst > left || likely > left; u.Short {
		most := roundedUp(saturated(saturated(gone, likely, 1), h.worst, 1))
		u.Enough = &most
	}
}

// itemCost is what an item is likely to cost: the lower of what those that are
// done came to, and of what the calls of one cost at the mean of the run's; before
// the first reply the price table has to say. Items that are half done make the
// first too high, and layers below a judge the second.
func (h *nextCalls) itemCost(u *newel.Unfinished, done int) (newel.Money, bool) {
	var guesses []newel.Money
	gone := saturated(u.USD, u.HeldUSD, 1)
	if done > 0 && gone > 0 {
		guesses = append(guesses, gone/newel.Money(done))
	}
	if u.Replies > 0 && gone > 0 && h.items > 0 {
		guesses = append(guesses, scaled(gone/newel.Money(u.Replies), h.calls/float64(h.items)))
	}
	if len(guesses) == 0 && h.items > 0 {
		guesses = append(guesses, h.sum/newel.Money(h.items))
	}
	if len(guesses) == 0 {
		return 0, false
	}
	return max(1, slices.Min(guesses)), true
}

// scaled is an estimate of so many times an amount.
func scaled(m newel.Money, times float64) newel.Money {
	const most = 1 << 62
	return newel.Money(min(float64(m)*times, most))
}

// roundedUp is an amount of two digits that is not below m.
func roundedUp(m newel.Money) newel.Money {
	step := newel.Money(1)
	for m/step >= 100 {
		step *= 10
	}
	if rest := m % step; rest > 0 && m <= 1<<62 {
		m += step - rest
	}
	return m
}

// goingOn is what to say of an incomplete run: what is kept, and what resume takes
// besides its id. Where that cannot be found out, resuming says why. Spent says
// that the budget did not hold a call.
func (a *app) goingOn(ctx context.Context, store newel.Store, run *newel.Run, spent bool) *newel.Unfinished {
	u := a.unfinishedRun(context.WithoutCancel(ctx), store, run)
	if !spent || u != nil && u.Short {
		return u
	}
	if u == nil || u.Budget == nil {
		return &newel.Unfinished{Short: true}
	}
	u.Short = true
	if u.ItemUSD != nil {
		most := roundedUp(saturated(*u.Budget, *u.ItemUSD, max(1, u.Items)))
		u.Enough = &most
	}
	return u
}

func (a *app) unfinishedRun(ctx context.Context, store newel.Store, run *newel.Run) *newel.Unfinished {
	s, err := a.restoreSuite(run, false)
	if err != nil {
		return nil
	}
	defer s.Close()
	u, err := a.unfinished(ctx, store, run, s)
	if err != nil {
		return nil
	}
	return u
}
