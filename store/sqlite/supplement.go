package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"newel"
)

// Supplement makes an unknown cost known; what was held for it is from now on
// e.Held.
func (s *Store) Supplement(ctx context.Context, e newel.Entry) error {
	if e.Cost == nil || *e.Cost < 0 || e.Held < 0 {
		return fmt.Errorf("supplement of entry %s: no amount, or one below zero", e.Key)
	}
	return s.fail("supplement", s.writer.run(ctx, &job{alone: true, safe: true, do: func(t *tx) error {
		a, err := t.open(e.Run)
		sealed := errors.Is(err, newel.ErrSealed)
		if sealed || errors.Is(err, newel.ErrNotFound) { // an erased run may have an account
			a, err = t.account(e.Run)
		}
		if err != nil {
			return err
		}
		id, have, err := s.unknown(t, a, e)
		switch {
		case err != nil:
			return err
		case e.Held > have.Held:
			return fmt.Errorf("supplement of entry %s: it holds more than before", e.Key)
		case sealed:
			return t.exec("INSERT INTO supplements (account, key, seq, at, cost, held, call) VALUES (?, ?, ?, ?, ?, ?, ?)",
				a.key, e.Key[:], e.Seq, s.now(), int64(*e.Cost), int64(e.Held), s.codec.pack(e.Call))
		}
		return s.settleLate(t, a, id, have, e)
	}}))
}

// unknown returns an entry of unknown cost.
func (s *Store) unknown(t *tx, a *account, e newel.Entry) (id int64, have newel.Entry, err error) {
	const query = `SELECT e.id, EXISTS (SELECT 1 FROM supplements s WHERE s.account = e.account AND s.key = e.key AND s.seq = e.seq), ` +
		entryColumns + " FROM entries e WHERE e.account = ? AND e.key = ? AND e.seq = ?"
	var damaged error
	r, late := stored{codec: s.codec}, false
	err = t.each(query, []any{a.key, e.Key[:], e.Seq}, func(rows *sql.Rows) error {
		err := rows.Scan(r.dst(&id, &late)...)
		if err == nil {
			have, damaged = r.entry(a.run)
		}
		return err
	})
	switch {
	case err != nil || damaged != nil:
		return 0, have, errors.Join(err, damaged)
	case id == 0:
		return 0, have, noEntry(e.Run, e.Key, e.Seq)
	case late || have.Cost != nil:
		return 0, have, fmt.Errorf("the cost of entry %d of call %s: %w", e.Seq, e.Key, newel.ErrConflict)
	}
	return id, have, nil
}

// settleLate changes an entry that is not under a seal.
func (s *Store) settleLate(t *tx, a *account, id int64, have, e newel.Entry) error {
	spent, err := a.now.Spent.Add(*e.Cost)
	if err != nil {
		return fmt.Errorf("supplement of entry %s of run %q: %w", e.Key, e.Run, err)
	}
	a.now.Spent, a.changed = spent, true
	a.now.Held -= have.Held - e.Held
	a.now.Unknown--
	have.Call = e.Call
	err = t.exec("UPDATE entries SET cost = ?, held = ?, data = ? WHERE id = ?", int64(*e.Cost), int64(e.Held), s.codec.packEntry(have), id)
	if err != nil {
		return err
	}
	return a.write(t)
}

// Supplements returns what became known of a run's entries after its seal, in
// the order in which it did. At is that instant.
func (s *Store) Supplements(ctx context.Context, run string) (all []newel.Entry, err error) {
	a, err := s.account(ctx, run)
	if err != nil {
		return nil, s.fail("read supplements", err)
	}
	const query = `SELECT x.at, x.cost, x.held, x.call, ` + entryColumns + ` FROM supplements x
		JOIN entries e ON e.account = x.account AND e.key = x.key AND e.seq = x.seq WHERE x.account = ? ORDER BY x.id`
	err = s.reads.each(ctx, query, []any{a.key}, func(rows *sql.Rows) error {
		var at, cost, held int64
		var call []byte
		r := stored{codec: s.codec}
		if err := rows.Scan(r.dst(&at, &cost, &held, &call)...); err != nil {
			return err
		}
		e, err := r.entry(run)
		if err != nil {
			return err
		}
		e.At, e.Cost, e.Held = instant(at), new(newel.Money(cost)), newel.Money(held)
		e.Call, err = s.codec.unpack(call)
		all = append(all, e)
		return err
	})
	if err != nil {
		return nil, s.fail("read supplements", err)
	}
	return all, nil
}

// PutEntries stores entries with their numbers and instants, all or none, and
// counts them in the accounts of their runs. ErrSealed for one that a sealed
// run does not have.
func (s *Store) PutEntries(ctx context.Context, entries []newel.Entry) error {
	data := make([][]byte, len(entries))
	for i, e := range entries {
		if err := sound(e); err != nil {
			return err
		}
		if e.Seq < 0 || e.Seq == 0 && e.Fault {
			return fmt.Errorf("entry %s: it has the number %d", e.Key, e.Seq)
		}
		data[i] = s.codec.packEntry(e)
	}
	return s.fail("put entries", s.writer.run(ctx, &job{alone: true, safe: true, do: func(t *tx) error {
		p := putter{t: t, accounts: map[string]*account{}, sealed: map[string]bool{}}
		fresh, err := p.fresh(entries)
		if err != nil {
			return err
		}
		return p.put(entries, fresh, data)
	}}))
}

// putter is a call to PutEntries within its transaction.
type putter struct {
	t        *tx
	accounts map[string]*account
	sealed   map[string]bool
}

// fresh returns the numbers of the entries that are not there, each once. It
// writes nothing: what is wrong shows here.
func (p *putter) fresh(entries []newel.Entry) (fresh []int, err error) {
	type place struct {
		run string
		key newel.Hash
		seq int
	}
	seen := map[place]bool{}
	after := map[string]newel.Spending{}
	for i, e := range entries {
		a, err := p.account(e.Run)
		if err != nil {
			return nil, err
		}
		at := place{e.Run, e.Key, e.Seq}
		var there bool
		err = p.t.row("SELECT EXISTS (SELECT 1 FROM entries WHERE account = ? AND key = ? AND seq = ?)", []any{a.key, e.Key[:], e.Seq}, &there)
		if err != nil {
			return nil, err
		}
		if there || seen[at] {
			continue
		}
		if p.sealed[e.Run] {
			return nil, fmt.Errorf("entry %d of call %s: run %q is %w", e.Seq, e.Key, e.Run, newel.ErrSealed)
		}
		now, ok := after[e.Run]
		if !ok {
			now = a.now
		}
		if after[e.Run], err = plus(now, e); err != nil {
			return nil, err
		}
		seen[at] = true
		fresh = append(fresh, i)
	}
	return fresh, nil
}

// account returns the account of a run, which may be another store's.
func (p *putter) account(run string) (*account, error) {
	if a, ok := p.accounts[run]; ok {
		return a, nil
	}
	r, err := p.t.run(run)
	if err != nil && !errors.Is(err, newel.ErrNotFound) {
		return nil, err
	}
	a, err := p.t.account(run)
	p.accounts[run], p.sealed[run] = a, r.state == newel.Sealed
	return a, err
}

func (p *putter) put(entries []newel.Entry, fresh []int, data [][]byte) error {
	for _, i := range fresh {
		if err := p.accounts[entries[i].Run].add(p.t, entries[i], data[i]); err != nil {
			return err
		}
	}
	for _, a := range p.accounts {
		if err := a.write(p.t); err != nil {
			return err
		}
	}
	return nil
}
