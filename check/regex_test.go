package check

import (
	"errors"
	"strings"
	"testing"

	"newel"
)

func TestRegex(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"a pattern that matches somewhere passes", `{"regex": "order \\d+"}`, "see order 17.", nil, "pass"},
		{"a pattern that matches nowhere fails and is shown", `{"regex": "order \\d+"}`, "see order.", nil, `fail: nothing in the text matches "order \\d+"`},
		{"of a list any will do", `{"regex": ["a+", "b+"]}`, "xbx", nil, "pass"},
		{"a list without a match names all", `{"regex": ["a+", "b+"]}`, "x", nil, `fail: nothing in the text matches ["a+","b+"]`},
		{"full wants the whole text", `{"regex": {"pattern": "a|ab", "full": true}}`, "ab", nil, "pass"},
		{"full fails on a part", `{"regex": {"pattern": "\\d+", "full": true}}`, "17.", nil, `fail: the text as a whole does not match "\\d+"`},
		{"a flag ignores case", `{"regex": "(?i)REFUND"}`, "refund", nil, "pass"},
		{"matches are counted for min", `{"regex": {"pattern": "\\[\\d\\]", "min": 2}}`, "a [1] b [2]", nil, "pass 2"},
		{"too many matches fail", `{"regex": {"pattern": ["a", "b"], "max": 2}}`, "abab", nil, "fail 4: the number of matches is 4, above the maximum of 2"},
		{"the pattern may come from the case", `{"regex": {"from": "vars.p"}}`, "xx17", varsCase("p", `"\\d+"`), "pass"},
		{"several patterns of the case", `{"regex": {"pattern": {"from": "vars.p"}, "full": true}}`, "17", varsCase("p", `["a", "\\d+"]`), "pass"},
		{"a pattern of the case that is none is an error of definition", `{"regex": {"from": "vars.p"}}`, "x", varsCase("p", `"a(b"`), `error definition: "a(b" is not a regular expression (Go syntax): column 1: missing closing ): "a(b"`},
		{"no pattern in the case is an error of definition", `{"regex": {"from": "vars.p"}}`, "x", varsCase("p", `[]`), `error definition: vars.p is an empty list`},
		{"extract comes first", `{"regex": {"pattern": "^17$", "extract": [{"after": "Answer:"}, "trim"]}}`, "Hm. Answer: 17", nil, "pass"},
	})
}

func TestMistakesOfRegexAreNamed(t *testing.T) {
	t.Parallel()
	testMistakes(t, []mistake{
		{"a bad pattern says where", `{"regex": "ab[c-"}`, `regex: pattern: "ab[c-" is not a regular expression (Go syntax): column 3: missing closing ]: "[c-"`},
		{"a bad pattern in a list", `{"regex": ["a", "b**"]}`, `regex: pattern: "b**" is not a regular expression (Go syntax): column 2: invalid nested repetition operator: "**"`},
		{"look-ahead", `{"regex": "a(?=b)"}`, `regex: pattern: "a(?=b)" is not a regular expression (Go syntax): column 2: invalid or unsupported Perl syntax: "(?="; there is no look-around and there are no back-references`},
		{"a back-reference", `{"regex": "(a)\\1"}`, `regex: pattern: "(a)\\1" is not a regular expression (Go syntax): column 4: invalid escape sequence: "\\1"; there is no look-around and there are no back-references`},
		{"an empty list", `{"regex": []}`, `regex: pattern is empty`},
		{"full with a count", `{"regex": {"pattern": "a", "full": true, "min": 1}}`, `regex: full: true matches the text once or not at all: leave out min and max`},
		{"a wrong type", `{"regex": {"pattern": "a", "full": "yes"}}`, `regex: full is true or false, not a text`},
		{"no pattern", `"regex"`, `regex needs pattern: the regular expression; of a list any will do`},
	})
}

func TestPatternsAreBoundedByTheTextTheySearch(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a", 1<<20)
	many := `["` + strings.Repeat(`[a-z]+\\d{3}x","`, 2000) + `b"]`
	large := `"(((a{1,10}){1,10}){1,10})$"`
	one := "error limit: the pattern is too large for a text of 1048576 bytes: at most 134892 are searched; use smaller repetitions or fewer alternatives"
	testRules(t, []rule{
		{"a large pattern of the suite", `{"regex": ` + large + `}`, text, nil, one},
		{"a large pattern of the case", `{"regex": {"from": "vars.p"}}`, text, varsCase("p", large), one},
		{"a large pattern that is counted", `{"count": {"regex": ` + large + `, "min": 1}}`, text, nil, one},
		{"a large pattern that extracts", `{"contains": {"value": "a", "extract": [{"regex": ` + large + `}]}}`, text, nil, one},
		{"many patterns", `{"regex": {"from": "vars.p"}}`, text[:200_000], varsCase("p", many), "error limit: the 2001 patterns are too large for a text of 200000 bytes: at most 18746 are searched; use smaller repetitions or fewer alternatives"},
		{"a large pattern in a short text", `{"regex": ` + large + `}`, "aaa", nil, "pass"},
		{"a usual pattern in a long text", `{"regex": "[a-z]+$"}`, text, nil, "pass"},
	})
}

func TestAMistakeInAListStandsAtItsElement(t *testing.T) {
	t.Parallel()
	at := func(line int, v any) *newel.Node { return newel.NodeOf(v, newel.Pos{File: "s.yaml", Line: line}) }
	list := &newel.Node{List: []*newel.Node{at(4, "a"), at(5, "(")}, Pos: newel.Pos{File: "s.yaml", Line: 3}}
	entry := &newel.Node{Fields: []*newel.Field{{Name: "regex", Node: list}}}
	var m newel.Mistakes
	Build(entry, &Env{}, &m)
	if err := m.Err(); err == nil || !strings.HasPrefix(err.Error(), "s.yaml:5: regex: pattern: ") {
		t.Error(err)
	}
}

func FuzzCompilePattern(f *testing.F) {
	for _, p := range []string{"a+", "(", "(?=a)", `\1`, "[z-a]", "ä(?P<n", "a{2,1}", "(?i)x|y"} {
		f.Add(p, "text")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := compilePattern(pattern, true)
		if err != nil {
			if !strings.Contains(err.Error(), "is not a regular expression") || errors.Unwrap(err) != nil {
				t.Fatal(err)
			}
			return
		}
		if at := re.FindStringIndex(text); at != nil && (at[0] != 0 || at[1] != len(text)) {
			t.Fatalf("%q matches only %v of %q", pattern, at, text)
		}
	})
}
