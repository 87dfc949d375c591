package check

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"newel"
)

// bfclCase is one case of the Berkeley Function Calling Leaderboard.
type bfclCase struct {
	ID       string
	Tools    json.RawMessage
	Expected json.RawMessage `json:"expected_calls"`

	name     string           // of the expected call, empty where none is
	accepted map[string][]any // its accepted values
	required map[string]bool  // what the tool requires
}

func bfclCases(t testing.TB) (calls, none []bfclCase) {
	t.Helper()
	for _, line := range readLines(t, "testdata/bfcl/cases.jsonl.zst") {
		var c bfclCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		c.read(t)
		if c.name == "" {
			none = append(none, c)
		} else {
			calls = append(calls, c)
		}
	}
	return calls, none
}

func (c *bfclCase) read(t testing.TB) {
	t.Helper()
	var expected []map[string]map[string][]any
	var tools []struct {
		Name       string
		Parameters struct{ Required []string }
	}
	if err := json.Unmarshal(c.Expected, &expected); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(c.Tools, &tools); err != nil {
		t.Fatal(err)
	}
	for _, e := range expected {
		for name, accepted := range e {
			c.name, c.accepted = name, accepted
		}
	}
	c.required = map[string]bool{}
	for _, tool := range tools {
		for _, name := range tool.Parameters.Required {
			c.required[name] = c.required[name] || tool.Name == c.name
		}
	}
}

// subject returns the case with calls as its output.
func (c *bfclCase) subject(t testing.TB, calls any) *newel.Subject {
	t.Helper()
	output, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	return subjectWith(&newel.Case{ID: c.ID, Output: output, Reference: newel.Raw(c.Expected), Vars: []newel.Named{
		{Name: "accept", Value: newel.Raw(c.Expected)}, {Name: "tools", Value: newel.Raw(c.Tools)},
	}})
}

// arguments returns the arguments of a good call: of each the n-th accepted
// value, from the end when n is negative.
func (c *bfclCase) arguments(n int) map[string]any {
	out := map[string]any{}
	for name, values := range c.accepted {
		if good := given(values); len(good) > 0 {
			out[name] = real(good[(n+len(good))%len(good)])
		}
	}
	return out
}

// given returns the accepted values but the empty text, which stands for none.
func given(values []any) []any {
	var out []any
	for _, v := range values {
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}

// real turns an accepted value into one that a model may give: a map's lists
// of accepted values become one of them.
func real(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = real(e)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, values := range v {
			if good := given(values.([]any)); len(good) > 0 {
				out[key] = real(good[0])
			}
		}
		return out
	}
	return v
}

func callOf(name string, arguments map[string]any) map[string]any {
	return map[string]any{"name": name, "arguments": arguments}
}

// argumentsWith returns arguments with one set to v.
func argumentsWith(arguments map[string]any, name string, v any) map[string]any {
	out := maps.Clone(arguments)
	out[name] = v
	return out
}

func argumentsWithout(arguments map[string]any, name string) map[string]any {
	out := maps.Clone(arguments)
	delete(out, name)
	return out
}

// variant is a list of calls and what it is an example of.
type variant struct {
	kind  string
	calls []any
}

// good returns calls that must pass.
func (c *bfclCase) good() []variant {
	first := c.arguments(0)
	out := []variant{{"first accepted values", []any{callOf(c.name, first)}}, {"last accepted values", []any{callOf(c.name, c.arguments(-1))}}}
	out = append(out, variant{"the form of another API", []any{map[string]any{"type": "function", "function": map[string]any{"name": c.name, "arguments": first}}}})
	lean := maps.Clone(first)
	for name, values := range c.accepted {
		for _, v := range given(values) {
			out = append(out, variant{"one other accepted value", []any{callOf(c.name, argumentsWith(first, name, real(v)))}})
			if text, ok := v.(string); ok {
				out = append(out, variant{"a text written another way", []any{callOf(c.name, argumentsWith(first, name, strings.ToUpper(text)+" ."))}})
			}
		}
		if len(given(values)) < len(values) && !c.required[name] {
			delete(lean, name)
			out = append(out, variant{"one optional argument left out", []any{callOf(c.name, argumentsWithout(first, name))}})
		}
	}
	return append(out, variant{"all optional arguments left out", []any{callOf(c.name, lean)}})
}

// bad returns calls that must fail.
func (c *bfclCase) bad() []variant {
	first := c.arguments(0)
	call := callOf(c.name, first)
	out := []variant{
		{"wrong name", []any{callOf(c.name+"_all", first)}},
		{"extra argument", []any{callOf(c.name, argumentsWith(first, "not_a_parameter", 1))}},
		{"extra call", []any{call, call}},
		{"missing call", []any{}},
	}
	for name, values := range c.accepted {
		v, ok := first[name]
		if !ok {
			continue
		}
		if len(given(values)) == len(values) || c.required[name] {
			out = append(out, variant{"missing argument", []any{callOf(c.name, argumentsWithout(first, name))}})
		}
		if wrong := wrongValue(v); !anyEqual(values, wrong) {
			out = append(out, variant{"wrong value", []any{callOf(c.name, argumentsWith(first, name, wrong))}})
		}
		if wrong := wrongType(v); !anyEqual(values, wrong) {
			out = append(out, variant{"wrong type", []any{callOf(c.name, argumentsWith(first, name, wrong))}})
		}
	}
	return out
}

func anyEqual(values []any, v any) bool {
	for _, e := range values {
		if reflect.DeepEqual(e, v) {
			return true
		}
	}
	return false
}

// wrongValue returns another value of the same type.
func wrongValue(v any) any {
	switch v := v.(type) {
	case string:
		return v + " otherwise"
	case float64:
		return v*3 + 1234.5
	case bool:
		return !v
	case []any:
		return append(append([]any{}, v...), "one more")
	case map[string]any:
		return argumentsWith(v, "one_more", 1)
	}
	return "something"
}

// wrongType returns what a careless model writes: a number as text, a text as
// a list, a list as text.
func wrongType(v any) any {
	switch v := v.(type) {
	case string:
		return []any{v}
	case float64, bool:
		return fmt.Sprint(v)
	case []any, map[string]any:
		return fmt.Sprint(v)
	}
	return 1
}

func TestCallsOfTheLeaderboardAreJudgedAsLabelled(t *testing.T) {
	t.Parallel()
	calls, none := bfclCases(t)
	if len(calls) != 600 || len(none) != 240 {
		t.Fatalf("%d cases with a call and %d without, want 600 and 240", len(calls), len(none))
	}
	for _, definition := range []string{
		`{"tool-calls": {"dialect": "bfcl", "from": "vars.accept", "tools": {"from": "vars.tools"}}}`,
		`{"tool-calls": {"dialect": "bfcl", "tools": {"from": "vars.tools"}, "accept": {"from": "vars.accept"}, "order": "any"}}`,
	} {
		check := mustBuildJSON(t, definition, nil)
		counts := map[string]int{}
		for _, c := range calls {
			for _, v := range c.good() {
				counts[v.kind]++
				if score := check.Score(context.Background(), c.subject(t, v.calls)); score.Verdict != newel.Pass {
					t.Errorf("%s: %s: got %v (%s, %v), want pass", c.ID, v.kind, score.Verdict, score.Explanation, score.Err)
				}
			}
			for _, v := range c.bad() {
				counts[v.kind]++
				if score := check.Score(context.Background(), c.subject(t, v.calls)); score.Verdict != newel.Fail || score.Explanation == "" {
					t.Errorf("%s: %s: got %v (%s, %v), want fail with a reason", c.ID, v.kind, score.Verdict, score.Explanation, score.Err)
				}
			}
		}
		want := map[string]int{
			"first accepted values": 600, "last accepted values": 600, "one other accepted value": 2212, "a text written another way": 1276,
			"one optional argument left out": 280, "all optional arguments left out": 600, "the form of another API": 600,
			"wrong name": 600, "missing argument": 1447, "wrong value": 1693, "wrong type": 1700, "extra argument": 600, "extra call": 600, "missing call": 600,
		}
		if !reflect.DeepEqual(counts, want) {
			t.Errorf("%s:\ngot  %v\nwant %v", definition, counts, want)
		}
	}
}

func TestWhereNoToolFitsNoneMayBeCalled(t *testing.T) {
	t.Parallel()
	_, none := bfclCases(t)
	check := mustBuildJSON(t, `{"tool-calls": {"dialect": "bfcl", "tools": {"from": "vars.tools"}, "from": "reference"}}`, nil)
	right := 0
	for _, c := range none {
		var tools []struct{ Name string }
		if err := json.Unmarshal(c.Tools, &tools); err != nil {
			t.Fatal(err)
		}
		quiet := check.Score(context.Background(), c.subject(t, "None of the functions can answer this."))
		empty := check.Score(context.Background(), c.subject(t, []any{}))
		loud := newel.Score{Verdict: newel.Fail}
		if len(tools) > 0 {
			loud = check.Score(context.Background(), c.subject(t, []any{callOf(tools[0].Name, map[string]any{})}))
		}
		other := check.Score(context.Background(), c.subject(t, []any{callOf("some_tool", map[string]any{"a": 1})}))
		if quiet.Verdict == newel.Pass && empty.Verdict == newel.Pass && loud.Verdict == newel.Fail && other.Verdict == newel.Fail {
			right++
		} else {
			t.Errorf("%s: text %v, no calls %v, a call %v, another call %v", c.ID, quiet.Verdict, empty.Verdict, loud.Verdict, other.Verdict)
		}
	}
	if right != 240 {
		t.Errorf("%d of 240 cases right", right)
	}
}

func TestAcceptedArgumentsFitTheToolsSchemas(t *testing.T) {
	t.Parallel()
	calls, _ := bfclCases(t)
	check := mustBuildJSON(t, `{"tool-calls": {"dialect": "bfcl", "tools": {"from": "vars.tools"}}}`, nil)
	fit := map[string]int{}
	for _, c := range calls {
		first := c.arguments(0)
		for _, v := range []variant{{"as accepted", []any{callOf(c.name, first)}}, {"with another argument", []any{callOf(c.name, argumentsWith(first, "zzz", 1))}}, {"under another name", []any{callOf("zzz", first)}}} {
			if check.Score(context.Background(), c.subject(t, v.calls)).Verdict == newel.Pass {
				fit[v.kind]++
			}
		}
	}
	// In one case of the set (simple_python_307) true is accepted for a text.
	if want := map[string]int{"as accepted": 599}; !reflect.DeepEqual(fit, want) {
		t.Errorf("passed: %v, want %v", fit, want)
	}
}

func TestToolCallsAreComparedAsAsked(t *testing.T) {
	t.Parallel()
	const tools = `"tools": [{"type": "function", "function": {"name": "add", "parameters": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}}}, {"name": "clear", "input_schema": {"additionalProperties": false}}, "list"]`
	for _, c := range []struct {
		name, params, output string
		want                 newel.Verdict
		why                  string
	}{
		{"the wanted call", `"value": [{"name": "add", "arguments": {"a": 1}}]`, `[{"name": "add", "arguments": {"a": 1.0}}]`, newel.Pass, ""},
		{"arguments given as text", `"value": [{"name": "add", "arguments": {"a": 1}}]`, `{"role": "assistant", "tool_calls": [{"id": "x", "type": "function", "function": {"name": "add", "arguments": "{\"a\": 1}"}}]}`, newel.Pass, ""},
		{"a reference that is one call", ``, `[{"name": "add", "arguments": {"a": 1}}]`, newel.Pass, ""},
		{"another value", `"value": [{"name": "add", "arguments": {"a": 1}}]`, `[{"name": "add", "arguments": {"a": "1"}}]`, newel.Fail, `call 1: add has "1" for "a", and wanted is 1`},
		{"a missing argument", `"value": [{"name": "add", "arguments": {"a": 1, "b": 2}}]`, `[{"name": "add", "arguments": {"a": 1}}]`, newel.Fail, `call 1: add lacks the argument "b"`},
		{"an argument too many", `"value": [{"name": "add", "arguments": {"a": 1}}]`, `[{"name": "add", "arguments": {"a": 1, "c": 2}}]`, newel.Fail, `call 1: add has the argument "c", which is not wanted`},
		{"an argument too many that is ignored", `"value": [{"name": "add", "arguments": {"a": 1}}], "ignore_extra": true`, `[{"name": "add", "arguments": {"a": 1, "c": 2}}]`, newel.Pass, ""},
		{"nested values", `"value": [{"name": "add", "arguments": {"a": {"b": [1, null]}}}]`, `[{"name": "add", "arguments": {"a": {"b": [1, null]}}}]`, newel.Pass, ""},
		{"nested values that differ", `"value": [{"name": "add", "arguments": {"a": {"b": [1, null]}}}]`, `[{"name": "add", "arguments": {"a": {"b": [1, false]}}}]`, newel.Fail, `call 1: add has {"b":[1,false]} for "a", and wanted is {"b":[1,null]}`},
		{"long ids that differ in the last digit", `"value": [{"name": "add", "arguments": {"a": 9007199254740993}}]`, `[{"name": "add", "arguments": {"a": 9007199254740992}}]`, newel.Fail, `call 1: add has 9007199254740992 for "a", and wanted is 9007199254740993`},
		{"another order", `"value": [{"name": "add"}, {"name": "clear"}]`, `[{"name": "clear"}, {"name": "add"}]`, newel.Fail, `call 1: "clear" is called, and "add" is wanted`},
		{"another order where any will do", `"value": [{"name": "add"}, {"name": "clear"}], "order": "any"`, `[{"name": "clear"}, {"name": "add"}]`, newel.Pass, ""},
		{"a call that fits two wanted ones", `"order": "any", "accept": [{"add": {"a": [1, 2]}}, {"add": {"a": [1]}}]`, `[{"name": "add", "arguments": {"a": 1}}, {"name": "add", "arguments": {"a": 2}}]`, newel.Pass, ""},
		{"one call too often", `"order": "any", "value": [{"name": "add"}, {"name": "clear"}]`, `[{"name": "add"}, {"name": "add"}]`, newel.Fail, `no call is left that fits clear: add, add is called`},
		{"fewer calls", `"value": [{"name": "add"}, {"name": "clear"}]`, `[{"name": "add"}]`, newel.Fail, `1 calls are made (add), and 2 wanted (add, clear)`},
		{"a text instead of a call", `"value": [{"name": "add"}]`, `I cannot.`, newel.Fail, `no call is made, and add is wanted`},
		{"no call wanted and none made", `"value": []`, `I cannot.`, newel.Pass, ""},
		{"no call wanted and one made", `"value": []`, `[{"name": "add"}]`, newel.Fail, `no call may be made, and add is called`},
		{"a tool that there is not", tools, `[{"name": "ad", "arguments": {}}]`, newel.Fail, `"ad" is called and is not among the tools (did you mean "add"?)`},
		{"arguments that fit the schema", tools, `[{"name": "add", "arguments": {"a": 1}}, {"name": "clear"}, {"name": "list", "arguments": {"any": "thing"}}]`, newel.Pass, ""},
		{"arguments that do not", tools, `[{"name": "add", "arguments": {"b": "1"}}]`, newel.Fail, `the arguments of add do not fit its schema: lacks "a"; at /b: want integer, got "1" (string)`},
		{"arguments of a tool that takes none", tools, `[{"name": "clear", "arguments": {"all": true}}]`, newel.Fail, `the arguments of clear do not fit its schema: has "all", which may not be there`},
		{"the wanted call, which no schema allows", tools + `, "value": [{"name": "add", "arguments": {"a": "x"}}]`, `[{"name": "add", "arguments": {"a": "x"}}]`, newel.Fail, `the arguments of add do not fit its schema: at /a: want integer, got "x" (string)`},
		{"an accepted value in another spelling", `"accept": [{"go": {"to": ["New York, NY"], "by": ["car", ""]}}]`, `[{"name": "go", "arguments": {"to": "new york ny"}}]`, newel.Pass, ""},
		{"none of the accepted values", `"accept": [{"go": {"to": ["Rome", "Milan"]}}]`, `[{"name": "go", "arguments": {"to": "Paris"}}]`, newel.Fail, `call 1: go has "Paris" for "to", and accepted is one of ["Rome","Milan"]`},
		{"calls at another place", `"at": "vars.calls", "value": [{"name": "add"}]`, `none`, newel.Pass, ""},
		{"calls that cannot be read", `"value": []`, `[1]`, newel.Fail, `a tool call is not an object`},
		{"a reference that cannot be read", `"from": "vars.text"`, `[{"name": "add"}]`, newel.Failed, `what is wanted is a list of {name, arguments}: it holds string where tool calls were expected`},
		{"a reference of the wrong dialect", `"dialect": "bfcl", "from": "vars.calls"`, `[{"name": "add"}]`, newel.Failed, `what is wanted has for name no map of arguments but a text`},
		{"a case's tool with a broken schema", `"tools": {"from": "vars.tools"}`, `[{"name": "bad"}]`, newel.Failed, `tools has for bad a schema that cannot be used as a JSON Schema: at /type: none of 2 alternatives holds (is "dict", none of ["array","boolean","integer","null","number","object","string"]; want array, got string)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check := mustBuildJSON(t, `{"tool-calls": {`+c.params+`}}`, nil)
			cs := &newel.Case{ID: "a", Output: newel.Raw(c.output), Reference: newel.Raw(`{"name": "add", "arguments": {"a": 1}}`), Vars: []newel.Named{
				{Name: "calls", Value: newel.Raw(`[{"name": "add"}]`)}, {Name: "text", Value: newel.Raw(`"add"`)}, {Name: "tools", Value: newel.Raw(`[{"name": "bad", "parameters": {"type": "dict"}}]`)},
			}}
			if !cs.Output.IsValid() {
				cs.Output = newel.AppendString(nil, c.output)
			}
			score := check.Score(context.Background(), subjectWith(cs))
			why := score.Explanation
			if score.Err != nil {
				why = score.Err.Message
			}
			if score.Verdict != c.want || why != c.why {
				t.Errorf("got  %v: %s\nwant %v: %s", score.Verdict, why, c.want, c.why)
			}
		})
	}
}

func TestMistakesOfToolCallsAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, params, want string }{
		{"both accept and value", `"accept": [], "value": []`, `tool-calls has both accept and value or from: keep one`},
		{"a wanted call without a name", `"value": [{"nom": "a", "args": 1}]`, `tool-calls: value is a list of {name, arguments}: a tool call has no name`},
		{"accepted values that are no list", `"accept": [{"add": {"a": 1}}]`, `tool-calls: accept has for add.a no list of accepted values but 1`},
		{"an accepted call of two tools", `"accept": [{"add": {}, "sub": {}}]`, `tool-calls: accept is a list of {tool: {argument: [accepted values]}}, one tool each; this is not: {"add":{},"sub":{}}`},
		{"a tool without a name", `"tools": [{"parameters": {}}]`, `tool-calls: tools has an entry without a name: {"parameters":{}}`},
		{"a tool twice", `"tools": ["a", "a"]`, `tool-calls: tools has a twice`},
		{"a tool with a schema that is none", `"tools": [{"name": "a", "parameters": {"required": "b"}}]`, `tool-calls: tools has for a a schema that cannot be used as a JSON Schema: at /required: want array, got string`},
		{"tools in a file that is not there", `"tools": "tools.json"`, `tool-calls: tools "tools.json" is not there`},
		{"an order that there is not", `"value": [], "order": "none"`, `tool-calls: order is one of strict, any, not "none"`},
		{"a dialect misspelt", `"value": [], "dialect": "open-ai"`, `tool-calls: dialect is one of openai, bfcl (did you mean "openai"?)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := buildJSON(`{"tool-calls": {`+c.params+`}}`, &Env{ReadFile: readFrom(nil)})
			if want := "suite.yaml:3:5: " + c.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

func TestToolCallsAskWhatAMissMeansUnderAJudge(t *testing.T) {
	t.Parallel()
	for definition, asks := range map[string]bool{
		`"tool-calls"`: true,
		`{"tool-calls": {"accept": {"from": "vars.accept"}}}`:       true,
		`{"tool-calls": {"tools": {"from": "vars.tools"}}}`:         false,
		`{"tool-calls": [{"name": "add"}]}`:                         false,
		`{"tool-calls": {"from": "vars.calls", "settles": "fail"}}`: false,
	} {
		_, err := buildJSON(definition, &Env{Above: true})
		if (err != nil) != asks {
			t.Errorf("%s: %v", definition, err)
		}
	}
}

func FuzzToolCalls(f *testing.F) {
	f.Add(`[{"name": "add", "arguments": "{\"a\": 1}"}]`, `[{"add": {"a": [1, ""]}}]`, `[{"name": "add", "parameters": {"type": "dict", "properties": {"a": {"type": "float"}}}}]`)
	f.Add(`{"tool_calls": [{"function": {"name": "a"}}]}`, `{"a": {"x": [{"y": [1]}]}}`, `["a"]`)
	f.Fuzz(func(t *testing.T, output, accept, tools string) {
		for _, raw := range []string{accept, tools} {
			if !newel.Raw(raw).IsValid() {
				return
			}
		}
		for _, definition := range []string{`{"tool-calls": {"tools": {"from": "vars.tools"}, "dialect": "bfcl", "order": "any", "from": "vars.accept"}}`, `{"tool-calls": {"from": "vars.accept"}}`} {
			check := mustBuildJSON(t, definition, nil)
			score := check.Score(context.Background(), subjectWith(&newel.Case{ID: "a", Output: newel.AppendString(nil, output), Vars: []newel.Named{{Name: "accept", Value: newel.Raw(accept)}, {Name: "tools", Value: newel.Raw(tools)}}}))
			if score.Err != nil && score.Err.Kind == newel.KindInternal && newel.Raw(accept).IsValid() {
				t.Errorf("internal error: %v", score.Err)
			}
		}
	})
}
