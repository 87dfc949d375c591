package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"newel"
)

// largestEntry bounds the reply and the call of one entry together, in bytes.
const largestEntry = 256 << 20

// Reserve writes intents, all of a call in one statement. One whose id is there
// already is left alone and counts as taken, so a call may be repeated.
func (s *Store) Reserve(ctx context.Context, run string, intents []newel.Intent) (taken int, err error) {
	for _, in := range intents {
		if in.Worst < 0 {
			return 0, fmt.Errorf("reserve for run %q: a worst price of %s", run, in.Worst)
		}
	}
	j := &job{safe: true, exact: true, do: func(t *tx) error {
		a, err := t.open(run)
		if err == nil {
			taken, err = a.reserve(t, intents)
		}
		return err
	}}
	if err := s.writer.run(ctx, j); err != nil {
		return 0, s.fail("reserve", err)
	}
	return taken, nil
}

func (a *account) reserve(t *tx, intents []newel.Intent) (taken int, err error) {
	there, err := a.there(t, intents)
	if err != nil {
		return 0, err
	}
	fresh, taken, err := a.affordable(intents, there)
	if err != nil || len(fresh) == 0 {
		return taken, err
	}
	if err := a.stored(t); err != nil {
		return 0, err
	}
	var ids, keys []byte
	worst := make([]int64, len(fresh))
	for i, in := range fresh {
		ids, keys = append(ids, in.ID[:]...), append(keys, in.Key[:]...)
		worst[i] = int64(in.Worst)
		a.now.Reserved += in.Worst
	}
	a.now.Open += len(fresh)
	a.changed = true
	list, err := json.Marshal(worst)
	if err != nil {
		return 0, err
	}
	return taken, t.exec(`INSERT INTO intents (account, id, key, worst)
		SELECT ?1, substr(?2, 16 * j.key + 1, 16), substr(?3, 32 * j.key + 1, 32), j.value FROM json_each(?4) j`,
		a.key, ids, keys, string(list))
}

// there returns which of the intents are stored already.
func (a *account) there(t *tx, intents []newel.Intent) (map[[16]byte]bool, error) {
	there := map[[16]byte]bool{}
	if a.key == 0 || len(intents) == 0 {
		return there, nil
	}
	var ids []byte
	for _, in := range intents {
		ids = append(ids, in.ID[:]...)
	}
	const query = `WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?3)
		SELECT n.i FROM n CROSS JOIN intents x ON x.account = ?1 AND x.id = substr(?2, 16 * n.i + 1, 16)`
	err := t.each(query, []any{a.key, ids, len(intents)}, func(rows *sql.Rows) error {
		var i int
		err := rows.Scan(&i)
		there[intents[i].ID] = true
		return err
	})
	return there, err
}

// affordable returns how many intents the budget holds, and those of them that
// are not there yet.
func (a *account) affordable(intents []newel.Intent, there map[[16]byte]bool) (fresh []newel.Intent, taken int, err error) {
	all, err := a.now.Spent.Add(a.now.Held)
	if err == nil {
		all, err = all.Add(a.now.Reserved)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reserve for run %q: %w", a.run, err)
	}
	for _, in := range intents {
		if there[in.ID] {
			taken++
			continue
		}
		if all, err = all.Add(in.Worst); err != nil {
			return nil, 0, fmt.Errorf("reserve for run %q: %w", a.run, err)
		}
		if a.now.Budget != nil && all > *a.now.Budget {
			break
		}
		there[in.ID] = true
		fresh = append(fresh, in)
		taken++
	}
	return fresh, taken, nil
}

// Release takes back intents. ErrSealed after the seal.
func (s *Store) Release(ctx context.Context, run string, ids [][16]byte) error {
	return s.fail("release", s.writer.safely(ctx, func(t *tx) error {
		a, err := t.open(run)
		if err == nil {
			a.close(ids)
		}
		return err
	}))
}

// close notes that intents are closed.
func (a *account) close(ids [][16]byte) {
	for _, id := range ids {
		a.closing = append(a.closing, id[:]...)
	}
}

// Settle commits a reply or a fault at the store's instant.
func (s *Store) Settle(ctx context.Context, e newel.Entry, intents [][16]byte) (decides newel.Entry, err error) {
	if err := sound(e); err != nil {
		return newel.Entry{}, err
	}
	// Packing takes a large stack. Whoever writes for all packs for all, so that
	// those who wait keep a small one.
	var data []byte
	j := &job{safe: true, ready: func() { data = s.codec.packEntry(e) }, do: func(t *tx) error {
		a, err := t.open(e.Run)
		if err != nil {
			return err
		}
		e.At = instant(s.now())
		if e.Seq, err = a.number(t, e); err != nil {
			return err
		}
		decides = e
		if e.Seq > 0 && !e.Fault {
			if decides, err = s.deciding(t, a, e.Key); err != nil {
				return err
			}
		}
		if err := a.add(t, e, data); err != nil {
			return err
		}
		a.close(intents)
		return nil
	}}
	if err := s.writer.run(ctx, j); err != nil {
		return newel.Entry{}, s.fail("settle", err)
	}
	return decides, nil
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
	case len(e.Reply)+len(e.Call) > largestEntry:
		return fmt.Errorf("entry %s: %d bytes, at most %d", e.Key, len(e.Reply)+len(e.Call), largestEntry)
	}
	return nil
}

// number returns the number that an entry gets: 0 for the first reply.
func (a *account) number(t *tx, e newel.Entry) (seq int, err error) {
	if a.key == 0 {
		if e.Fault {
			return 1, nil
		}
		return 0, nil
	}
	err = t.row("SELECT iif(?3 OR coalesce(min(seq), 1) = 0, coalesce(max(seq), 0) + 1, 0) FROM entries WHERE account = ?1 AND key = ?2",
		[]any{a.key, e.Key[:], e.Fault}, &seq)
	return seq, err
}

// add stores an entry and counts it. An error that is not the database's
// leaves nothing behind.
func (a *account) add(t *tx, e newel.Entry, data []byte) error {
	now, err := plus(a.now, e)
	if err != nil {
		return err
	}
	if err := a.stored(t); err != nil {
		return err
	}
	a.now, a.changed = now, true
	return t.exec("INSERT INTO entries (account, key, seq, at, fault, good, cost, held, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		a.key, e.Key[:], e.Seq, millis(e.At), e.Fault, e.Good, amount(e.Cost), int64(e.Held), data)
}
