package memory

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"newel"
)

// Supplement makes an unknown cost known; what was held for it is from now on
// e.Held.
func (s *Store) Supplement(ctx context.Context, e newel.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Cost == nil || *e.Cost < 0 || e.Held < 0 {
		return fmt.Errorf("supplement of entry %s: no amount, or one below zero", e.Key)
	}
	a, err := s.known(ctx, e.Run)
	if err != nil {
		return err
	}
	have := find(a, e.Key, e.Seq)
	switch {
	case have == nil:
		return fmt.Errorf("entry %d of call %s that run %q paid %w", e.Seq, e.Key, e.Run, newel.ErrNotFound)
	case have.Cost != nil || a.supplemented(e):
		return fmt.Errorf("the cost of entry %d of call %s: %w", e.Seq, e.Key, newel.ErrConflict)
	case e.Held > have.Held:
		return fmt.Errorf("supplement of entry %s: it holds more than before", e.Key)
	}
	if r, ok := s.runs[e.Run]; ok && r.State == newel.Sealed {
		late := clone(have)
		late.At, late.Call, late.Cost, late.Held = instant(s.clock()), bytes.Clone(e.Call), copied(e.Cost), e.Held
		a.supplements = append(a.supplements, late)
		return nil
	}
	spent, err := a.now.Spent.Add(*e.Cost)
	if err != nil {
		return fmt.Errorf("supplement of entry %s of run %q: %w", e.Key, e.Run, err)
	}
	a.now.Spent = spent
	a.now.Held -= have.Held - e.Held
	a.now.Unknown--
	have.Call, have.Cost, have.Held = bytes.Clone(e.Call), copied(e.Cost), e.Held
	return nil
}

func (a *account) supplemented(e newel.Entry) bool {
	for _, late := range a.supplements {
		if late.Key == e.Key && late.Seq == e.Seq {
			return true
		}
	}
	return false
}

// Supplements returns what became known of a run's entries after its seal, in
// the order in which it did. At is that instant.
func (s *Store) Supplements(ctx context.Context, run string) (all []newel.Entry, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.known(ctx, run)
	if a == nil || err != nil {
		return nil, err
	}
	for i := range a.supplements {
		all = append(all, clone(&a.supplements[i]))
	}
	return all, nil
}

// PutEntries stores entries with their numbers and instants, all or none, and
// counts them in the accounts of their runs. ErrSealed for one that a sealed
// run does not have.
func (s *Store) PutEntries(ctx context.Context, entries []newel.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	after := map[string]newel.Spending{}
	for _, e := range entries {
		if err := s.puttable(ctx, e); err != nil {
			return err
		}
		a := s.accounts[e.Run]
		if find(a, e.Key, e.Seq) != nil {
			continue
		}
		now, ok := after[e.Run]
		if !ok && a != nil {
			now = a.now
		}
		var err error
		if after[e.Run], err = plus(now, e); err != nil {
			return fmt.Errorf("entry %s of run %q: %w", e.Key, e.Run, err)
		}
	}
	for _, e := range entries {
		a := s.accountOf(e.Run)
		if find(a, e.Key, e.Seq) != nil {
			continue
		}
		if err := s.keep(a, e); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) puttable(ctx context.Context, e newel.Entry) error {
	if err := sound(e); err != nil {
		return err
	}
	if e.Seq < 0 || e.Seq == 0 && e.Fault {
		return fmt.Errorf("entry %s: it has the number %d", e.Key, e.Seq)
	}
	r, err := s.run(ctx, e.Run)
	if errors.Is(err, newel.ErrNotFound) {
		return nil // another store's run
	}
	if err == nil && r.State == newel.Sealed && find(s.accounts[e.Run], e.Key, e.Seq) == nil {
		err = fmt.Errorf("entry %d of call %s: run %q is %w", e.Seq, e.Key, e.Run, newel.ErrSealed)
	}
	return err
}
