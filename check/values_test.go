package check

import (
	"testing"

	"newel"
)

func TestOneOf(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"one of the texts passes", `{"one-of": ["approve", "reject"]}`, "reject", nil, "pass"},
		{"the whole text must be one of them", `{"one-of": ["approve", "reject"]}`, "reject it", nil, `fail: "reject it" is none of ["approve","reject"]`},
		{"case may be ignored", `{"one-of": {"values": ["Approve"], "ignore_case": true}}`, "APPROVE", nil, "pass"},
		{"texts may be normalised", `{"one-of": {"values": ["approve"], "normalize": ["lower", "punctuation", "whitespace"]}}`, " Approve. ", nil, "pass"},
		{"extract comes first", `{"one-of": {"values": ["approve"], "extract": ["trim", "lower"]}}`, " Approve\n", nil, "pass"},
		{"numbers are compared as JSON", `{"one-of": [1, 2.5]}`, "2.50", nil, "pass"},
		{"a number that is none of them", `{"one-of": [1, 2.5]}`, "3", nil, "fail: 3 is none of [1,2.5]"},
		{"null, lists and maps too", `{"one-of": [null, [1], {"a": 1}]}`, `{"a": 1}`, nil, "pass"},
		{"a text that is no JSON beside other values", `{"one-of": ["none", 1]}`, "some", nil, `fail: "some" is none of ["none",1]`},
		{"a big number keeps its digits", `{"one-of": [9007199254740993]}`, "9007199254740992", nil, "fail: 9007199254740992 is none of [9007199254740993]"},
		{"another place", `{"one-of": {"at": "output_json.status", "values": ["open", 3]}}`, `{"status": 3}`, nil, "pass"},
		{"a text at another place", `{"one-of": {"at": "output_json.status", "values": ["open"]}}`, `{"status": "open"}`, nil, "pass"},
		{"the values may come from the case", `{"one-of": {"from": "vars.v"}}`, "b", varsCase("v", `["a", "b"]`), "pass"},
		{"a single value of the case", `{"one-of": {"from": "vars.v"}}`, "b", varsCase("v", `"b"`), "pass"},
	})
	testMistakes(t, []mistake{
		{"no values", `{"one-of": []}`, `one-of: values is empty: nothing can pass`},
		{"nothing", `"one-of"`, `one-of needs values: what it may be`},
		{"a misspelt step", `{"one-of": {"values": ["a"], "extract": ["trimm"]}}`, `extract has no step "trimm" (did you mean "trim"?)`},
	})
}

func TestRange(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"a number within passes", `{"range": {"min": 0, "max": 1}}`, "0.5", nil, "pass 0.5"},
		{"the bounds belong to it", `{"range": {"min": 0, "max": 1}}`, "1", nil, "pass 1"},
		{"above and below leave the bounds out", `{"range": {"above": 0, "below": 1}}`, "1", nil, "fail 1: 1 is not below 1"},
		{"a number above fails", `{"range": {"max": 1}}`, "1.25", nil, "fail 1.25: 1.25 is not at most 1"},
		{"a number of the JSON", `{"range": {"at": "output_json.score", "min": 3}}`, `{"score": 2}`, nil, "fail 2: 2 is not at least 3"},
		{"a text of the JSON", `{"range": {"at": "output_json.score", "min": 3}}`, `{"score": "4"}`, nil, "pass 4"},
		{"thousands and a currency sign", `{"range": {"min": 1000}}`, "$1,234.50", nil, "pass 1234.5"},
		{"a decimal comma", `{"range": {"max": 2, "language": "de"}}`, "1,5", nil, "pass 1.5"},
		{"an exponent", `{"range": {"max": 2}}`, " 1e-3 ", nil, "pass 0.001"},
		{"a sentence is no number", `{"range": {"min": 0}}`, "It is 5.", nil, `fail: "It is 5." is not one number`},
		{"extract finds the number in a sentence", `{"range": {"min": 0, "extract": "number"}}`, "It is 5.", nil, "pass 5"},
		{"a list is no number", `{"range": {"at": "output_json", "min": 0}}`, "[5]", nil, "fail: output_json is a list, not a number"},
		{"a text of the case is an error of definition", `{"range": {"at": "vars.n", "min": 0}}`, "", varsCase("n", `"many"`), `error definition: "many" is not one number`},
		{"a number beyond what a value holds is still compared", `{"range": {"min": 0}}`, "1e30", nil, "pass"},
		{"bounds may come from the case", `{"range": {"max": {"from": "vars.n"}}}`, "5", varsCase("n", `4`), "fail 5: 5 is not at most 4"},
	})
	testMistakes(t, []mistake{
		{"no bounds", `"range"`, `range needs min, max, above or below`},
		{"bounds the wrong way round", `{"range": {"min": 2, "max": 1}}`, `range: no number is at least 2 and at most 1`},
		{"bounds with nothing between", `{"range": {"above": 1, "max": 1}}`, `range: no number is above 1 and at most 1`},
		{"a text for a number", `{"range": {"min": "low"}}`, `range: min is a number, not a text`},
	})
}

func TestFields(t *testing.T) {
	t.Parallel()
	in := `{"id": 1, "customer": {"name": null}, "items": [{"price": 2}], "a.b": 3}`
	testRules(t, []rule{
		{"keys that are there pass", `{"fields": ["id", "customer.name", "items.0.price", "/a.b"]}`, in, nil, "pass"},
		{"keys that are not there are named", `{"fields": ["id", "customer.email", "items.1"]}`, in, nil, "fail: the JSON lacks customer.email, items.1"},
		{"forbidden keys are named", `{"fields": {"required": "id", "forbidden": ["customer.name", "ssn"]}}`, in, nil, "fail: the JSON holds the forbidden customer.name"},
		{"both at once", `{"fields": {"required": "x", "forbidden": "id"}}`, in, nil, "fail: the JSON lacks x and holds the forbidden id"},
		{"an output that is no JSON fails", `{"fields": ["id"]}`, "hello", nil, "fail: the output is not JSON: read JSON: jsontext: invalid character 'h' at start of value"},
		{"JSON in a fenced block", `{"fields": {"required": "id", "extract": "json"}}`, "Here:\n```json\n{\"id\": 1}\n```\n", nil, "pass"},
		{"the keys may come from the case", `{"fields": {"from": "vars.k"}}`, in, varsCase("k", `["id", "x"]`), "fail: the JSON lacks x"},
		{"a bad path of the case is an error of definition", `{"fields": {"from": "vars.k"}}`, in, varsCase("k", `["a..b"]`), `error definition: "a..b" has an empty part`},
	})
	testMistakes(t, []mistake{
		{"nothing", `"fields"`, `fields needs required or forbidden`},
		{"a path of the case", `{"fields": ["output_json.id"]}`, `fields: required: paths start within the output: write id`},
		{"an empty part", `{"fields": {"forbidden": ["a."]}}`, `fields: forbidden: "a." has an empty part`},
		{"a misspelt parameter", `{"fields": {"require": ["a"]}}`, "fields has no parameter \"require\" (did you mean \"required\"?)\nfields needs required or forbidden"},
	})
}

func TestSteps(t *testing.T) {
	t.Parallel()
	calls := func(names ...string) *newel.Case {
		raw := "["
		for i, n := range names {
			if i > 0 {
				raw += ","
			}
			raw += `{"name": "` + n + `", "arguments": {}}`
		}
		return outputCase(raw + "]")
	}
	testRules(t, []rule{
		{"exactly these calls pass", `{"steps": ["search", "refund"]}`, "", calls("search", "refund"), "pass"},
		{"another order fails", `{"steps": ["search", "refund"]}`, "", calls("refund", "search"), `fail: call 1 is "refund", not "search"`},
		{"one too many fails", `{"steps": ["search"]}`, "", calls("search", "refund"), `fail: call 2, "refund", is one too many`},
		{"one too few fails", `{"steps": ["search", "refund"]}`, "", calls("search"), `fail: there is no call 2, which should be "refund"`},
		{"no calls where none are wanted", `{"steps": []}`, "Just text.", nil, "pass"},
		{"a text asks for nothing", `{"steps": "search"}`, "Just text.", nil, `fail: there is no call 1, which should be "search"`},
		{"in order with others between", `{"steps": {"names": ["a", "b"], "order": "in-order"}}`, "", calls("a", "x", "b"), "pass"},
		{"not in order", `{"steps": {"names": ["a", "b"], "order": "in-order"}}`, "", calls("b", "a"), `fail: "b" is not called after "a"`},
		{"in any order", `{"steps": {"names": ["a", "b"], "order": "any-order"}}`, "", calls("b", "x", "a"), "pass"},
		{"as often as listed", `{"steps": {"names": ["a", "a"], "order": "any-order"}}`, "", calls("b", "a"), `fail: "a" is not called as often as it is listed`},
		{"only those listed", `{"steps": {"names": ["a", "b"], "order": "subset"}}`, "", calls("a", "a"), "pass"},
		{"one that is not listed", `{"steps": {"names": ["a", "b"], "order": "subset"}}`, "", calls("a", "c"), `fail: call 2 is "c", which is not listed`},
		{"the names may come from the case", `{"steps": {"from": "vars.s"}}`, `[{"name": "a"}]`, varsCase("s", `["a"]`), "pass"},
		{"calls that cannot be read fail", `{"steps": ["a"]}`, "", outputCase(`[3]`), "fail: a tool call is not an object"},
	})
	testMistakes(t, []mistake{
		{"an unknown order", `{"steps": {"names": ["a"], "order": "inorder"}}`, `steps: order is one of exact, in-order, any-order, subset (did you mean "in-order"?)`},
		{"nothing to look for", `{"steps": {"names": [], "order": "any-order"}}`, `steps: any-order with no names is met by any calls`},
		{"nothing", `"steps"`, `steps needs names: names of tools`},
	})
}

func TestIFEval(t *testing.T) {
	t.Parallel()
	checks := `[{"id": "en:punctuation:no_comma", "args": {}}, {"id": "en:keywords:existence", "args": {"keywords": ["fox"], "num_words": null}}]`
	testRules(t, []rule{
		{"all followed passes", `{"ifeval": ` + checks + `}`, "A fox ran.", nil, "pass 1"},
		{"one broken fails with the share", `{"ifeval": ` + checks + `}`, "A fox, running.", nil, "fail 0.5: does not follow 1 of 2: en:punctuation:no_comma"},
		{"one instruction without a list", `{"ifeval": {"instructions": {"id": "punctuation:no_comma"}}}`, "A fox.", nil, "pass 1"},
		{"loose forgives a line before the answer", `{"ifeval": {"instructions": ` + checks + `, "mode": "loose"}}`, "Sure, here you go:\nA fox ran.", nil, "pass 1"},
		{"strict does not", `{"ifeval": {"instructions": ` + checks + `}}`, "Sure, here you go:\nA fox ran.", nil, "fail 0.5: does not follow 1 of 2: en:punctuation:no_comma"},
		{"the instructions may come from the case", `{"ifeval": {"from": "vars.checks"}}`, "A fox ran.", varsCase("checks", checks), "pass 1"},
		{"a wrong instruction of the case is an error of definition", `{"ifeval": {"from": "vars.checks"}}`, "A fox.", varsCase("checks", `[{"id": "en:punctuation:no_coma"}]`), `error definition: vars.checks: unknown instruction "en:punctuation:no_coma" (did you mean "en:punctuation:no_comma"?)`},
		{"none in the case is an error of definition", `{"ifeval": {"from": "vars.checks"}}`, "A fox.", varsCase("checks", `[]`), `error definition: vars.checks is an empty list`},
		{"a case without them is an error", `{"ifeval": {"from": "vars.checks"}}`, "A fox.", varsCase("other", `[]`), `error case: the case has no vars.checks`},
	})
	testMistakes(t, []mistake{
		{"an unknown instruction", `{"ifeval": [{"id": "punctuation:no_coma"}]}`, `ifeval: unknown instruction "punctuation:no_coma" (did you mean "en:punctuation:no_comma"?)`},
		{"a text", `{"ifeval": ["no_comma"]}`, `ifeval: an instruction is {id, args}, not "no_comma"`},
		{"a misspelt key", `{"ifeval": [{"id": "punctuation:no_comma", "arg": {}}]}`, `ifeval: instruction "punctuation:no_comma": unknown key "arg" (did you mean "args"?)`},
		{"args that are no map", `{"ifeval": [{"id": "punctuation:no_comma", "args": 3}]}`, `ifeval: instruction "punctuation:no_comma": args is a map, not a number`},
		{"none", `{"ifeval": []}`, `ifeval: instructions is empty`},
	})
}

func TestRunMetrics(t *testing.T) {
	t.Parallel()
	of := func(run string) *newel.Case { return &newel.Case{ID: "a", Run: newel.Raw(run)} }
	full := of(`{"latency_ms": 1500, "cost_usd": 0.0021, "usage": {"input_tokens": 100, "output_tokens": 20, "details": {"cached": 7}}}`)
	testRules(t, []rule{
		{"fast enough passes", `{"latency": {"max": "1.5s"}}`, "", full, "pass 1500"},
		{"a number is milliseconds", `{"latency": {"max": 1400}}`, "", full, "fail 1500: the latency in ms is 1500, above the maximum of 1400"},
		{"without bounds it only reports", `"latency"`, "", full, "undecided 1500"},
		{"a case without a run is an error", `{"latency": {"max": 1}}`, "", nil, "error case: the case has no run"},
		{"a run without a latency is an error", `{"latency": {"max": 1}}`, "", of(`{}`), "error case: the case has no run.latency_ms"},
		{"a latency that is a text is an error of definition", `{"latency": {"max": 1}}`, "", of(`{"latency_ms": "1s"}`), "error definition: run.latency_ms is a text, not a number"},
		{"cheap enough passes", `{"cost": {"max": 0.0021}}`, "", full, "pass 0.0021"},
		{"too dear fails", `{"cost": {"max": 0.002}}`, "", full, "fail 0.0021: the cost in USD is 0.0021, above the maximum of 0.002"},
		{"an unknown cost is an error, not zero", `{"cost": {"max": 1}}`, "", of(`{"cost_usd": null}`), "error case: the case has no run.cost_usd"},
		{"usage adds input and output", `{"usage": {"max": 120}}`, "", full, "pass 120"},
		{"usage adds prompt and completion", `{"usage": {"max": 5}}`, "", of(`{"usage": {"prompt_tokens": 2, "completion_tokens": 4}}`), "fail 6: the usage (total_tokens) is 6, above the maximum of 5"},
		{"usage takes the total as written", `{"usage": {"max": 120}}`, "", of(`{"usage": {"total_tokens": 7, "input_tokens": 1, "output_tokens": 1}}`), "pass 7"},
		{"one number of it", `{"usage": {"of": "output_tokens", "min": 1}}`, "", full, "pass 20"},
		{"a number within", `{"usage": "details.cached"}`, "", full, "undecided 7"},
		{"usage that is not there is an error", `{"usage": {"max": 1}}`, "", of(`{"usage": {"input_tokens": 1}}`), "error case: the case has no run.usage.total_tokens"},
	})
	testMistakes(t, []mistake{
		{"a duration that is none", `{"latency": {"max": "soon"}}`, `latency: max is a number of milliseconds or a duration such as 1.5s, not "soon"`},
		{"durations the wrong way round", `{"latency": {"min": "2s", "max": 1}}`, `latency: min 2000 is above max 1: nothing can pass`},
		{"a bare value", `{"cost": 3}`, `cost takes a map of parameters, or nothing; this is a number`},
	})
}

func FuzzReadInner(f *testing.F) {
	for _, p := range []string{"a.b", "/a~1b/~0", "a..b", "", "/", "output_json.x", "0"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := readInner(text)
		if err == nil && len(p.steps) == 0 {
			t.Fatalf("%q has no steps", text)
		}
	})
}

func FuzzNumberAt(f *testing.F) {
	for _, s := range []string{"1", "1e5", "$1,234.50", "NaN", "Inf", "0x10", "1_000", "--1", "٣"} {
		f.Add(s)
	}
	c, err := ruleCheck(f, `{"range": {"min": 0}}`, &Env{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		score := c.Score(t.Context(), newel.NewSubject(&newel.Item{Case: &newel.Case{Output: newel.AppendString(nil, text)}}))
		if !score.Verdict.Settled() {
			t.Fatalf("%q: %s", text, ruleSays(score))
		}
	})
}
