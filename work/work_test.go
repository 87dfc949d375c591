package work

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"newel"
	"newel/ladder"
	"newel/pack"
	"newel/store/memory"
)

func clock() time.Time { return time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC) }

// holds passes when the output is "yes".
type holds struct{}

func (holds) Name() string { return "holds" }

func (holds) Score(_ context.Context, s *newel.Subject) newel.Score {
	text, err := s.Text()
	if err != nil || text != "yes" {
		return newel.Score{Scorer: "holds", Layer: newel.Floor, Verdict: newel.Fail}
	}
	return newel.Score{Scorer: "holds", Layer: newel.Floor, Verdict: newel.Pass}
}

// stored plans cases into one chunk of a new store and returns it with a
// program over the same rubric.
func stored(t *testing.T, cases ...*newel.Case) (*memory.Store, *ladder.Program) {
	t.Helper()
	ctx, store, b := context.Background(), memory.New(clock), pack.NewBuilder(1)
	applies := newel.NewBitmap(1)
	applies.Set(0)
	for _, c := range cases {
		if err := b.Add(c, pack.Entry{Trial: 1, Applies: applies}); err != nil {
			t.Fatal(err)
		}
	}
	index, bodies := b.Bytes()
	plan := newel.Plan{Scoring: newel.Scoring, Scorers: [][]string{{"holds"}}, Rubrics: []string{"r"}, Trials: 1}
	info := newel.ChunkInfo{Hash: newel.HashOf(index), Bodies: newel.HashOf(bodies), Items: len(cases)}
	for _, err := range []error{
		store.CreateRun(ctx, &newel.Run{ID: "run", State: newel.Planned, Plan: plan, Created: clock()}),
		store.PutChunk(ctx, "run", info, index, bodies),
		store.SetState(ctx, "run", newel.Running, newel.Planned),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return store, &ladder.Program{Rubrics: []*ladder.Rubric{{Name: "r", Floor: []ladder.Step{{Scorer: holds{}}}}}}
}

func worker(store *memory.Store, p *ladder.Program) *Worker {
	return New(store, func(*newel.Run) (*ladder.Program, error) { return p, nil }, clock)
}

func verdicts(t *testing.T, store *memory.Store) string {
	t.Helper()
	records, err := store.Records(context.Background(), "run", 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range records {
		out = append(out, fmt.Sprintf("%d %s", r.Offset, r.Verdict))
	}
	return strings.Join(out, ", ")
}

func given(outputs ...string) []*newel.Case {
	var out []*newel.Case
	for i, o := range outputs {
		raw, _ := json.Marshal(o)
		out = append(out, &newel.Case{ID: fmt.Sprint(i), Output: raw})
	}
	return out
}

func TestWorkWritesEachRowOnce(t *testing.T) {
	t.Parallel()
	store, program := stored(t, given("yes", "no", "yes")...)
	w, ref := worker(store, program), newel.Ref{Run: "run", Stage: newel.Both}
	if got := w.Work(context.Background(), newel.Ref{Run: "run", Items: []int{1}}); got.Err != nil || got.Done != 1 {
		t.Fatalf("one item: %+v", got)
	}
	if got := verdicts(t, store); got != "1 fail" {
		t.Errorf("after one item: %s", got)
	}
	if got := w.Work(context.Background(), ref); got.Err != nil || got.Done != 2 {
		t.Errorf("the rest: %+v", got)
	}
	if got := w.Work(context.Background(), ref); got.Err != nil || got.Done != 0 {
		t.Errorf("once more: %+v", got)
	}
	if got := verdicts(t, store); got != "0 pass, 1 fail, 2 pass" {
		t.Errorf("in the end: %s", got)
	}
}

func TestTwiceAtTheSameTime(t *testing.T) {
	t.Parallel()
	store, program := stored(t, given("yes", "no", "yes", "no")...)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			if got := worker(store, program).Work(context.Background(), newel.Ref{Run: "run"}); got.Err != nil {
				t.Error(got.Err)
			}
		})
	}
	group.Wait()
	if got := verdicts(t, store); got != "0 pass, 1 fail, 2 pass, 3 fail" {
		t.Errorf("got %s", got)
	}
}

func TestWhatWorkRefuses(t *testing.T) {
	t.Parallel()
	store, program := stored(t, given("yes")...)
	for name, c := range map[string]struct {
		ref  newel.Ref
		want string
	}{
		"a run that is not there":   {newel.Ref{Run: "other"}, "not found"},
		"a chunk that is not there": {newel.Ref{Run: "run", Chunk: 7}, "not found"},
		"an item that is not there": {newel.Ref{Run: "run", Items: []int{1}}, "no item 1"},
	} {
		if got := worker(store, program).Work(context.Background(), c.ref); got.Err == nil || !strings.Contains(got.Err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, got.Err, c.want)
		}
	}
}

func TestAnotherScoringRevisionIsRefused(t *testing.T) {
	t.Parallel()
	store, program := stored(t, given("yes")...)
	plan := newel.Plan{Scoring: newel.Scoring + 1}
	if err := store.CreateRun(context.Background(), &newel.Run{ID: "newer", State: newel.Planned, Plan: plan, Created: clock()}); err != nil {
		t.Fatal(err)
	}
	got := worker(store, program).Work(context.Background(), newel.Ref{Run: "newer"})
	if got.Err == nil || !strings.Contains(got.Err.Error(), "scoring revision") {
		t.Errorf("got %v", got.Err)
	}
}

// targets answers with what each case's id says, and counts.
type targets struct{ asked atomic.Int64 }

func (s *targets) ask(_ context.Context, it *newel.Item) newel.Fetched {
	s.asked.Add(1)
	switch it.Case.ID {
	case "down":
		return newel.Fetched{Err: &newel.ScoreError{Kind: newel.KindTarget, Message: "503"}}
	case "refused":
		return newel.Fetched{Err: &newel.ScoreError{Kind: newel.KindCase, Message: "no input"}}
	}
	return newel.Fetched{Output: newel.Raw(`"yes"`)}
}

func TestATargetIsAskedOnceARun(t *testing.T) {
	t.Parallel()
	store, program := stored(t, &newel.Case{ID: "up"}, &newel.Case{ID: "down"}, &newel.Case{ID: "refused"})
	var s targets
	program.Ask = s.ask
	first := worker(store, program).Work(context.Background(), newel.Ref{Run: "run"})
	if first.Err != nil || first.Done != 2 || first.Left != 1 || s.asked.Load() != 3 {
		t.Fatalf("first pass: %+v after %d questions; want the error that may pass left", first, s.asked.Load())
	}
	if got := verdicts(t, store); got != "0 pass, 2 error" {
		t.Errorf("after the first pass: %s", got)
	}
	last := worker(store, program).Work(context.Background(), newel.Ref{Run: "run", Last: true})
	if last.Err != nil || last.Done != 1 || s.asked.Load() != 4 {
		t.Errorf("last pass: %+v after %d questions; want only what was left asked again", last, s.asked.Load())
	}
	if got := verdicts(t, store); got != "0 pass, 1 error, 2 error" {
		t.Errorf("in the end: %s", got)
	}
}

func TestAStopLeavesWhatItCutShort(t *testing.T) {
	t.Parallel()
	store, program := stored(t, &newel.Case{ID: "up"}, &newel.Case{ID: "slow"})
	ctx, stop := context.WithCancel(context.Background())
	program.Ask = func(ctx context.Context, it *newel.Item) newel.Fetched {
		if it.Case.ID == "slow" {
			stop()
			<-ctx.Done()
			return newel.Fetched{Err: &newel.ScoreError{Kind: newel.KindTimeout, Message: "stopped"}}
		}
		return newel.Fetched{Output: newel.Raw(`"yes"`)}
	}
	if got := worker(store, program).Work(ctx, newel.Ref{Run: "run", Last: true}); got.Err == nil {
		t.Error("a stop that cut an item short is not told")
	}
	if got := verdicts(t, store); strings.Contains(got, "1 ") {
		t.Errorf("the item that was cut short has a row: %s", got)
	}
}
