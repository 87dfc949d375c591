package check

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"newel"
)

// rule is one row of a table: a check, what it looks at, and what it says.
type rule struct {
	name  string
	check string // as JSON
	in    string // the output as text; for one that is no text, use of
	of    *newel.Case
	want  string // verdict, then value, explanation or error as far as written
}

// ruleSays writes a score as a rule's want does.
func ruleSays(s newel.Score) string {
	out := s.Verdict.String()
	if s.HasValue {
		out += " " + s.Value.String()
	}
	if s.Err != nil {
		out += " " + string(s.Err.Kind) + ": " + s.Err.Message
	}
	if s.Explanation != "" {
		out += ": " + s.Explanation
	}
	return out
}

func ruleCheck(t testing.TB, text string, env *Env) (*Check, error) {
	t.Helper()
	v, err := newel.ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var m newel.Mistakes
	c := Build(newel.NodeOf(v, newel.Pos{File: "s.yaml", Line: 7, Column: 3}), env, &m)
	return c, m.Err()
}

func testRules(t *testing.T, rules []rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			c, err := ruleCheck(t, r.check, &Env{})
			if err != nil {
				t.Fatal(err)
			}
			of := r.of
			if of == nil {
				of = &newel.Case{ID: "a"}
			}
			if of.Output == nil {
				copied := *of
				copied.Output = newel.AppendString(nil, r.in)
				of = &copied
			}
			subject := newel.NewSubject(&newel.Item{Case: of, Trial: 1})
			score := c.Score(context.Background(), subject)
			if got := ruleSays(score); got != r.want {
				t.Errorf("%s\ngot  %s\nwant %s", r.check, got, r.want)
			}
			if score.Verdict == newel.Fail && score.Explanation == "" {
				t.Error("a fail without an explanation")
			}
		})
	}
}

// mistake is a check that does not build, and why.
type mistake struct{ name, check, want string }

func testMistakes(t *testing.T, mistakes []mistake) {
	t.Helper()
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			_, err := ruleCheck(t, m.check, &Env{})
			if err == nil {
				t.Fatal("it builds")
			}
			if diff := cmp.Diff(m.want, strings.ReplaceAll(err.Error(), "s.yaml:7:3: ", "")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// varsCase returns a case with some vars, each a name and its JSON.
func varsCase(pairs ...string) *newel.Case {
	c := &newel.Case{ID: "a"}
	for i := 0; i < len(pairs); i += 2 {
		c.Vars = append(c.Vars, newel.Named{Name: pairs[i], Value: newel.Raw(pairs[i+1])})
	}
	return c
}

func outputCase(raw string) *newel.Case {
	return &newel.Case{ID: "a", Output: newel.Raw(raw)}
}

// ownSpecs are the checks that this file's neighbours test.
func ownSpecs() []*Spec {
	return []*Spec{exprSpec(), regexSpec(), secretsSpec(), piiSpec(), bannedSpec(), languageSpec(), lengthSpec(), countSpec(),
		oneOfSpec(), rangeSpec(), fieldsSpec(), stepsSpec(), ifevalSpec(), latencySpec(), costSpec(), usageSpec()}
}

func TestUnknownParametersOfRulesAreNamed(t *testing.T) {
	t.Parallel()
	for _, spec := range ownSpecs() {
		name := spec.Params[0].Name
		typo := name + "x"
		_, err := ruleCheck(t, fmt.Sprintf(`{%q: {%q: 1, "at": "output"}}`, spec.Name, typo), &Env{})
		want := fmt.Sprintf("%s has no parameter %q (did you mean %q?)", spec.Name, typo, name)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", spec.Name, err, want)
		}
	}
}

func TestRulesScoreAnOutputThatIsMissingAsAFail(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"expr": "output_text == ''"}`, `{"regex": "."}`, `"secrets"`, `"pii"`, `{"banned": ["x"]}`, `{"language": "de"}`,
		`{"length": {"max": 3}}`, `{"count": {"min": 0}}`, `{"one-of": ["a"]}`, `{"range": {"min": 0}}`, `{"fields": ["a"]}`, `{"ifeval": [{"id": "punctuation:no_comma"}]}`} {
		c, err := ruleCheck(t, text, &Env{})
		if err != nil {
			t.Fatal(err)
		}
		score := c.Score(context.Background(), newel.NewSubject(&newel.Item{Case: &newel.Case{ID: "a"}}))
		if score.Verdict != newel.Fail || score.Explanation != "there is no output" {
			t.Errorf("%s: %s", text, ruleSays(score))
		}
	}
}

func TestRulesRefuseTextsThatAreTooLong(t *testing.T) {
	t.Parallel()
	long := newel.AppendString(nil, strings.Repeat("a", maxText+1))
	for _, text := range []string{`{"regex": "b"}`, `"secrets"`, `"pii"`, `{"banned": ["x"]}`, `{"count": {"regex": "a"}}`, `{"ifeval": [{"id": "punctuation:no_comma"}]}`} {
		c, err := ruleCheck(t, text, &Env{})
		if err != nil {
			t.Fatal(err)
		}
		score := c.Score(context.Background(), newel.NewSubject(&newel.Item{Case: &newel.Case{ID: "a", Output: long}}))
		if score.Verdict != newel.Failed || score.Err.Kind != newel.KindLimit {
			t.Errorf("%s: %s", text, ruleSays(score))
		}
	}
}

func BenchmarkRules(b *testing.B) {
	text := strings.Repeat("The order 17 ships today, and the refund of 12.50 follows within a week. ", 8)
	c := &newel.Case{ID: "a", Output: newel.AppendString(nil, text), Run: newel.Raw(`{"latency_ms": 120}`),
		Dims: []newel.Dim{{Name: "language", Value: "en"}}}
	for _, text := range []string{`{"expr": "size(output_text) > 100 && size(output_text) < 2000"}`, `{"regex": "ships (today|tomorrow)"}`, `"secrets"`, `"pii"`,
		`{"banned": ["guaranteed return", "risk-free"]}`, `{"language": {"from": "dims.language"}}`, `{"length": {"max": 2000, "unit": "words"}}`, `{"length": {"max": 2000}}`,
		`{"count": {"of": "refund", "min": 1}}`, `{"ifeval": [{"id": "keywords:existence", "args": {"keywords": ["refund"]}}]}`, `{"latency": {"max": "2s"}}`} {
		b.Run(text, func(b *testing.B) {
			check, err := ruleCheck(b, text, &Env{})
			if err != nil {
				b.Fatal(err)
			}
			s := newel.NewSubject(&newel.Item{Case: c})
			b.ReportAllocs()
			for b.Loop() {
				if score := check.Score(context.Background(), s); score.Verdict != newel.Pass {
					b.Fatal(ruleSays(score))
				}
			}
		})
	}
}

func TestExamplesOfRulesBuild(t *testing.T) {
	t.Parallel()
	for _, spec := range ownSpecs() {
		var v any
		if err := yaml.Unmarshal([]byte(spec.Example), &v); err != nil {
			t.Errorf("%s: %v", spec.Name, err)
			continue
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := ruleCheck(t, string(b), &Env{}); err != nil || c.Name() != spec.Name {
			t.Errorf("%s: %s: %v", spec.Name, spec.Example, err)
		}
	}
}
