package main

import (
	"strings"
	"testing"

	"newel/bench/upstream"
)

// Where many cases ask the same, the first of them may meet a fault for good
// while the far end is well again for the last. All have to have the same
// outcome, or the report hangs on who came when.
func TestACallThatManyCasesShareHasOneOutcome(t *testing.T) {
	t.Parallel()
	outcomes := map[string]int{}
	for faults := 1; faults <= 16; faults++ {
		act := func(c *upstream.Call) upstream.Act {
			if c.N <= faults {
				return upstream.Act{Status: 500}
			}
			return judgement(c)
		}
		b := newBench(t, setting{cases: 1, judge: "  retries: 0\n  in_flight: 1\n", script: upstream.Script{Act: act}})
		write(t, b.dir, "cases.jsonl", sameCases(600))
		if got := b.call(t, "run", b.suite, "--id=x", "-q"); got.code == exitIncomplete {
			outcomes["stopped"]++ // nobody answered for too long
			continue
		}
		_, sum := b.sealed(t, "x")
		switch l := sum.Ledger; {
		case l.Fail == l.Planned:
			outcomes["judged"]++
		case l.Error == l.Planned:
			outcomes["error"]++
		default:
			t.Errorf("%d faults: the same question has two outcomes: %+v", faults, l)
		}
		if got := b.call(t, "replay", "x"); got.code != exitPassed {
			t.Errorf("%d faults: replay: exit %d\n%s%s", faults, got.code, got.out, got.err)
		}
	}
	t.Log(outcomes)
}

// sameCases are cases that ask a judge the same.
func sameCases(n int) string {
	one := benchCases(1, 0)
	var lines strings.Builder
	for i := range n {
		lines.WriteString(strings.Replace(one, `"id":"case-0"`, `"id":"`+strings.Repeat("i", 1+i%3)+`-`+strings.Repeat("x", i/3)+`"`, 1))
	}
	return lines.String()
}
