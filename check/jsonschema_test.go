package check

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"newel"
)

// readLines returns the lines of a compressed file.
func readLines(t testing.TB, name string) [][]byte {
	t.Helper()
	packed, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zstd.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}

// buildFrom compiles the check that v stands for, as decoded from YAML.
func buildFrom(v any, env *Env) (*Check, error) {
	var m newel.Mistakes
	c := Build(newel.NodeOf(v, newel.Pos{File: "suite.yaml", Line: 3, Column: 5}), env, &m)
	return c, m.Err()
}

// buildJSON compiles a check written as JSON.
func buildJSON(text string, env *Env) (*Check, error) {
	v, err := newel.ParseJSON([]byte(text))
	if err != nil {
		return nil, err
	}
	return buildFrom(v, env)
}

func mustBuildJSON(t testing.TB, text string, files map[string]string) *Check {
	t.Helper()
	c, err := buildJSON(text, &Env{ReadFile: readFrom(files)})
	if err != nil {
		t.Fatalf("build %s: %v", text, err)
	}
	return c
}

func readFrom(files map[string]string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		text, ok := files[path]
		if !ok {
			return nil, fmt.Errorf("%q is not there", path)
		}
		return []byte(text), nil
	}
}

// subjectOf returns the subject of a case whose output is the given text.
func subjectOf(output string) *newel.Subject {
	return subjectWith(&newel.Case{ID: "a", Output: newel.AppendString(nil, output)})
}

func subjectWith(c *newel.Case) *newel.Subject {
	return newel.NewSubject(&newel.Item{Case: c, Trial: 1})
}

// suiteGroup is one schema of the JSON Schema Test Suite with its tests.
type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// schemaSuite returns the suite's groups by file, and its remote documents.
func schemaSuite(t testing.TB) (tests map[string][]suiteGroup, remotes map[string]string) {
	t.Helper()
	tests, remotes = map[string][]suiteGroup{}, map[string]string{}
	for _, line := range readLines(t, "testdata/json-schema-suite/suite.jsonl.zst") {
		var file struct{ Path, Text string }
		if err := json.Unmarshal(line, &file); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(file.Path, "tests/") {
			remotes[file.Path] = file.Text
			continue
		}
		var groups []suiteGroup
		if err := json.Unmarshal([]byte(file.Text), &groups); err != nil {
			t.Fatal(err)
		}
		tests[file.Path] = groups
	}
	return tests, remotes
}

func TestAllRequiredTestsOfTheJSONSchemaSuiteHold(t *testing.T) {
	t.Parallel()
	tests, remotes := schemaSuite(t)
	ran := map[string]int{}
	for path, groups := range tests {
		draft := "2020-12"
		if strings.Contains(path, "draft7") {
			draft = "7"
		}
		for _, g := range groups {
			ran[draft] += runGroup(t, path, draft, g, remotes)
		}
	}
	if ran["7"] != 927 || ran["2020-12"] != 1299 {
		t.Errorf("ran %v tests, want 927 of draft 7 and 1299 of 2020-12", ran)
	}
}

func runGroup(t *testing.T, path, draft string, g suiteGroup, remotes map[string]string) int {
	t.Helper()
	definition := fmt.Sprintf(`{"json-schema": {"draft": %q, "refs": {"http://localhost:1234/": "remotes/"}, "schema": %s}}`, draft, g.Schema)
	c, err := buildJSON(definition, &Env{ReadFile: readFrom(remotes)})
	if err != nil {
		t.Errorf("%s: %s: %v", path, g.Description, err)
		return 0
	}
	for _, test := range g.Tests {
		s := subjectWith(&newel.Case{ID: "a", Output: newel.AppendString(nil, string(test.Data))})
		score := c.Score(context.Background(), s)
		want := newel.Fail
		if test.Valid {
			want = newel.Pass
		}
		if score.Verdict != want {
			t.Errorf("%s: %s: %s: got %v, want %v (%s, %v)", path, g.Description, test.Description, score.Verdict, want, score.Explanation, score.Err)
		}
		if score.Verdict == newel.Fail && score.Explanation == "" {
			t.Errorf("%s: %s: %s: a fail without explanation", path, g.Description, test.Description)
		}
	}
	return len(g.Tests)
}

func TestJSONSchemaSaysWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	const order = `{"type": "object", "required": ["amount", "currency"], "additionalProperties": false,
		"properties": {"amount": {"type": "number", "minimum": 0}, "currency": {"enum": ["EUR", "USD"]}, "note": {"type": "string", "maxLength": 5, "pattern": "^\\w+$"}, "lines": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"required": ["sku"]}]}}}}`
	for _, c := range []struct{ name, output, want string }{
		{"a text that is no JSON", `nope`, `the output is not JSON: read JSON: jsontext: invalid character 'o' in literal null (expecting 'u') after offset 1`},
		{"a missing and a spare member", `{"amount": 3, "b": 1, "a": 2}`, `the JSON does not fit the schema: has "a", "b", which may not be there; lacks "currency"`},
		{"a wrong type, deep down", `{"amount": "3", "currency": "EUR"}`, `the JSON does not fit the schema: at /amount: want number, got "3" (string)`},
		{"a value outside an enum", `{"amount": 3, "currency": "GBP"}`, `the JSON does not fit the schema: at /currency: is "GBP", none of ["EUR","USD"]`},
		{"a number below the minimum", `{"amount": -0.5, "currency": "EUR"}`, `the JSON does not fit the schema: at /amount: is -0.5, below the minimum of 0`},
		{"a text too long and of the wrong form", `{"amount": 1, "currency": "EUR", "note": "a long note"}`, `the JSON does not fit the schema: at /note: "a long note" does not match the pattern "^\\w+$"; at /note: has 11 characters, above the maximum of 5`},
		{"no alternative holds", `{"amount": 1, "currency": "EUR", "lines": [1, {"id": 1}]}`, `the JSON does not fit the schema: at /lines/1: none of 2 alternatives holds (lacks "sku"; want integer, got {"id":1} (object))`},
		{"more faults than are listed", `{"amount": "x", "currency": 1, "note": 2, "lines": 3}`, `the JSON does not fit the schema: at /amount: want number, got "x" (string); at /currency: is 1, none of ["EUR","USD"]; at /lines: want array, got 3 (number); and 1 more`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check := mustBuildJSON(t, `{"json-schema": {"schema": `+order+`}}`, nil)
			score := check.Score(context.Background(), subjectOf(c.output))
			if score.Verdict != newel.Fail || score.Explanation != c.want {
				t.Errorf("got  %v: %s\nwant fail: %s", score.Verdict, score.Explanation, c.want)
			}
		})
	}
}

func TestJSONSchemaComesFromFilesCasesAndRefs(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"schemas/order.json":   `{"properties": {"amount": {"$ref": "amount.json"}}}`,
		"schemas/amount.json":  `{"type": "number"}`,
		"shared/currency.json": `{"enum": ["EUR"]}`,
	}
	for _, c := range []struct {
		name, check, vars, output string
		want                      newel.Verdict
	}{
		{"a file with a reference to its neighbour", `{"json-schema": "schemas/order.json"}`, ``, `{"amount": "x"}`, newel.Fail},
		{"a file that the output fits", `{"json-schema": "schemas/order.json"}`, ``, `{"amount": 1}`, newel.Pass},
		{"a schema written as the parameters", `{"json-schema": {"type": "array"}}`, ``, `[]`, newel.Pass},
		{"false, which nothing fits", `{"json-schema": false}`, ``, `1`, newel.Fail},
		{"a folder for relative references", `{"json-schema": {"schema": {"$ref": "amount.json"}, "refs": "schemas"}}`, ``, `"x"`, newel.Fail},
		{"an absolute reference under refs", `{"json-schema": {"schema": {"$ref": "https://example.com/money/currency.json"}, "refs": {"https://example.com/money/": "shared/"}}}`, ``, `"USD"`, newel.Fail},
		{"an absolute reference to a schema under refs", `{"json-schema": {"schema": {"$ref": "urn:x:currency"}, "refs": {"urn:x:currency": {"const": "EUR"}}}}`, ``, `"EUR"`, newel.Pass},
		{"a schema of the case", `{"json-schema": {"from": "vars.schema"}}`, `{"type": "object"}`, `[]`, newel.Fail},
		{"a schema of the case, as text", `{"json-schema": {"schema": {"from": "vars.schema"}}}`, `"{\"type\": \"object\"}"`, `{}`, newel.Pass},
		{"a case's schema that is none", `{"json-schema": {"schema": {"from": "vars.schema"}}}`, `{"type": 7}`, `{}`, newel.Failed},
		{"a case's schema that reaches for a file", `{"json-schema": {"schema": {"from": "vars.schema"}}}`, `{"$ref": "schemas/amount.json"}`, `{}`, newel.Failed},
		{"a case's schema that reaches into the folder of refs", `{"json-schema": {"schema": {"from": "vars.schema"}, "refs": "schemas"}}`, `{"$ref": "amount.json"}`, `1`, newel.Pass},
		{"a case's schema that climbs out of the folder of refs", `{"json-schema": {"schema": {"from": "vars.schema"}, "refs": "schemas"}}`, `{"$ref": "../shared/currency.json"}`, `1`, newel.Failed},
		{"a draft of the case", `{"json-schema": {"schema": {"items": [true, false]}, "draft": {"from": "vars.schema"}}}`, `7`, `[1, 2]`, newel.Fail},
		{"format only annotates in 2020-12", `{"json-schema": {"schema": {"format": "date"}}}`, ``, `"tomorrow"`, newel.Pass},
		{"format asserted", `{"json-schema": {"schema": {"format": "date"}, "assert_format": true}}`, ``, `"tomorrow"`, newel.Fail},
		{"format asserts in draft 7", `{"json-schema": {"schema": {"format": "date"}, "draft": 7}}`, ``, `"tomorrow"`, newel.Fail},
		{"dependencies of objects in 2019-09", `{"json-schema": {"schema": {"dependentRequired": {"a": ["b"]}}, "draft": "2019-09"}}`, ``, `{"a": 1}`, newel.Fail},
		{"JSON in a fenced block", `{"json-schema": {"schema": {"type": "object"}, "extract": "json"}}`, ``, "Here:\n```json\n{}\n```", newel.Pass},
		{"an integer beyond 2^53", `{"json-schema": {"schema": {"const": 9007199254740993}}}`, ``, `9007199254740992`, newel.Fail},
		{"a number of too many digits", `{"json-schema": {"schema": {"minimum": 1}}}`, ``, `1e99999999`, newel.Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check := mustBuildJSON(t, c.check, files)
			cs := &newel.Case{ID: "a", Output: newel.AppendString(nil, c.output)}
			if c.vars != "" {
				cs.Vars = []newel.Named{{Name: "schema", Value: newel.Raw(c.vars)}}
			}
			score := check.Score(context.Background(), subjectWith(cs))
			if score.Verdict != c.want {
				t.Errorf("got %v (%s, %v), want %v", score.Verdict, score.Explanation, score.Err, c.want)
			}
		})
	}
}

func TestMistakesOfJSONSchemaAreNamed(t *testing.T) {
	t.Parallel()
	files := map[string]string{"broken.json": `{"type"`, "wrong.json": `{"type": "objekt"}`}
	for _, c := range []struct{ name, check, want string }{
		{"no schema", `"json-schema"`, `json-schema needs schema: the schema: a JSON file of the suite, or the schema itself; a text taken from a case is read as JSON`},
		{"a file that is not there", `{"json-schema": "none.json"}`, `json-schema: schema "none.json" is not there`},
		{"a file that is no JSON", `{"json-schema": "broken.json"}`, `json-schema: schema broken.json:1:8: not JSON: unexpected EOF`},
		{"a file that is no schema", `{"json-schema": "wrong.json"}`, `json-schema: schema "wrong.json" cannot be used as a JSON Schema: wrong.json: at /type: none of 2 alternatives holds (is "objekt", none of ["array","boolean","integer","null","number","object","string"]; want array, got string)`},
		{"a schema that is a list", `{"json-schema": {"schema": []}}`, `json-schema: schema is a map, true or false, not a list`},
		{"a reference that would have to be fetched", `{"json-schema": {"schema": {"$ref": "https://example.com/a.json"}}}`, `json-schema: schema refers to https://example.com/a.json: nothing is fetched: say under refs where it stands`},
		{"a reference to nowhere", `{"json-schema": {"schema": {"$ref": "#/$defs/a"}}}`, `json-schema: schema cannot be used as a JSON Schema: the reference #/$defs/a leads nowhere`},
		{"look-ahead", `{"json-schema": {"schema": {"pattern": "(?=a)b"}}}`, "json-schema: schema cannot be used as a JSON Schema: at /pattern: the pattern \"(?=a)b\" cannot be used: error parsing regexp: invalid or unsupported Perl syntax: `(?=` (patterns are matched in linear time: no look-around, no back-references)"},
		{"a back-reference", `{"json-schema": {"schema": {"patternProperties": {"(a)\\1": true}}}}`, `json-schema: schema cannot be used as a JSON Schema: the pattern "(a)\\1" cannot be used: \1 is a back-reference: it cannot be matched in linear time`},
		{"an unknown draft", `{"json-schema": {"schema": {}, "draft": 5}}`, `json-schema: draft is one of 2020-12, 2019-09, 7, not 5`},
		{"refs to a file that is not there", `{"json-schema": {"schema": {}, "refs": {"urn:a": "a.json"}}}`, `json-schema: refs: urn:a: "a.json" is not there`},
		{"a misspelt parameter", `{"json-schema": {"schema": {}, "assert_formats": true}}`, `json-schema has no parameter "assert_formats" (did you mean "assert_format"?)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := buildJSON(c.check, &Env{ReadFile: readFrom(files)})
			if want := "suite.yaml:3:5: " + c.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

func TestACasesOwnSchemaReadsNoFile(t *testing.T) {
	t.Parallel()
	_, err := buildJSON(`{"json-schema": "order.json"}`, &Env{OfCase: true})
	if want := `suite.yaml:3:5: json-schema: schema "order.json": a case's own checks read no files: write the schema itself`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestValidationStopsAtItsBounds(t *testing.T) {
	t.Parallel()
	// Each level holds twice what the level below holds: 2^40 evaluations.
	var defs strings.Builder
	for i := range 40 {
		fmt.Fprintf(&defs, `"a%d": {"allOf": [{"$ref": "#/$defs/a%d"}, {"$ref": "#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	bomb := `{"$ref": "#/$defs/a0", "$defs": {` + defs.String() + `"a40": {"minimum": 1}}}`
	tree := `{"allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]}`
	for _, c := range []struct{ name, draft, schema, output string }{
		{"references that double at each step", "2020-12", bomb, `3`},
		{"references that double at each step, in draft 7", "7", strings.ReplaceAll(bomb, "$defs", "definitions"), `3`},
		{"lists that are looked at twice a level", "2020-12", tree, strings.Repeat("[", 100) + strings.Repeat("]", 100)},
		{"a value nested too deep", "2020-12", `{}`, strings.Repeat("[", 300) + strings.Repeat("]", 300)},
		{"a value of too many parts", "2020-12", `{}`, "[" + strings.Repeat("1,", 200_000) + "1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check := mustBuildJSON(t, `{"json-schema": {"draft": "`+c.draft+`", "schema": `+c.schema+`}}`, nil)
			score := check.Score(context.Background(), subjectOf(c.output))
			if score.Verdict != newel.Failed || score.Err.Kind != newel.KindLimit {
				t.Errorf("got %v (%s, %v), want an error of kind limit", score.Verdict, score.Explanation, score.Err)
			}
			if again := check.Score(context.Background(), subjectOf(`"x"`)); again.Verdict == newel.Failed && c.schema != bomb && again.Err.Kind != newel.KindLimit {
				t.Errorf("after a limit, a small value gives %v", again.Err)
			}
		})
	}
}

func TestOneSchemaServesManyAtOnce(t *testing.T) {
	t.Parallel()
	check := mustBuildJSON(t, `{"json-schema": {"schema": {"type": "object", "required": ["a"]}}}`, nil)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 50 {
				output, want := `{"a": 1}`, newel.Pass
				if i%2 == 1 {
					output, want = `{"b": 1}`, newel.Fail
				}
				if score := check.Score(context.Background(), subjectOf(output)); score.Verdict != want {
					t.Errorf("got %v, want %v", score.Verdict, want)
				}
			}
		}()
	}
	wg.Wait()
}

func TestPatternsOfECMA262MeanWhatTheySay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, pattern, text string
		want                bool
	}{
		{"\\s is any white space", `^\s$`, "\u00a0", true},
		{"\\S is the rest", `^\S$`, "\ufeff", false},
		{"\\s within a class", `^[\s,]+$`, " ,\u2003", true},
		{"\\S within a class", `^[\S]$`, "x", true},
		{"\\d is ASCII", `^\d$`, "߀", false},
		{"\\w is ASCII", `^\w$`, "é", false},
		{"a control escape", `^\cI$`, "\t", true},
		{"a code unit", `^\u00e9$`, "é", true},
		{"a pair of code units", `^\ud83d\ude00$`, "😀", true},
		{"a code point", `^\u{1F600}$`, "😀", true},
		{"a category by its long name", `^\p{Letter}+$`, "né", true},
		{"a script", `^\p{Script=Greek}$`, "λ", true},
		{"a category denied", `^\P{Lu}$`, "A", false},
		{"a dot is no line's end", `^.$`, "\u2028", false},
		{"$ is the end and no line's end", `a$`, "a\n", false},
		{"an empty class matches nothing", `[]`, "x", false},
		{"a class that denies nothing matches anything", `^[^]$`, "\n", true},
		{"a bracket within a class", `^[[:]$`, ":", true},
		{"a hyphen escaped within a class", `^[a\-z]$`, "b", false},
		{"a backspace within a class", `^[\b]$`, "\b", true},
		{"a slash escaped", `^a\/b$`, "a/b", true},
		{"a named group", `^(?<year>\d{4})$`, "2024", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			re, err := compileECMA(c.pattern)
			if err != nil {
				t.Fatal(err)
			}
			if got := re.MatchString(c.text); got != c.want {
				t.Errorf("%s on %q: got %t, want %t (as %s)", c.pattern, c.text, got, c.want, re)
			}
		})
	}
}

func FuzzSchemaText(f *testing.F) {
	tests, _ := schemaSuite(f)
	for _, groups := range tests {
		for _, g := range groups[:min(3, len(groups))] {
			f.Add(string(g.Schema), string(g.Tests[0].Data))
		}
	}
	f.Fuzz(func(t *testing.T, schema, output string) {
		c, err := buildJSON(`{"json-schema": {"schema": {"from": "vars.schema"}}}`, &Env{})
		if err != nil {
			t.Fatal(err)
		}
		cs := &newel.Case{ID: "a", Output: newel.AppendString(nil, output), Vars: []newel.Named{{Name: "schema", Value: newel.AppendString(nil, schema)}}}
		score := c.Score(context.Background(), subjectWith(cs))
		if score.Err != nil && score.Err.Kind == newel.KindInternal {
			t.Errorf("internal error: %v", score.Err)
		}
	})
}

func FuzzPatternOfASchema(f *testing.F) {
	for _, p := range []string{`^\s\S[\s\S]$`, `\u{1F600}`, `\p{L}`, `[^]`, `\cA`, `[a\-z]`, `(?<n>a)`} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if re, err := compileECMA(pattern); err == nil {
			re.MatchString(pattern)
		}
	})
}

func BenchmarkJSONSchema(b *testing.B) {
	check := mustBuildJSON(b, `{"json-schema": {"schema": {"type": "object", "required": ["amount", "currency"], "additionalProperties": false,
		"properties": {"amount": {"type": "number", "minimum": 0}, "currency": {"enum": ["EUR", "USD"]}, "note": {"type": "string", "maxLength": 50}, "lines": {"type": "array", "items": {"type": "integer"}}}}}}`, nil)
	for _, output := range []string{`{"amount": 12.5, "currency": "EUR", "note": "thanks", "lines": [1, 2, 3]}`, `{"amount": -12.5, "currency": "EUR", "note": "thanks", "lines": [1, "2", 3]}`} {
		s := subjectOf(output)
		score := check.Score(context.Background(), s)
		b.Run(score.Verdict.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				check.Score(context.Background(), s)
			}
		})
	}
}
