package gate_test

import (
	"bytes"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"newel"
	"newel/gate"
	"newel/stat"
)

var update = flag.Bool("update", false, "write the golden files anew")

// nodes turns YAML into nodes with their places.
func nodes(t testing.TB, file, text string) *newel.Node {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return node(file, doc.Content[0])
}

func node(file string, y *yaml.Node) *newel.Node {
	n := &newel.Node{Pos: newel.Pos{File: file, Line: y.Line, Column: y.Column}}
	switch y.Kind {
	case yaml.SequenceNode:
		n.List = []*newel.Node{}
		for _, e := range y.Content {
			n.List = append(n.List, node(file, e))
		}
	case yaml.MappingNode:
		n.Fields = []*newel.Field{}
		for i := 0; i < len(y.Content); i += 2 {
			key := y.Content[i]
			n.Fields = append(n.Fields, &newel.Field{Name: key.Value, Pos: newel.Pos{File: file, Line: key.Line, Column: key.Column}, Node: node(file, y.Content[i+1])})
		}
	default:
		n.Value = y.Value
		if f, err := strconv.ParseFloat(y.Value, 64); err == nil && y.Tag != "!!str" {
			n.Value = f
		} else if y.Tag == "!!bool" {
			n.Value = y.Value == "true"
		}
	}
	return n
}

func info() gate.Info {
	return gate.Info{Rubrics: []gate.RubricInfo{
		{Name: "arguments", Scorers: []string{"json-schema", "expr"}},
		{Name: "grounded", Scorers: []string{"citations", "linear"}},
		{Name: "drift", Measure: true, Scorers: []string{"length", "token-f1"}},
		{Name: "drift.v2", Measure: true, Scorers: []string{"length"}},
		{Name: "own-checks", Open: true},
	}}
}

func parse(t testing.TB, text string) []gate.Rule {
	t.Helper()
	var m newel.Mistakes
	rules := gate.ParseRules(nodes(t, "suite.yaml", text), info(), &m)
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestRulesReadAsPeopleSayThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rule, want string }{
		{"{rubric: arguments, min: 0.99}", "arguments ≥ 0.99"},
		{"{rubric: arguments, min: 1, of: suite}", "arguments ≥ 1, of exactly these cases"},
		{"{rubric: arguments, min: 1, read: estimate}", "arguments ≥ 1, as estimated"},
		{"{rubric: arguments, min: 0.9, confidence: 0.9, looks: 3, advisory: true}", "arguments ≥ 0.9, at 90 %, 3 looks"},
		{"{rubric: arguments, fails: {max: 0}}", "arguments: no fail"},
		{"{rubric: arguments, fails: {max: 1}}", "arguments: at most 1 fail"},
		{"{rubric: arguments, no_worse_than: baseline, margin: 0.02, by: dims.language}", "arguments no worse than baseline by more than 0.02, by language"},
		{"{rubric: arguments, min: 0.9, by: case.dims.route}", "arguments ≥ 0.9, by route"},
		{"{rubric: arguments, min: 0.9, by: /dims/a.b~1c}", "arguments ≥ 0.9, by a.b/c"},
		{"{errors: {max: 0.005}}", "errors ≤ 0.005 per rubric"},
		{"{errors: {max: 0}, rubric: drift, x-note: why}", "drift: errors ≤ 0"},
		{"{cost: {max_usd: 5.00}}", "cost ≤ $5"},
		{"{cost: {max_usd: 0.25}}", "cost ≤ $0.25"},
		{"{mean: drift.token-f1, min: -0.7}", "mean of drift.token-f1 ≥ −0.7"},
		{"{mean: drift.v2.length, min: 3}", "mean of drift.v2.length ≥ 3"},
		{"{mean: own-checks.contains, min: 3}", "mean of own-checks.contains ≥ 3"},
	} {
		rules := parse(t, "- "+c.rule)
		if len(rules) != 1 || rules[0].String() != c.want {
			t.Errorf("%s\nwant %q\n got %q", c.rule, c.want, rules)
		}
	}
}

func TestARuleHoldsWhatWasWritten(t *testing.T) {
	t.Parallel()
	got := parse(t, `
- {rubric: grounded, min: 0.9, by: dims.language, confidence: 0.99, of: suite, looks: 4, advisory: true, read: estimate}
- {mean: drift.v2.length, min: 2.5}
- {cost: {max_usd: 5.25}}
`)
	pos := func(line int) newel.Pos { return newel.Pos{File: "suite.yaml", Line: line, Column: 3} }
	want := []gate.Rule{
		{Kind: gate.MinRate, Rubric: "grounded", Min: 0.9, By: "language", Level: stat.Level{Confidence: 0.99, Looks: 4},
			Of: stat.Suite, Read: stat.ReadEstimate, Advisory: true, Pos: pos(2)},
		{Kind: gate.MinMean, Rubric: "drift.v2", Scorer: "length", Min: 2.5, Pos: pos(3)},
		{Kind: gate.MaxCost, USD: 5*newel.Dollar + newel.Dollar/4, Pos: pos(4)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEveryMistakeIsReportedAtOnceWithItsPlace(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/mistakes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var m newel.Mistakes
	rules := gate.ParseRules(nodes(t, "gate.yaml", string(text)), info(), &m)
	if len(rules) != 0 {
		t.Errorf("want no rule left, got %v", rules)
	}
	got := []byte(m.Error() + "\n")
	if *update {
		if err := os.WriteFile("testdata/mistakes.golden", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/mistakes.golden")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Error(cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")))
	}
	for line := 1; line <= strings.Count(string(text), "\n"); line++ {
		if at := "gate.yaml:" + strconv.Itoa(line) + ":"; strings.Count(string(got), at) != 1 {
			t.Errorf("line %d: want one mistake, got %d", line, strings.Count(string(got), at))
		}
	}
}

func TestAGateThatIsNoList(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{min: 1}": "gate is a list of rules; this is a map",
		"[]":       "gate is an empty list",
	} {
		var m newel.Mistakes
		gate.ParseRules(nodes(t, "f", text), info(), &m)
		if !strings.Contains(m.Error(), want) {
			t.Errorf("%s: want %q, got %q", text, want, m.Error())
		}
	}
	if got := gate.ParseRules(nil, info(), nil); got != nil {
		t.Errorf("no node: want no rules, got %v", got)
	}
}

func FuzzParseRules(f *testing.F) {
	for _, seed := range []string{"- {rubric: arguments, min: 0.9}", "- {mean: a.b, min: x}", "- {cost: {max_usd: 1e300}, looks: -1}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var doc yaml.Node
		if yaml.Unmarshal([]byte(text), &doc) != nil || len(doc.Content) == 0 || strings.ContainsAny(text, "&*") {
			return
		}
		var m newel.Mistakes
		n := node("f", doc.Content[0])
		rules := gate.ParseRules(n, info(), &m)
		if n.IsList() && m.Len() == 0 && len(rules) != len(n.List) {
			t.Errorf("no mistakes, but %d rules of %d", len(rules), len(n.List))
		}
		for _, r := range rules {
			_ = r.String() + r.Explain(1000, 10)
		}
	})
}
