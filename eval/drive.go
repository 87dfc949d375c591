package eval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"newel"
	"newel/pack"
)

// Engine drives runs of one store on one runner.
type Engine struct {
	Store  newel.Store
	Runner newel.Runner
	// Primer, for a runner in this process, takes what planning decoded.
	Primer Primer
	Clock  Clock
	// Looks is how often a running process looks whether it was cancelled.
	// Zero means once a second.
	Looks time.Duration
}

// ErrCancelled is the cause when somebody stopped the run from elsewhere.
var ErrCancelled = errors.New("the run was cancelled")

// ErrChanged says that a run's data is not what it was when the run began.
var ErrChanged = errors.New("the data or the suite changed since the run began: start a new run")

// Start plans a new run and works on it until its ledger is full, ctx is done
// or something breaks. Mistakes in the data erase the run. ErrHeld and
// ErrExists say that somebody else was quicker to take the id.
func (e *Engine) Start(ctx context.Context, run *newel.Run, def *Definition) (*Counts, error) {
	run.State, run.Created = newel.Planned, e.Clock()
	run.Suite, run.Dir, run.Definition, run.Runner = def.Name, def.Dir, def.Bytes, e.Runner.Name()
	run.Plan = partial(def)
	release, err := e.Store.HoldRun(ctx, run.ID) // first, so that nobody else takes it up
	if err != nil {
		return nil, err
	}
	defer release()
	if err := e.Store.CreateRun(ctx, run); err != nil {
		return nil, fmt.Errorf("create run %s: %w", run.ID, err)
	}
	if def.Budget != nil {
		if err := e.Store.SetBudget(ctx, run.ID, def.Budget); err != nil {
			return nil, err
		}
	}
	return e.carryOrErase(ctx, run, def)
}

// carryOrErase is carry that leaves nothing of a run whose data is wrong. No
// more than free work is lost: where something is paid, the plan stands first.
func (e *Engine) carryOrErase(ctx context.Context, run *newel.Run, def *Definition) (*Counts, error) {
	counts, err := e.carry(ctx, run, def)
	var mistakes *newel.Mistakes
	if errors.As(err, &mistakes) {
		return nil, errors.Join(err, e.Store.EraseRun(context.WithoutCancel(ctx), run.ID))
	}
	return counts, err
}

// partial is what is known of a plan before its data is read.
func partial(d *Definition) newel.Plan {
	return newel.Plan{Reuse: d.Reuse, Scoring: newel.Scoring, SuiteDigest: d.Digest, Trials: d.Trials, Seed: d.Seed,
		Rubrics: d.Rubrics, Rulers: d.Rulers, Scorers: d.Scorers, Measures: d.Measures, Judged: d.Judged, Classified: d.Classified, Asks: d.Asks}
}

// Resume goes on with what a run lacks, until its ledger is full, and does
// nothing where it is. Replan gives the definition again for a run that stopped
// before its plan was complete; it is not called otherwise.
func (e *Engine) Resume(ctx context.Context, id string, replan func(*newel.Run) (*Definition, error)) error {
	release, err := e.Store.HoldRun(ctx, id)
	if err != nil {
		return err
	}
	defer release()
	run, err := e.Store.Run(ctx, id) // as whoever held it before left it
	if err != nil || run.State == newel.Sealed {
		return err
	}
	var def *Definition
	if run.Plan.Digest.IsZero() {
		if def, err = replan(run); err != nil {
			return err
		}
		if def.Digest != run.Plan.SuiteDigest {
			return ErrChanged
		}
	} else if err := CheckPlan(ctx, e.Store, run); err != nil {
		return err
	}
	_, err = e.carryOrErase(ctx, run, def)
	if errors.Is(err, newel.ErrConflict) || errors.Is(err, newel.ErrSealed) {
		// Who filled the ledger seals it after letting go of the run.
		if now, again := e.Store.Run(ctx, id); again == nil && now.State == newel.Sealed {
			return nil
		}
	}
	return err
}

// carry completes the plan where def is given, and then the ledger.
func (e *Engine) carry(ctx context.Context, run *newel.Run, def *Definition) (*Counts, error) {
	if err := e.Store.SetState(ctx, run.ID, newel.Running, newel.Planned, newel.Running, newel.Stopped); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		e.watch(ctx, run.ID, stop)
	}()
	counts, err := e.complete(ctx, run, def)
	cause := context.Cause(ctx)
	stop(nil)
	<-watched
	if err == nil {
		return counts, nil
	}
	var mistakes *newel.Mistakes
	if errors.As(err, &mistakes) {
		return nil, err
	}
	stopped := e.Store.SetState(context.WithoutCancel(ctx), run.ID, newel.Stopped, newel.Planned, newel.Running, newel.Stopped)
	if cause != nil {
		err = cause
	}
	return nil, errors.Join(err, stopped)
}

func (e *Engine) complete(ctx context.Context, run *newel.Run, def *Definition) (*Counts, error) {
	var counts *Counts
	if def != nil {
		var err error
		if counts, err = e.plan(ctx, run, def); err != nil {
			return nil, err
		}
	}
	return counts, e.fill(ctx, run)
}

// watch ends the work when somebody cancels the run.
func (e *Engine) watch(ctx context.Context, id string, stop context.CancelCauseFunc) {
	every := e.Looks
	if every == 0 {
		every = time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if run, err := e.Store.Run(ctx, id); err == nil && run.State == newel.Stopped {
				stop(ErrCancelled)
				return
			}
		}
	}
}

// plan reads the data into chunks. Where nothing can be paid or called and the
// runner is in this process, each chunk is scored while the next is read.
func (e *Engine) plan(ctx context.Context, run *newel.Run, def *Definition) (*Counts, error) {
	refs := make(chan newel.Ref, 2)
	stream := e.Primer != nil && !def.Complete
	put := func(ctx context.Context, info newel.ChunkInfo, c Content) error {
		err := e.Store.PutChunk(ctx, run.ID, info, c.Index, c.Bodies)
		if errors.Is(err, newel.ErrConflict) {
			return ErrChanged
		}
		if err != nil || !stream {
			return err
		}
		e.Primer.Prime(run.ID, info.N, c.Batch)
		select {
		case refs <- newel.Ref{Run: run.ID, Chunk: info.N, Stage: newel.Both}:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	var plan newel.Plan
	var counts *Counts
	err := e.during(ctx, refs, func(ctx context.Context) error {
		var err error
		plan, counts, err = MakePlan(ctx, def, put, e.storedIDs(run.ID))
		return err
	})
	if err != nil {
		return nil, err
	}
	stored, err := e.Store.Chunks(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	if len(stored) != plan.Chunks {
		return nil, ErrChanged // there was more data when the run began
	}
	plan.Reuse = run.Plan.Reuse
	run.Plan = plan
	if def.Files != nil {
		err := def.Files(func(content []byte) error {
			_, err := e.Store.PutFile(ctx, content)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if def.Planned != nil {
		def.Planned(&run.Plan)
	}
	return counts, e.Store.FinishPlan(ctx, run.ID, plan)
}

// during carries refs while feed sends them. The first thing to break ends
// both.
func (e *Engine) during(ctx context.Context, refs chan newel.Ref, feed func(context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	carried := make(chan error, 1)
	go func() {
		carried <- e.Runner.Carry(ctx, refs, func(r newel.Receipt) {
			if r.Err != nil {
				stop(r.Err)
			}
		})
	}()
	fed := feed(ctx)
	if fed != nil {
		stop(fed)
	}
	close(refs)
	err := <-carried
	if fed != nil {
		return fed
	}
	return err
}

// storedIDs lists the case ids of the chunks that are stored.
func (e *Engine) storedIDs(id string) func(context.Context, func(string)) error {
	return func(ctx context.Context, yield func(string)) error {
		chunks, err := e.Store.Chunks(ctx, id)
		if err != nil {
			return err
		}
		for _, info := range chunks {
			_, index, err := e.Store.Chunk(ctx, id, info.N)
			if err != nil {
				return err
			}
			chunk, err := pack.ReadChunk(index)
			if err != nil {
				return err
			}
			for i := range chunk.About {
				yield(chunk.About[i].ID)
			}
		}
		return nil
	}
}

// fill offers what the ledger lacks until nothing is missing. A pass that gets
// nothing done is followed by one last pass, in which errors are written that
// a retry might have mended.
func (e *Engine) fill(ctx context.Context, run *newel.Run) error {
	last := false
	for {
		missing, open, err := e.missing(ctx, run.ID)
		if err != nil || len(missing) == 0 {
			return err
		}
		refs := make(chan newel.Ref)
		err = e.during(ctx, refs, func(ctx context.Context) error {
			for _, chunk := range missing {
				select {
				case refs <- newel.Ref{Run: run.ID, Chunk: chunk, Stage: newel.Both, Last: last}:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		_, still, err := e.missing(ctx, run.ID)
		if err != nil {
			return err
		}
		if still > 0 && last && still >= open {
			return fmt.Errorf("%d items of run %s could not be finished", still, run.ID)
		}
		last = true
	}
}

// missing lists the chunks that lack rows, and counts the items.
func (e *Engine) missing(ctx context.Context, id string) (chunks []int, items int, err error) {
	list, err := e.Store.Chunks(ctx, id)
	for _, info := range list {
		if open := info.Items - info.Tally.Done; open > 0 {
			chunks, items = append(chunks, info.N), items+open
		}
	}
	return chunks, items, err
}
