// Package work holds the one contract of every runner: Work takes a reference
// to items, returns at once where their rows exist, climbs the ladder and
// writes the rows once.
//
// It is the only path to a row. What carries references is a runner's
// business, what rows add up to is eval's.
package work

import (
	"context"
	"fmt"
	"sync"
	"time"

	"newel"
	"newel/ladder"
	"newel/pack"
)

// Store is what work needs of a store.
type Store interface {
	newel.Plans
	newel.Rows
	newel.Outputs
	Run(ctx context.Context, id string) (*newel.Run, error)
}

// Compile turns a stored definition into a program.
type Compile func(run *newel.Run) (*ladder.Program, error)

// Worker scores items of any run in its store. It is safe for use by several
// goroutines.
type Worker struct {
	store   Store
	compile Compile
	clock   func() time.Time

	mu     sync.Mutex
	runs   map[string]*running
	primed map[chunkKey]*pack.Batch
}

type running struct {
	run     *newel.Run
	program *ladder.Program
	room    *room
}

type chunkKey struct {
	run   string
	chunk int
}

// New returns a worker over a store. Clock tells when a target was asked.
func New(store Store, compile Compile, clock func() time.Time) *Worker {
	return &Worker{store: store, compile: compile, clock: clock, runs: map[string]*running{}, primed: map[chunkKey]*pack.Batch{}}
}

// Prime hands over the decoded items of a chunk that has just been stored, so
// that nothing is decoded twice. The next Work on the chunk uses them up.
func (w *Worker) Prime(run string, chunk int, b *pack.Batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.primed[chunkKey{run, chunk}] = b
}

// Use hands over a program that is compiled already.
func (w *Worker) Use(run *newel.Run, program *ladder.Program) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.runs[run.ID] = &running{run, program, newRoom(program.AtOnce)}
}

// Work is newel.Work.
func (w *Worker) Work(ctx context.Context, ref newel.Ref) newel.Receipt {
	done, left, err := w.work(ctx, ref)
	if err != nil {
		err = fmt.Errorf("work on chunk %d of run %s: %w", ref.Chunk, ref.Run, err)
	}
	return newel.Receipt{Ref: ref, Done: done, Left: left, Err: err}
}

func (w *Worker) work(ctx context.Context, ref newel.Ref) (done, left int, err error) {
	r, err := w.running(ctx, ref.Run)
	if err != nil {
		return 0, 0, err
	}
	if r.program.Waits() {
		return w.slowly(ctx, r, ref)
	}
	return w.atOnce(ctx, r, ref)
}

// load returns the items of a chunk, and the offsets of those that are to be
// scored.
func (w *Worker) load(ctx context.Context, r *running, ref newel.Ref) (*pack.Batch, []int, error) {
	batch, err := w.batch(ctx, r.run, ref.Chunk)
	if err != nil {
		return nil, nil, err
	}
	todo, err := w.todo(ctx, ref, len(batch.Items))
	return batch, todo, err
}

// atOnce scores items one by one and writes their rows together.
func (w *Worker) atOnce(ctx context.Context, r *running, ref newel.Ref) (done, left int, err error) {
	batch, todo, err := w.load(ctx, r, ref)
	if err != nil {
		return 0, 0, err
	}
	records := make([]newel.Packed, 0, len(todo))
	for _, offset := range todo {
		if ctx.Err() != nil {
			break
		}
		packed, err := w.item(ctx, r, batch, offset, ref.Last)
		if err != nil {
			return 0, 0, fmt.Errorf("item %d: %w", batch.Items[offset].N, err)
		}
		records = append(records, packed)
	}
	if err := w.commit(ctx, ref, records); err != nil {
		return 0, 0, err
	}
	return len(records), 0, context.Cause(ctx)
}

// commit writes rows. What is scored is written also when the caller has gone.
func (w *Worker) commit(ctx context.Context, ref newel.Ref, records []newel.Packed) error {
	if len(records) == 0 {
		return nil
	}
	_, err := w.store.Commit(context.WithoutCancel(ctx), ref.Run, ref.Chunk, records)
	return err
}

// running returns the run with its compiled program, once for each run. It
// refuses a plan of another scoring revision.
func (w *Worker) running(ctx context.Context, id string) (*running, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r, ok := w.runs[id]; ok {
		return r, nil
	}
	run, err := w.store.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	if run.Plan.Scoring != newel.Scoring {
		return nil, fmt.Errorf("the plan is of scoring revision %d, this binary scores revision %d: use a binary of the plan's revision", run.Plan.Scoring, newel.Scoring)
	}
	program, err := w.compile(run)
	if err != nil {
		return nil, err
	}
	r := &running{run, program, newRoom(program.AtOnce)}
	w.runs[id] = r
	return r, nil
}

// batch returns a chunk's items: those that were primed, else from the store,
// which checks the content against the plan's hash.
func (w *Worker) batch(ctx context.Context, run *newel.Run, n int) (*pack.Batch, error) {
	key := chunkKey{run.ID, n}
	w.mu.Lock()
	b, ok := w.primed[key]
	delete(w.primed, key)
	w.mu.Unlock()
	if ok {
		return b, nil
	}
	info, index, err := w.store.Chunk(ctx, run.ID, n)
	if err != nil {
		return nil, err
	}
	bodies, err := w.store.Bodies(ctx, run.ID, n)
	if err != nil {
		return nil, err
	}
	read, err := pack.ReadChunk(index)
	if err != nil {
		return nil, err
	}
	return read.Batch(info.First, bodies)
}

// todo lists the offsets that have no row yet.
func (w *Worker) todo(ctx context.Context, ref newel.Ref, n int) ([]int, error) {
	done, err := w.store.Done(ctx, ref.Run, ref.Chunk)
	if err != nil {
		return nil, err
	}
	if ref.Items == nil {
		return done.Missing(n), nil
	}
	var out []int
	for _, i := range ref.Items {
		if i < 0 || i >= n {
			return nil, fmt.Errorf("no item %d among the chunk's %d", i, n)
		}
		if !done.Has(i) {
			out = append(out, i)
		}
	}
	return out, nil
}
