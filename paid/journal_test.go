package paid

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"newel"
)

// shelf is a journal in memory.
type shelf struct {
	mu        sync.Mutex
	budget    *newel.Money
	entries   map[newel.Hash][]newel.Entry
	intents   map[[16]byte]newel.Intent
	asked     int // calls of Replies
	reserves  []int
	released  int
	broken    error         // what Settle and Reserve return
	slow      time.Duration // of Reserve and of Replies
	onReserve func()
	damaged   newel.Hash  // whose reply cannot be read
	over      newel.Money // the most that the account was above the budget
	mostOpen  int
}

var errDamaged = errors.New("damaged")

func newShelf(budget newel.Money) *shelf {
	s := &shelf{entries: map[newel.Hash][]newel.Entry{}, intents: map[[16]byte]newel.Intent{}}
	if budget > 0 {
		s.budget = &budget
	}
	return s
}

func (s *shelf) SetBudget(_ context.Context, _ string, usd *newel.Money) error {
	s.budget = usd
	return nil
}

func (s *shelf) Reserve(_ context.Context, run string, intents []newel.Intent) (int, error) {
	if s.onReserve != nil {
		s.onReserve()
	}
	time.Sleep(s.slow) // of a bubble's time
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return 0, s.broken
	}
	s.reserves = append(s.reserves, len(intents))
	for i, in := range intents {
		if s.budget != nil && s.sum(run)+in.Worst > *s.budget {
			return i, nil
		}
		s.intents[in.ID] = in
		s.mostOpen = max(s.mostOpen, len(s.intents))
	}
	return len(intents), nil
}

// sum is what counts against the budget.
func (s *shelf) sum(run string) newel.Money {
	if s.budget == nil {
		return 0
	}
	x := s.spending(run)
	return x.Spent + x.Held + x.Reserved
}

func (s *shelf) Release(_ context.Context, _ string, ids [][16]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		delete(s.intents, id)
		s.released++
	}
	return nil
}

func (s *shelf) Settle(_ context.Context, e newel.Entry, ids [][16]byte) (newel.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return newel.Entry{}, s.broken
	}
	have := s.entries[e.Key]
	first := slices.IndexFunc(have, func(o newel.Entry) bool { return o.Run == e.Run && o.Seq == 0 })
	own := 0
	for _, o := range have {
		if o.Run == e.Run {
			own++
		}
	}
	if e.Fault || first >= 0 {
		e.Seq = max(own, 1)
		if first < 0 {
			e.Seq = own + 1
		}
	}
	s.entries[e.Key] = append(have, e)
	for _, id := range ids {
		delete(s.intents, id)
	}
	if s.budget != nil {
		s.over = max(s.over, s.sum(e.Run)-*s.budget)
	}
	if first >= 0 && !e.Fault {
		return have[first], nil
	}
	return e, nil
}

func (s *shelf) Replies(_ context.Context, run string, keys []newel.Hash, reuse newel.Window) (map[newel.Hash]newel.Entry, error) {
	got := s.replies(run, keys, reuse)
	time.Sleep(s.slow) // what was read may be out of date when it is told
	for _, k := range keys {
		if k == s.damaged {
			return nil, errDamaged
		}
	}
	return got, nil
}

func (s *shelf) replies(run string, keys []newel.Hash, reuse newel.Window) map[newel.Hash]newel.Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	out := map[newel.Hash]newel.Entry{}
	for _, k := range keys {
		var best *newel.Entry
		for _, e := range s.entries[k] {
			switch {
			case e.Fault || e.Seq != 0:
			case e.Run == run:
				best = &e
			case best != nil && best.Run == run:
			case e.Good && !reuse.IsZero() && !e.At.Before(reuse.From) && !e.At.After(reuse.To) && (best == nil || e.At.After(best.At)):
				best = &e
			}
		}
		if best != nil {
			out[k] = *best
		}
	}
	return out
}

func (s *shelf) Entries(context.Context, string, []newel.CallRef) ([]newel.Entry, error) {
	return nil, newel.ErrNotFound
}

func (s *shelf) Paid(_ context.Context, run string) iter.Seq2[newel.Entry, error] {
	var all []newel.Entry
	s.mu.Lock()
	for _, es := range s.entries {
		for _, e := range es {
			if e.Run == run {
				all = append(all, e)
			}
		}
	}
	s.mu.Unlock()
	slices.SortFunc(all, func(a, b newel.Entry) int {
		return cmp.Or(bytes.Compare(a.Key[:], b.Key[:]), cmp.Compare(a.Seq, b.Seq))
	})
	return func(yield func(newel.Entry, error) bool) {
		for _, e := range all {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (s *shelf) Spending(_ context.Context, run string) (newel.Spending, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spending(run), nil
}

func (s *shelf) spending(run string) newel.Spending {
	x := newel.Spending{Budget: s.budget, Open: len(s.intents)}
	for _, es := range s.entries {
		for _, e := range es {
			switch {
			case e.Run != run:
				continue
			case e.Fault:
				x.Faults++
			case e.Seq > 0:
				x.Surplus++
				x.Calls++
			default:
				x.Calls++
			}
			x.Held += e.Held
			if e.Cost == nil {
				x.Unknown++
			} else {
				x.Spent += *e.Cost
			}
		}
	}
	for _, in := range s.intents {
		x.Reserved += in.Worst
	}
	return x
}

func (s *shelf) Supplement(_ context.Context, e newel.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, o := range s.entries[e.Key] {
		if o.Run == e.Run && o.Seq == e.Seq {
			if o.Cost != nil {
				return newel.ErrConflict
			}
			o.Cost, o.Call, o.Held = e.Cost, e.Call, e.Held
			s.entries[e.Key][i] = o
			return nil
		}
	}
	return fmt.Errorf("entry %s: %w", e.Key, newel.ErrNotFound)
}

func (s *shelf) PutEntries(_ context.Context, entries []newel.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range entries {
		s.entries[e.Key] = append(s.entries[e.Key], e)
	}
	return nil
}

// of returns what is kept of a key.
func (s *shelf) of(key newel.Hash) []newel.Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.entries[key])
}
