package gate_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/gate"
)

// heap is how many bytes live after a collection.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// It is not parallel, because it measures the heap.
func TestMemoryDoesNotGrowWithItemsThatStandAlone(t *testing.T) {
	const n = 200_000
	plan := newRun("r").plan
	plan.Items, plan.Cases = n, n
	one := newel.ItemRows{Trial: 1, Done: true, Applies: newel.Bitmap{1}, Results: []newel.Result{pass()}}
	rules := []gate.Rule{{Kind: gate.MinRate, Rubric: "r", Min: 0.9}, {Kind: gate.NoWorse, Rubric: "r", Margin: 0.02}}
	feed := func(add func(*newel.ItemRows) error) {
		for i := range n {
			one.Case = fmt.Sprint("case-", i)
			if err := add(&one); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := heap()
	c := gate.NewCollector(rules, &plan, gate.Options{Baseline: &plan})
	feed(c.AddBaseline)
	withBaseline := heap() - before
	if perItem := withBaseline / n; perItem > 60 {
		t.Errorf("a baseline takes %d bytes an item", perItem)
	}
	feed(c.Add)
	if grown := heap() - before - withBaseline; grown > 1<<20 {
		t.Errorf("%d items of the candidate take %d bytes", n, grown)
	}
	if got := c.Finish(); got.State != newel.GatePassed || got.Rules[1].N != n {
		t.Errorf("got %+v", got)
	}
	runtime.KeepAlive(c)
}

func BenchmarkAMillionPairs(b *testing.B) {
	const n = 1_000_000
	plan := newRun("r?").plan
	plan.Items, plan.Cases = n, n
	res := newel.Result{Verdict: newel.Unjudged, Reason: newel.Undrawn}
	res.Scores = []newel.Score{{Scorer: "linear", Layer: newel.Classifier, HasValue: true}}
	one := newel.ItemRows{Trial: 1, Done: true, Applies: newel.Bitmap{1}, Results: []newel.Result{res}}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("case-", i)
	}
	feed := func(add func(*newel.ItemRows) error) {
		for i := range n {
			one.Case = names[i]
			one.Results[0].Scores[0].Value = newel.Value(i * 1000)
			if i%10 == 0 {
				one.Results[0].Verdict, one.Results[0].Layer = newel.Pass, newel.Judge
			} else {
				one.Results[0].Verdict, one.Results[0].Layer = newel.Unjudged, newel.NoLayer
			}
			one.Scored[0] = byte(i % 7)
			if err := add(&one); err != nil {
				b.Fatal(err)
			}
		}
	}
	for b.Loop() {
		before := heap()
		c := gate.NewCollector([]gate.Rule{{Kind: gate.NoWorse, Rubric: "r", Margin: 0.02}}, &plan, gate.Options{Baseline: &plan})
		feed(c.AddBaseline)
		b.ReportMetric(float64(heap()-before)/n, "baseline-B/item")
		feed(c.Add)
		b.ReportMetric(float64(heap()-before)/n, "all-B/item")
		if got := c.Finish(); got.Rules[0].N != n {
			b.Fatalf("%+v", got.Rules[0])
		}
	}
}

func TestNothingOfAnItemIsKeptBeyondItsCallback(t *testing.T) {
	t.Parallel()
	candidate, baseline := pairs(300, 5, 0)
	want := decide(t, "[{rubric: r, no_worse_than: baseline, margin: 0.1}]", candidate, baseline, gate.Options{})
	c := gate.NewCollector(parseFor(t, candidate, "[{rubric: r, no_worse_than: baseline, margin: 0.1}]"), &candidate.plan, gate.Options{Baseline: &baseline.plan})
	var shared newel.ItemRows
	var results [1]newel.Result
	feed := func(r *run, add func(*newel.ItemRows) error) {
		for i := range r.items {
			results[0] = r.items[i].Results[0]
			shared = r.items[i]
			shared.Results = results[:]
			if err := add(&shared); err != nil {
				t.Fatal(err)
			}
			shared, results = newel.ItemRows{}, [1]newel.Result{}
		}
	}
	feed(baseline, c.AddBaseline)
	feed(candidate, c.Add)
	if diff := cmp.Diff(want, c.Finish()); diff != "" {
		t.Error(diff)
	}
}
