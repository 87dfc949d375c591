package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"newel"
)

const runColumns = "id, suite, dir, labels, runner, state, parent, version, created, started, sealed, plan, digest, seal"

// CreateRun stores a new run. A run without a state is planned, one without an
// instant of creation gets the store's.
func (s *Store) CreateRun(ctx context.Context, r *newel.Run) error {
	args, err := s.runArgs(r)
	if err != nil {
		return fmt.Errorf("run %q: %w", r.ID, err)
	}
	return s.fail("create run", s.writer.alone(ctx, func(t *tx) error {
		_, err := t.run(r.ID)
		if err == nil {
			return fmt.Errorf("run %q %w", r.ID, newel.ErrExists)
		}
		if !errors.Is(err, newel.ErrNotFound) {
			return err
		}
		return t.exec(`INSERT INTO runs (id, suite, dir, labels, runner, state, parent, version,
			created, started, sealed, plan, definition) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`, args...)
	}))
}

func (s *Store) runArgs(r *newel.Run) ([]any, error) {
	if r.ID == "" || r.State == newel.Sealed {
		return nil, errors.New("a new run has an id and is not sealed")
	}
	labels, err := json.Marshal(r.Labels)
	if err != nil {
		return nil, err
	}
	plan, err := json.Marshal(r.Plan)
	if err != nil {
		return nil, err
	}
	state, created := r.State, millis(r.Created)
	if state == "" {
		state = newel.Planned
	}
	if created == 0 {
		created = s.now()
	}
	return []any{r.ID, r.Suite, r.Dir, string(labels), r.Runner, string(state), r.Parent, r.Version,
		created, millis(r.Started), string(plan), s.packed(r.Definition)}, nil
}

// packed is pack with NULL for nothing.
func (s *Store) packed(value []byte) any {
	if len(value) == 0 {
		return nil
	}
	return s.codec.pack(value)
}

// Run returns a run.
func (s *Store) Run(ctx context.Context, id string) (*newel.Run, error) {
	var found *newel.Run
	query := "SELECT " + runColumns + ", definition, summary FROM runs WHERE id = ?"
	err := s.reads.each(ctx, query, []any{id}, func(rows *sql.Rows) (err error) {
		var definition, summary []byte
		if found, err = scanRun(rows, &definition, &summary); err != nil {
			return err
		}
		if found.Definition, err = s.unpacked(definition); err != nil {
			return err
		}
		found.Summary, err = s.unpacked(summary)
		return err
	})
	if err == nil && found == nil {
		err = notFound(id)
	}
	if err != nil {
		return nil, s.fail("read run", err)
	}
	return found, nil
}

func (s *Store) unpacked(value []byte) ([]byte, error) {
	if value == nil {
		return nil, nil
	}
	return s.codec.unpack(value)
}

// ListRuns returns runs, the newest first.
func (s *Store) ListRuns(ctx context.Context, q newel.RunQuery) ([]*newel.Run, error) {
	var runs []*newel.Run
	query := "SELECT " + runColumns + ` FROM runs WHERE (?1 = '' OR suite = ?1) AND (?2 = '' OR state = ?2)
		ORDER BY created DESC, key DESC`
	err := s.reads.each(ctx, query, []any{q.Suite, string(q.State)}, func(rows *sql.Rows) error {
		r, err := scanRun(rows)
		if err != nil {
			return err
		}
		if has(r.Labels, q.Labels) {
			runs = append(runs, r)
		}
		if q.Limit > 0 && len(runs) == q.Limit {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return runs, s.fail("list runs", err)
}

// errEnough ends a walk over rows.
var errEnough = errors.New("enough")

func has(labels, want map[string]string) bool {
	for name, value := range want {
		if got, ok := labels[name]; !ok || got != value {
			return false
		}
	}
	return true
}

// scanRun reads runColumns, then what more is asked for.
func scanRun(rows *sql.Rows, more ...any) (*newel.Run, error) {
	var (
		r                        newel.Run
		labels, plan             string
		created, started, sealed int64
		digest, seal             []byte
	)
	dst := []any{&r.ID, &r.Suite, &r.Dir, &labels, &r.Runner, &r.State, &r.Parent, &r.Version,
		&created, &started, &sealed, &plan, &digest, &seal}
	if err := rows.Scan(append(dst, more...)...); err != nil {
		return nil, err
	}
	if err := errors.Join(json.Unmarshal([]byte(labels), &r.Labels), json.Unmarshal([]byte(plan), &r.Plan)); err != nil {
		return nil, fmt.Errorf("%w: run %q: %w", ErrDamaged, r.ID, err)
	}
	r.Created, r.Started, r.Sealed = instant(created), instant(started), instant(sealed)
	copy(r.Digest[:], digest)
	copy(r.SealHash[:], seal)
	return &r, nil
}

// SetState moves a run on. The first time it is running it has started.
func (s *Store) SetState(ctx context.Context, id string, to newel.State, from ...newel.State) error {
	if to == newel.Sealed {
		return fmt.Errorf("run %q: only SealRun seals", id)
	}
	return s.fail("set state", s.writer.alone(ctx, func(t *tx) error {
		r, err := t.run(id)
		switch {
		case err != nil:
			return err
		case !slices.Contains(from, r.state):
			return fmt.Errorf("run %q is %s: %w", id, r.state, newel.ErrConflict)
		case r.state == newel.Sealed:
			return fmt.Errorf("run %q is %w", id, newel.ErrSealed)
		}
		started := int64(0)
		if to == newel.Running {
			started = s.now()
		}
		return t.exec("UPDATE runs SET state = ?2, started = iif(started = 0, ?3, started) WHERE key = ?1",
			r.key, string(to), started)
	}))
}

// FinishPlan stores the complete plan. The same plan again is no change.
func (s *Store) FinishPlan(ctx context.Context, id string, p newel.Plan) error {
	if p.Digest.IsZero() {
		return fmt.Errorf("run %q: a complete plan has a digest", id)
	}
	plan, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("run %q: %w", id, err)
	}
	return s.fail("finish plan", s.writer.alone(ctx, func(t *tx) error {
		r, err := t.run(id)
		switch {
		case err != nil:
			return err
		case r.plan == string(plan):
			return nil
		case r.state == newel.Sealed:
			return fmt.Errorf("run %q is %w", id, newel.ErrSealed)
		case !r.planned:
			return t.exec("UPDATE runs SET plan = ? WHERE key = ?", string(plan), r.key)
		}
		return fmt.Errorf("the plan of run %q: %w", id, newel.ErrConflict)
	}))
}

// runRow is what writes need to know of a run.
type runRow struct {
	key     int64
	state   newel.State
	plan    string
	planned bool // the plan is complete
}

func (t *tx) run(id string) (runRow, error) {
	var r runRow
	err := t.row("SELECT key, state, plan FROM runs WHERE id = ?", []any{id}, &r.key, &r.state, &r.plan)
	if errors.Is(err, sql.ErrNoRows) {
		return r, notFound(id)
	}
	if err != nil {
		return r, err
	}
	p, err := r.decode()
	r.planned = !p.Digest.IsZero()
	return r, err
}

func (r runRow) decode() (p newel.Plan, err error) {
	if err = json.Unmarshal([]byte(r.plan), &p); err != nil {
		err = fmt.Errorf("%w: plan: %w", ErrDamaged, err)
	}
	return p, err
}

func notFound(id string) error { return fmt.Errorf("run %q %w", id, newel.ErrNotFound) }

// Instants are stored as milliseconds since 1970, no instant as 0.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
