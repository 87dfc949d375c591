package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"newel"
	"newel/bench/upstream"
)

// explained are the calls of a case's only row.
func (c *court) explained(run, name string) (calls []newel.Call) {
	c.t.Helper()
	var rows []struct{ Calls []newel.Call }
	if err := json.Unmarshal([]byte(c.words(exitPassed, "explain "+run+" "+name+" --json").out), &rows); err != nil || len(rows) != 1 {
		c.t.Fatalf("%d rows, %v", len(rows), err)
	}
	return rows[0].Calls
}

func TestExplainSaysWhyARunPaidAgain(t *testing.T) {
	t.Parallel()
	const cached = usualCourt + "cache: 30d\n"
	swap := func(old, new string) func(*court) {
		return func(c *court) { c.write(strings.Replace(cached, old, new, 1)) }
	}
	for name, tt := range map[string]struct {
		change func(*court)
		flags  string
		first  upstream.Act // of the first run; zero: as usual
		want   string       // empty: it was not paid for again
	}{
		"nothing":             {want: ""},
		"the model":           {change: swap("gpt-4o-mini", "gpt-4.1-mini"), want: `the model: "gpt-4o-mini" there, "gpt-4.1-mini" here`},
		"the gateway's name":  {change: swap("name: main", "name: other"), want: `the gateway's name: "main" there, "other" here`},
		"the prompt":          {change: swap("groundedness@1", "relevance@1"), want: "the prompt"},
		"a parameter":         {change: swap("model: gpt-4o-mini", "model: gpt-4o-mini\n  params: {temperature: 0.5}"), want: "temperature: nothing there, 0.5 here"},
		"a vote":              {change: swap("audit: 1", "audit: 1, votes: 3"), want: "the vote: number 1 there, 3 here"},
		"no cache wanted":     {flags: "--no-cache", want: "this run was told --no-cache"},
		"no cache written":    {change: swap("cache: 30d", "seed: 0"), want: "its suite does not write cache, so each run pays anew: write cache: 30d"},
		"cache 0":             {change: swap("cache: 30d", "cache: 0"), want: "its suite says cache: 0, so each run pays anew"},
		"a reply too old":     {change: func(c *court) { c.later = 31 * 24 * time.Hour }, want: "its reply is of T and too old: cache reaches back to T"},
		"one that is not one": {first: upstream.Act{Text: "I cannot say."}, want: "its reply there could not be read, and such are not used again"},
		"a call that failed":  {first: upstream.Act{Status: 400, Message: "no"}, want: "its call failed there, and failures are not used again"},
		"the case": {change: func(c *court) {
			write(c.t, c.dir, "cases.jsonl", strings.Replace(courtCases(), "Order 1 ships today [1]", "Order 1 ships soon [1]", 1))
		}, want: "what is judged: the case, its output or its context"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, usual := true, courtScript()
			script := usual
			script.Act = func(call *upstream.Call) upstream.Act {
				if first && (tt.first.Text != "" || tt.first.Status != 0) {
					return tt.first
				}
				return usual.Act(call)
			}
			c := newCourt(t, script, cached)
			c.words(exitPassed, "run SUITE --id=a -q --limit=2")
			first = false
			if tt.change != nil {
				tt.change(c)
			}
			c.words(exitPassed, "run SUITE --id=b -q --limit=2 "+tt.flags)
			calls := c.explained("b", "case-1")
			last := calls[len(calls)-1]
			if c.explained("a", "case-1")[0].Anew != nil {
				t.Error("the first run is told to have paid again")
			}
			if tt.want == "" {
				if last.Reused == nil || last.Reused.Run != "a" || last.Anew != nil {
					t.Errorf("reused %+v, anew %+v", last.Reused, last.Anew)
				}
				return
			}
			// The store dates replies, so that their times are not the test's.
			if last.Anew == nil || last.Anew.Run != "a" || withoutTimes(last.Anew.Why) != tt.want {
				t.Errorf("anew %+v, want %q", last.Anew, tt.want)
			}
		})
	}
}

func withoutTimes(why []string) string {
	return strings.ReplaceAll(steady(strings.Join(why, "; "), "\x00"), "2027-01-30 12:00 UTC", "T")
}

func TestExplainComparesWithTheLastRunThatJudgedTheCase(t *testing.T) {
	t.Parallel()
	c := newCourt(t, courtScript(), usualCourt+"cache: 30d\n")
	c.words(exitPassed, "run SUITE --id=a -q --limit=3")
	c.later = time.Minute
	c.write(strings.Replace(usualCourt, "gpt-4o-mini", "gpt-4.1-mini", 1) + "cache: 30d\n")
	c.words(exitPassed, "run SUITE --id=b -q --limit=2")
	c.later = 2 * time.Minute
	c.write(strings.Replace(usualCourt, "gpt-4o-mini", "gpt-4.1-nano", 1) + "cache: 30d\n")
	c.words(exitPassed, "run SUITE --id=c -q --limit=4")
	for name, want := range map[string]string{"case-0": "b", "case-1": "b", "case-2": "a", "case-3": ""} {
		call := c.explained("c", name)[0]
		if got := call.Anew; want == "" && got != nil || want != "" && (got == nil || got.Run != want) {
			t.Errorf("%s is compared with %+v, want run %q", name, got, want)
		}
	}
	holds(t, c.words(exitPassed, "explain c case-3").out, "paid for by this run\n")
	holds(t, strings.Join(strings.Fields(c.words(exitPassed, "explain c case-2").out), " "), `paid for by this run, though a judged the same: the model: "gpt-4o-mini" there, "gpt-4.1-nano" here`)
}
