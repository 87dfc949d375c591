package memory

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"newel"
)

// account is the money of one run. It outlives the run where anything was paid.
type account struct {
	now         newel.Spending
	entries     map[newel.Hash][]*newel.Entry // by key, in order of seq
	intents     map[[16]byte]newel.Intent
	supplements []newel.Entry
}

// account returns the account of a run that takes entries, a new one if it has
// none.
func (s *Store) account(ctx context.Context, id string) (*account, error) {
	if _, err := s.open(ctx, id); err != nil {
		return nil, err
	}
	return s.accountOf(id), nil
}

func (s *Store) accountOf(run string) *account {
	a, ok := s.accounts[run]
	if !ok {
		a = &account{entries: map[newel.Hash][]*newel.Entry{}, intents: map[[16]byte]newel.Intent{}}
		s.accounts[run] = a
	}
	return a
}

// known returns the account of a run, nil if nothing was written to it.
func (s *Store) known(ctx context.Context, run string) (*account, error) {
	_, err := s.run(ctx, run)
	a := s.accounts[run]
	if a != nil && errors.Is(err, newel.ErrNotFound) {
		err = nil // the run was erased
	}
	return a, err
}

// SetBudget says how much a run may spend.
func (s *Store) SetBudget(ctx context.Context, run string, usd *newel.Money) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if usd != nil && *usd < 0 {
		return fmt.Errorf("run %q: a budget of %s", run, *usd)
	}
	a, err := s.account(ctx, run)
	if err == nil {
		a.now.Budget = copied(usd)
	}
	return err
}

func copied(m *newel.Money) *newel.Money {
	if m == nil {
		return nil
	}
	return new(*m)
}

// Reserve writes intents. One whose id is there already is left alone and
// counts as taken.
func (s *Store) Reserve(ctx context.Context, run string, intents []newel.Intent) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range intents {
		if in.Worst < 0 {
			return 0, fmt.Errorf("reserve for run %q: a worst price of %s", run, in.Worst)
		}
	}
	a, err := s.account(ctx, run)
	if err != nil {
		return 0, err
	}
	fresh, taken, err := a.affordable(intents)
	if err != nil {
		return 0, fmt.Errorf("reserve for run %q: %w", run, err)
	}
	for _, in := range fresh {
		a.intents[in.ID] = in
		a.now.Reserved += in.Worst
		a.now.Open++
	}
	return taken, nil
}

// affordable returns how many intents the budget holds, and those of them that
// are not there yet.
func (a *account) affordable(intents []newel.Intent) (fresh []newel.Intent, taken int, err error) {
	all, err := a.now.Spent.Add(a.now.Held)
	if err == nil {
		all, err = all.Add(a.now.Reserved)
	}
	if err != nil {
		return nil, 0, err
	}
	seen := map[[16]byte]bool{}
	for _, in := range intents {
		if _, there := a.intents[in.ID]; there || seen[in.ID] {
			taken++
			continue
		}
		if all, err = all.Add(in.Worst); err != nil {
			return nil, 0, err
		}
		if a.now.Budget != nil && all > *a.now.Budget {
			break
		}
		seen[in.ID] = true
		fresh = append(fresh, in)
		taken++
	}
	return fresh, taken, nil
}

// Release takes back intents. ErrSealed after the seal.
func (s *Store) Release(ctx context.Context, run string, ids [][16]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.account(ctx, run)
	if err == nil {
		a.close(ids)
	}
	return err
}

// paid reports whether money was spent or may have been.
func (a *account) paid() bool {
	return a.now.Spent > 0 || a.now.Held > 0 || a.now.Reserved > 0 || a.now.Unknown > 0
}

func (a *account) close(ids [][16]byte) {
	for _, id := range ids {
		if in, ok := a.intents[id]; ok {
			delete(a.intents, id)
			a.now.Reserved -= in.Worst
			a.now.Open--
		}
	}
}

// Settle commits a reply or a fault at the store's instant.
func (s *Store) Settle(ctx context.Context, e newel.Entry, intents [][16]byte) (newel.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := sound(e); err != nil {
		return newel.Entry{}, err
	}
	a, err := s.account(ctx, e.Run)
	if err != nil {
		return newel.Entry{}, err
	}
	have := a.entries[e.Key]
	decided := len(have) > 0 && have[0].Seq == 0
	e.Seq, e.At = 0, s.clock()
	if e.Fault || decided {
		e.Seq = 1
		if len(have) > 0 {
			e.Seq = have[len(have)-1].Seq + 1
		}
	}
	if err := s.keep(a, e); err != nil {
		return newel.Entry{}, err
	}
	a.close(intents)
	if decided && !e.Fault {
		return clone(have[0]), nil
	}
	e.At = instant(e.At)
	return e, nil
}

// sound reports what is wrong with an entry that somebody wants stored.
func sound(e newel.Entry) error {
	switch {
	case e.Run == "":
		return fmt.Errorf("entry %s: nobody paid", e.Key)
	case e.Fault && (e.Good || len(e.Reply) > 0):
		return fmt.Errorf("entry %s: a fault with a reply", e.Key)
	case e.Held < 0, e.Cost != nil && *e.Cost < 0:
		return fmt.Errorf("entry %s: an amount below zero", e.Key)
	}
	return nil
}

// keep stores a copy of an entry and counts it.
func (s *Store) keep(a *account, e newel.Entry) error {
	now, err := plus(a.now, e)
	if err != nil {
		return fmt.Errorf("entry %s of run %q: %w", e.Key, e.Run, err)
	}
	kept := clone(&e)
	kept.At = instant(kept.At)
	a.now = now
	a.entries[e.Key] = append(a.entries[e.Key], &kept)
	slices.SortFunc(a.entries[e.Key], func(x, y *newel.Entry) int { return cmp.Compare(x.Seq, y.Seq) })
	if e.Good && e.Seq == 0 {
		s.good[e.Key] = append(s.good[e.Key], &kept)
	}
	return nil
}

// plus returns an account with one more entry.
func plus(now newel.Spending, e newel.Entry) (_ newel.Spending, err error) {
	switch {
	case e.Fault:
		now.Faults++
	case e.Seq > 0:
		now.Calls++
		now.Surplus++
	default:
		now.Calls++
	}
	if now.Held, err = now.Held.Add(e.Held); err != nil {
		return now, err
	}
	if e.Cost == nil {
		now.Unknown++
		return now, nil
	}
	now.Spent, err = now.Spent.Add(*e.Cost)
	return now, err
}

func clone(e *newel.Entry) newel.Entry {
	out := *e
	out.Reply, out.Call, out.Cost = bytes.Clone(e.Reply), bytes.Clone(e.Call), copied(e.Cost)
	return out
}
