package gate_test

import (
	"fmt"
	"testing"

	"newel"
	"newel/gate"
)

// run is a made-up run: its plan and its items.
type run struct {
	plan  newel.Plan
	items []newel.ItemRows
}

// newRun returns an empty run of rubrics; one whose name ends in "?" has a
// judge.
func newRun(rubrics ...string) *run {
	r := &run{plan: newel.Plan{Trials: 1, SuiteDigest: newel.HashOf([]byte("suite"))}}
	for _, name := range rubrics {
		judged := name[len(name)-1] == '?'
		if judged {
			name = name[:len(name)-1]
		}
		r.plan.Rubrics = append(r.plan.Rubrics, name)
		r.plan.Judged = append(r.plan.Judged, judged)
		r.plan.Measures = append(r.plan.Measures, false)
		r.plan.Scorers = append(r.plan.Scorers, nil)
	}
	return r
}

// add appends an item, a case of its own unless the caller says otherwise,
// with a row for each result.
func (r *run) add(id string, results ...newel.Result) *newel.ItemRows {
	it := newel.ItemRows{N: len(r.items), Case: id, Trial: 1, Done: true, Applies: newel.NewBitmap(len(r.plan.Rubrics)),
		Scored: newel.HashOf([]byte(id))}
	for i := range results {
		it.Applies.Set(results[i].Rubric)
	}
	it.Results = results
	r.items = append(r.items, it)
	r.plan.Items++
	r.plan.Cases++
	return &r.items[len(r.items)-1]
}

// many appends n cases with one row each.
func (r *run) many(n int, res newel.Result) {
	for range n {
		r.add(fmt.Sprintf("c%05d", len(r.items)), res)
	}
}

func pass() newel.Result { return newel.Result{Verdict: newel.Pass, Layer: newel.Floor} }
func fail() newel.Result { return newel.Result{Verdict: newel.Fail, Layer: newel.Floor} }
func broken() newel.Result {
	return newel.Result{Verdict: newel.Failed, Err: &newel.ScoreError{Kind: newel.KindCase, Message: "no reference"}}
}
func unjudged(reason string) newel.Result {
	return newel.Result{Verdict: newel.Unjudged, Reason: reason}
}

// measured has a value from the scorer called len.
func measured(value float64) newel.Result {
	v, _ := newel.ValueOf(value)
	res := unjudged(newel.Measured)
	res.Scores = []newel.Score{{Scorer: "len", Layer: newel.Floor, Value: v, HasValue: true}}
	return res
}

// judged is a verdict of the judge on what a classifier settled.
func audited(settled, verdict newel.Verdict) newel.Result {
	return newel.Result{Verdict: verdict, Layer: newel.Judge, Audit: &newel.Audit{Layer: newel.Classifier, Verdict: settled}}
}

// collect runs a candidate, and a baseline if there is one, through a gate.
func collect(t testing.TB, rules []gate.Rule, candidate, baseline *run, opt gate.Options) *gate.Collector {
	t.Helper()
	if baseline != nil {
		opt.Baseline = &baseline.plan
	}
	c := gate.NewCollector(rules, &candidate.plan, opt)
	if baseline != nil {
		for i := range baseline.items {
			if err := c.AddBaseline(&baseline.items[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range candidate.items {
		if err := c.Add(&candidate.items[i]); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func decide(t testing.TB, rules string, candidate, baseline *run, opt gate.Options) *newel.GateSummary {
	t.Helper()
	var m newel.Mistakes
	parsed := gate.ParseRules(nodes(t, "gate.yaml", rules), gate.InfoOf(&candidate.plan), &m)
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	return collect(t, parsed, candidate, baseline, opt).Finish()
}
