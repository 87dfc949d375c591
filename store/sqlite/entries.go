package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"newel"
)

const entryColumns = "e.key, e.seq, e.at, e.fault, e.good, e.cost, e.held, e.data"

// stored is an entry as it is read. One is used for all rows of a query: a look
// at a thousand keys makes no garbage but their replies.
type stored struct {
	codec     codec
	e         newel.Entry
	key, data sql.RawBytes
	at        int64
	cost      sql.NullInt64
}

// dst returns where more columns and entryColumns go.
func (r *stored) dst(more ...any) []any {
	return append(more, &r.key, &r.e.Seq, &r.at, &r.e.Fault, &r.e.Good, &r.cost, &r.e.Held, &r.data)
}

// entry returns what was read.
func (r *stored) entry(run string) (newel.Entry, error) {
	e := r.e
	e.Run, e.At, e.Cost = run, instant(r.at), money(r.cost)
	copy(e.Key[:], r.key)
	data := []byte(r.data)
	if len(data) > 0 && data[0] == plain {
		data = bytes.Clone(data) // unpack shares memory with it
	}
	err := r.codec.unpackEntry(&e, data)
	return e, err
}

// deciding reads the entry that decides a key.
func (s *Store) deciding(t *tx, a *account, key newel.Hash) (e newel.Entry, err error) {
	r := stored{codec: s.codec}
	const query = "SELECT " + entryColumns + " FROM entries e WHERE account = ? AND key = ? AND seq = 0"
	var damaged error
	err = t.each(query, []any{a.key, key[:]}, func(rows *sql.Rows) error {
		err := rows.Scan(r.dst()...)
		if err == nil {
			e, damaged = r.entry(a.run)
		}
		return err
	})
	return e, errors.Join(err, damaged)
}

// Replies looks all keys up in one statement: for each the run's own deciding
// entry, else the newest good one of another run within the window; of two at
// one instant the one stored later.
func (s *Store) Replies(ctx context.Context, run string, keys []newel.Hash, reuse newel.Window) (map[newel.Hash]newel.Entry, error) {
	found := map[newel.Hash]newel.Entry{}
	if _, err := s.key(ctx, run); err != nil || len(keys) == 0 {
		return found, s.fail("read replies", err)
	}
	const query = `WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2),
		k(key) AS (SELECT substr(?1, 32 * i + 1, 32) FROM n),
		own(a) AS MATERIALIZED (SELECT coalesce((SELECT key FROM accounts WHERE run = ?3), 0))
		SELECT a.run, ` + entryColumns + ` FROM own CROSS JOIN k CROSS JOIN entries e ON e.id = coalesce(
			(SELECT id FROM entries WHERE account = own.a AND key = k.key AND seq = 0),
			(SELECT id FROM entries WHERE key = k.key AND good = 1 AND seq = 0 AND at BETWEEN ?4 AND ?5 AND account <> own.a
				ORDER BY at DESC, id DESC LIMIT 1))
		CROSS JOIN accounts a ON a.key = e.account`
	from, to := span(reuse)
	list := make([]byte, 0, 32*len(keys))
	for _, key := range keys {
		list = append(list, key[:]...)
	}
	var payer sql.RawBytes
	r, names := stored{codec: s.codec}, map[string]string{}
	dst := r.dst(&payer)
	err := s.reads.each(ctx, query, []any{list, len(keys), run, from, to}, func(rows *sql.Rows) error {
		if err := rows.Scan(dst...); err != nil {
			return err
		}
		name, known := names[string(payer)]
		if !known {
			name = string(payer)
			names[name] = name
		}
		e, err := r.entry(name)
		found[e.Key] = e
		return err
	})
	if err != nil {
		return nil, s.fail("read replies", err)
	}
	return found, nil
}

// span returns the first and the last stored instant of a window.
func span(w newel.Window) (from, to int64) {
	if w.IsZero() {
		return 1, 0
	}
	return w.From.Add(1e6 - 1).UnixMilli(), w.To.UnixMilli() // part of a millisecond is after it
}

// Entries reads the entries that refs point to, all that one run paid in one
// statement. ErrDamaged for one that has another reply than its ref says.
func (s *Store) Entries(ctx context.Context, run string, refs []newel.CallRef) ([]newel.Entry, error) {
	if _, err := s.account(ctx, run); err != nil {
		return nil, s.fail("read entries", err)
	}
	byRun := map[string][]int{}
	for i, ref := range refs {
		payer := run
		if ref.Reused() {
			payer = ref.Run
		}
		byRun[payer] = append(byRun[payer], i)
	}
	out := make([]newel.Entry, len(refs))
	for payer, at := range byRun {
		if err := s.entriesOf(ctx, payer, refs, at, out); err != nil {
			return nil, s.fail("read entries", err)
		}
	}
	return out, nil
}

// entriesOf reads the entries that one run paid, into their places.
func (s *Store) entriesOf(ctx context.Context, payer string, refs []newel.CallRef, at []int, out []newel.Entry) error {
	seqs := make([]int, len(at))
	var keys []byte
	for i, n := range at {
		seqs[i], keys = refs[n].Seq, append(keys, refs[n].Key[:]...)
	}
	list, err := json.Marshal(seqs)
	if err != nil {
		return err
	}
	const query = `SELECT j.key, ` + entryColumns + ` FROM accounts a CROSS JOIN json_each(?2) j
		CROSS JOIN entries e ON e.account = a.key AND e.key = substr(?3, 32 * j.key + 1, 32) AND e.seq = j.value WHERE a.run = ?1`
	found := make([]bool, len(at))
	r, i := stored{codec: s.codec}, 0
	err = s.reads.each(ctx, query, []any{payer, string(list), keys}, func(rows *sql.Rows) error {
		if err := rows.Scan(r.dst(&i)...); err != nil {
			return err
		}
		e, err := r.entry(payer)
		ref := refs[at[i]]
		if err == nil && !ref.Reply.IsZero() && newel.HashOf(e.Reply) != ref.Reply {
			err = fmt.Errorf("%w: entry %d of call %s that run %q paid is another reply", ErrDamaged, ref.Seq, ref.Key, payer)
		}
		found[i], out[at[i]] = true, e
		return err
	})
	for i, ok := range found {
		if ref := refs[at[i]]; !ok && err == nil {
			err = noEntry(payer, ref.Key, ref.Seq)
		}
	}
	return err
}

func noEntry(run string, key newel.Hash, seq int) error {
	return fmt.Errorf("entry %d of call %s that run %q paid %w", seq, key, run, newel.ErrNotFound)
}

// A page of Paid has at most so many entries, and ends with the one that makes
// it so many bytes long.
const (
	pageEntries = 256
	pageBytes   = 1 << 20
)

// Paid reads a run's entries by the page: no connection is kept while they are
// yielded. Those that are committed meanwhile may be left out.
func (s *Store) Paid(ctx context.Context, run string) iter.Seq2[newel.Entry, error] {
	return func(yield func(newel.Entry, error) bool) {
		a, err := s.account(ctx, run)
		last := newel.Entry{Seq: -1}
		for more := err == nil && a.key != 0; more; {
			var page []newel.Entry
			page, more, err = s.page(ctx, a, last)
			for _, e := range page {
				if !yield(e, nil) {
					return
				}
				last = e
			}
		}
		if err != nil {
			yield(newel.Entry{}, s.fail("read what was paid", err))
		}
	}
}

// page reads entries behind last, and says whether there may be more.
func (s *Store) page(ctx context.Context, a *account, last newel.Entry) (page []newel.Entry, more bool, err error) {
	const query = "SELECT " + entryColumns + ` FROM entries e WHERE e.account = ? AND (e.key, e.seq) > (?, ?)
		ORDER BY e.key, e.seq LIMIT ?`
	r, size := stored{codec: s.codec}, 0
	err = s.reads.each(ctx, query, []any{a.key, last.Key[:], last.Seq, pageEntries}, func(rows *sql.Rows) error {
		if err := rows.Scan(r.dst()...); err != nil {
			return err
		}
		e, err := r.entry(a.run)
		if err != nil {
			return err
		}
		page = append(page, e)
		if size += len(e.Reply) + len(e.Call); size >= pageBytes {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return page, true, nil
	}
	return page, len(page) == pageEntries && err == nil, err
}
