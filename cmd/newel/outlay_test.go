package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"newel"
	"newel/bench/upstream"
	"newel/eval"
	"newel/report"
)

// cutsOnce is the court's script, but for a connection that ends in the middle of
// the first so many answers: those may have been billed.
func cutsOnce(n int32) upstream.Script {
	s := courtScript()
	judge := s.Act
	var cut atomic.Int32
	s.Act = func(c *upstream.Call) upstream.Act {
		if cut.Add(1) <= n {
			return upstream.Act{Cut: true}
		}
		return judge(c)
	}
	return s
}

// read is what a command says as JSON.
func read[T any](c *court, code int, line string) (v T) {
	c.t.Helper()
	got := c.words(code, line)
	if err := json.Unmarshal([]byte(got.out), &v); err != nil {
		c.t.Fatalf("%v in %s", err, got.out)
	}
	return v
}

// cells are the columns of a run's rows as CSV, by name.
func (c *court) cells(id string) (rows []map[string]string) {
	c.t.Helper()
	all, err := csv.NewReader(strings.NewReader(c.words(exitPassed, "report "+id+" --as=csv").out)).ReadAll()
	if err != nil {
		c.t.Fatal(err)
	}
	for _, record := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// flat is text without its line ends.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestWhatAnEarlierAttemptMayHaveCostIsToldAlikeEverywhere(t *testing.T) {
	t.Parallel()
	c := newCourt(t, cutsOnce(1), usualCourt)
	c.write(usualCourt + "cache: 30d\ngate: [{cost: {max_usd: 0.001}}]\n")
	sum := read[newel.Summary](c, exitInconclusive, "run SUITE --id=x --json")
	known, held := sum.Cost.USD, sum.Cost.UnknownAtMost
	if sum.Cost.PartlyKnown != 1 || sum.Cost.UnknownCalls != 0 || known == 0 || held == 0 || sum.Cost.Unbounded {
		t.Fatalf("the report's cost is %+v", sum.Cost)
	}
	words := fmt.Sprintf("≥ %s, unknown in part for 1 of 12 calls, at most %s more", known.AtLeast(), held.AtMost())
	for _, line := range []string{"cost x", "report x", "report x --as=markdown", "report x --as=junit"} {
		holds(t, flat(c.words(exitPassed, line).out), words)
	}
	holds(t, sum.Gate.Rules[0].Why, fmt.Sprintf("%s known, at most %s more; allowed $0.001", known.AtLeast(), held.AtMost()))
	total := read[report.CostTable](c, exitPassed, "cost x --json").Total
	if total.USD != known || total.HeldUSD != held || total.PartlyKnown != 1 || *total.AtMostUSD != known+held {
		t.Errorf("cost says %+v", total)
	}
	bounds := 0
	for _, row := range c.cells("x") {
		if row["cost_status"] == newel.CostLowerBound {
			bounds++
			if row["held_usd"] != held.String() {
				t.Errorf("%s is held, want %s", row["held_usd"], held)
			}
		} else if row["held_usd"] != "" {
			t.Errorf("%s is held of a cost that is %s", row["held_usd"], row["cost_status"])
		}
	}
	if bounds != 1 {
		t.Errorf("CSV has %d lower bounds", bounds)
	}
	c.words(exitPassed, "run SUITE --id=y -q")
	if total := read[report.CostTable](c, exitPassed, "cost y --json").Total; total.HeldUSD != 0 || total.USD != 0 || *total.AtMostUSD != 0 {
		t.Errorf("a run that paid nothing: %+v", total)
	}
}

// The gateway says what a call cost; no table has its model, and so nobody knows
// what an attempt before it comes to at most.
func TestWhatHasNoPriceHasNoBound(t *testing.T) {
	t.Parallel()
	c := newCourt(t, cutsOnce(1), strings.Replace(usualCourt, "gpt-4o-mini", "house-model", 1)+"gate: [{cost: {max_usd: 1}}]\n")
	sum := read[newel.Summary](c, exitInconclusive, "run SUITE --id=x --json")
	if k := sum.Cost; k.PartlyKnown != 1 || !k.Unbounded || k.UnknownAtMost != 0 || k.USD == 0 {
		t.Errorf("the report's cost is %+v", k)
	}
	holds(t, sum.Gate.Rules[0].Why, "known, without a price that would bound it; allowed $1")
	if total := read[report.CostTable](c, exitPassed, "cost x --json").Total; total.PartlyKnown != 1 || !total.Unbounded || total.AtMostUSD != nil {
		t.Errorf("cost says %+v", total)
	}
	holds(t, flat(c.words(exitPassed, "cost x").out), "≥ "+sum.Cost.USD.AtLeast()+", unknown in part for 1 of 12 calls; 12 rows")
}

func TestWaitingAndAskingAreToldApart(t *testing.T) {
	t.Parallel()
	f := costFold{by: "layer", lines: map[string]*report.CostLine{}, dims: map[string]bool{}}
	b := eval.Bought{Own: true, Cost: new(newel.Money), Call: newel.Call{ClientMS: 10, WaitedMS: 100, Tries: []newel.Attempt{{ClientMS: 25}, {ClientMS: 5}}}}
	if err := f.call(&newel.Run{}, b); err != nil {
		t.Fatal(err)
	}
	if l := f.lines["judge"]; l.TimeMS != 40 || l.QueuedMS != 70 {
		t.Errorf("%d ms in calls, %d queued; want 40 and 70", l.TimeMS, l.QueuedMS)
	}
}

func TestABComparesNoDollarsThatAreKnownInPart(t *testing.T) {
	t.Parallel()
	c := newCourt(t, cutsOnce(1), usualCourt+"cache: 30d\n")
	words := "ab SUITE --b model=gpt-4.1-mini --id=x -q"
	got := c.compare(exitIncomplete, words) // of 12 calls 91.7 % are known
	if s := got.Sides[0]; s.Partly != 1 || s.HeldUSD == 0 || *s.Known > 0.92 || s.USD != nil || s.PaidUnknown != 1 || got.Sides[1].Partly != 0 {
		t.Errorf("side a: %+v", s)
	}
	if r := got.Rubrics[0]; r.Sides[0].Partly != 1 || r.Sides[0].USD != nil {
		t.Errorf("rubric: %+v", r.Sides[0])
	}
	text := flat(c.words(exitIncomplete, words).out)
	holds(t, text, "of side a's calls the cost of 91.7 % is known", "≥ $0.000828", "cost unknown in part for 1 of 12 calls, at most")
}

func TestCallsAreCountedAlikeByPlanReportCostAndComparison(t *testing.T) {
	t.Parallel()
	const twice = `rubrics:
  - name: kind
    judge: {criterion: Is kind., sample: all}
  - name: kind-again
    judge: {criterion: Is kind., sample: all}
judge:
  gateway: {name: main, url: "${GW}", key_env: GWKEY}
  model: gpt-4o-mini
cache: 30d
`
	c := newCourt(t, courtScript(), twice)
	for _, tt := range []struct {
		id                    string
		paid, earlier, shared int
		words                 string
	}{
		{"x", 12, 0, 12, "12 more answered by replies that were there (0 of earlier runs, 12 of other rows)"},
		{"y", 0, 12, 12, "0 paid calls; 24 more answered by replies that were there (12 of earlier runs, 12 of other rows)"},
	} {
		plan := c.plan("").Bill
		holds(t, flat(c.words(exitPassed, "plan SUITE").out), tt.words)
		sum := read[newel.Summary](c, exitPassed, "run SUITE --json --id="+tt.id)
		total := read[report.CostTable](c, exitPassed, "cost --json "+tt.id).Total
		for who, n := range map[string][3]int{
			"plan":   {plan.ToPay, plan.Cached, plan.Shared},
			"report": {sum.Cost.Calls, sum.Cost.Cached - sum.Cost.Shared, sum.Cost.Shared},
			"cost":   {total.Calls, total.Cached - total.Shared, total.Shared},
		} {
			if n != [3]int{tt.paid, tt.earlier, tt.shared} {
				t.Errorf("run %s: %s counts %v", tt.id, who, n)
			}
		}
		for _, line := range []string{"cost ", "report ", "report --as=markdown "} {
			holds(t, flat(c.words(exitPassed, line+tt.id).out), tt.words)
		}
	}
	// Side a's replies are those of the runs before.
	ab := c.compare(exitPassed, "ab SUITE --b model=gpt-4.1-mini --id=z -q")
	for i, want := range [2][3]int{{0, 12, 12}, {12, 0, 12}} {
		if s := ab.Sides[i]; [3]int{s.Calls - s.Cached, s.Cached, s.Shared} != want {
			t.Errorf("ab counts %+v", s)
		}
	}
}

func TestAReplyThatWasThereTookNoTime(t *testing.T) {
	t.Parallel()
	c := newCourt(t, courtScript(), usualCourt+"cache: 30d\n")
	c.words(exitPassed, "run SUITE --id=x -q")
	c.words(exitPassed, "run SUITE --id=y -q")
	for _, row := range c.cells("y") {
		if row["latency_ms"] != "" {
			t.Errorf("%s took %s ms", row["case"], row["latency_ms"])
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(c.words(exitPassed, "report y --as=jsonl").out), "\n") {
		var row struct{ Calls []newel.Call }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if call := row.Calls[0]; call.ClientMS != 0 || call.WaitedMS != 0 || call.Reused == nil || call.Reused.ClientMS == 0 {
			t.Errorf("%+v, reused %+v", call, call.Reused)
		}
	}
}

func TestRowsStandUnderTheModelOfTheirFirstCall(t *testing.T) {
	t.Parallel()
	c := newCourt(t, courtScript(), strings.Replace(usualCourt, "audit: 1", "audit: 0", 1)+"cache: 30d\n")
	c.words(exitPassed, "run SUITE --id=x -q")
	rows := map[string]int{}
	for _, l := range read[report.CostTable](c, exitPassed, "cost x --json --by=model").Lines {
		rows[l.Key] = l.Rows
	}
	// The floor settles every fourth of 12.
	if len(rows) != 2 || rows["none"] != 3 || rows["gpt-4o-mini-2026-01-01"] != 9 {
		t.Errorf("rows by model: %v", rows)
	}
}

// Calls that hang when a run is killed may have been billed; replies that had come
// are paid for, though no row was read from them.
func TestCostTellsOfAttemptsThatWereLost(t *testing.T) {
	t.Parallel()
	const flight = 3
	var hung atomic.Int32
	b := newBench(t, setting{cases: 30, judge: fmt.Sprintf("  in_flight: %d\n  timeout: 1m\n", flight), script: upstream.Script{Act: func(c *upstream.Call) upstream.Act {
		if markedCase(c) < 20 {
			return judgement(c)
		}
		hung.Add(1)
		return upstream.Act{Hang: true}
	}}})
	p := b.begin(t, "run", b.suite, "--id=x")
	await(t, "calls to hang", func() bool { return hung.Load() == flight }, p.done)
	p.signal(os.Interrupt)
	p.says("interrupt again")
	p.signal(os.Interrupt)
	wantCode(t, p.wait(), exitInterrupted)
	sp := b.spending(t, "x")
	if sp.Open < flight || sp.Reserved == 0 {
		t.Fatalf("the journal has %+v", sp)
	}
	for _, by := range []string{"rubric", "model", "suite", "layer"} {
		var table report.CostTable
		if got := b.call(t, "cost", "x", "--json", "--by="+by); json.Unmarshal([]byte(got.out), &table) != nil {
			t.Fatal(got)
		}
		if table.Total.Lost != sp.Open || table.Total.HeldUSD != sp.Reserved {
			t.Errorf("by %s: %+v, the journal has %+v", by, table.Total, sp)
		}
	}
	want := fmt.Sprintf("%d attempts under way or lost, at most %s more", sp.Open, sp.Reserved.AtMost())
	for _, line := range [][]string{{"cost", "x"}, {"report", "x"}, {"report", "x", "--as=markdown"}} {
		holds(t, flat(b.call(t, line...).out), want)
	}
}
