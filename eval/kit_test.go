package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"newel"
	"newel/ladder"
	"newel/runner/local"
	"newel/store/memory"
	"newel/work"
)

// tenth fails each case whose id ends in 7, and takes its length as value.
type tenth struct{}

func (tenth) Name() string { return "tenth" }

func (tenth) Score(_ context.Context, s *newel.Subject) newel.Score {
	id := s.Case.ID
	value, err := newel.ValueOf(float64(len(id)))
	if err != nil {
		return newel.Broken(newel.KindInternal, err.Error())
	}
	score := newel.Score{Scorer: "tenth", Layer: newel.Floor, Verdict: newel.Pass, Value: value, HasValue: true}
	if id[len(id)-1] == '7' {
		score.Verdict, score.Explanation = newel.Fail, "ends in 7"
	}
	return score
}

func program() *ladder.Program {
	return &ladder.Program{Rubrics: []*ladder.Rubric{
		{Name: "zeta", Index: 0, Floor: []ladder.Step{{Scorer: tenth{}}}},
		{Name: "alpha", Index: 1, Floor: []ladder.Step{{Scorer: tenth{}}}},
	}}
}

// cases are numbered c0, c1, … with a label and two dimensions.
func cases(n int) []CaseAt {
	out := make([]CaseAt, n)
	for i := range out {
		label := "true"
		if i%10 == 7 && i%20 != 7 {
			label = "false"
		}
		out[i] = CaseAt{Pos: newel.Pos{File: "cases.jsonl", Line: i + 1}, Case: &newel.Case{
			ID: fmt.Sprintf("c%d", i), Output: newel.Raw(fmt.Sprintf(`"answer %d"`, i)),
			Dims:   []newel.Dim{{Name: "half", Value: fmt.Sprint(i % 2)}},
			Labels: []newel.Named{{Name: "zeta", Value: newel.Raw(label)}},
		}}
	}
	return out
}

func definition(list []CaseAt) *Definition {
	return &Definition{
		Name: "test", Digest: newel.HashOf([]byte("test")), Bytes: []byte("{}"), Rubrics: []string{"zeta", "alpha"}, Trials: 1,
		Scorers: [][]string{{"tenth"}, {"tenth"}}, Measures: []bool{false, false}, Judged: []bool{false, false}, Classified: []bool{false, false},
		Read: func(_ context.Context, yield func([]CaseAt) error) error {
			for rest := list; len(rest) > 0; {
				n := min(100, len(rest))
				if err := yield(rest[:n]); err != nil {
					return err
				}
				rest = rest[n:]
			}
			return nil
		},
		Applies: func(context.Context, *newel.Item, newel.Pos, *newel.Mistakes) newel.Bitmap {
			b := newel.NewBitmap(2)
			b.Set(0)
			b.Set(1)
			return b
		},
		Check:       func(*CaseAt, *newel.Mistakes) {},
		Quarantined: func(string) bool { return false },
	}
}

func clock() time.Time { return time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC) }

func engine(store newel.Store, workers int) *Engine {
	worker := work.New(store, func(*newel.Run) (*ladder.Program, error) { return program(), nil }, clock)
	return &Engine{Store: store, Runner: local.New(worker.Work, workers), Primer: worker, Clock: clock, Looks: time.Hour}
}

// start runs a definition to the end and returns the run as stored.
func start(t *testing.T, store newel.Store, id string, workers int, def *Definition) *newel.Run {
	t.Helper()
	if _, err := engine(store, workers).Start(context.Background(), &newel.Run{ID: id}, def); err != nil {
		t.Fatal(err)
	}
	run, err := store.Run(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func summary(t *testing.T, store newel.Store, run *newel.Run) *newel.Summary {
	t.Helper()
	sum, err := Summarise(context.Background(), store, run, FoldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func shuffled(list []CaseAt) []CaseAt {
	out := append([]CaseAt(nil), list...)
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func newStore() *memory.Store { return memory.New(clock) }
