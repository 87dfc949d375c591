package main

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"newel"
	"newel/report"
	"newel/store/memory"
)

// steady blots out digests, instants and folders.
func steady(text, dir string) string {
	text = strings.ReplaceAll(text, dir, "DIR")
	text = regexp.MustCompile(`([^.\w])(?:[0-9a-f]{64}|[0-9a-f]{12})\b`).ReplaceAllString(text, "${1}##########")
	return regexp.MustCompile(`20\d\d-\d\d-\d\d \d\d:\d\d(:\d\d)?`).ReplaceAllString(text, "2027-01-30 12:00")
}

func TestPlanCountsTheCallsThatARunThenMakes(t *testing.T) {
	t.Parallel()
	const judge = "judge:\n  gateway: {name: main, url: \"${GW}\", key_env: GWKEY}\n  model: gpt-4o-mini\ncache: 30d\n"
	for name, text := range map[string]string{
		"all of the residual, all audited": usualCourt + "cache: 30d\n",
		"a sample, and an audit that the plan fixes": `rubrics:
  - name: grounded
    floor: [contains: {value: "[1]", settles: fail}]
    judge: {prompt: "builtin:groundedness@1", sample: 0.5}
  - name: short
    judge: {criterion: Is short., sample: 0.5}
` + judge,
		"criteria, models and votes": `rubrics:
  - name: kind
    judge: {criterion: [Is kind., Is short.], sample: all, models: [gpt-4o-mini, gpt-4.1-mini], votes: 2}
` + judge,
		"two rubrics that ask the same": `rubrics:
  - name: kind
    judge: {criterion: Is kind., sample: all}
  - name: kind-again
    judge: {criterion: Is kind., sample: all}
` + judge,
		"a floor that breaks and an output that cannot be read": `rubrics:
  - name: kind
    floor: [expr: "vars.nowhere == 1"]
    judge: {criterion: Is kind., sample: all}
  - name: fields
    judge: {criterion: Is kind., sample: all, at: output_json}
` + judge,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCourt(t, courtScript(), text)
			before := c.plan("").Bill
			if c.asked() > 0 {
				t.Fatal("a plan asked the gateway")
			}
			c.words(exitPassed, "run SUITE --id=x -q")
			if asked := c.asked(); before.Calls != asked || before.ToPay != asked || before.Cached != 0 {
				t.Errorf("it plans %d calls, %d of them to pay; the run made %d", before.Calls, before.ToPay, asked)
			}
			after := c.plan("").Bill
			if after.Cached != before.Calls || after.ToPay != 0 || after.USD == nil || *after.USD != 0 {
				t.Errorf("after the run: %+v", after.BillSum)
			}
			c.words(exitPassed, "run SUITE --id=y -q")
			if n := c.asked(); n > 0 {
				t.Errorf("a run that is paid for asked %d times", n)
			}
		})
	}
}

func TestABillReadsAsTheGoldenFileDoes(t *testing.T) {
	t.Parallel()
	// What a prompt's length comes to is not the golden file's to say.
	usual := strings.Replace(usualCourt, "key_env: GWKEY", "key_env: GWKEY, prices: prices.json", 1)
	c := newCourt(t, courtScript(), usual+"budget: {usd: 0.005}\n")
	write(t, c.dir, "prices.json", `{"newel_prices": 1, "version": "test", "unit": "USD for 1,000,000 tokens", "models": {"gpt-4o-mini": {"provider": "openai", "input": "0", "output": "0.6"}}}`)
	var all strings.Builder
	say := func(what string) {
		fmt.Fprintf(&all, "# %s\n%s\n", what, steady(c.words(exitPassed, "plan SUITE").out, c.dir))
	}
	say("no run yet, no cache")
	c.words(exitPassed, "run SUITE --id=first -q")
	c.later = time.Hour
	say("after a run, no cache")
	c.write(usual + "cache: 30d\n")
	say("after a run, with a cache")
	c.write(strings.Replace(usual, ", audit: 1", "", 1) + "cache: 0\nbudget: {usd: 0.0000001}\n")
	say("no audit written, and a budget that does not hold the least")
	c.write(strings.Replace(usual, "gpt-4o-mini", "house-model", 1) + "cache: 0\nbudget: {usd: 5}\n")
	c.env = nil
	say("another model that nobody has a price of, under a budget, without variables")
	likeGolden(t, "bill", all.String())
}

func TestWhatIsExpectedIsWhatCallsCostBefore(t *testing.T) {
	t.Parallel()
	c := newCourt(t, courtScript(), usualCourt)
	table := c.plan("").Bill.Models[0]
	if table.Run != "" || !table.Priced || table.USD == nil {
		t.Errorf("before any run: %+v", table)
	}
	c.words(exitPassed, "run SUITE --id=x -q")
	b := c.plan("").Bill
	const call = 300*150_000 + 40*600_000 // as the upstream bills it
	if m := b.Models[0]; m.Run != "x" || m.N != 12 || m.USD == nil || *m.USD != call {
		t.Errorf("after a run: %+v", m)
	}
	if b.USD == nil || *b.USD != 12*call || b.MostUSD == nil || *b.MostUSD < *b.USD {
		t.Errorf("12 calls come to %+v", b.BillSum)
	}
	// A run that was paid for by another one says nothing about prices.
	c.write(usualCourt + "cache: 30d\n")
	c.words(exitPassed, "run SUITE --id=y -q")
	c.write(usualCourt)
	if m := c.plan("").Bill.Models[0]; m.Run != "x" {
		t.Errorf("after one that paid nothing: %+v", m)
	}
}

func TestRepliesCountAsPaidForWithinTheWindowOnly(t *testing.T) {
	t.Parallel()
	c := newCourt(t, courtScript(), usualCourt+"cache: 2h\n")
	c.words(exitPassed, "run SUITE --id=x -q")
	c.later = 2*time.Hour - time.Minute
	if b := c.plan("").Bill; b.Cached != 12 {
		t.Errorf("within two hours %d are paid for", b.Cached)
	}
	c.later = 2*time.Hour + time.Minute
	if b := c.plan("").Bill; b.Cached != 0 || b.ToPay != 12 {
		t.Errorf("later %d are paid for, %d are to pay", b.Cached, b.ToPay)
	}
}

// Whoever looks as a run sees that run's own reply first, good or not.
func TestARunsOwnReplyHidesNoBetterOne(t *testing.T) {
	t.Parallel()
	store := memory.New(time.Now)
	defer store.Close()
	ctx := t.Context()
	for _, id := range []string{"old", "new"} {
		ok(t, store.CreateRun(ctx, &newel.Run{ID: id, Suite: "s"}))
	}
	day := time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC)
	entry := func(n byte, run string, good bool, at time.Time) newel.Entry {
		return newel.Entry{Key: newel.Hash{n}, Run: run, Good: good, At: at, Reply: []byte("{}"), Call: []byte("{}")}
	}
	ok(t, store.PutEntries(ctx, []newel.Entry{
		entry(1, "new", false, day), entry(1, "old", true, day),
		entry(2, "new", true, day),
		entry(3, "new", true, day.AddDate(0, 0, -9)),
		entry(4, "old", false, day),
	}))
	p := &past{store, []string{"new", "old"}}
	got, err := p.replies(ctx, []newel.Hash{{1}, {2}, {3}, {4}, {5}}, newel.Window{From: day.Add(-time.Hour), To: day})
	if want := (map[newel.Hash]bool{{1}: true, {2}: true}); err != nil || !maps.Equal(got, want) {
		t.Errorf("found %v (%v), want %v", got, err, want)
	}
}

func TestCallsWithFilesArePlannedWithoutTheirContent(t *testing.T) {
	t.Parallel()
	c := newCourt(t, courtScript(), `rubrics:
  - name: drawn
    judge: {criterion: Shows a house., sample: all, media: true}
judge:
  gateway: {name: main, url: "${GW}", key_env: GWKEY}
  model: gpt-4o-mini
cache: 30d
`)
	write(t, c.dir, "one.png", "\x89PNG one")
	write(t, c.dir, "two.png", "\x89PNG two")
	write(t, c.dir, "cases.jsonl", `{"id": "a", "input": "x", "output": "y", "media": {"path": "one.png"}}
{"id": "b", "input": "x", "output": "y", "media": {"path": "two.png"}}
{"id": "c", "input": "x", "output": "y", "media": {"path": "one.png"}}
`)
	if b := c.plan("").Bill; b.Calls != 2 || *b.MostUSD < 2*50_000*150_000 {
		t.Errorf("%d calls, at most %s", b.Calls, b.MostUSD)
	}
	c.words(exitPassed, "run SUITE --id=x -q")
	if n, b := c.asked(), c.plan("").Bill; n != 2 || b.Cached != 2 {
		t.Errorf("%d calls were made, %d are paid for", n, b.Cached)
	}
}

func TestWhatHangsOnALayerThatDoesNotRunIsAtMost(t *testing.T) {
	t.Parallel()
	c := newCourt(t, courtScript(), strings.Replace(usualCourt, "    judge:", "    classifier: [profanity: {}]\n    judge:", 1))
	view := c.plan("")
	if b := view.Bill; b.Calls != 0 || b.Open != 12 || b.Rubrics[0].Unseen != 12 || len(view.Unready) != 1 {
		t.Errorf("%+v, %q", b, view.Unready)
	}
}

func TestBudgetsAreHeldAgainstTheBill(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		usd  string
		want report.BudgetState
	}{"more than the worst": {"5", report.BudgetHolds}, "between": {"0.005", report.BudgetLikely}, "less than expected": {"0.001", report.BudgetMayNot}, "less than the least": {"0.000001", report.BudgetShort}} {
		c := newCourt(t, courtScript(), usualCourt+"budget: {usd: "+tt.usd+"}\n")
		if b := c.plan("").Bill; b.BudgetState != tt.want || b.Budget.String() != tt.usd {
			t.Errorf("%s: %s; %s to %s", name, b.BudgetState, b.USD, b.MostUSD)
		}
	}
	c := newCourt(t, courtScript(), strings.Replace(usualCourt, "gpt-4o-mini", "house-model", 1)+"budget: {usd: 5}\n")
	view := c.plan("")
	if b := view.Bill; b.BudgetState != report.BudgetUnknown || b.USD != nil || b.UnknownCalls != 12 || b.MostUSD != nil || b.Unbounded != 12 {
		t.Errorf("a model without a price: %+v, %s", b.BillSum, b.BudgetState)
	}
	if len(view.Unready) != 1 || !strings.Contains(view.Unready[0], "house-model") {
		t.Errorf("not to be run yet: %q", view.Unready)
	}
}

func TestCallsThatHangOnATargetAreAtMost(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the target is asked") }))
	defer server.Close()
	c := newCourt(t, courtScript(), `target: {http: {url: "`+server.URL+`", body: {q: "{{ input }}"}, take: {output: /reply}}}
rubrics:
  - name: kind
    judge: {criterion: {from: vars.wishes}, sample: all}
judge:
  gateway: {name: main, url: "${GW}", key_env: GWKEY}
  model: gpt-4o-mini
`)
	write(t, c.dir, "cases.jsonl", `{"id": "a", "input": "x", "wishes": ["Is kind.", "Is short."]}
{"id": "b", "input": "x", "wishes": "Is kind."}
{"id": "c", "input": "x", "output": "y", "wishes": ["Is kind."]}
`)
	view := c.plan("")
	want := report.BillRubric{Name: "kind", Rows: 3, Residual: 1, Drawn: 1, Unseen: 2}
	got := view.Bill.Rubrics[0]
	if got.AuditFixed == nil || *got.AuditFixed != 1 {
		t.Errorf("audited: %v, want all of so few rows", got.AuditFixed)
	}
	got.BillSum, got.AuditFixed = report.BillSum{}, nil
	if got != want || view.Bill.Open != 3 || view.Bill.ToPay != 1 || view.Calls.Target != 2 {
		t.Errorf("%+v, %+v, %d of the target", got, view.Bill.BillSum, view.Calls.Target)
	}
	holds(t, c.words(exitPassed, "plan SUITE").out, "at most 3 calls more", "2 questions to the target")
}

func TestVariablesThatAreNotSetAreNamed(t *testing.T) {
	t.Parallel()
	c := newCourt(t, courtScript(), usualCourt)
	c.env = c.env[:1]
	if v := c.plan(""); fmt.Sprint(v.Variables, v.Unset) != "[GW GWKEY] [GWKEY]" {
		t.Errorf("needs %q, not set %q", v.Variables, v.Unset)
	}
}

// Of long suites items stand for others, so that the work is bounded and the
// counts are right in the mean.
func TestItemsOfLongSuitesStandForOthers(t *testing.T) {
	t.Parallel()
	k := &asking{exact: 20_000}
	looked, weight := 0, 0
	const items = 3_000_000
	for n := range items {
		w := k.weightOf(n)
		if n < k.exact && w != 1 {
			t.Fatalf("item %d has weight %d", n, w)
		}
		looked += min(1, w)
		weight += w
	}
	if looked > 4*k.exact || weight < items*95/100 || weight > items*105/100 {
		t.Errorf("%d items were looked at, which stand for %d of %d", looked, weight, items)
	}
}

func TestMoneyIsNeverMoreThanItHolds(t *testing.T) {
	t.Parallel()
	const most = newel.Money(1<<63 - 1)
	for _, tt := range []struct {
		sum, m newel.Money
		times  int
		want   newel.Money
	}{{1, 2, 3, 7}, {0, 0, 1 << 40, 0}, {most, 0, 5, most}, {most - 1, 1, 1, most}, {most - 1, 1, 2, most}, {0, most / 2, 3, most}} {
		if got := saturated(tt.sum, tt.m, tt.times); got != tt.want {
			t.Errorf("%d + %d × %d is %d, want %d", tt.sum, tt.times, tt.m, got, tt.want)
		}
	}
}

// The audit that the plan fixes is told with its share of the calls, which falls
// with the number of rows.
func TestAnAuditThatNobodyWroteIsToldWithItsCalls(t *testing.T) {
	t.Parallel()
	text := strings.Replace(usualCourt, ", audit: 1", "", 1)
	c := newCourt(t, courtScript(), text)
	b := c.plan("").Bill
	if r := b.Rubrics[0]; r.AuditFixed == nil || *r.AuditFixed != 1 || r.AuditCalls != 3 || r.Calls != 12 {
		t.Errorf("%+v", r)
	}
	holds(t, strings.Join(strings.Fields(c.words(exitPassed, "plan SUITE").out), " "), "not written: the judge sees all of the settled rows as well, 3 of 12", "write audit: 0.02")
	c.write(strings.Replace(text, "sample: all", "sample: all, audit: 0.02", 1))
	if r := c.plan("").Bill.Rubrics[0]; r.AuditFixed != nil || r.AuditCalls > 1 {
		t.Errorf("where it is written: %+v", r)
	}
	if out := c.words(exitPassed, "plan SUITE").out; strings.Contains(out, "not written: the judge") {
		t.Errorf("where it is written it says\n%s", out)
	}
}

// Replies follow the gateway's name, whatever its url: that is told where the url
// is a variable's.
func TestRepliesFollowTheNameOfAGatewayAndThatIsTold(t *testing.T) {
	t.Parallel()
	c := newCourt(t, courtScript(), usualCourt+"cache: 30d\n")
	c.words(exitPassed, "run SUITE --id=x -q")
	c.env = []string{"GW=http://staging.invalid/v1", "GWKEY=k"}
	if b := c.plan("").Bill; b.Cached != 12 || len(b.Named) != 1 || b.Named[0] != "main" {
		t.Errorf("behind another url: %+v, %q", b.BillSum, b.Named)
	}
	c.write(strings.Replace(usualCourt, "${GW}", "https://gateway.example/v1", 1) + "cache: 30d\n")
	if b := c.plan("").Bill; len(b.Named) != 0 {
		t.Errorf("of a written url: %q", b.Named)
	}
}
