package check

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"newel"
)

// promised are the checks that the guide names, by family.
var promised = map[string][]string{
	"schema":     {"json", "json-schema", "tool-calls", "xml", "sql", "csv-columns"},
	"regex":      {"regex", "secrets", "pii", "banned", "language"},
	"structural": {"length", "count", "one-of", "range", "fields", "steps", "expr", "ifeval", "case-checks"},
	"citation":   {"citations"},
	"reference": {"equals", "contains", "contains-any", "contains-all", "starts-with", "ends-with", "exact-match", "number",
		"token-f1", "rouge", "bleu", "chrf", "levenshtein", "similarity-set", "retrieval"},
	"run":   {"latency", "cost", "usage"},
	"group": {"not", "any", "all"},
}

func TestTableHoldsWhatIsPromised(t *testing.T) {
	t.Parallel()
	for family, names := range promised {
		for _, name := range names {
			s, ok := Find(name)
			if !ok {
				t.Errorf("there is no %s", name)
			} else if s.Family != family {
				t.Errorf("%s is of family %s, not %s", name, s.Family, family)
			}
		}
	}
}

func TestTableIsComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range Table() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			switch {
			case s.About == "":
				t.Error("it does not say what it is about")
			case !slices.Contains(Families(), s.Family):
				t.Errorf("there is no family %q", s.Family)
			case s.Main != "" && !slices.ContainsFunc(s.Params, func(p Param) bool { return p.Name == s.Main }):
				t.Errorf("its main parameter %s is none", s.Main)
			case s.Build == nil:
				t.Error("it does not build")
			}
			names := map[string]bool{}
			for _, p := range s.All() {
				if p.Name == "" || p.Type == "" || p.About == "" || names[p.Name] {
					t.Errorf("parameter %q is not described, or twice", p.Name)
				}
				names[p.Name] = true
			}
		})
		if seen[s.Name] {
			t.Errorf("two checks are called %s", s.Name)
		}
		seen[s.Name] = true
	}
}

// exampleOf returns a spec's example as a list entry.
func exampleOf(t *testing.T, s *Spec) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte("- "+s.Example), &v); err != nil {
		t.Fatalf("%s: %v", s.Example, err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := newel.ParseJSON(b)
	if err != nil {
		t.Fatal(err)
	}
	return decoded.([]any)[0]
}

func TestTableExamplesBuild(t *testing.T) {
	t.Parallel()
	for _, s := range Table() {
		c, err := buildFrom(exampleOf(t, s), &Env{ReadFile: readFrom(nil)})
		if err != nil || c.Name() != s.Name {
			t.Errorf("%s: %v", s.Example, err)
		}
	}
}

// Every documented parameter is known: a wrong value may be refused, the name
// may not.
func TestTableParametersAreTaken(t *testing.T) {
	t.Parallel()
	for _, s := range Table() {
		a := newArgs(s, nil, newel.Pos{}, &Env{}, &newel.Mistakes{})
		for _, p := range s.All() {
			if !a.knows(p.Name) {
				t.Errorf("%s does not know %s", s.Name, p.Name)
			}
		}
	}
}

// Under {from: PATH} every parameter is read from the case, or refused with a
// mistake at its place; none is ignored in silence.
func TestTableParametersComeFromTheCase(t *testing.T) {
	t.Parallel()
	fixed := []string{"name", "settles", "allow", "at", "from"}
	for _, s := range Table() {
		for _, p := range append(slices.Clone(s.Params), s.Extra...) {
			if slices.Contains(fixed, p.Name) {
				continue
			}
			t.Run(s.Name+" "+p.Name, func(t *testing.T) {
				t.Parallel()
				start := exampleOf(t, s)
				if s.Name == "equals" { // its example is of JSON, which is not folded
					start = map[string]any{"equals": "a"}
				}
				c, err := buildFrom(withParam(start, s, p.Name), &Env{ReadFile: readFrom(nil)})
				if err != nil {
					return // refused: it says so
				}
				if !asks(c, "vars.absent") {
					t.Errorf("{from: vars.absent} is taken and never asked for")
				}
			})
		}
	}
}

// withParam returns an example with one parameter read from vars.absent.
func withParam(example any, s *Spec, name string) any {
	params := map[string]any{}
	switch e := example.(type) {
	case map[string]any:
		if m, ok := e[s.Name].(map[string]any); ok {
			params = m
		} else if s.Main != "" {
			params[s.Main] = e[s.Name]
		}
	}
	params[name] = map[string]any{"from": "vars.absent"}
	return map[string]any{s.Name: params}
}

// asks reports whether the check asks one of some cases for a field that no
// case has.
func asks(c *Check, path string) bool {
	for _, output := range []string{
		`"The order 17 ships today [1], a refund of 12.50 \"within the week\"."`, `"17"`, `""`, `"a,b\nid,amount\n"`, `"id,amount\n1,2\n"`, `"<order><item/><total/></order>"`, `"SELECT a FROM t"`,
		`{"order": {"id": 17, "state": "shipped"}, "items": [1, 2], "tags": ["refund"], "score": 0.5, "amount": 1, "id": 1, "customer": {"name": "x"}}`,
		`{"score": "0,5"}`, `[{"name": "get_order", "arguments": {"id": 17}}]`, `["d1"]`,
	} {
		for _, reference := range []string{`"The order 17 ships today"`, `17`, `["d1"]`} {
			of := &newel.Case{ID: "a", Output: newel.Raw(output), Reference: newel.Raw(reference), Context: []newel.Passage{{ID: "d1", Text: "The order 17 ships today within the week."}},
				Vars: []newel.Named{{Name: "relevant", Value: newel.Raw(`["d1"]`)}}, Run: newel.Raw(`{"latency_ms": 1, "cost_usd": 1, "usage": {"output_tokens": 3, "total_tokens": 4}}`), Dims: []newel.Dim{{Name: "language", Value: "en"}}}
			score := c.Score(context.Background(), subjectWith(of))
			if score.Err != nil && strings.Contains(score.Err.Message, path) {
				return true
			}
		}
	}
	return false
}

func TestAnEmptyNameIsNoCheck(t *testing.T) {
	t.Parallel()
	testMistakes(t, []mistake{
		{"by itself", `""`, `unknown check ""; newel checks lists them`},
		{"within a group", `{"not": {"": []}}`, `unknown check ""; newel checks lists them`},
	})
}
