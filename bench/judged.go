package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"newel/bench/six"
)

// judgedRuns is how often each judged run is timed.
const judgedRuns = 3

// judged is a run whose cases a judge sees, over an upstream that takes latency
// for each call. Again: its replies are in the journal already.
type judged struct {
	cases, inFlight int
	latency         time.Duration
	again           bool
}

// judgedRow is what was measured of it. Bare is what it is held against: the
// same posts by Go's own client, or where nothing is asked the six checks alone.
type judgedRow struct {
	judged
	newel, bare usage
	ratio       float64 // wall time of newel to that of bare, median of the pairs
	requests    int     // of all runs of newel together
}

// ideal is how long the calls take if none waits for anything but the others.
func (j judged) ideal() time.Duration {
	if j.again {
		return 0
	}
	return time.Duration(j.cases) * j.latency / time.Duration(j.inFlight)
}

func judgedRunsOf() []judged {
	return []judged{
		{cases: 1000, inFlight: 50, latency: 100 * time.Millisecond},
		{cases: 10_000, inFlight: 1000, latency: 500 * time.Millisecond},
		{cases: 5000, inFlight: 1000, again: true},
	}
}

// measureJudged times newel and what it is held against, one after the other.
func (p programs) measureJudged(ctx context.Context, o options, j judged) (judgedRow, error) {
	r := judgedRow{judged: j}
	data, err := judgedCases(o, j)
	if err != nil {
		return r, err
	}
	far, err := p.listen(ctx, j.latency)
	if err != nil {
		return r, err
	}
	defer far.close()
	store := filepath.Join(p.dir, fmt.Sprintf("judged-%d.db", j.cases))
	if j.again {
		if _, err := p.runJudged(ctx, far, data, store, j); err != nil {
			return r, err
		}
	}
	if err := far.forget(); err != nil {
		return r, err
	}
	var newels, bares []usage
	var ratios []float64
	for i := range judgedRuns {
		if !j.again {
			store = filepath.Join(p.dir, fmt.Sprintf("judged-%d-%d.db", j.cases, i))
		}
		whole, err := p.runJudged(ctx, far, data, store, j)
		if err != nil {
			return r, err
		}
		counts, err := far.counts()
		if err != nil {
			return r, err
		}
		r.requests += counts.Requests
		bare, err := p.bareOf(ctx, far, data, j)
		if err != nil {
			return r, err
		}
		if err := far.forget(); err != nil {
			return r, err
		}
		newels, bares = append(newels, whole), append(bares, bare)
		ratios = append(ratios, whole.wall.Seconds()/bare.wall.Seconds())
	}
	r.newel, r.bare, r.ratio = medians(newels), medians(bares), median(ratios)
	return r, nil
}

// bareOf times what a run is held against.
func (p programs) bareOf(ctx context.Context, far *farEnd, data string, j judged) (usage, error) {
	if j.again {
		alone, _, err := p.runNewel(ctx, data, j.cases)
		return alone, err
	}
	_, took, err := timed(exec.CommandContext(ctx, p.ask, far.url, fmt.Sprint(j.cases), fmt.Sprint(j.inFlight)))
	return took, err
}

// runJudged runs the suite and makes sure that every case has passed.
func (p programs) runJudged(ctx context.Context, far *farEnd, data, store string, j judged) (usage, error) {
	c := exec.CommandContext(ctx, p.newel, "run", filepath.Join(data, j.suiteFile()), "--json", "--quiet", "--store=sqlite:"+store)
	c.Env = append(os.Environ(), gatewayVariable+"="+far.url)
	out, took, err := timed(c)
	if err != nil {
		return took, err
	}
	var report struct{ Cases struct{ Pass int } }
	if err := json.Unmarshal(out, &report); err != nil {
		return took, fmt.Errorf("newel's report: %w", err)
	}
	if report.Cases.Pass != j.cases {
		return took, fmt.Errorf("newel: %d of %d pass", report.Cases.Pass, j.cases)
	}
	return took, nil
}

func (j judged) suiteFile() string { return fmt.Sprintf("judged-%d.yaml", j.inFlight) }

const gatewayVariable = "NEWEL_BENCH_GATEWAY"

// judgedCases returns the folder of the cases with the suite.
func judgedCases(o options, j judged) (string, error) {
	dir, err := cases(o, j.cases)
	if err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, j.suiteFile()), []byte(j.suite()), 0o644)
}

// suite has a judge see all cases. Without a number in flight newel finds out
// how many calls the upstream takes.
func (j judged) suite() string {
	bound := ""
	if j.inFlight > 0 {
		bound = fmt.Sprintf("  in_flight: %d\n", j.inFlight)
	}
	return `newel: v1
name: judged
data: {file: ` + six.CasesFile + `, map: {reference: expected}}
rubrics:
  - name: judged
    judge: {criterion: "The output is JSON with a label and a summary.", sample: all}
judge:
  gateway: {name: main, url: "${` + gatewayVariable + `}"}
  model: gpt-4o-mini
` + bound + `cache: 30d
`
}
