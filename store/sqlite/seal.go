package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"

	"newel"
)

// SealRun ends a run whose plan is complete and whose items all have their
// record.
func (s *Store) SealRun(ctx context.Context, id string, digest newel.Hash, summary []byte) (won bool, err error) {
	packed := s.packed(summary)
	err = s.writer.alone(ctx, func(t *tx) error {
		r, err := t.run(id)
		if err != nil || r.state == newel.Sealed {
			return err
		}
		if err := t.full(id, r); err != nil {
			return err
		}
		won = true
		err = t.exec("UPDATE runs SET state = ?, sealed = ?, digest = ?, summary = ? WHERE key = ?",
			string(newel.Sealed), s.now(), digest[:], packed, r.key)
		if err != nil {
			return err
		}
		seal, err := s.sealHash(t.ctx, t.stmts, r.key)
		if err != nil {
			return err
		}
		return t.exec("UPDATE runs SET seal = ? WHERE key = ?", seal[:], r.key)
	})
	return won && err == nil, s.fail("seal run", err)
}

// full is ErrConflict while the plan is open or an item lacks its record.
func (t *tx) full(id string, r runRow) error {
	p, err := r.decode()
	if err != nil {
		return err
	}
	if !r.planned {
		return fmt.Errorf("the plan of run %q is not complete: %w", id, newel.ErrConflict)
	}
	var chunks, items, done int
	err = t.row("SELECT count(*), coalesce(sum(items), 0), coalesce(sum(n_done), 0) FROM chunks WHERE run = ?",
		[]any{r.key}, &chunks, &items, &done)
	if err != nil {
		return err
	}
	if chunks != p.Chunks || items != p.Items || done != p.Items {
		return fmt.Errorf("run %q has %d of %d chunks and %d of %d items: %w", id, chunks, p.Chunks, done, p.Items, newel.ErrConflict)
	}
	return nil
}

// CheckSeal computes a sealed run's seal hash again and checks the content of
// its chunks. It is ErrDamaged if a byte differs.
func (s *Store) CheckSeal(ctx context.Context, id string) error {
	r, err := s.Run(ctx, id)
	if err != nil {
		return err
	}
	if r.State != newel.Sealed {
		return fmt.Errorf("run %q is %s, not sealed", id, r.State)
	}
	key, err := s.key(ctx, id)
	if err != nil {
		return s.fail("check seal", err)
	}
	seal, err := s.sealHash(ctx, s.reads, key)
	if err == nil && seal != r.SealHash {
		err = fmt.Errorf("%w: run %q is not as it was sealed", ErrDamaged, id)
	}
	for n := 0; n < r.Plan.Chunks && err == nil; n++ {
		if _, _, err = s.Chunk(ctx, id, n); err == nil {
			_, err = s.Bodies(ctx, id, n)
		}
	}
	return s.fail("check seal", err)
}

// sealHash is a SHA-256 over every stored byte of a run, each value behind its
// length: the record without the seal, the chunks, the segments, the outputs;
// and, of a run that has an account, the account, the entries that it paid and
// the intents that were open. Supplements come after the seal.
func (s *Store) sealHash(ctx context.Context, from *statements, key int64) (sum newel.Hash, err error) {
	var account int64
	err = from.row(ctx, "SELECT a.key FROM runs r JOIN accounts a ON a.run = r.id WHERE r.key = ?", []any{key}, &account)
	h := sha256.New()
	switch {
	case err == nil:
		h.Write([]byte("newel/seal/2"))
		err = errors.Join(hashRows(ctx, h, from, runParts[:], key), hashRows(ctx, h, from, paidParts[:], account))
	case errors.Is(err, sql.ErrNoRows):
		h.Write([]byte("newel/seal/1"))
		err = hashRows(ctx, h, from, runParts[:], key)
	}
	h.Sum(sum[:0])
	return sum, err
}

// sealedPart is a table of which a seal hash covers some rows.
type sealedPart struct {
	query   string
	columns int
}

// runParts are found by a run's key, paidParts by its account's.
var (
	runParts = [...]sealedPart{
		{"SELECT id, suite, dir, labels, runner, state, parent, version, plan, digest, definition, summary, created, started, sealed FROM runs WHERE key = ?", 15},
		{"SELECT hash, bodies, done, n, first, items, segments, n_done, pass, fail, unjudged, error FROM chunks WHERE run = ? ORDER BY n", 12},
		{"SELECT data, chunk, seq FROM segments WHERE run = ? ORDER BY chunk, seq", 3},
		{"SELECT data, item FROM outputs WHERE run = ? ORDER BY item", 2},
	}
	paidParts = [...]sealedPart{
		{"SELECT run, budget, spent, held, reserved, open, calls, surplus, faults, unknown FROM accounts WHERE key = ?", 10},
		{"SELECT data, key, seq, at, fault, good, cost, held FROM entries WHERE account = ? ORDER BY key, seq", 8},
		{"SELECT id, key, worst FROM intents WHERE account = ? ORDER BY id", 3},
	}
)

func hashRows(ctx context.Context, h hash.Hash, from *statements, parts []sealedPart, key int64) error {
	for _, part := range parts {
		row := newRowHash(h, part.columns)
		if err := from.each(ctx, part.query, []any{key}, row.add); err != nil {
			return err
		}
		row.end()
	}
	return nil
}

// rowHash adds rows to a hash without copying them.
type rowHash struct {
	h      hash.Hash
	values []sql.RawBytes
	dst    []any
	rows   uint64
}

func newRowHash(h hash.Hash, columns int) *rowHash {
	r := &rowHash{h: h, values: make([]sql.RawBytes, columns), dst: make([]any, columns)}
	for i := range r.values {
		r.dst[i] = &r.values[i]
	}
	return r
}

func (r *rowHash) add(rows *sql.Rows) error {
	if err := rows.Scan(r.dst...); err != nil {
		return err
	}
	r.rows++
	for _, v := range r.values {
		r.number(uint64(len(v)))
		r.h.Write(v)
	}
	return nil
}

// end adds how many rows there were, so that a table cannot run on into the
// next.
func (r *rowHash) end() { r.number(r.rows) }

func (r *rowHash) number(n uint64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	r.h.Write(b[:])
}

// EraseRun removes an unsealed run. Its account and its entries stay if
// anything was paid or may have been. The file keeps its size; what was freed is
// used again.
func (s *Store) EraseRun(ctx context.Context, id string) error {
	return s.fail("erase run", s.writer.alone(ctx, func(t *tx) error {
		r, err := t.run(id)
		if err != nil {
			return err
		}
		if r.state == newel.Sealed {
			return fmt.Errorf("run %q is %w", id, newel.ErrSealed)
		}
		a, err := t.account(id)
		if err != nil {
			return err
		}
		if a.key != 0 && !a.paid() {
			err = errors.Join(
				t.exec("DELETE FROM entries WHERE account = ?", a.key),
				t.exec("DELETE FROM intents WHERE account = ?", a.key),
				t.exec("DELETE FROM accounts WHERE key = ?", a.key))
		}
		return errors.Join(err,
			t.exec(`DELETE FROM blobs WHERE hash IN (SELECT hash FROM chunks WHERE run = ?1 UNION SELECT bodies FROM chunks WHERE run = ?1)
				AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.hash = blobs.hash AND c.run <> ?1)
				AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.bodies = blobs.hash AND c.run <> ?1)`, r.key),
			t.exec("DELETE FROM chunks WHERE run = ?", r.key),
			t.exec("DELETE FROM segments WHERE run = ?", r.key),
			t.exec("DELETE FROM outputs WHERE run = ?", r.key),
			t.exec("DELETE FROM runs WHERE key = ?", r.key))
	}))
}
