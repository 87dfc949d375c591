package check

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func TestANotThatFailsSaysWhatWasFound(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 300) + " as an AI I cannot"
	for name, c := range map[string]struct {
		check, output, want string
		evidence            []newel.Evidence
	}{
		"a text": {`{"contains": "as an AI"}`, "Well, as an AI I can", `holds, and must not: contains: the text holds "as an AI", at character 7`,
			[]newel.Evidence{{Path: "output", Got: "Well, as an AI I can"}}},
		"a text far on": {`{"contains-any": ["robot", "as an AI"]}`, long, `holds, and must not: contains-any: the text holds "as an AI", at character 302`,
			[]newel.Evidence{{Path: "output", Got: "…" + strings.Repeat("é", 50) + " as an AI I cannot"}}},
		"an end":          {`{"ends-with": "bye"}`, "Good bye", `holds, and must not: ends-with: the text ends with "bye", at character 6`, []newel.Evidence{{Path: "output", Got: "Good bye"}}},
		"a pattern":       {`{"regex": "\\d{2,}"}`, "no 4711", `holds, and must not: regex: "4711" matches "\\d{2,}", at character 4`, []newel.Evidence{{Path: "output", Got: "no 4711"}}},
		"a whole pattern": {`{"regex": {"pattern": "a+", "full": true}}`, "aa", `holds, and must not: regex: "aa" matches "a+", at character 1`, []newel.Evidence{{Path: "output", Got: "aa"}}},
		"a value":         {`{"equals": "yes"}`, "yes", `holds, and must not: equals: what is checked is "yes"`, []newel.Evidence{{Path: "output", Got: `"yes"`}}},
		"one of several":  {`{"one-of": ["yes", "no"]}`, "no", `holds, and must not: one-of: "no" is one of ["yes","no"]`, []newel.Evidence{{Path: "output", Got: `"no"`}}},
		"a member":        {`{"any": [{"contains": "x"}, {"contains": "y"}]}`, "y", `holds, and must not: any: contains#2: the text holds "y", at character 1`, []newel.Evidence{{Path: "output", Got: "y"}}},
		"a number":        {`{"length": {"max": 9}}`, "abc", `holds, and must not: length (value 3)`, nil},
		"no more to say":  {`{"json": "object"}`, "{}", `holds, and must not: json`, nil},
	} {
		got := mustBuildJSON(t, `{"not": `+c.check+`}`, nil).Score(context.Background(), subjectOf(c.output))
		if got.Verdict != newel.Fail || got.Explanation != c.want {
			t.Errorf("%s: %s, %q, want %q", name, got.Verdict, got.Explanation, c.want)
		}
		if diff := cmp.Diff(c.evidence, got.Evidence); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAPassSaysNothing(t *testing.T) {
	t.Parallel()
	for _, check := range []string{`{"contains": "a"}`, `{"regex": "a"}`, `{"equals": "a"}`, `{"one-of": ["a"]}`, `{"not": {"contains": "b"}}`} {
		if got := mustBuildJSON(t, check, nil).Score(context.Background(), subjectOf("a")); got.Verdict != newel.Pass || got.Explanation != "" || got.Evidence != nil {
			t.Errorf("%s: %+v", check, got)
		}
	}
}
