package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"time"
)

// writer owns the connection that writes. Calls that arrive while a
// transaction is under way wait and are written together in the next one: each
// puts its job in the queue and takes its turn; whoever comes first does all
// that are there, the others find theirs done. Nothing is delayed for it, and
// no goroutine stands by.
type writer struct {
	conn  *sql.Conn
	stmts *statements
	wait  time.Duration // for other programs that write

	mu    sync.Mutex // guards queue
	queue []*job

	turn sync.Mutex // held for the length of a transaction
	full bool       // guarded by turn: commits wait for the disk
}

// job is one call's part of a transaction.
type job struct {
	do    func(*tx) error
	ready func() // what do needs that takes no transaction; nil: nothing
	alone bool   // it may read what commits of the same group write
	safe  bool   // it is to survive a power cut: money is at stake
	exact bool   // it reads what is reserved, so intents that others of its group closed must be gone
	done  bool   // guarded by turn, as err is
	err   error
}

func newWriter(conn *sql.Conn, wait time.Duration) *writer {
	return &writer{conn: conn, stmts: newStatements(conn), wait: wait}
}

// do runs a job in a transaction, and returns when it is on disk. An error of
// the job before its first write undoes nothing but this job; any other undoes
// the whole group and goes to everyone in it. Once in the queue a job is not
// cancelled: it would take its neighbours along.
func (w *writer) do(ctx context.Context, do func(*tx) error) error {
	return w.run(ctx, &job{do: do})
}

// alone is do for a job that reads what commits of the same group write.
func (w *writer) alone(ctx context.Context, do func(*tx) error) error {
	return w.run(ctx, &job{do: do, alone: true})
}

// safely is do for a job that is to survive a power cut as well: the commit of
// its group waits for the disk.
func (w *writer) safely(ctx context.Context, do func(*tx) error) error {
	return w.run(ctx, &job{do: do, safe: true})
}

func (w *writer) run(ctx context.Context, j *job) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	w.mu.Lock()
	w.queue = append(w.queue, j)
	w.mu.Unlock()

	w.turn.Lock()
	defer w.turn.Unlock()
	if !j.done {
		w.transact(w.take())
	}
	return j.err
}

func (w *writer) take() []*job {
	w.mu.Lock()
	defer w.mu.Unlock()
	group := w.queue
	w.queue = nil
	return group
}

func (w *writer) transact(group []*job) {
	t := &tx{ctx: context.Background(), stmts: w.stmts, ledgers: map[chunkID]*ledger{}, accounts: map[string]*account{}}
	for _, j := range group {
		if j.ready != nil {
			j.ready()
		}
	}
	err := w.sync(t.ctx, group)
	if err == nil {
		err = w.begin(t.ctx)
	}
	if err == nil {
		err = t.all(group)
	}
	if err != nil {
		_ = t.exec("ROLLBACK") // fails where SQLite has rolled back by itself
	}
	for _, j := range group {
		j.done = true
		if err != nil {
			j.err = err
		}
	}
}

// sync sets whether the next commit waits for the disk. The pragma works while
// it is prepared, so it is not kept prepared.
func (w *writer) sync(ctx context.Context, group []*job) error {
	full := slices.ContainsFunc(group, func(j *job) bool { return j.safe })
	if full == w.full {
		return nil
	}
	pragma := "PRAGMA synchronous = NORMAL"
	if full {
		pragma = "PRAGMA synchronous = FULL"
	}
	_, err := w.conn.ExecContext(ctx, pragma)
	if err == nil {
		w.full = full
	}
	return err
}

func (w *writer) close() error {
	w.turn.Lock()
	defer w.turn.Unlock()
	return errors.Join(w.stmts.close(), w.conn.Close())
}

// tx is a transaction under way.
type tx struct {
	ctx     context.Context // of the transaction, never cancelled
	stmts   *statements
	ledgers map[chunkID]*ledger // chunks that commits of the group write to
	order   []*ledger

	accounts map[string]*account // that jobs of the group write to, by run
	spenders []*account

	writes int
	broken error // the first failure of the database itself
}

// begin begins a transaction. SQLite would ask for the lock ever more seldom, ten
// times a second in the end, and never get it from programs that write without
// a break; so it is asked for at short intervals, as long as we may wait.
func (w *writer) begin(ctx context.Context) error {
	st, err := w.stmts.of(ctx, "BEGIN IMMEDIATE")
	if err != nil {
		return err
	}
	for start := time.Now(); ; time.Sleep(interval) {
		_, err := st.ExecContext(ctx)
		if err == nil || !isBusy(err) || time.Since(start) > w.wait {
			return err
		}
	}
}

// interval is a fraction of what a commit takes that waits for the disk.
const interval = 500 * time.Microsecond

func (t *tx) all(group []*job) error {
	for _, j := range group {
		if err := t.one(j); err != nil {
			return err
		}
	}
	if err := t.flush(); err != nil {
		return err
	}
	return t.exec("COMMIT")
}

// one runs a job. It returns an error that undoes the group.
func (t *tx) one(j *job) error {
	if j.alone {
		if err := t.flush(); err != nil {
			return err
		}
	}
	if j.exact {
		if err := t.closeIntents(); err != nil {
			return err
		}
	}
	before := t.writes
	j.err = j.do(t)
	if j.err != nil && t.writes > before {
		return j.err
	}
	return t.broken
}

// exec runs a statement.
func (t *tx) exec(query string, args ...any) error {
	t.writes++
	st, err := t.stmts.of(t.ctx, query)
	if err == nil {
		_, err = st.ExecContext(t.ctx, args...)
	}
	return t.note(err)
}

// put runs a statement that returns one row of what it wrote.
func (t *tx) put(query string, args []any, dst ...any) error {
	t.writes++
	return t.note(t.stmts.row(t.ctx, query, args, dst...))
}

// row reads one row; sql.ErrNoRows is an answer and breaks nothing.
func (t *tx) row(query string, args []any, dst ...any) error {
	err := t.stmts.row(t.ctx, query, args, dst...)
	if errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return t.note(err)
}

// each calls scan for every row.
func (t *tx) each(query string, args []any, scan func(*sql.Rows) error) error {
	return t.note(t.stmts.each(t.ctx, query, args, scan))
}

// flush writes what jobs of the group have added so far.
func (t *tx) flush() error {
	if err := t.flushLedgers(); err != nil {
		return err
	}
	return t.flushAccounts()
}

func (t *tx) note(err error) error {
	if err != nil && t.broken == nil {
		t.broken = err
	}
	return err
}
