package check

import (
	"strings"
	"testing"

	"newel"
)

func TestLanguage(t *testing.T) {
	t.Parallel()
	german := "Die Bestellung wird heute verschickt, und die Rückerstattung folgt innerhalb einer Woche."
	of := &newel.Case{ID: "a", Dims: []newel.Dim{{Name: "language", Value: "de-CH"}}}
	testRules(t, []rule{
		{"the language asked for passes", `{"language": "de"}`, german, nil, "pass"},
		{"the language of the case passes, its region aside", `{"language": {"from": "dims.language"}}`, german, of, "pass"},
		{"one of several passes", `{"language": ["fr", "de"]}`, german, nil, "pass"},
		{"Chinese by its code", `{"language": "zh"}`, "订单今天发货，退款将在一周内到账。", nil, "pass"},
		{"no letters are no language", `{"language": "de"}`, "17 + 4", nil, "fail: the text has no letters, so it is in no language"},
		{"a case without the dimension is an error", `{"language": {"from": "dims.language"}}`, german, nil, "error case: the case has no dims.language"},
		{"a case with no code is an error of definition", `{"language": {"from": "vars.l"}}`, german, varsCase("l", `"German"`), `error definition: "German" is no language code: write de, not German`},
	})
	c, err := ruleCheck(t, `{"language": "fr"}`, &Env{})
	if err != nil {
		t.Fatal(err)
	}
	score := c.Score(t.Context(), newel.NewSubject(&newel.Item{Case: &newel.Case{Output: newel.AppendString(nil, german)}}))
	if score.Verdict != newel.Fail || !strings.HasPrefix(score.Explanation, "looks like de (confidence ") || !strings.HasSuffix(score.Explanation, ", not fr") {
		t.Error(ruleSays(score))
	}
	testMistakes(t, []mistake{
		{"a name instead of a code", `{"language": "german"}`, `language: language: "german" is no language code: write de, not German`},
		{"nothing", `"language"`, `language needs language: ISO 639-1 code, such as de; of a list any will do`},
	})
}

func TestLength(t *testing.T) {
	t.Parallel()
	text := "Dr. Ann paid 3.50 today. Zoë's café — closed!\nReally?\n"
	testRules(t, []rule{
		{"chars are code points", `{"length": {"max": 3}}`, "Zoë", nil, "pass 3"},
		{"too long fails with its length", `{"length": {"max": 2}}`, "Zoë", nil, "fail 3: the length in chars is 3, above the maximum of 2"},
		{"too short fails with its length", `{"length": {"min": 5, "unit": "words"}}`, "one two", nil, "fail 2: the length in words is 2, below the minimum of 5"},
		{"words hold a letter or digit", `{"length": {"equals": 9, "unit": "words"}}`, text, nil, "pass 9"},
		{"another length than the one asked for fails", `{"length": {"equals": 8, "unit": "words"}}`, text, nil, "fail 9: the length in words is 9, not 8"},
		{"words of Chinese are characters", `{"length": {"equals": 4, "unit": "words"}}`, "今天发货。", nil, "pass 4"},
		{"sentences", `{"length": {"equals": 2, "unit": "sentences"}}`, "It ships today. Will it? ...", nil, "pass 2"},
		{"a break at the end starts no line", `{"length": {"equals": 2, "unit": "lines"}}`, text, nil, "pass 2"},
		{"an empty text has no lines", `{"length": {"equals": 0, "unit": "lines"}}`, "", nil, "pass 0"},
		{"tokens are a rule of thumb", `{"length": {"max": 3, "unit": "tokens"}}`, "nine bytes", nil, "pass 3"},
		{"without bounds it only reports", `"length"`, "abc", nil, "undecided 3"},
		{"bounds may come from the case", `{"length": {"max": {"from": "vars.n"}}}`, "abc", varsCase("n", `2`), "fail 3: the length in chars is 3, above the maximum of 2"},
		{"another place may be measured", `{"length": {"at": "output_json.title", "max": 3}}`, `{"title": "abcd"}`, nil, "fail 4: the length in chars is 4, above the maximum of 3"},
	})
	testMistakes(t, []mistake{
		{"an unknown unit", `{"length": {"unit": "word", "max": 3}}`, `length: unit is one of chars, words, sentences, lines, tokens (did you mean "words"?)`},
		{"bounds the wrong way round", `{"length": {"min": 9, "max": 3}}`, `length: min 9 is above max 3: nothing can pass`},
		{"equals with a bound", `{"length": {"equals": 9, "max": 3}}`, `length: equals stands alone: leave out min and max`},
		{"a text for a number", `{"length": {"max": "nine"}}`, `length: max is a number, not a text`},
		{"a unit of the case", `{"length": {"unit": {"from": "vars.u"}, "max": 3}}`, `length: unit is the same for all cases: write it here, not {from: …}`},
	})
}

func TestCount(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"elements of a list", `{"count": {"at": "output_json.items", "min": 1, "max": 2}}`, `{"items": [1, 2]}`, nil, "pass 2"},
		{"keys of a map", `{"count": {"equals": 1}}`, `{"items": [1, 2]}`, nil, "pass 1"},
		{"too many fail", `{"count": {"at": "output_json.items", "max": 1}}`, `{"items": [1, 2]}`, nil, "fail 2: the number of elements is 2, above the maximum of 1"},
		{"tool calls", `{"count": {"at": "output_calls", "equals": 1}}`, `[{"name": "a", "arguments": {}}]`, nil, "pass 1"},
		{"a number is no list", `{"count": {"at": "output_json.items", "max": 1}}`, `{"items": 3}`, nil, "fail: output_json.items is a number, neither a list nor a map"},
		{"a number of the case is an error of definition", `{"count": {"at": "vars.n", "max": 1}}`, ``, varsCase("n", `3`), "error definition: vars.n is a number, neither a list nor a map"},
		{"a list that is not there", `{"count": {"at": "output_json.items", "max": 1}}`, `{}`, nil, "fail: the output has no output_json.items"},
		{"occurrences of a text", `{"count": {"of": "refund", "equals": 2}}`, "refund, Refund, refund", nil, "pass 2"},
		{"occurrences of several texts", `{"count": {"of": ["a", "b"], "equals": 3}}`, "aab", nil, "pass 3"},
		{"matches of a pattern", `{"count": {"regex": "(?m)^- ", "min": 2}}`, "- a\n- b\n", nil, "pass 2"},
		{"the text to count may come from the case", `{"count": {"of": {"from": "vars.w"}, "min": 1}}`, "a fox", varsCase("w", `"fox"`), "pass 1"},
		{"nothing to count from the case is an error of definition", `{"count": {"of": {"from": "vars.w"}, "min": 1}}`, "a fox", varsCase("w", `""`), "error definition: is empty: nothing to count"},
		{"without bounds it only reports", `{"count": {"of": "a"}}`, "aa", nil, "undecided 2"},
	})
	testMistakes(t, []mistake{
		{"both a text and a pattern", `{"count": {"of": "a", "regex": "b"}}`, `count has both of and regex: keep one`},
		{"an empty text", `{"count": {"of": ""}}`, `count: of: is empty: nothing to count`},
		{"a bad pattern", `{"count": {"regex": "("}}`, `count: regex: "(" is not a regular expression (Go syntax): column 1: missing closing ): "("`},
		{"a bare value", `{"count": 3}`, `count takes a map of parameters, or nothing; this is a number`},
	})
}

func TestMetricsKnowWhetherTheyOnlyReport(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`"length"`: true, `{"length": {"max": 3}}`: false, `{"length": {"equals": 3}}`: false, `{"count": {"of": "a"}}`: true,
		`{"count": {"of": "a", "equals": 1}}`: false, `"latency"`: true, `{"cost": {"max": 1}}`: false, `"usage"`: true, `{"regex": "a"}`: false,
	} {
		c, err := ruleCheck(t, text, &Env{})
		if err != nil {
			t.Fatal(err)
		}
		if c.Reports() != want {
			t.Errorf("%s: only reports: %v", text, c.Reports())
		}
	}
}
