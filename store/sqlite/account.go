package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"newel"
)

// account is the money of a run within a transaction: its totals as they will
// be. They are kept in one row, so nothing is ever added up from entries.
type account struct {
	key     int64 // 0: not stored yet
	run     string
	now     newel.Spending
	changed bool
	closing []byte // ids of intents that are closed and still there
}

const accountColumns = "a.key, a.budget, a.spent, a.held, a.reserved, a.open, a.calls, a.surplus, a.faults, a.unknown"

// dst returns where accountColumns go, and what to do then.
func (a *account) dst() (dst []any, done func()) {
	n := &a.now
	var key, budget sql.NullInt64
	dst = []any{&key, &budget, &n.Spent, &n.Held, &n.Reserved, &n.Open, &n.Calls, &n.Surplus, &n.Faults, &n.Unknown}
	return dst, func() { a.key, n.Budget = key.Int64, money(budget) }
}

func money(n sql.NullInt64) *newel.Money {
	if !n.Valid {
		return nil
	}
	return new(newel.Money(n.Int64))
}

// amount is what is bound for money: NULL for none.
func amount(m *newel.Money) any {
	if m == nil {
		return nil
	}
	return int64(*m)
}

// open returns the account of a run that takes entries: it is there and not
// sealed.
func (t *tx) open(run string) (*account, error) {
	if a, ok := t.accounts[run]; ok {
		return a, nil
	}
	var state newel.State
	err := t.row("SELECT state FROM runs WHERE id = ?", []any{run}, &state)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, notFound(run)
	case err != nil:
		return nil, err
	case state == newel.Sealed:
		return nil, fmt.Errorf("run %q is %w", run, newel.ErrSealed)
	}
	a, err := t.account(run)
	if err == nil {
		t.accounts[run] = a
		t.spenders = append(t.spenders, a)
	}
	return a, err
}

// account reads the account of a run, an empty one if it has none.
func (t *tx) account(run string) (*account, error) {
	return readAccount(t.row, run)
}

// readAccount reads the account of a run, an empty one if it has none.
func readAccount(row func(string, []any, ...any) error, run string) (*account, error) {
	a := &account{run: run}
	dst, done := a.dst()
	err := row("SELECT "+accountColumns+" FROM accounts a WHERE a.run = ?", []any{run}, dst...)
	if errors.Is(err, sql.ErrNoRows) {
		return a, nil
	}
	done()
	return a, err
}

// stored gives the account its row.
func (a *account) stored(t *tx) error {
	if a.key != 0 {
		return nil
	}
	return t.put(`INSERT INTO accounts (run, spent, held, reserved, open, calls, surplus, faults, unknown)
		VALUES (?, 0, 0, 0, 0, 0, 0, 0, 0) RETURNING key`, []any{a.run}, &a.key)
}

// closeIntents removes what jobs of the group have closed so far, all of a run
// in one statement.
func (t *tx) closeIntents() error {
	for _, a := range t.spenders {
		if err := a.closeIntents(t); err != nil {
			return err
		}
	}
	return nil
}

func (a *account) closeIntents(t *tx) error {
	if len(a.closing) == 0 || a.key == 0 {
		return nil
	}
	t.writes++
	const query = `DELETE FROM intents WHERE account = ?1 AND id IN (
		WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?3)
		SELECT substr(?2, 16 * i + 1, 16) FROM n) RETURNING worst`
	err := t.each(query, []any{a.key, a.closing, len(a.closing) / 16}, func(rows *sql.Rows) error {
		var worst newel.Money
		err := rows.Scan(&worst)
		a.now.Reserved -= worst
		a.now.Open--
		return err
	})
	a.closing, a.changed = nil, true
	return err
}

// flushAccounts writes what jobs of the group have changed so far.
func (t *tx) flushAccounts() error {
	for _, a := range t.spenders {
		if err := a.write(t); err != nil {
			return err
		}
	}
	clear(t.accounts)
	t.spenders = nil
	return nil
}

func (a *account) write(t *tx) error {
	if err := a.closeIntents(t); err != nil || !a.changed {
		return err
	}
	if err := a.stored(t); err != nil {
		return err
	}
	n := a.now
	return t.exec(`UPDATE accounts SET budget = ?, spent = ?, held = ?, reserved = ?, open = ?,
		calls = ?, surplus = ?, faults = ?, unknown = ? WHERE key = ?`,
		amount(n.Budget), int64(n.Spent), int64(n.Held), int64(n.Reserved), n.Open, n.Calls, n.Surplus, n.Faults, n.Unknown, a.key)
}

// plus returns an account's totals with one more entry.
func plus(now newel.Spending, e newel.Entry) (_ newel.Spending, err error) {
	if e.Fault {
		now.Faults++
	} else {
		now.Calls++
	}
	if e.Seq > 0 && !e.Fault {
		now.Surplus++
	}
	if now.Held, err = now.Held.Add(e.Held); err == nil && e.Cost != nil {
		now.Spent, err = now.Spent.Add(*e.Cost)
	}
	if e.Cost == nil {
		now.Unknown++
	}
	if err != nil {
		err = fmt.Errorf("entry %s of run %q: %w", e.Key, e.Run, err)
	}
	return now, err
}

// paid reports whether money was spent or may have been.
func (a *account) paid() bool {
	return a.now.Spent > 0 || a.now.Held > 0 || a.now.Reserved > 0 || a.now.Unknown > 0
}

// SetBudget says how much a run may spend.
func (s *Store) SetBudget(ctx context.Context, run string, usd *newel.Money) error {
	if usd != nil && *usd < 0 {
		return fmt.Errorf("run %q: a budget of %s", run, *usd)
	}
	return s.fail("set budget", s.writer.safely(ctx, func(t *tx) error {
		a, err := t.open(run)
		if err == nil {
			a.now.Budget, a.changed = usd, true
		}
		return err
	}))
}

// Spending returns a run's account. One that was erased has its account if it
// paid anything. What became known after the seal is in Supplements.
func (s *Store) Spending(ctx context.Context, run string) (newel.Spending, error) {
	a, err := s.account(ctx, run)
	if err != nil {
		return newel.Spending{}, s.fail("read spending", err)
	}
	return a.now, nil
}

// account reads the account of a run; ErrNotFound if there is neither.
func (s *Store) account(ctx context.Context, run string) (*account, error) {
	a, err := readAccount(func(query string, args []any, dst ...any) error {
		return s.reads.row(ctx, query, args, dst...)
	}, run)
	if err == nil && a.key == 0 {
		_, err = s.key(ctx, run)
	}
	return a, err
}
