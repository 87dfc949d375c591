package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// preparer is a connection or a pool of them.
type preparer interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// statements prepares each statement once, when it is first used. Queries are
// constants of this package, so their number is bounded.
type statements struct {
	from preparer
	mu   sync.Mutex
	have map[string]*sql.Stmt
}

func newStatements(from preparer) *statements {
	return &statements{from: from, have: map[string]*sql.Stmt{}}
}

func (s *statements) of(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st, ok := s.have[query]; ok {
		return st, nil
	}
	st, err := s.from.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	s.have[query] = st
	return st, nil
}

// row runs a query that has at most one row and scans it.
func (s *statements) row(ctx context.Context, query string, args []any, dst ...any) error {
	st, err := s.of(ctx, query)
	if err != nil {
		return err
	}
	return st.QueryRowContext(ctx, args...).Scan(dst...)
}

// each calls scan for every row.
func (s *statements) each(ctx context.Context, query string, args []any, scan func(*sql.Rows) error) error {
	st, err := s.of(ctx, query)
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s *statements) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, st := range s.have {
		errs = append(errs, st.Close())
	}
	clear(s.have)
	return errors.Join(errs...)
}
