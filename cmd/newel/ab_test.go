package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"newel"
	"newel/bench/upstream"
	"newel/report"
)

// abScript has two models: gpt-4.1-mini fails multiples of 3, as people do, and
// writes twice as much; any other fails multiples of 5.
func abScript() upstream.Script {
	s := courtScript()
	const pass, fail = `{"analysis":"fine","verdict":"pass","check":"` + upstream.Mark + `"}`, `{"analysis":"not so","verdict":"fail","check":"` + upstream.Mark + `"}`
	three, five := failsNumbers(3, pass, fail), failsNumbers(5, pass, fail)
	s.Act = func(c *upstream.Call) upstream.Act {
		if c.Model != "gpt-4.1-mini" {
			return five(c)
		}
		act := three(c)
		act.Usage = &upstream.Usage{In: 300, Out: 80}
		return act
	}
	return s
}

const abWords = "ab SUITE --a model=gpt-4o-mini --b model=gpt-4.1-mini --id=x -q"

// compare is what ab says.
func (c *court) compare(code int, line string) (ab report.AB) {
	c.t.Helper()
	got := c.words(code, line+" --json")
	if err := json.Unmarshal([]byte(got.out), &ab); err != nil {
		c.t.Fatalf("%v\n%s", err, got.out)
	}
	return ab
}

func TestABReadsAsTheGoldenFilesDo(t *testing.T) {
	t.Parallel()
	c := newCourt(t, abScript(), usualCourt+"cache: 30d\ngate: [{rubric: grounded, min: 0.99}]\n")
	likeGolden(t, "ab-text", steady(c.words(exitPassed, abWords).out, c.dir))
	if n := c.asked(); n != 24 {
		t.Errorf("%d calls were made, want 12 for each side", n)
	}
	// The same once more goes on with the same runs.
	likeGolden(t, "ab-markdown", steady(c.words(exitPassed, abWords+" --as=markdown").out, c.dir))
	likeGolden(t, "ab-json", steady(c.words(exitPassed, abWords+" --json").out, c.dir))
	if n := c.asked(); n != 0 {
		t.Errorf("%d calls were made again", n)
	}
}

func TestABCountsDollarsAndAgreement(t *testing.T) {
	t.Parallel()
	c := newCourt(t, abScript(), usualCourt+"cache: 30d\n")
	const a, b = 300*150_000 + 40*600_000, 300*150_000 + 80*600_000 // a call
	got := c.compare(exitPassed, abWords)
	r := got.Rubrics[0]
	// People fail 0, 3, 6 and 9; a fails 0, 5 and 10; b fails 0, 3, 6 and 9.
	if s := r.Sides[0]; *s.USD != 12*a || *s.PerVerdict != a || s.N != 12 || s.Agree != 7 || *s.PerAgreed != 12*a/7 || s.Failures != 4 || s.Caught != 1 || *s.PerCaught != 12*a {
		t.Errorf("a: %+v", s)
	}
	if s := r.Sides[1]; *s.USD != 12*b || s.Agree != 12 || *s.Kappa != 1 || s.Caught != 4 || *s.PerCaught != 3*b {
		t.Errorf("b: %+v", s)
	}
	if m := r.Between; m.N != 12 || m.Agree != 7 || m.Missing != 0 {
		t.Errorf("between: %+v", m)
	}
	d := r.Differ
	if d.N != 5 || *d.USD[0] != 5*a || *d.USD[1] != 5*b || d.Labelled != 5 || d.Right != [2]int{0, 5} || strings.Join(d.Cases, " ") != "case-3 case-5 case-6 case-9 case-10" {
		t.Errorf("differing: %+v", d)
	}
	// Replies that were there already cost what they cost.
	c.asked()
	again := c.compare(exitPassed, strings.Replace(abWords, "--id=x", "--id=y", 1))
	if n := c.asked(); n != 0 || *again.Sides[0].USD != 12*a || again.Sides[0].PaidUSD != 0 || again.Sides[0].Cached != 12 || *again.Rubrics[0].Sides[1].USD != 12*b {
		t.Errorf("%d calls, %+v", n, again.Sides)
	}
}

func TestABSidesAreRunsLikeOthers(t *testing.T) {
	t.Parallel()
	c := newCourt(t, abScript(), usualCourt)
	c.words(exitPassed, abWords+" --label=why=price --limit=7")
	store := opened(t, c.dir)
	for i, model := range []string{"gpt-4o-mini", "gpt-4.1-mini"} {
		side := abSides[i]
		run, err := store.Run(t.Context(), "x-"+side)
		ok(t, err)
		if fmt.Sprint(run.Labels) != "map[ab:x side:"+side+" why:price]" || run.State != newel.Sealed || run.Plan.Cases != 7 {
			t.Errorf("side %s: %v, %s, %d cases", side, run.Labels, run.State, run.Plan.Cases)
		}
		sel, err := selectionOf(run)
		ok(t, err)
		if !slices.Equal(sel.Overrides, []string{"model=" + model}) {
			t.Errorf("side %s is stored with %q", side, sel.Overrides)
		}
		// A plan that was cut short is made again with what was set.
		app := &app{now: time.Now, env: lookupOf(c.env)}
		s, def, err := app.defineAgain(run)
		ok(t, err)
		if def.Digest != run.Plan.SuiteDigest {
			t.Errorf("side %s, defined again, is another suite", side)
		}
		ok(t, s.Close())
	}
	ok(t, store.Close())
	c.words(exitPassed, "replay x-b")
	holds(t, c.words(exitPassed, "diff x-a x-b").out, "1 broken", "1 fixed")
}

func TestABRefusesToCompareDollarsThatAreNotKnown(t *testing.T) {
	t.Parallel()
	script := abScript()
	script.Dialect, script.Price = "", upstream.Price{}
	c := newCourt(t, script, usualCourt+"cache: 30d\n")
	words := "ab SUITE --b model=house-model --id=x -q"
	got := c.compare(exitIncomplete, words)
	if got.Refused != "of side b's calls the cost of 0.0 % is known; of side b's calls for grounded the cost of 0.0 % is known" {
		t.Errorf("refused: %q", got.Refused)
	}
	r := got.Rubrics[0]
	for i := range r.Sides {
		if got.Sides[i].USD != nil || r.Sides[i].USD != nil || r.Sides[i].PerVerdict != nil || r.Sides[i].PerAgreed != nil || r.Sides[i].PerCaught != nil || r.Differ.USD[i] != nil {
			t.Errorf("side %d has dollars: %+v %+v", i, got.Sides[i], r)
		}
	}
	if r.Between.N != 12 {
		t.Errorf("agreement is not compared: %+v", r.Between)
	}
	holds(t, c.words(exitIncomplete, words).out, "dollars are not compared: of side b's calls the cost of 0.0 % is known", "95.0 % are needed")
	holds(t, c.words(exitIncomplete, words+" --as=markdown").out, "**Dollars are not compared:**")
}

func TestABThatIsWrongRunsNothing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ flags, want string }{
		"no side":                 {"", "say what differs"},
		"no value":                {"--a model", `--a "model": write KEY=VALUE`},
		"a key set twice":         {"--a model=x --a model=y", "--a: model is set twice"},
		"an unknown key":          {"--b modle=x", `--b modle=x: there is no key "modle" to set (did you mean "model"?)`},
		"an unknown dialect":      {"--a gateway.dialect=litelm", "--a gateway.dialect=litelm: there is no dialect"},
		"the very same":           {"--b model=gpt-4o-mini", "both sides ask the very same"},
		"one name, two urls":      {"--b gateway.url=http://127.0.0.1:1/v1", `both sides call their gateway "main"`},
		"a password in a url":     {"--b gateway.url=http://u:hunter2@127.0.0.1:1/v1 --b gateway.name=other", "--b gateway.url: gateway: a name and password in a url"},
		"a variable that is none": {"--b gateway.url=${OTHER} --b gateway.name=other", "the variable OTHER is not set"},
		"a label of its own":      {"--b model=x --label ab=1", "ab sets it itself"},
		"a long id":               {"--b model=x --id " + strings.Repeat("x", 99), "at most 98"},
		"an unknown form":         {"--b model=x --as html", `--as "html"`},
		"a rubric without judge":  {"--b model=x --rubric plain", "side a asks no judge"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCourt(t, abScript(), strings.Replace(usualCourt, "judge:\n", "  - name: plain\n    floor: [contains: x]\njudge:\n", 1))
			got := c.words(exitUsage, "ab SUITE "+tt.flags)
			holds(t, got.err, tt.want)
			if strings.Contains(got.err, "hunter2") {
				t.Errorf("it shows the password: %s", got.err)
			}
			if n := c.asked(); n > 0 {
				t.Errorf("%d calls were made", n)
			}
		})
	}
}

func TestABGoesOnWhereABudgetEnded(t *testing.T) {
	t.Parallel()
	script := abScript()
	script.Usage = &upstream.Usage{In: 3000, Out: 400} // 0.00069 a call
	c := newCourt(t, script, usualCourt+"budget: {usd: 0.004}\ncache: 30d\n")
	got := c.words(exitIncomplete, abWords)
	holds(t, got.err, "resume x-a --budget")
	first := c.asked()
	c.words(exitPassed, "resume x-a --budget=1 -q")
	if ab := c.compare(exitPassed, abWords); ab.Sides[0].Calls != 12 || ab.Sides[1].Calls != 12 {
		t.Errorf("%+v", ab.Sides)
	}
	if n := first + c.asked(); n != 24 {
		t.Errorf("%d calls were made, want 24", n)
	}
}

func TestABJudgesTheOutputsOfOneTarget(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"reply": "Order %d ships today [1]."}`, asked.Add(1))
	}))
	defer server.Close()
	c := newCourt(t, abScript(), `target: {http: {url: "`+server.URL+`", body: {q: "{{ input }}"}, take: {output: /reply}}}
`+usualCourt)
	write(t, c.dir, "cases.jsonl", `{"id": "a", "input": "one", "context": ["x"]}
{"id": "b", "input": "two", "context": ["x"]}
`)
	if ab := c.compare(exitPassed, abWords); ab.Rubrics[0].Between.N != 2 {
		t.Errorf("%+v", ab.Rubrics[0].Between)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("the target was asked %d times, want 2", n)
	}
}

func TestLabelsAndChoicesAreComparedInTheSameWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		label     string
		said      abSaid
		want, got string
		ok        bool
	}{
		{`true`, abSaid{verdict: newel.Fail}, "pass", "fail", true},
		{`"fail"`, abSaid{verdict: newel.Fail, choice: "tie"}, "fail", "fail", true},
		{`"refusal"`, abSaid{verdict: newel.Pass, choice: "refusal"}, "refusal", "refusal", true},
		{`"refusal"`, abSaid{verdict: newel.Pass}, "", "", false},
		{`3`, abSaid{verdict: newel.Pass}, "", "", false},
		{`true`, abSaid{verdict: newel.Failed}, "", "", false},
		{``, abSaid{verdict: newel.Pass}, "", "", false},
	} {
		var label newel.Raw
		if tt.label != "" {
			label = newel.Raw(tt.label)
		}
		if want, got, ok := compared(label, &tt.said); want != tt.want || got != tt.got || ok != tt.ok {
			t.Errorf("%s beside %+v: %q %q %t", tt.label, tt.said, want, got, ok)
		}
	}
	var c cross
	if n, agree, rate, kappa := c.figures(); n != 0 || agree != 0 || rate != nil || kappa != nil {
		t.Error("nothing has figures")
	}
	for _, p := range []string{"aa", "aa", "bb", "ab"} {
		c.add(p[:1], p[1:])
	}
	// Agreement 3/4, by chance (3·2 + 1·2)/16 = 1/2: kappa 1/2.
	if n, agree, rate, kappa := c.figures(); n != 4 || agree != 3 || *rate != 0.75 || *kappa != 0.5 {
		t.Errorf("%d of %d, %v, kappa %v", agree, n, *rate, *kappa)
	}
}
