package memory

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"newel"
)

// Replies returns the run's own deciding entries, else the newest good ones of
// other runs within the window; of two at one instant the one stored later.
func (s *Store) Replies(ctx context.Context, run string, keys []newel.Hash, reuse newel.Window) (map[newel.Hash]newel.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.run(ctx, run); err != nil {
		return nil, err
	}
	out := map[newel.Hash]newel.Entry{}
	for _, key := range keys {
		if e := s.reply(run, key, reuse); e != nil {
			out[key] = clone(e)
		}
	}
	return out, nil
}

func (s *Store) reply(run string, key newel.Hash, reuse newel.Window) (best *newel.Entry) {
	if own := find(s.accounts[run], key, 0); own != nil {
		return own
	}
	for _, e := range s.good[key] {
		within := !reuse.IsZero() && !e.At.Before(reuse.From) && !e.At.After(reuse.To)
		if within && e.Run != run && (best == nil || !e.At.Before(best.At)) {
			best = e
		}
	}
	return best
}

func find(a *account, key newel.Hash, seq int) *newel.Entry {
	if a == nil {
		return nil
	}
	for _, e := range a.entries[key] {
		if e.Seq == seq {
			return e
		}
	}
	return nil
}

// Entries returns the entries that refs point to.
func (s *Store) Entries(ctx context.Context, run string, refs []newel.CallRef) ([]newel.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.known(ctx, run); err != nil {
		return nil, err
	}
	var out []newel.Entry
	for _, ref := range refs {
		e := find(s.accounts[cmp.Or(ref.Run, run)], ref.Key, ref.Seq)
		switch {
		case e == nil:
			return nil, fmt.Errorf("entry %d of call %s that run %q paid %w", ref.Seq, ref.Key, cmp.Or(ref.Run, run), newel.ErrNotFound)
		case !ref.Reply.IsZero() && newel.HashOf(e.Reply) != ref.Reply:
			return nil, fmt.Errorf("entry %d of call %s that run %q paid is another reply", ref.Seq, ref.Key, e.Run)
		}
		out = append(out, clone(e))
	}
	return out, nil
}

// Paid yields all entries of a run as they are when it begins.
func (s *Store) Paid(ctx context.Context, run string) iter.Seq2[newel.Entry, error] {
	return func(yield func(newel.Entry, error) bool) {
		all, err := s.paid(ctx, run)
		if err != nil {
			yield(newel.Entry{}, err)
			return
		}
		for _, e := range all {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (s *Store) paid(ctx context.Context, run string) (all []newel.Entry, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.known(ctx, run)
	if a == nil || err != nil {
		return nil, err
	}
	return a.sorted(), nil
}

// sorted returns copies of all entries in order of (key, seq).
func (a *account) sorted() (all []newel.Entry) {
	for _, entries := range a.entries {
		for _, e := range entries {
			all = append(all, clone(e))
		}
	}
	slices.SortFunc(all, func(x, y newel.Entry) int {
		return cmp.Or(bytes.Compare(x.Key[:], y.Key[:]), cmp.Compare(x.Seq, y.Seq))
	})
	return all
}

// Spending returns a run's account.
func (s *Store) Spending(ctx context.Context, run string) (newel.Spending, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.known(ctx, run)
	if a == nil || err != nil {
		return newel.Spending{}, err
	}
	now := a.now
	now.Budget = copied(now.Budget)
	return now, nil
}
