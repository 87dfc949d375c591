package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"newel"
)

// Commit stores records. A record for an item outside the chunk or without a
// verdict is an error, and nothing of the call is stored.
func (s *Store) Commit(ctx context.Context, run string, chunk int, records []newel.Packed) (kept int, err error) {
	err = s.writer.do(ctx, func(t *tx) error {
		l, err := t.ledger(s.codec, chunkID{run, chunk})
		if err == nil {
			kept, err = l.add(records)
		}
		return err
	})
	if err != nil {
		return 0, s.fail("commit", err)
	}
	return kept, nil
}

type chunkID struct {
	run string
	n   int
}

// ledger is the state of a chunk within a transaction: what its bitmap and
// tally will be, and the records that are new. All commits of a group to a
// chunk go into one segment.
type ledger struct {
	id       chunkID
	codec    codec
	key      int64
	items    int
	segments int
	tally    newel.Tally
	done     newel.Bitmap
	fresh    []newel.Packed
}

// ledger reads a chunk for writing.
func (t *tx) ledger(c codec, id chunkID) (*ledger, error) {
	if l, ok := t.ledgers[id]; ok {
		return l, nil
	}
	l := &ledger{id: id, codec: c}
	var state newel.State
	y := &l.tally
	err := t.row(`SELECT r.key, r.state, c.items, c.segments, c.n_done, c.pass, c.fail, c.unjudged, c.error, c.done
		FROM runs r JOIN chunks c ON c.run = r.key WHERE r.id = ? AND c.n = ?`, []any{id.run, id.n},
		&l.key, &state, &l.items, &l.segments, &y.Done, &y.Pass, &y.Fail, &y.Unjudged, &y.Error, (*[]byte)(&l.done))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, noChunk(id.run, id.n)
	case err != nil:
		return nil, err
	case state == newel.Sealed:
		return nil, fmt.Errorf("run %q is %w", id.run, newel.ErrSealed)
	case len(l.done) != len(newel.NewBitmap(l.items)):
		return nil, fmt.Errorf("%w: bitmap of chunk %d of run %q", ErrDamaged, id.n, id.run)
	}
	t.ledgers[id] = l
	t.order = append(t.order, l)
	return l, nil
}

// add takes the records of items that have none.
func (l *ledger) add(records []newel.Packed) (kept int, err error) {
	for _, r := range records {
		if r.Offset < 0 || r.Offset >= l.items || r.Verdict < newel.Pass || r.Verdict > newel.Failed {
			return 0, fmt.Errorf("chunk %d of run %q, %d items: a record with offset %d and verdict %v",
				l.id.n, l.id.run, l.items, r.Offset, r.Verdict)
		}
	}
	for _, r := range records {
		if l.done.Has(r.Offset) {
			continue
		}
		l.done.Set(r.Offset)
		l.tally.Add(r.Verdict)
		l.fresh = append(l.fresh, r)
		kept++
	}
	return kept, nil
}

// flushLedgers writes what commits of the group have added so far.
func (t *tx) flushLedgers() error {
	for _, l := range t.order {
		if err := l.write(t); err != nil {
			return err
		}
	}
	clear(t.ledgers)
	t.order = nil
	return nil
}

func (l *ledger) write(t *tx) error {
	if len(l.fresh) == 0 {
		return nil
	}
	err := t.exec("INSERT INTO segments (run, chunk, seq, data) VALUES (?, ?, ?, ?)",
		l.key, l.id.n, l.segments, l.codec.encodeSegment(l.fresh))
	if err != nil {
		return err
	}
	y := l.tally
	return t.exec(`UPDATE chunks SET segments = ?, n_done = ?, pass = ?, fail = ?, unjudged = ?, error = ?, done = ?
		WHERE run = ? AND n = ?`, l.segments+1, y.Done, y.Pass, y.Fail, y.Unjudged, y.Error, []byte(l.done), l.key, l.id.n)
}

// Records returns the records of a chunk in order of offset.
func (s *Store) Records(ctx context.Context, run string, chunk int) ([]newel.Packed, error) {
	records, err := s.records(ctx, run, chunk)
	if err != nil {
		return nil, s.fail("read records", err)
	}
	slices.SortFunc(records, func(a, b newel.Packed) int { return cmp.Compare(a.Offset, b.Offset) })
	for i := 1; i < len(records); i++ {
		if records[i].Offset == records[i-1].Offset {
			err := fmt.Errorf("%w: item %d of chunk %d of run %q has two records", ErrDamaged, records[i].Offset, chunk, run)
			return nil, s.fail("read records", err)
		}
	}
	return records, nil
}

func (s *Store) records(ctx context.Context, run string, chunk int) (records []newel.Packed, err error) {
	const query = `SELECT s.data FROM runs r JOIN chunks c ON c.run = r.key
		LEFT JOIN segments s ON s.run = c.run AND s.chunk = c.n WHERE r.id = ? AND c.n = ? ORDER BY s.seq`
	found := false
	err = s.reads.each(ctx, query, []any{run, chunk}, func(rows *sql.Rows) error {
		found = true
		var segment []byte
		if err := rows.Scan(&segment); err != nil || segment == nil {
			return err
		}
		records, err = s.codec.decodeSegment(records, segment)
		return err
	})
	if err == nil && !found {
		err = noChunk(run, chunk)
	}
	return records, err
}

// Done returns which items of a chunk have their record.
func (s *Store) Done(ctx context.Context, run string, chunk int) (newel.Bitmap, error) {
	var done []byte
	const query = "SELECT c.done FROM runs r JOIN chunks c ON c.run = r.key WHERE r.id = ? AND c.n = ?"
	err := s.reads.row(ctx, query, []any{run, chunk}, &done)
	if errors.Is(err, sql.ErrNoRows) {
		err = noChunk(run, chunk)
	}
	return done, s.fail("read done", err)
}
