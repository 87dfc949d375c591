package check

import "testing"

func TestNumber(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"the number of a text", `{"number": 18}`, "The answer is 18.", nil, "pass 18"},
		{"another number", `{"number": 18}`, "The answer is 17.", nil, "fail 17: the number is 17, not 18"},
		{"thousands are grouped", `{"number": 1234.5}`, "It costs $1,234.50 in all.", nil, "pass 1234.5"},
		{"a negative number", `{"number": -3}`, "It is −3 °C.", nil, "pass -3"},
		{"the first of several by default", `{"number": 3}`, "3 of 4", nil, "pass 3"},
		{"the last of several", `{"number": {"value": 4, "take": "last"}}`, "3 of 4", nil, "pass 4"},
		{"only one may be there", `{"number": {"value": 4, "take": "only"}}`, "3 of 4", nil, "fail: there is more than one number in the text: 3, 4, …"},
		{"no number", `{"number": 4}`, "four", nil, "fail: there is no number in the text"},
		{"of a list any will do", `{"number": [3, 4]}`, "4", nil, "pass 4"},
		{"none of a list", `{"number": [3, 4]}`, "5", nil, "fail 5: the number is 5, not 3 or 4"},
		{"within an absolute tolerance", `{"number": {"value": 0.3, "tolerance": 0.01}}`, "0.31", nil, "pass 0.31"},
		{"beyond an absolute tolerance", `{"number": {"value": 0.3, "tolerance": 0.01}}`, "0.32", nil, "fail 0.32: the number is 0.32, not 0.3 (±0.01)"},
		{"within a share", `{"number": {"value": 200, "tolerance": "2%"}}`, "204", nil, "pass 204"},
		{"beyond a share", `{"number": {"value": 200, "tolerance": "2%"}}`, "205", nil, "fail 205: the number is 205, not 200 (±2%)"},
		{"whichever allows more", `{"number": {"value": 200, "tolerance": {"abs": 5, "rel": 0.01}}}`, "205", nil, "pass 205"},
		{"a tolerance of the case", `{"number": {"value": 200, "tolerance": {"from": "vars.t"}}}`, "205", varsCase("t", "5"), "pass 205"},
		{"a tolerance of the case that is none", `{"number": {"value": 200, "tolerance": {"from": "vars.t"}}}`, "205", varsCase("t", "-5"), "error definition: vars.t: is a number of at least 0, a text such as 2%, or {abs, rel}, not -5"},
		{"a decimal comma by language", `{"number": {"value": 1234.5, "language": "de"}}`, "Das macht 1.234,50 Euro.", nil, "pass 1234.5"},
		{"separators given outright", `{"number": {"value": 1234.5, "separators": {"decimal": ",", "group": "."}}}`, "1.234,5", nil, "pass 1234.5"},
		{"separators as given and no others", `{"number": {"value": 1234, "separators": {"decimal": ","}}}`, "1.234", nil, "fail 1: the number is 1, not 1234"},
		{"the reference as text", `"number"`, "1234.5", refCase(`"1,234.50"`), "pass 1234.5"},
		{"the reference as text of another language", `{"number": {"reference_language": "de"}}`, "1234.5", refCase(`"1.234,50"`), "pass 1234.5"},
		{"a reference that is no number", `"number"`, "1234.5", refCase(`"many"`), `error definition: reference: "many" is not a number`},
		{"a reference of null", `"number"`, "1234.5", refCase(`[null]`), `error case: the case has no reference: null is nothing to compare with`},
		{"units make sides alike", `{"number": {"units": {"km": 1000, "m": 1}}}`, "It is 1.2 km away.", refCase(`"1200 m"`), "pass 1200"},
		{"50% is 50", `{"number": 50}`, "50 %", nil, "pass 50"},
		{"unless units say otherwise", `{"number": {"value": 0.5, "units": {"%": 0.01}}}`, "50 %", nil, "pass 0.5"},
		{"a JSON number", `{"number": {"at": "output_json.n", "value": 17}}`, `{"n": 17.0}`, nil, "pass 17"},
		{"a JSON number in a text", `{"number": {"at": "output_json.n", "value": 17}}`, `{"n": "17"}`, nil, "pass 17"},
		{"an output that is a number", `{"number": 17}`, "", outCase("17", ""), "pass 17"},
		{"JSON that is no number", `{"number": {"at": "output_json", "value": 17}}`, `{"n": 17}`, nil, "fail: output_json is a map, not a number"},
		{"a value of the case that is no number", `{"number": {"at": "vars.n", "value": 17}}`, ``, varsCase("n", "true"), "error definition: vars.n is true or false, not a number"},
		{"a number too large to report still compares", `{"number": 1e12}`, "1000000000000", nil, "pass"},
		{"Chinese digits", `{"number": 42}`, "答案是４２。", nil, "pass 42"},
		{"extracted", `{"number": {"value": 42, "extract": {"after": "####"}}}`, "6 times 7\n#### 42", nil, "pass 42"},
	})
}

func TestMistakesOfNumber(t *testing.T) {
	t.Parallel()
	testMistakes(t, []mistake{
		{"a value that is no number", `{"number": "many"}`, `number: value "many" is not a number`},
		{"a negative tolerance", `{"number": {"value": 1, "tolerance": -1}}`, `number: tolerance is a number of at least 0, a text such as 2%, or {abs, rel}, not -1`},
		{"a tolerance without per cent", `{"number": {"value": 1, "tolerance": "2"}}`, `number: tolerance is a number of at least 0, or a text such as 2%, not "2"`},
		{"a tolerance of another key", `{"number": {"value": 1, "tolerance": {"absolute": 2}}}`, `number: tolerance has no "absolute": it is a map of abs and rel`},
		{"one mark for both", `{"number": {"value": 1, "separators": {"decimal": ",", "group": ".,"}}}`, `number: separators has "," both as decimal and as group mark`},
		{"marks of another key", `{"number": {"value": 1, "separators": {"decimals": ","}}}`, `number: separators has no "decimals": it is a map of decimal and group`},
		{"units that are no numbers", `{"number": {"value": 1, "units": {"km": "m"}}}`, `number: units is a map of units to the factors of their values, at most 100: {km: 1000, m: 1}`},
	})
}
