package check

import "testing"

func TestContains(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"a text that is there", `{"contains": "17"}`, "order 17 ships", nil, "pass"},
		{"a text that is not", `{"contains": "18"}`, "order 17 ships", nil, `fail: the text does not hold "18"`},
		{"a number is a text", `{"contains": 17}`, "order 17 ships", nil, "pass"},
		{"of a list any will do", `{"contains": ["x", "17"]}`, "order 17", nil, "pass"},
		{"none of a list", `{"contains-any": ["x", "y"]}`, "order 17", nil, `fail: the text does not hold any of ["x","y"]`},
		{"case counts", `{"contains": "Order"}`, "order 17", nil, `fail: the text does not hold "Order"`},
		{"unless it is ignored", `{"contains": {"value": "ORDER", "ignore_case": true}}`, "my order", nil, "pass"},
		{"both sides are normalised", `{"contains": {"value": "the order, 17", "normalize": "squad"}}`, "An Order   17!", nil, "pass"},
		{"all of a list", `{"contains-all": ["a", "b"]}`, "b a", nil, "pass"},
		{"what is missing of all is named", `{"contains-all": ["a", "b", "c"]}`, "b", nil, `fail: the text does not hold ["a","c"]`},
		{"the beginning", `{"starts-with": "Dear"}`, "Dear Ann,", nil, "pass"},
		{"not the beginning", `{"starts-with": ["Dear", "Hello"]}`, "Hi", nil, `fail: the text does not begin with any of ["Dear","Hello"]`},
		{"the end", `{"ends-with": {"value": "?", "extract": "trim"}}`, "Why? ", nil, "pass"},
		{"not the end", `{"ends-with": "?"}`, "Why? ", nil, `fail: the text does not end with "?"`},
		{"the needle of a case", `{"contains": {"from": "vars.must"}}`, "order 17", varsCase("must", `"17"`), "pass"},
		{"the reference", `"contains"`, "order 17", refCase(`["18", "17"]`), "pass"},
		{"an empty text is found nowhere", `{"contains": ""}`, "a", nil, `fail: the wanted text is empty, and an empty text is found nowhere (empty: match)`},
		{"not even in all", `{"contains-all": ["a", ""]}`, "a", nil, `fail: the wanted text is empty, and an empty text is found nowhere (empty: match)`},
		{"unless it matches", `{"contains": {"value": "", "empty": "match"}}`, "a", nil, "pass"},
		{"nor is one of which nothing is left", `{"contains": {"value": "...", "normalize": ["punctuation"]}}`, "a", nil, `fail: the wanted text is empty, and an empty text is found nowhere (empty: match)`},
		{"a needle of null is a case without", `{"contains": {"from": "vars.must"}}`, "a", varsCase("must", "null"), "error case: the case has no vars.must: null is nothing to compare with"},
		{"a case that lacks it", `{"contains": {"from": "vars.must"}}`, "a", varsCase("other", "1"), "error case: the case has no vars.must"},
		{"an empty list of a case", `{"contains-all": {"from": "vars.must"}}`, "a", varsCase("must", "[]"), "error definition: vars.must: an empty list is nothing to compare with"},
		{"a place in the context", `{"contains": {"at": "reference", "value": "b"}}`, "", refCase(`"abc"`), "pass"},
		{"negated", `{"not": {"contains": "as an AI"}}`, "I can", nil, "pass"},
	})
	testMistakes(t, []mistake{
		{"nothing to look for", `{"contains": []}`, "contains: value: an empty list is nothing to compare with"},
		{"null", `{"contains": null}`, "contains: value: null is nothing to compare with"},
		{"a parameter misspelt", `{"contains": {"vlaue": "a"}}`, `contains has no parameter "vlaue" (did you mean "value"?)`},
	})
}

func TestExtract(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"steps run in order", `{"equals": {"value": "yes", "extract": [{"after": "Answer:"}, "trim", "lower"]}}`, "Answer: YES ", nil, "pass"},
		{"a mark that is not there", `{"equals": {"value": "yes", "extract": {"after": "Answer:"}}}`, "yes", nil, `fail: nothing stands after "Answer:": it is not there`},
		{"a mark of the case", `{"equals": {"value": "x", "extract": {"after": {"from": "vars.mark"}}}}`, "A: x", varsCase("mark", `"A: "`), "pass"},
		{"a pattern's group", `{"equals": {"value": "17", "extract": {"regex": "id=(\\d+)"}}}`, "id=17 id=18", nil, "pass"},
		{"a pattern without group", `{"equals": {"value": "id=18", "extract": {"regex": "id=\\d+", "take": "last"}}}`, "id=17 id=18", nil, "pass"},
		{"a second match where only one may be", `{"equals": {"value": "id=18", "extract": {"regex": "id=\\d+", "take": "only"}}}`, "id=17 id=18", nil, `fail: more than one place matches "id=\\d+"`},
		{"a group that took no part", `{"equals": {"value": "", "extract": {"regex": "a(b)?"}}}`, "ac", nil, "pass"},
		{"a pattern that does not match", `{"equals": {"value": "", "extract": {"regex": "x"}}}`, "ac", nil, `fail: nothing in the text matches "x"`},
		{"a pattern of the case that is none", `{"equals": {"value": "", "extract": {"regex": {"from": "vars.p"}}}}`, "ac", varsCase("p", `"("`), `error definition: "(" is not a regular expression (Go syntax): column 1: missing closing ): "("`},
		{"steps of the case", `{"equals": {"value": "yes", "extract": {"from": "vars.steps"}}}`, "Answer: yes", varsCase("steps", `[{"after": "Answer:"}, "trim"]`), "pass"},
		{"steps of the case that are none", `{"equals": {"value": "yes", "extract": {"from": "vars.steps"}}}`, "Answer: yes", varsCase("steps", `["tirm"]`), `error definition: vars.steps: extract has no step "tirm" (did you mean "trim"?)`},
		{"the first number", `{"equals": {"value": "1234.5", "extract": "number"}}`, "Total 1,234.50 EUR, tax 17", nil, "pass"},
		{"the only number", `{"equals": {"value": "17", "extract": {"number": "only"}}}`, "17 or 18 or 19", nil, "fail: there is more than one number in the text: 17, 18, …"},
		{"no number", `{"equals": {"value": "17", "extract": "number"}}`, "none", nil, "fail: there is no number in the text"},
		{"a long number keeps its digits", `{"equals": {"value": "12345678901234567890", "extract": "number"}}`, "id 12345678901234567890", nil, "pass"},
		{"the only fenced block", `{"equals": {"value": {"a": 1}, "extract": "json"}}`, "Here:\n```\n{\"a\": 1}\n```", nil, "pass"},
		{"two fenced blocks", `{"equals": {"value": {"a": 1}, "extract": "json"}}`, "```\n1\n```\n```\n2\n```", nil, "fail: the text is not JSON and has more than one fenced block"},
		{"no block", `{"equals": {"value": {"a": 1}, "extract": "json"}}`, "hm", nil, "fail: the text is not JSON and has no fenced block"},
	})
	testMistakes(t, []mistake{
		{"an empty mark", `{"equals": {"value": "a", "extract": {"after": ""}}}`, `equals: after is a text that is not empty`},
		{"a key of regex that is none", `{"equals": {"value": "a", "extract": {"regex": "a", "tkae": "last"}}}`, `extract's regex has no "tkae" (did you mean "take"?)`},
		{"a number that is none", `{"equals": {"value": "a", "extract": {"number": "lst"}}}`, `equals: number is one of first, last, only (did you mean "last"?)`},
		{"no step at all", `{"equals": {"value": "a", "extract": [17]}}`, `extract is a list of json, number, trim, lower, {after: TEXT}, {regex: PATTERN, take: first|last|only}, {number: first|last|only}`},
	})
}

func TestExactMatch(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"case, articles and punctuation do not count", `{"exact-match": "The Eiffel Tower!"}`, "eiffel  tower", nil, "pass"},
		{"any of the references will do", `"exact-match"`, "Boyle.", refCase(`["Robert Boyle", "Boyle"]`), "pass"},
		{"another text", `{"exact-match": ["Robert Boyle", "Boyle"]}`, "the Hooke", nil, `fail: once normalised, the text is "hooke", not any of ["robert boyle","boyle"]`},
		{"nothing left matches nothing", `{"exact-match": "a"}`, "The", nil, "fail: once normalised, nothing is left of the text"},
		{"unless it matches", `{"exact-match": {"value": "a", "empty": "match"}}`, "The", nil, "pass"},
		{"without normalising", `{"exact-match": {"value": "Boyle", "normalize": []}}`, "boyle", nil, `fail: once normalised, the text is "boyle", not "Boyle"`},
		{"with other steps, in a language", `{"exact-match": {"value": "der Turm", "normalize": ["lower", "articles", "whitespace"], "language": "de"}}`, "Turm", nil, "pass"},
		{"the language of the case", `{"exact-match": {"value": "der Turm", "normalize": ["lower", "articles", "whitespace"], "language": {"from": "dims.language"}}}`, "Turm", nil, "error case: the case has no dims.language"},
	})
}
