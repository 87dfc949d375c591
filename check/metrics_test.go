package check

import (
	"context"
	"strings"
	"testing"

	"newel"
)

func TestTokenF1(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"without bounds it only reports", `{"token-f1": "the quick brown fox"}`, "a quick fox", nil, "undecided 0.8"},
		{"the best of the references counts", `{"token-f1": {"value": ["x", "quick fox"], "min": 1}}`, "The quick fox.", nil, "pass 1"},
		{"below the minimum", `{"token-f1": {"value": "quick brown fox", "min": 0.9}}`, "quick fox", nil, "fail 0.8: the token overlap is 0.8, below the minimum of 0.9"},
		{"precision", `{"token-f1": {"value": "quick brown fox", "score": "precision", "min": 1}}`, "quick fox", nil, "pass 1"},
		{"recall", `{"token-f1": {"value": "quick brown fox", "score": "recall"}}`, "quick fox", nil, "undecided 0.666666667"},
		{"nothing in common", `{"token-f1": "a b"}`, "x", nil, "undecided 0"},
		{"no tokens on either side", `{"token-f1": "the"}`, "a", nil, "undecided 0"},
		{"no tokens, where that matches", `{"token-f1": {"value": "the", "empty": "match"}}`, "a", nil, "undecided 1"},
		{"Chinese goes by characters", `{"token-f1": {"value": "北京市", "language": "zh"}}`, "北京", nil, "undecided 0.8"},
		{"a bound of the case", `{"token-f1": {"value": "a b", "min": {"from": "vars.m"}}}`, "b", varsCase("m", "1"), "pass 1"},
	})
}

// The expected numbers are counted by hand: BLEU of the two sentences is
// (5/6 · 3/5 · 1/4 · 1/6)^¼. Those of the published scripts are in textmetric.
func TestMetricsOverWordSequences(t *testing.T) {
	t.Parallel()
	const mat, cat = "the cat sat on the mat", "the cat is on the mat"
	testRules(t, []rule{
		{"rougeL by default", `{"rouge": "` + cat + `"}`, mat, nil, "undecided 0.833333333"},
		{"rouge1", `{"rouge": {"value": "` + cat + `", "variant": "rouge1"}}`, mat, nil, "undecided 0.833333333"},
		{"rouge2", `{"rouge": {"value": "` + cat + `", "variant": "rouge2", "min": 0.6}}`, mat, nil, "pass 0.6"},
		{"rouge9 of short texts", `{"rouge": {"value": "` + cat + `", "variant": "rouge9"}}`, mat, nil, "undecided 0"},
		{"rougeLsum by lines", `{"rouge": {"value": "a b\nc d", "variant": "rougeLsum"}}`, "c d\na b", nil, "undecided 1"},
		{"rougeL of the same", `{"rouge": {"value": "a b\nc d", "variant": "rougeL"}}`, "c d\na b", nil, "undecided 0.5"},
		{"with stems", `{"rouge": {"value": "running dogs", "stemmer": true, "min": 1}}`, "run dog", nil, "pass 1"},
		{"without stems", `{"rouge": {"value": "running dogs", "min": 0.1}}`, "run dog", nil, "fail 0: the ROUGE score is 0, below the minimum of 0.1"},
		{"its recall", `{"rouge": {"value": "a b c d", "score": "recall"}}`, "a b", nil, "undecided 0.5"},
		{"other scripts by language", `{"rouge": {"value": "кот сидит", "language": "ru"}}`, "кот спит", nil, "undecided 0.5"},
		{"BLEU of the same text", `{"bleu": {"value": "` + mat + `", "min": 100}}`, mat, nil, "pass 100"},
		{"BLEU of a short text", `{"bleu": "the cat"}`, "the cat", nil, "undecided 100"},
		{"BLEU of another text", `{"bleu": {"value": "` + cat + `", "min": 50}}`, mat, nil, "fail 37.991784283: the BLEU score is 37.991784283, below the minimum of 50"},
		{"BLEU without smoothing", `{"bleu": {"value": "` + cat + `", "smooth": "none"}}`, mat, nil, "undecided 0"},
		{"BLEU with a floor", `{"bleu": {"value": "the dog sat", "smooth": "floor", "max_order": 2}}`, "the cat ran", nil, "undecided 12.909944487"},
		{"with another floor", `{"bleu": {"value": "the dog sat", "smooth": "floor", "smooth_value": 0.5, "max_order": 2}}`, "the cat ran", nil, "undecided 28.867513459"},
		{"BLEU by characters", `{"bleu": {"value": "北京市", "tokenize": "zh", "max_order": 1}}`, "北京市", nil, "undecided 100"},
		{"BLEU keeps case", `{"bleu": {"value": "The Cat", "max_order": 1}}`, "the cat", nil, "undecided 0"},
		{"unless it is ignored", `{"bleu": {"value": "The Cat", "max_order": 1, "ignore_case": true}}`, "the cat", nil, "undecided 100"},
		{"chrF of the same text", `{"chrf": {"value": "` + mat + `", "min": 100}}`, mat, nil, "pass 100"},
		{"chrF of nothing alike", `{"chrf": {"value": "abc", "min": 10}}`, "xyz", nil, "fail 0: the chrF score is 0, below the minimum of 10"},
		{"chrF of characters alone, by hand", `{"chrf": {"value": "abcd", "char_order": 1, "beta": 1}}`, "abxy", nil, "undecided 50"},
		{"chrF of which the orders are averaged", `{"chrf": {"value": "abcd", "char_order": 2, "beta": 1, "eps_smoothing": true}}`, "abxy", nil, "undecided 41.666666667"},
		{"the best of the references", `{"chrf": ["xyz", "abc"]}`, "abc", nil, "undecided 100"},
		{"orders of the case", `{"chrf": {"value": "abc", "word_order": {"from": "vars.w"}}}`, "abc", varsCase("w", "17"), "error definition: vars.w: is a whole number from 0 to 16, not 17"},
	})
}

func TestLevenshtein(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"equal texts", `{"levenshtein": {"value": "kitten", "max": 0}}`, "kitten", nil, "pass 0"},
		{"within the maximum", `{"levenshtein": {"value": "sitting", "max": 3}}`, "kitten", nil, "pass 3"},
		{"above the maximum the distance is exact", `{"levenshtein": {"value": "sitting", "max": 1}}`, "kitten", nil, "fail 3: the edit distance is 3, above the maximum of 1"},
		{"without bounds it only reports", `{"levenshtein": "sitting"}`, "kitten", nil, "undecided 3"},
		{"code points count, not bytes", `{"levenshtein": "Müller"}`, "Muller", nil, "undecided 1"},
		{"the nearest reference", `{"levenshtein": ["sitting", "mitten"]}`, "kitten", nil, "undecided 1"},
		{"both sides are folded", `{"levenshtein": {"value": "KITTEN", "ignore_case": true, "max": 0}}`, "kitten", nil, "pass 0"},
		{"as similarity", `{"levenshtein": {"value": "abcd", "as": "similarity", "min": 0.75}}`, "abcx", nil, "pass 0.75"},
		{"too unlike", `{"levenshtein": {"value": "abcd", "as": "similarity", "min": 0.8}}`, "abcx", nil, "fail 0.75: the similarity is 0.75, below the minimum of 0.8"},
		{"against an empty text", `{"levenshtein": ""}`, "abc", nil, "undecided 3"},
	})
}

// unlike texts of 70,000 characters are more than a distance may cost.
func TestLevenshteinOfTextsTooLongForAnExactDistance(t *testing.T) {
	t.Parallel()
	text, other := strings.Repeat("ab", 50_000), strings.Repeat("xy", 50_000)
	of := &newel.Case{ID: "a", Output: newel.AppendString(nil, text)}
	reference := string(newel.AppendString(nil, other))
	both := "[" + reference + "," + string(newel.AppendString(nil, text+"c")) + "]"
	for name, test := range map[string]struct{ check, want, reference string }{
		"surely above max is a fail":                 {`{"levenshtein": {"max": 10}}`, "fail: the edit distance is above the maximum of 10", reference},
		"without max it is an error":                 {`{"levenshtein": {"min": 10}}`, "error limit: texts too long to compare", reference},
		"as similarity it is an error":               {`{"levenshtein": {"as": "similarity", "max": 1}}`, "error limit: texts too long to compare", reference},
		"another reference within max decides":       {`{"levenshtein": {"max": 10}}`, "pass 1", both},
		"a maximum that is too far off is an error":  {`{"levenshtein": {"max": 90000}}`, "error limit: texts too long to compare", reference},
		"equal texts are compared whatever the size": {`{"levenshtein": {"max": 0}}`, "pass 0", string(of.Output)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := ruleCheck(t, test.check, &Env{})
			if err != nil {
				t.Fatal(err)
			}
			own := *of
			own.Reference = newel.Raw(test.reference)
			if got := ruleSays(c.Score(context.Background(), subjectWith(&own))); got != test.want {
				t.Errorf("got %.200s, want %s", got, test.want)
			}
		})
	}
}

func TestMetricsRefuseTextsThatAreTooLong(t *testing.T) {
	t.Parallel()
	long := newel.AppendString(nil, strings.Repeat("a", maxMetric+1))
	for _, name := range []string{"token-f1", "rouge", "bleu", "chrf", "levenshtein"} {
		c, err := ruleCheck(t, `"`+name+`"`, &Env{})
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range []*newel.Case{{ID: "a", Output: long, Reference: newel.Raw(`"a"`)}, {ID: "a", Output: newel.Raw(`"a"`), Reference: long}} {
			score := c.Score(context.Background(), subjectWith(of))
			if score.Verdict != newel.Failed || score.Err.Kind != newel.KindLimit {
				t.Errorf("%s: %.200s", name, ruleSays(score))
			}
		}
	}
}

func TestMistakesOfMetrics(t *testing.T) {
	t.Parallel()
	testMistakes(t, []mistake{
		{"a share where the score runs to 100", `{"bleu": {"value": "a", "min": 0.35}}`, "bleu: min is 0.35, and the score runs from 0 to 100: write 35"},
		{"the same of chrF", `{"chrf": {"value": "a", "max": 0.5}}`, "chrf: max is 0.5, and the score runs from 0 to 100: write 50"},
		{"a variant that is none", `{"rouge": {"value": "a", "variant": "rouge-l"}}`, `rouge: variant is one of rougeL, rougeLsum, rouge1, rouge2, rouge3, rouge4, rouge5, rouge6, rouge7, rouge8, rouge9 (did you mean "rougeL"?)`},
		{"a tokeniser that is none", `{"bleu": {"value": "a", "tokenize": "13b"}}`, `bleu: tokenize is one of 13a, intl, zh, char, none (did you mean "13a"?)`},
		{"an order of none", `{"bleu": {"value": "a", "max_order": 0}}`, `bleu: max_order is a whole number from 1 to 16, not 0`},
		{"a floor of nothing", `{"bleu": {"value": "a", "smooth_value": 0}}`, `bleu: smooth_value is a number above 0, at most 1000`},
		{"a beta of nothing", `{"chrf": {"value": "a", "beta": 0}}`, `chrf: beta is a number above 0, at most 1000`},
		{"bounds that exclude all", `{"levenshtein": {"value": "a", "min": 3, "max": 2}}`, `levenshtein: min 3 is above max 2: nothing can pass`},
	})
}
