package check

import (
	"testing"

	"newel"
)

func TestExpr(t *testing.T) {
	t.Parallel()
	reference := &newel.Case{ID: "a", Reference: newel.Raw(`{"amount": 5}`), Vars: []newel.Named{
		{Name: "rule", Value: newel.Raw(`"output_json.amount > 3"`)}, {Name: "wrong", Value: newel.Raw(`"output_json. >"`)}, {Name: "word", Value: newel.Raw(`"x"`)}}}
	testRules(t, []rule{
		{"a true expression passes", `{"expr": "output_json.amount == reference.amount"}`, `{"amount": 5}`, reference, "pass"},
		{"a false expression fails and is shown", `{"expr": "output_json.amount == reference.amount"}`, `{"amount": 6}`, reference, "fail: not true: output_json.amount == reference.amount"},
		{"an output that is no JSON fails", `{"expr": "output_json.amount == 5"}`, `five`, nil, "fail: the output is not JSON: read JSON: jsontext: invalid character 'i' in literal false (expecting 'a') after offset 1"},
		{"a key the output lacks fails", `{"expr": "output_json.amount == 5"}`, `{}`, nil, "fail: the output has no output_json.amount"},
		{"a missing field is an error of the case", `{"expr": "output_json.amount == reference.amount"}`, `{"amount": 5}`, nil, "error case: the case has no reference"},
		{"a value of the case of the wrong kind is an error of definition", `{"expr": "vars.word > 3"}`, ``, reference, "error definition: the expression fails: vars.word > 3 is not defined for the kinds of values there"},
		{"a value that is no truth value is an error of definition", `{"expr": "vars.word"}`, ``, reference, "error definition: the expression gives a text where true or false was expected"},
		{"too much work is an error of kind limit", `{"expr": "lists.range(2000).all(a, lists.range(2000).all(b, a + b >= 0))"}`, ``, nil, "error limit: the expression costs more than its limit: it walks over too much text or too many elements"},
		{"the expression may come from the case", `{"expr": {"from": "vars.rule"}}`, `{"amount": 5}`, reference, "pass"},
		{"an expression of the case that is none is an error of definition", `{"expr": {"from": "vars.wrong"}}`, ``, reference, "error definition: column 14: not an expression: cannot read . >"},
	})
}

func TestMistakesOfExprAreNamed(t *testing.T) {
	t.Parallel()
	testMistakes(t, []mistake{
		{"a misspelt name", `{"expr": "outptu_text == ''"}`, `expr: expression: column 1: unknown name "outptu_text" (did you mean "output_text"?)`},
		{"a text where a truth value belongs", `{"expr": "output_text + id"}`, `expr: expression: "output_text + id" gives a value of type string, not true or false`},
		{"a list", `{"expr": {"expression": ["a"]}}`, `expr: expression is a text, not a list`},
		{"nothing", `"expr"`, `expr needs expression: a CEL expression that gives true or false`},
	})
}
