package work

import (
	"context"
	"testing"

	"newel"
	"newel/ladder"
)

// heeds passes unless its context is done, as checks of expressions do.
type heeds struct{}

func (heeds) Name() string { return "holds" }

func (heeds) Score(ctx context.Context, _ *newel.Subject) newel.Score {
	if ctx.Err() != nil {
		return newel.Broken(newel.KindInternal, context.Cause(ctx).Error())
	}
	return newel.Score{Scorer: "holds", Layer: newel.Floor, Verdict: newel.Pass}
}

// stops stops the run, and then passes.
type stops struct {
	heeds
	stop context.CancelFunc
}

func (s stops) Score(ctx context.Context, sub *newel.Subject) newel.Score {
	s.stop()
	return s.heeds.Score(ctx, sub)
}

// A check that sees the stop would give an error which stays in the report.
func TestAnItemThatIsUnderWayWhenTheRunIsStoppedIsFinished(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(context.Background())
	store, program := stored(t, &newel.Case{ID: "first", Output: newel.Raw(`"yes"`)}, &newel.Case{ID: "second", Output: newel.Raw(`"yes"`)})
	program.Rubrics[0].Floor = []ladder.Step{{Scorer: stops{stop: stop}}}
	if got := worker(store, program).Work(ctx, newel.Ref{Run: "run"}); got.Done != 1 || got.Err == nil {
		t.Errorf("got %+v, want one item done and the stop told", got)
	}
	if got := verdicts(t, store); got != "0 pass" {
		t.Errorf("in the store: %s", got)
	}
}

func TestAnAnswerThatComesAfterTheStopIsScored(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(context.Background())
	store, program := stored(t, &newel.Case{ID: "asked"})
	program.Rubrics[0].Floor = []ladder.Step{{Scorer: heeds{}}}
	program.Ask = func(context.Context, *newel.Item) newel.Fetched {
		stop()
		return newel.Fetched{Output: newel.Raw(`"yes"`)}
	}
	if got := worker(store, program).Work(ctx, newel.Ref{Run: "run"}); got.Done != 1 || got.Err == nil {
		t.Errorf("got %+v, want the item done and the stop told", got)
	}
	if got := verdicts(t, store); got != "0 pass" {
		t.Errorf("in the store: %s", got)
	}
}
