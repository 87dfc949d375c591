package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"newel"
)

// PutOutput stores an answer unless the item has one, and returns the one that
// is stored.
func (s *Store) PutOutput(ctx context.Context, run string, item int, answer []byte) ([]byte, error) {
	packed := s.codec.pack(answer)
	stored := answer
	err := s.writer.do(ctx, func(t *tx) error {
		r, err := t.run(run)
		if err != nil {
			return err
		}
		var have []byte
		err = t.row("SELECT data FROM outputs WHERE run = ? AND item = ?", []any{r.key, item}, &have)
		switch {
		case err == nil:
			stored, err = s.codec.unpack(have)
			return err
		case !errors.Is(err, sql.ErrNoRows):
			return err
		case r.state == newel.Sealed:
			return fmt.Errorf("run %q is %w", run, newel.ErrSealed)
		}
		return t.exec("INSERT INTO outputs (run, item, data) VALUES (?, ?, ?)", r.key, item, packed)
	})
	if err != nil {
		return nil, s.fail("put output", err)
	}
	return stored, nil
}

// OutputOf returns the stored answer.
func (s *Store) OutputOf(ctx context.Context, run string, item int) ([]byte, error) {
	var packed []byte
	const query = "SELECT o.data FROM runs r JOIN outputs o ON o.run = r.key WHERE r.id = ? AND o.item = ?"
	err := s.reads.row(ctx, query, []any{run, item}, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("output of item %d of run %q %w", item, run, newel.ErrNotFound)
	}
	if err != nil {
		return nil, s.fail("read output", err)
	}
	answer, err := s.codec.unpack(packed)
	return answer, s.fail("read output", err)
}
