package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"newel"
)

// An entry's data is its reply and its call in one, which compresses better:
//
//	length  uvarint, of the reply
//	reply   length bytes
//	call    the rest
//
// all of it packed.
func (c codec) packEntry(e newel.Entry) []byte {
	body := make([]byte, 0, binary.MaxVarintLen32+len(e.Reply)+len(e.Call))
	body = binary.AppendUvarint(body, uint64(len(e.Reply)))
	return c.pack(append(append(body, e.Reply...), e.Call...))
}

func (c codec) unpackEntry(e *newel.Entry, data []byte) error {
	body, err := c.unpack(data)
	if err != nil {
		return err
	}
	size, n := binary.Uvarint(body)
	if n <= 0 || size > uint64(len(body)-n) {
		return fmt.Errorf("%w: an entry ends within its reply", ErrDamaged)
	}
	end := n + int(size)
	e.Reply, e.Call = body[n:end:end], body[end:]
	return nil
}

const entryColumns = "e.key, e.seq, e.at, e.fault, e.good, e.cost, e.held, e.data"

// stored is an entry as it is read.
type stored struct {
	newel.Entry
	key  []byte
	at   int64
	cost sql.NullInt64
	data []byte
}

// dst returns where entryColumns go.
func (r *stored) dst() []any {
	return []any{&r.key, &r.Seq, &r.at, &r.Fault, &r.Good, &r.cost, &r.Held, &r.data}
}

// entry returns what was read.
func (r *stored) entry(c codec) (newel.Entry, error) {
	copy(r.Key[:], r.key)
	r.At, r.Cost = instant(r.at), money(r.cost)
	err := c.unpackEntry(&r.Entry, r.data)
	return r.Entry, err
}

// deciding reads the entry that decides a key.
func (s *Store) deciding(t *tx, a *account, key newel.Hash) (newel.Entry, error) {
	r := stored{Entry: newel.Entry{Run: a.run}}
	err := t.row("SELECT "+entryColumns+" FROM entries e WHERE account = ? AND key = ? AND seq = 0", []any{a.key, key[:]}, r.dst()...)
	if err != nil {
		return newel.Entry{}, err
	}
	return r.entry(s.codec)
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
	err := s.reads.each(ctx, query, []any{list, len(keys), run, from, to}, func(rows *sql.Rows) error {
		var r stored
		if err := rows.Scan(append([]any{&r.Run}, r.dst()...)...); err != nil {
			return err
		}
		e, err := r.entry(s.codec)
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
	err = s.reads.each(ctx, query, []any{payer, string(list), keys}, func(rows *sql.Rows) error {
		r, i := stored{Entry: newel.Entry{Run: payer}}, 0
		if err := rows.Scan(append([]any{&i}, r.dst()...)...); err != nil {
			return err
		}
		e, err := r.entry(s.codec)
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
	size := 0
	err = s.reads.each(ctx, query, []any{a.key, last.Key[:], last.Seq, pageEntries}, func(rows *sql.Rows) error {
		r := stored{Entry: newel.Entry{Run: a.run}}
		if err := rows.Scan(r.dst()...); err != nil {
			return err
		}
		e, err := r.entry(s.codec)
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
