package main

import (
	"os"
	"strings"
	"testing"

	"newel/bench/upstream"
)

// What can be known before a call is told before one: exit 2, nothing asked and
// no run left behind.
func TestWhatIsWrongWithAGatewayIsToldBeforeItCosts(t *testing.T) {
	t.Parallel()
	const usual = `gateway: {name: main, url: "${GW}", key_env: GWKEY}`
	tests := []struct {
		name     string
		old, new string // in the suite
		env      []string
		says     []string
	}{
		{"an unknown dialect", usual, `gateway: {name: main, url: "${GW}", key_env: GWKEY, dialect: litelm}`, nil, []string{"suite.yaml:", "litelm", "litellm"}},
		{"a model without a price under a budget", "model: gpt-4o-mini", "model: nobody-prices-this\nbudget: {usd: 1}\n", nil, []string{"suite.yaml:", "no price", "nobody-prices-this", "prices: FILE"}},
		{"no key", "", "", []string{"GW=http://127.0.0.1:1/v1"}, []string{"suite.yaml:", "GWKEY", "not set"}},
		{"an empty key", "", "", []string{"GW=http://127.0.0.1:1/v1", "GWKEY="}, []string{"GWKEY", "not set"}},
		{"a key with the line end of its file", "", "", []string{"GW=http://127.0.0.1:1/v1", "GWKEY=" + canary + "\n"}, []string{"GWKEY", "line end"}},
		{"a key in the query", usual, `gateway: {name: main, url: "http://127.0.0.1:1/v1?api-key=` + canary + `", key_env: GWKEY}`, nil, []string{"suite.yaml:", "api-key", "${NEWEL_GATEWAY}"}},
		{"no address", "", "", []string{"GWKEY=k"}, []string{"GW", "not set"}},
		{"an address that is none", "", "", []string{"GW=localhost:4000", "GWKEY=" + canary}, []string{"not one of http or https"}},
		{"a password in the suite", usual, `gateway: {name: main, url: "http://user:` + canary + `@127.0.0.1:1/v1", key_env: GWKEY}`, nil, []string{"suite.yaml:", "password", "${"}},
		{"a key in the suite", usual, `gateway: {name: main, url: "${GW}", headers: {Authorization: "Bearer ` + canary + `"}}`, nil, []string{"suite.yaml:", "${"}},
		{"a key in the suite in place of its variable's name", usual, `gateway: {name: main, url: "${GW}", key_env: ` + canary + `}`, nil, []string{"suite.yaml:"}},
		{"two gateways of one name", "", `  - name: second
    judge: {prompt: "builtin:faithfulness@1", sample: all, gateway: {name: main, url: "http://other.invalid/v1"}}
judge:
`, nil, []string{"another name"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, setting{cases: 5})
			text, err := os.ReadFile(b.suite)
			if err != nil {
				t.Fatal(err)
			}
			old := tt.old
			if old == "" && tt.new != "" {
				old = "judge:\n"
			}
			if tt.new != "" {
				write(t, b.dir, "suite.yaml", strings.Replace(string(text), old, tt.new, 1))
			}
			env := b.env
			if tt.env != nil {
				env = tt.env
			}
			got := b.with(t, env, nil, "run", b.suite, "--id=x", "-q")
			wantCode(t, got, exitUsage)
			for _, want := range tt.says {
				if !strings.Contains(got.err, want) {
					t.Errorf("it does not say %q:\n%s", want, got.err)
				}
			}
			if strings.Contains(got.err+got.out, canary) {
				t.Errorf("it repeats a secret:\n%s", got.err)
			}
			if n := b.up.Counts().Requests; n != 0 {
				t.Errorf("%d requests", n)
			}
			if standing(t, b.dir, "x") != nil {
				t.Error("there is a run")
			}
			t.Log(got.err)
		})
	}
}

// An answer without end is read so far and no farther, and is one row's error.
func TestAnAnswerThatIsTooLargeIsARowsError(t *testing.T) {
	t.Parallel()
	huge := `{"choices":[{"message":{"content":"` + strings.Repeat("x", 17<<20) + `"}}]}`
	b := newBench(t, setting{cases: 10, script: upstream.Script{Act: func(c *upstream.Call) upstream.Act {
		if markedCase(c) == 4 {
			return upstream.Act{Body: huge}
		}
		return judgement(c)
	}}})
	b.run(t, exitPassed, "x")
	_, sum := b.sealed(t, "x")
	got := b.call(t, "show", "x", "--case=case-4")
	if sum.Cases.Error != 1 || !strings.Contains(got.out, "larger than") || b.up.Counts().Requests != 10 {
		t.Errorf("cases %+v, %d requests\n%s", sum.Cases, b.up.Counts().Requests, got.out)
	}
	b.replays(t, "x")
}

// A model that only the case names must have a price under a budget all the same.
func TestAModelOfTheCaseNeedsAPriceUnderABudget(t *testing.T) {
	t.Parallel()
	const cases = 10
	of := func(t testing.TB, top string) *bench {
		b := newBench(t, setting{cases: cases, top: top})
		text, err := os.ReadFile(b.suite)
		if err != nil {
			t.Fatal(err)
		}
		write(t, b.dir, "suite.yaml", strings.Replace(string(text), "model: gpt-4o-mini", "model: {from: outputs.old}", 1))
		return b
	}
	b := of(t, "budget: {usd: 1}\n")
	b.run(t, exitPassed, "x")
	_, sum := b.sealed(t, "x")
	if n := b.up.Counts().Requests; n != 0 || sum.Cases.Error != cases {
		t.Errorf("%d requests of unknown cost under a budget, cases %+v", n, sum.Cases)
	}
	if got := b.call(t, "show", "x", "--case=case-4"); !strings.Contains(got.out, "there is no price for model") {
		t.Errorf("it is not said why:\n%s", got.out)
	}
	if got := b.with(t, nil, nil, "replay", "x"); got.code != exitPassed {
		t.Errorf("replay: exit %d\n%s%s", got.code, got.out, got.err)
	}
	if n := of(t, "").asks(t, "x", nil); n != cases {
		t.Errorf("without a budget %d requests, want %d", n, cases)
	}
}

// A budget that a run gets only when it goes on must be one that can be held.
func TestABudgetForARunWithoutPricesIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, setting{cases: 10, script: refusing(401, "no")})
	text, err := os.ReadFile(b.suite)
	if err != nil {
		t.Fatal(err)
	}
	write(t, b.dir, "suite.yaml", strings.Replace(string(text), "model: gpt-4o-mini", "model: nobody-prices-this", 1))
	b.run(t, exitIncomplete, "x")
	asked := b.up.Counts().Requests
	got := b.call(t, "resume", "x", "--budget=1", "-q")
	if got.code != exitUsage || !strings.Contains(got.err, "no price for model") || b.up.Counts().Requests != asked {
		t.Errorf("exit %d after %d more requests\n%s", got.code, b.up.Counts().Requests-asked, got.err)
	}
	if sp := b.spending(t, "x"); sp.Budget != nil {
		t.Errorf("a budget of $%s is left", *sp.Budget)
	}
}
