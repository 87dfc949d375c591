package eval

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/ladder"
	"newel/runner/local"
	"newel/work"
)

func TestRunAddsUp(t *testing.T) {
	t.Parallel()
	store := newStore()
	sum := summary(t, store, start(t, store, "r", 3, definition(cases(1000))))
	want := newel.Ledger{Planned: 1000, Pass: 900, Fail: 100}
	if sum.Cases != want || sum.Rubrics[0].Ledger != want || sum.Ledger != (newel.Ledger{Planned: 2000, Pass: 1800, Fail: 200}) {
		t.Errorf("ledgers: cases %+v, rubric %+v, rows %+v", sum.Cases, sum.Rubrics[0].Ledger, sum.Ledger)
	}
	if sum.Plan.Items != 1000 || sum.Digest == "" || len(sum.Slices) != 4 {
		t.Errorf("plan %+v, digest %q, %d slices", sum.Plan, sum.Digest, len(sum.Slices))
	}
	a := sum.Agreement[0]
	if a.N != 1000 || a.Agree != 950 || a.Table != [4]int{900, 50, 0, 50} {
		t.Errorf("agreement %+v", a)
	}
	// Ids are c0…c9, c10…c99, c100…c999: lengths 2, 3 and 4.
	v := sum.Rubrics[0].Values[0]
	if v.N != 1000 || v.Mean != (10*2+90*3+900*4)/1000.0 || v.P50 != 4 || v.Min != 2 || v.Max != 4 {
		t.Errorf("values %+v", v)
	}
	if len(sum.Failing) != 10 || sum.Failing[0].Case != "c7" || sum.Failing[0].Why != "ends in 7" {
		t.Errorf("failing %+v", sum.Failing)
	}
}

func TestDigestIsTheSameHoweverTheRunWent(t *testing.T) {
	t.Parallel()
	list := cases(2000)
	store := newStore()
	want := summary(t, store, start(t, store, "one", 1, definition(list))).Digest
	for name, got := range map[string]string{
		"two workers":       summary(t, store, start(t, store, "two", 2, definition(list))).Digest,
		"64 workers":        summary(t, store, start(t, store, "many", 64, definition(list))).Digest,
		"cases in disorder": summary(t, store, start(t, store, "shuffled", 2, definition(shuffled(list)))).Digest,
	} {
		if got != want {
			t.Errorf("%s: digest %s, want %s", name, got, want)
		}
	}
	changed := definition(list)
	changed.Digest = newel.HashOf([]byte("another suite"))
	if got := summary(t, store, start(t, store, "changed", 1, changed)).Digest; got == want {
		t.Error("another suite gave the same digest")
	}
	fewer := summary(t, store, start(t, store, "fewer", 1, definition(list[1:]))).Digest
	if fewer == want {
		t.Error("one case less gave the same digest")
	}
}

// TestGoldenDigest holds the digest of a fixed run: it changes only with the
// report version or the scoring revision.
func TestGoldenDigest(t *testing.T) {
	t.Parallel()
	store := newStore()
	got := summary(t, store, start(t, store, "golden", 2, definition(cases(300)))).Digest
	const want = "63c3a1a19fab8150c2f5913d172cff896a1a35f6a2097fe1e056fa19c35ac42f"
	if got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

func TestDigestSpills(t *testing.T) {
	t.Parallel()
	store := newStore()
	run := start(t, store, "r", 2, definition(shuffled(cases(1500))))
	sums := map[newel.Hash]bool{}
	for _, every := range []int{1, 100, 10_000} {
		d, n := NewDigest(&run.Plan), 0
		err := Scan(context.Background(), store, run, false, func(it *newel.ItemRows) error {
			if n++; n%every == 0 {
				if err := d.spill(); err != nil {
					return err
				}
			}
			return d.Add(it)
		})
		if every == 1 {
			d.Close() // as many files as items is not what is tested
			continue
		}
		sum, errSum := d.Sum()
		if err != nil || errSum != nil {
			t.Fatal(err, errSum)
		}
		sums[sum] = true
	}
	if len(sums) != 1 {
		t.Errorf("spilling changed the digest: %v", sums)
	}
}

func TestMistakesEraseTheRun(t *testing.T) {
	t.Parallel()
	store := newStore()
	list := cases(600)
	list[500].Case.ID, list[501].Case.ID = "c3", "c4"
	_, err := engine(store, 2).Start(context.Background(), &newel.Run{ID: "r"}, definition(list))
	var mistakes *newel.Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatalf("got %v, want mistakes", err)
	}
	got := mistakes.Error()
	for _, want := range []string{`cases.jsonl:501: a second case has the id "c3"`, `cases.jsonl:502: a second case has the id "c4"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
	if _, err := store.Run(context.Background(), "r"); !errors.Is(err, newel.ErrNotFound) {
		t.Errorf("the run is still there: %v", err)
	}
}

func TestNothingToRunIsAMistake(t *testing.T) {
	t.Parallel()
	none := definition(cases(5))
	none.Select = func(context.Context, *newel.Subject) (bool, error) { return false, nil }
	for name, def := range map[string]*Definition{"no case": definition(nil), "none selected": none} {
		_, err := engine(newStore(), 1).Start(context.Background(), &newel.Run{ID: "r"}, def)
		var mistakes *newel.Mistakes
		if !errors.As(err, &mistakes) {
			t.Errorf("%s: got %v, want mistakes", name, err)
		}
	}
}

func TestMatrixAndTrials(t *testing.T) {
	t.Parallel()
	list := cases(10)
	for i := range list {
		list[i].Case.Output = nil
	}
	def := definition(list)
	def.Trials = 3
	def.Axes = []Axis{{Name: "lang", Values: []string{"de", "en"}}, {Name: "tone", Values: []string{"plain", "formal"}}}
	store := newStore()
	run := start(t, store, "r", 2, def)
	var shown []string
	err := Scan(context.Background(), store, run, false, func(it *newel.ItemRows) error {
		if it.Case == "c0" {
			shown = append(shown, it.Show(run.Plan.Trials))
		}
		return nil
	})
	want := []string{
		"c0|lang=de|tone=plain|#1", "c0|lang=de|tone=plain|#2", "c0|lang=de|tone=plain|#3", "c0|lang=de|tone=formal|#1",
		"c0|lang=de|tone=formal|#2", "c0|lang=de|tone=formal|#3", "c0|lang=en|tone=plain|#1", "c0|lang=en|tone=plain|#2",
		"c0|lang=en|tone=plain|#3", "c0|lang=en|tone=formal|#1", "c0|lang=en|tone=formal|#2", "c0|lang=en|tone=formal|#3",
	}
	if diff := cmp.Diff(want, shown); diff != "" || err != nil {
		t.Errorf("want -, got +\n%s\n%v", diff, err)
	}
	if run.Plan.Items != 120 || run.Plan.Cases != 10 {
		t.Errorf("plan %+v", run.Plan)
	}
	sum := summary(t, store, run)
	if sum.Rubrics[0].Clusters != 10 {
		t.Errorf("%d clusters, want one a case", sum.Rubrics[0].Clusters)
	}
}

// stopsAfter cancels once so many references were worked on.
func stopsAfter(n int, work newel.Work, stop context.CancelCauseFunc) newel.Work {
	left := make(chan struct{}, n)
	for range n {
		left <- struct{}{}
	}
	return func(ctx context.Context, ref newel.Ref) newel.Receipt {
		select {
		case <-left:
		default:
			stop(errStop)
		}
		return work(ctx, ref)
	}
}

var errStop = errors.New("stopped by the test")

func TestStoppedAnywhereAndResumed(t *testing.T) {
	t.Parallel()
	list := cases(2000)
	whole := newStore()
	want := summary(t, whole, start(t, whole, "r", 2, definition(list)))
	for _, complete := range []bool{false, true} {
		for n := range 8 {
			store := newStore()
			ctx, stop := context.WithCancelCause(context.Background())
			e := engine(store, 2)
			worker := work.New(store, func(*newel.Run) (*ladder.Program, error) { return program(), nil }, clock)
			e.Runner, e.Primer = local.New(stopsAfter(n, worker.Work, stop), 2), worker
			def := definition(list)
			def.Complete = complete
			if _, err := e.Start(ctx, &newel.Run{ID: "r"}, def); err != nil && !errors.Is(err, errStop) {
				t.Fatal(err)
			}
			run, err := store.Run(context.Background(), "r")
			if err != nil {
				t.Fatal(err)
			}
			again := engine(store, 2)
			err = again.Resume(context.Background(), run.ID, func(*newel.Run) (*Definition, error) { return definition(list), nil })
			if err != nil {
				t.Fatal(err)
			}
			if run, err = store.Run(context.Background(), "r"); err != nil {
				t.Fatal(err)
			}
			got := summary(t, store, run)
			if got.Digest != want.Digest || got.Ledger != want.Ledger {
				t.Errorf("stopped after %d chunks: digest %s and ledger %+v, want %s and %+v", n, got.Digest, got.Ledger, want.Digest, want.Ledger)
			}
		}
	}
}

func TestResumeRefusesChangedData(t *testing.T) {
	t.Parallel()
	store := newStore()
	ctx, stop := context.WithCancelCause(context.Background())
	e := engine(store, 1)
	worker := work.New(store, func(*newel.Run) (*ladder.Program, error) { return program(), nil }, clock)
	e.Runner, e.Primer = local.New(stopsAfter(0, worker.Work, stop), 1), worker
	list := cases(2000)
	def := definition(list)
	def.Read = func(ctx context.Context, yield func([]CaseAt) error) error {
		if err := yield(list[:1000]); err != nil {
			return err
		}
		<-ctx.Done() // a chunk is stored and at work: its worker stops the run
		return context.Cause(ctx)
	}
	if _, err := e.Start(ctx, &newel.Run{ID: "r"}, def); !errors.Is(err, errStop) {
		t.Fatalf("got %v, want the run stopped", err)
	}
	run, err := store.Run(context.Background(), "r")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 { // whichever chunk was stored
		list[i].Case.Output = newel.Raw(`"another answer"`)
	}
	err = engine(store, 1).Resume(context.Background(), run.ID, func(*newel.Run) (*Definition, error) { return definition(list), nil })
	if !errors.Is(err, ErrChanged) {
		t.Errorf("got %v, want %v", err, ErrChanged)
	}
}

func TestReplayGivesTheSameDigest(t *testing.T) {
	t.Parallel()
	store := newStore()
	run := start(t, store, "r", 2, definition(cases(700)))
	got, err := Replay(context.Background(), store, run, func(s *Shadow) newel.Work {
		return work.New(s, func(*newel.Run) (*ladder.Program, error) { return program(), nil }, clock).Work
	})
	if err != nil {
		t.Fatal(err)
	}
	want := summary(t, store, run).Digest
	if got.Digest.String() != want || got.Items != 700 || got.Rows != 1400 || got.Recorded != 0 {
		t.Errorf("replayed %+v, want digest %s", got, want)
	}
}

func TestCopyRunKeepsTheReport(t *testing.T) {
	t.Parallel()
	from, to := newStore(), newStore()
	run := start(t, from, "r", 2, definition(cases(600)))
	want := summary(t, from, run)
	var digest newel.Hash
	if err := digest.UnmarshalText([]byte(want.Digest)); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := CopyRun(ctx, from, to, run); err == nil {
		t.Error("a run that is not sealed was copied")
	}
	if _, err := from.SealRun(ctx, "r", digest, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	run, err := from.Run(ctx, "r")
	if err != nil {
		t.Fatal(err)
	}
	if err := CopyRun(ctx, from, to, run); err != nil {
		t.Fatal(err)
	}
	copied, err := to.Run(ctx, "r")
	if err != nil {
		t.Fatal(err)
	}
	if got := summary(t, to, copied); got.Digest != want.Digest || copied.State != newel.Sealed || copied.Digest != digest {
		t.Errorf("the copy is %s with digest %s, want sealed with %s", copied.State, got.Digest, want.Digest)
	}
	if err := CopyRun(ctx, from, to, run); !errors.Is(err, newel.ErrExists) {
		t.Errorf("a second copy: got %v, want %v", err, newel.ErrExists)
	}
}
