package main

import (
	"sync/atomic"
	"testing"
	"time"

	"newel/bench/upstream"
)

// asks runs the suite once more and returns how many requests that took.
func (b *bench) asks(t testing.TB, id string, change func(*app), args ...string) int {
	t.Helper()
	before := b.up.Counts().Requests
	got := b.with(t, b.env, change, append([]string{"run", b.suite, "--id=" + id, "-q"}, args...)...)
	wantCode(t, got, exitPassed)
	return b.up.Counts().Requests - before
}

func TestRepliesOfEarlierRunsAreUsedAgain(t *testing.T) {
	t.Parallel()
	cases := times(500, 5000)
	b := newBench(t, setting{cases: cases, judge: "  in_flight: 50\n"})
	if n := b.asks(t, "first", nil); n != cases {
		t.Fatalf("%d requests, want %d", n, cases)
	}
	want := b.judgedAll(t, "first", cases)
	at := func(d time.Duration) func(*app) {
		return func(a *app) { a.now = func() time.Time { return time.Now().Add(d) } }
	}
	for _, tt := range []struct {
		name string
		when func(*app)
		args []string
		asks int
	}{
		{"the same suite again", nil, nil, 0},
		{"29 days later", at(29 * 24 * time.Hour), nil, 0},
		{"31 days later, the cache being of 30", at(31 * 24 * time.Hour), nil, cases},
		{"by a clock that is an hour behind the replies", at(-time.Hour), nil, cases},
		{"without the cache", nil, []string{"--no-cache"}, cases},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			own := newBench(t, setting{cases: cases, judge: "  in_flight: 50\n"})
			own.asks(t, "first", nil)
			if n := own.asks(t, "x", tt.when, tt.args...); n != tt.asks {
				t.Errorf("%d requests, want %d", n, tt.asks)
			}
			if got := own.judgedAll(t, "x", cases); got != want {
				t.Errorf("report digest %s, want %s", got, want)
			}
			_, sum := own.sealed(t, "x")
			if c := sum.Cost; c.Calls != tt.asks || c.Cached != cases-tt.asks || tt.asks == 0 && c.USD != 0 {
				t.Errorf("cost %+v, want %d calls", c, tt.asks)
			}
		})
	}
	write(t, b.dir, "cases.jsonl", benchCases(cases, 50))
	if n := b.asks(t, "changed", nil); n != 50 {
		t.Errorf("with 50 outputs changed %d requests, want 50", n)
	}
	if got := b.judgedAll(t, "changed", cases); got == want {
		t.Error("other outputs give the same digest")
	}
}

// What shapes an answer is in the key: votes, trials, models, criteria and prompts
// are asked by themselves, and what does not is not.
func TestWhatIsAskedByItself(t *testing.T) {
	t.Parallel()
	const cases = 20
	for _, tt := range []struct {
		name                string
		rubrics, judge, top string
		asks                int // a case
	}{
		{"one more vote", "", "  votes: 3\n", "", 2},
		{"one more trial", "", "", "trials: 2\n", 1},
		{"another model", "", "  models: [gpt-4o-mini, gpt-4o]\n", "", 1},
		{"another prompt", "  - {name: grounded, judge: {prompt: \"builtin:faithfulness@1\", sample: all}}\n", "", "", 1},
		{"another temperature", "", "  params: {temperature: 0.5}\n", "", 1},
		{"another name of the rubric", "  - {name: other, judge: {prompt: \"builtin:groundedness@1\", sample: all}}\n", "", "", 0},
		{"a second rubric that asks the same", onePrompt + "  - {name: other, judge: {prompt: \"builtin:groundedness@1\", sample: all}}\n", "", "", 0},
		{"another timeout, rate and number of retries", "", "  timeout: 7s\n  retries: 2\n  rate: {rpm: 100000}\n", "", 0},
		{"another seed and budget", "", "", "seed: 9\nbudget: {usd: 5}\n", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := setting{cases: cases}
			b := newBench(t, o)
			b.asks(t, "first", nil)
			o.rubrics, o.judge, o.top = tt.rubrics, tt.judge, tt.top
			b.writeSuite(t, o)
			if n := b.asks(t, "x", nil); n != tt.asks*cases {
				t.Errorf("%d requests, want %d", n, tt.asks*cases)
			}
			b.sealed(t, "x")
			if n := b.asks(t, "y", nil); n != 0 {
				t.Errorf("the second time %d requests", n)
			}
		})
	}
}

// Replies that could not be read, and faults, are not used again.
func TestErrorsAreNotUsedAgain(t *testing.T) {
	t.Parallel()
	const cases = 14
	for name, act := range map[string]upstream.Act{
		"nonsense":       {Text: "I would rather not say."},
		"another's mark": {Text: `{"analysis":"fine","verdict":"pass","check":"00000000"}`},
		"a fault":        {Status: 500},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mended atomic.Bool
			o := setting{cases: cases, judge: "  retries: 0\n", script: upstream.Script{Act: func(c *upstream.Call) upstream.Act {
				if !mended.Load() && markedCase(c)%failsEvery == 1 {
					return act
				}
				return judgement(c)
			}}}
			b := newBench(t, o)
			b.run(t, exitPassed, "first")
			if _, sum := b.sealed(t, "first"); sum.Cases.Error != 2 {
				t.Errorf("cases %+v, want 2 errors", sum.Cases)
			}
			mended.Store(true)
			if n := b.asks(t, "x", nil); n != 2 {
				t.Errorf("%d requests, want 2", n)
			}
			b.judgedAll(t, "x", cases)
		})
	}
}

func TestRetryingErrorsAsksOnlyWhatErred(t *testing.T) {
	t.Parallel()
	const cases = 140
	var mended atomic.Bool
	o := setting{cases: cases, judge: "  retries: 0\n", script: upstream.Script{Act: func(c *upstream.Call) upstream.Act {
		if !mended.Load() && markedCase(c)%failsEvery == 1 {
			return upstream.Act{Status: 500}
		}
		return judgement(c)
	}}}
	b := newBench(t, o)
	b.run(t, exitPassed, "first")
	if _, sum := b.sealed(t, "first"); sum.Cases.Error != cases/failsEvery {
		t.Errorf("cases %+v, want %d errors", sum.Cases, cases/failsEvery)
	}
	if n := b.asks(t, "again", nil, "--retry-errors=first"); n != 2*cases/failsEvery { // and once more in the last pass
		t.Errorf("%d requests, want %d", n, 2*cases/failsEvery)
	}
	mended.Store(true)
	if n := b.asks(t, "x", nil, "--retry-errors=first", "--no-cache"); n != cases/failsEvery {
		t.Errorf("%d requests, want %d", n, cases/failsEvery)
	}
	want := undisturbedDigest(t, setting{cases: cases, judge: "  retries: 0\n"})
	if got := b.judgedAll(t, "x", cases); got != want {
		t.Errorf("report digest %s, want %s", got, want)
	}
	if parent := standing(t, b.dir, "x").Parent; parent != "first" {
		t.Errorf("its parent is %q", parent)
	}
}
