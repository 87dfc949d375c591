package check

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

// refCase returns a case with a reference.
func refCase(reference string) *newel.Case {
	return &newel.Case{ID: "a", Reference: newel.Raw(reference)}
}

// outCase returns a case with an output that is no text, and a reference.
func outCase(output, reference string) *newel.Case {
	c := outputCase(output)
	if reference != "" {
		c.Reference = newel.Raw(reference)
	}
	return c
}

func TestEqualsOfTexts(t *testing.T) {
	t.Parallel()
	chat := `[{"role": "user", "content": "Capital?"}, {"role": "assistant", "content": "Paris"}]`
	testRules(t, []rule{
		{"a text equals itself", `{"equals": "Paris"}`, "Paris", nil, "pass"},
		{"another text fails and both are shown", `{"equals": "Paris"}`, "Lyon", nil, `fail: the text is "Lyon", not "Paris"`},
		{"case counts", `{"equals": "Paris"}`, "paris", nil, `fail: the text is "paris", not "Paris"`},
		{"unless it is ignored", `{"equals": {"value": "Paris", "ignore_case": true}}`, "PARIS", nil, "pass"},
		{"ignoring case, sharp s is SS", `{"equals": {"value": "Straße", "ignore_case": true}}`, "STRASSE", nil, "pass"},
		{"ignoring case, a Greek final sigma is a sigma", `{"equals": {"value": "ΟΔΟΣ", "ignore_case": true}}`, "οδος", nil, "pass"},
		{"white space counts", `{"equals": "a b"}`, "a  b", nil, `fail: the text is "a  b", not "a b"`},
		{"unless it is normalised", `{"equals": {"value": "a b", "normalize": ["whitespace", "punctuation"]}}`, " a  b. ", nil, "pass"},
		{"steps may come from the case", `{"equals": {"value": "a b", "normalize": {"from": "vars.n"}, "ignore_case": {"from": "vars.i"}}}`, "A  B", varsCase("i", "true", "n", `["whitespace"]`), "pass"},
		{"steps that are none are an error of definition", `{"equals": {"value": "a", "normalize": {"from": "vars.n"}}}`, "a", varsCase("n", `["x"]`), `error definition: vars.n: is squad, or a list of nfkc, lower, punctuation, articles, whitespace, not ["x"]`},
		{"the reference is what is wanted by default", `"equals"`, "Paris", refCase(`"Paris"`), "pass"},
		{"a case without reference is an error", `"equals"`, "Paris", nil, "error case: the case has no reference"},
		{"the wanted value may stand elsewhere", `{"equals": {"from": "vars.gold"}}`, "Paris", varsCase("gold", `"Paris"`), "pass"},
		{"so may value", `{"equals": {"value": {"from": "vars.gold"}}}`, "Paris", varsCase("gold", `"Paris"`), "pass"},
		{"of a list any text will do", `{"equals": ["Paris", "City of Light"]}`, "City of Light", nil, "pass"},
		{"a text that is none of a list", `{"equals": ["Paris", "City of Light"]}`, "Lyon", nil, `fail: the text is none of ["Paris","City of Light"]`},
		{"an empty text equals an empty one", `{"equals": ""}`, "", nil, "pass"},
		{"a conversation is its last content", `"equals"`, "", outCase(chat, `"Paris"`), "pass"},
		{"a conversation and a list", `"equals"`, "", outCase(chat, `["Paris", "Lyon"]`), "pass"},
		{"a place in the output", `{"equals": {"at": "output_json.city", "value": "Paris"}}`, `{"city": "Paris"}`, nil, "pass"},
		{"a place that the output lacks is a fail", `{"equals": {"at": "output_json.town", "value": "Paris"}}`, `{"city": "Paris"}`, nil, "fail: the output has no output_json.town"},
		{"after extract", `{"equals": {"value": "17", "extract": [{"after": "Answer:"}, "trim"]}}`, "Answer: 3? Answer: 17 ", nil, "pass"},
		{"a text wanted of JSON is compared with its canonical form", `{"equals": "{\"a\":1}"}`, "", outCase(`{ "a": 1.0 }`, ""), "pass"},
	})
}

func TestEqualsOfJSON(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"a map equals JSON text of it, in any order and spacing", `{"equals": {"value": {"a": 1, "b": [true, null]}}}`, "{ \"b\": [true, null],\n\"a\": 1.0 }", nil, "pass"},
		{"a map of the reference", `"equals"`, `{"amount": 12.50}`, refCase(`{"amount": 12.5}`), "pass"},
		{"an output that is no JSON fails", `"equals"`, `about 12`, refCase(`{"amount": 12.5}`), "fail: the output is not JSON: read JSON: jsontext: invalid character 'a' at start of value"},
		{"the first difference is named", `"equals"`, `{"order": {"items": [{"id": 1}, {"id": 3}]}}`, refCase(`{"order": {"items": [{"id": 1}, {"id": 2}]}}`), "fail: order.items.1.id is 3, not 2"},
		{"a key that is missing", `"equals"`, `{"a": 1}`, refCase(`{"a": 1, "b": {"c": 2}}`), `fail: b is missing; wanted is {"c":2}`},
		{"a key too many", `"equals"`, `{"a": 1, "b": 2}`, refCase(`{"a": 1}`), "fail: b is there and not wanted: 2"},
		{"an element that is missing", `"equals"`, `[1]`, refCase(`[1, 2]`), "fail: element 1 is missing; wanted is 2"},
		{"an element too many", `"equals"`, `[1, 2]`, refCase(`[1]`), "fail: element 1 is there and not wanted: 2"},
		{"other kinds differ", `"equals"`, `{"a": "1"}`, refCase(`{"a": 1}`), `fail: a is "1", not 1`},
		{"the whole differs", `"equals"`, `[1]`, refCase(`{"a": 1}`), `fail: the value is [1], not {"a":1}`},
		{"long integers count digit by digit", `"equals"`, `{"id": 12345678901234567891}`, refCase(`{"id": 12345678901234567890}`), "fail: id is 12345678901234567891, not 12345678901234567890"},
		{"long integers that are equal", `"equals"`, `{"id": 12345678901234567890}`, refCase(`{"id": 12345678901234567890}`), "pass"},
		{"integers beyond a float's, one apart", `"equals"`, `{"id": 9007199254740993}`, refCase(`{"id": 9007199254740992}`), "fail: id is 9007199254740993, not 9007199254740992"},
		{"numbers beyond any float", `"equals"`, `{"n": 1e999999999}`, refCase(`{"n": 1e999999999}`), "pass"},
		{"0 and -0 are one number", `"equals"`, `{"n": -0}`, refCase(`{"n": 0}`), "pass"},
		{"a list is the value where the output is a list", `{"equals": {"value": ["a", "b"]}}`, `["a", "b"]`, nil, "pass"},
		{"the order of a list counts", `{"equals": {"value": ["a", "b"]}}`, `["b", "a"]`, nil, `fail: element 0 is "b", not "a"`},
		{"a list is the value for output that is JSON", `{"equals": {"value": ["a", "b"]}}`, "", outCase(`{"a": 1}`, ""), `fail: the value is {"a":1}, not ["a","b"]`},
		{"a list is the value within output_json", `{"equals": {"at": "output_json.tag", "value": ["a", "b"]}}`, `{"tag": "a"}`, nil, `fail: the value is "a", not ["a","b"]`},
		{"an empty list is a value", `{"equals": {"value": []}}`, `[]`, nil, "pass"},
		{"an empty list is no text", `{"equals": {"value": []}}`, `{}`, nil, "fail: the value is {}, not []"},
		{"a number equals the same number, however it is written", `{"equals": 17}`, "17.0", nil, "pass"},
		{"a number of a place", `{"equals": {"at": "output_json.n", "value": 17}}`, `{"n": 17}`, nil, "pass"},
		{"a number and a text of it", `{"equals": {"at": "output_json.n", "value": 17}}`, `{"n": "17"}`, nil, "pass"},
		{"a number that is not there", `{"equals": 17}`, "seventeen", nil, `fail: the text is "seventeen", not "17"`},
		{"a number in a normalised text", `{"equals": {"value": 17, "normalize": ["punctuation"]}}`, "17.", nil, "pass"},
		{"true is true", `{"equals": true}`, " true", nil, "pass"},
		{"null is null", `{"equals": null}`, "null", nil, "pass"},
		{"a number among several", `{"equals": [17, "seventeen"]}`, "17.00", nil, "pass"},
		{"extracted JSON", `{"equals": {"value": {"a": 1}, "extract": ["json"]}}`, "Here:\n```json\n{\"a\": 1}\n```\n", nil, "pass"},
		{"an extracted number counts by value", `{"equals": {"value": 1234.5, "extract": [{"number": "last"}]}}`, "17 of 1,234.50 EUR", nil, "pass"},
		{"a number is read by the language", `{"equals": {"value": 1234.5, "extract": ["number"], "language": "de"}}`, "Es sind 1.234,50 Euro", nil, "pass"},
		{"the content of a message as JSON", `"equals"`, "", outCase(`{"role": "assistant", "content": "{\"a\": 1}"}`, `{"a": 1}`), "pass"},
		{"as json parses both sides", `{"equals": {"as": "json"}}`, `{ "a": 1 }`, refCase(`"{\"a\": 1.0}"`), "pass"},
		{"as json takes a list for the value", `{"equals": {"as": "json", "value": ["a"]}}`, `"a"`, nil, `fail: the value is "a", not ["a"]`},
		{"as text takes JSON for text", `{"equals": {"as": "text", "value": ["[1]", "x"]}}`, `[1]`, nil, "pass"},
		{"as text with nothing to compare", `{"equals": {"as": "text", "from": "vars.w"}}`, `x`, varsCase("w", "[]"), "error definition: vars.w: an empty list is nothing to compare with"},
	})
}

func TestEqualsEvidenceStandsAtTheDifference(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		check, output string
		want          newel.Evidence
	}{
		"within the output":         {`{"equals": {"value": {"a": {"b": 2}}}}`, `{"a": {"b": 1}}`, newel.Evidence{Path: "output_json.a.b", Want: "2", Got: "1"}},
		"within a place":            {`{"equals": {"at": "output_json.a", "value": {"b": 2}}}`, `{"a": {"b": 1}}`, newel.Evidence{Path: "output_json.a.b", Want: "2", Got: "1"}},
		"a key with a point":        {`{"equals": {"value": {"a.b": 2}}}`, `{"a.b": 1}`, newel.Evidence{Path: "/output_json/a.b", Want: "2", Got: "1"}},
		"a key that is not there":   {`{"equals": {"value": {"a": 2}}}`, `{}`, newel.Evidence{Path: "output_json.a", Want: "2"}},
		"a text, with what it says": {`{"equals": "a"}`, `b`, newel.Evidence{Path: "output", Want: `"a"`, Got: "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := ruleCheck(t, test.check, &Env{})
			if err != nil {
				t.Fatal(err)
			}
			got := c.Score(context.Background(), subjectOf(test.output)).Evidence
			if diff := cmp.Diff([]newel.Evidence{test.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEqualsSaysWhereLongTextsBeginToDiffer(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("é", 50) + "\n"
	testRules(t, []rule{
		{"on a later line", `{"equals": {"from": "vars.w"}}`, line + line + "à la carte", varsCase("w", string(newel.AppendString(nil, line+line+"á la carte"))),
			`fail: the text differs from character 103 on (line 3): it goes on "à la carte", not "á la carte"`},
		{"where the text ends", `{"equals": {"from": "vars.w"}}`, line + line, varsCase("w", string(newel.AppendString(nil, line+line+"x"))),
			`fail: the text differs from character 103 on (line 3): it goes on "", not "x"`},
	})
}

func TestEqualsUnderAHigherLayerAsksForSettles(t *testing.T) {
	t.Parallel()
	for check, wants := range map[string]bool{`"equals"`: true, `{"equals": {"from": "vars.x"}}`: true, `{"equals": "a"}`: false, `{"equals": {"settles": "pass"}}`: false} {
		_, err := ruleCheck(t, check, &Env{Above: true})
		if asks := err != nil && strings.Contains(err.Error(), "write settles"); asks != wants || !wants && err != nil {
			t.Errorf("%s: %v", check, err)
		}
	}
}

func TestMistakesOfEquals(t *testing.T) {
	t.Parallel()
	testMistakes(t, []mistake{
		{"value and from", `{"equals": {"value": "a", "from": "reference"}}`, "equals has both value and from: keep one"},
		{"an unknown way", `{"equals": {"value": "a", "as": "jsn"}}`, `equals: as is one of auto, text, json (did you mean "json"?)`},
		{"an unknown step", `{"equals": {"value": "a", "normalize": ["lowr"]}}`, `equals: normalize is squad, or a list of nfkc, lower, punctuation, articles, whitespace, not ["lowr"]`},
		{"no text to compare with", `{"equals": {"as": "text", "value": []}}`, "equals: value: an empty list is nothing to compare with"},
		{"a step of extract that is none", `{"equals": {"value": "a", "extract": ["jsn"]}}`, `extract has no step "jsn" (did you mean "json"?)`},
	})
}
