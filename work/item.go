package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"newel"
	"newel/pack"
)

// errLeft says that an item waits for the last pass: asking its target again
// later may help.
var errLeft = errors.New("left for the last pass")

// withheldError says why an item has no row: the run was stopped, or its budget
// is spent.
type withheldError struct{ newel.ScoreError }

func (e *withheldError) Error() string { return e.Message }

// Is lets callers ask for the kind: errors.Is(err, newel.ErrSpent).
func (e *withheldError) Is(target error) bool {
	return target == newel.ErrSpent && e.Kind == newel.KindSpent
}

// item scores one item and packs its rows. What is begun without paying is
// finished, also when ctx is done meanwhile; a judge that was not asked in time
// leaves the item without rows.
func (w *Worker) item(ctx context.Context, r *running, batch *pack.Batch, offset int, last bool) (newel.Packed, error) {
	it, entry := batch.Items[offset], &batch.Entries[offset]
	s := newel.NewSubject(it)
	fault, err := w.fetch(ctx, r, it, s, last)
	if err != nil {
		return newel.Packed{}, err
	}
	rec := pack.Record{Scored: batch.Scored[entry.CaseIndex], Results: make([]newel.Result, 0, len(r.program.Rubrics))}
	if it.Case.Output == nil {
		if rec.Scored, err = scored(s); err != nil {
			return newel.Packed{}, err
		}
	}
	verdict, left := newel.Undecided, error(nil)
	if last {
		ctx = newel.LastPass(ctx)
	}
	for _, rubric := range r.program.Rubrics {
		if !entry.Applies.Has(rubric.Index) {
			continue
		}
		res := newel.Result{Rubric: rubric.Index, Verdict: newel.Failed, Err: fault}
		if fault == nil {
			res = rubric.Climb(ctx, s)
			switch err := w.unfinished(&res, last); {
			case errors.Is(err, errLeft): // the other rubrics get both passes as well
				left = err
			case err != nil:
				return newel.Packed{}, err
			}
		}
		if !rubric.Measure {
			verdict = newel.Worst(verdict, res.Verdict)
		}
		rec.Results = append(rec.Results, res)
	}
	if left != nil {
		return newel.Packed{}, left
	}
	data := pack.AppendRecord(make([]byte, 0, 128), rec, r.run.Plan.Scorers)
	return newel.Packed{Offset: offset, Verdict: newel.Worst(verdict, verdict), Data: data}, nil
}

// unfinished returns why a result is not to be written: it was withheld, or the
// judge had a fault that may be gone by the last pass.
func (w *Worker) unfinished(res *newel.Result, last bool) error {
	if res.Err != nil && res.Err.Kind.Withheld() {
		return &withheldError{*res.Err}
	}
	for i := range res.Scores {
		s := &res.Scores[i]
		if s.Layer == newel.Judge && s.Err != nil && s.Err.Kind.Retryable() && !last {
			return errLeft
		}
	}
	return nil
}

// scored returns the hash of what was scored, of a case whose output was
// fetched.
func scored(s *newel.Subject) (newel.Hash, error) {
	body, err := pack.AppendBody(nil, s.Case, s.Output, s.Context)
	return newel.HashOf(body), err
}

// fetch gets the output of a case that has none: from the store where the
// target was asked before, else from the target, once a run. The fault, if
// any, is the row's.
func (w *Worker) fetch(ctx context.Context, r *running, it *newel.Item, s *newel.Subject, last bool) (fault *newel.ScoreError, err error) {
	if it.Case.Output != nil || it.Case.Outputs != nil || r.program.Ask == nil {
		return nil, nil
	}
	stored, err := w.store.OutputOf(ctx, r.run.ID, it.N)
	if errors.Is(err, newel.ErrNotFound) {
		stored, err = w.ask(ctx, r, it, last)
	}
	if err != nil {
		return nil, err
	}
	var answer newel.Fetched
	if err := json.Unmarshal(stored, &answer); err != nil {
		return nil, fmt.Errorf("stored answer: %w", err)
	}
	if answer.Err != nil {
		return answer.Err, nil
	}
	if err := s.Attach(&answer); err != nil {
		return &newel.ScoreError{Kind: newel.KindTarget, Message: err.Error()}, nil
	}
	return nil, nil
}

// ask asks the target and stores its answer, first writer wins. A fault that
// may pass is stored only at the last.
func (w *Worker) ask(ctx context.Context, r *running, it *newel.Item, last bool) ([]byte, error) {
	asked := w.clock()
	answer := r.program.Ask(ctx, it)
	if answer.Err != nil && answer.Err.Kind.Retryable() {
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx) // nobody's fault: asked again on resume
		case !last:
			return nil, errLeft
		}
	}
	answer.Asked = asked
	data, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return w.store.PutOutput(context.WithoutCancel(ctx), r.run.ID, it.N, data)
}
