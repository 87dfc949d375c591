package check

import (
	"context"
	"testing"
	"time"

	"newel"
)

// FuzzBuild builds every check from any parameters. Whatever they are, there
// is a check or a mistake, and what builds can score.
func FuzzBuild(f *testing.F) {
	for _, seed := range []string{`null`, `"a"`, `17`, `[]`, `["a", 17, null, {"a": 1}]`, `{}`, `{"from": "vars.x"}`, `{"from": 17}`, `{"value": {"from": "reference"}}`,
		`{"value": ["a"], "min": {"from": "vars.x"}, "max": 3, "extract": ["json", {"regex": "(a)|b", "take": "last"}, {"after": "x"}, {"number": "only"}]}`,
		`{"schema": {"$ref": "#"}}`, `{"tools": [{"name": "a", "parameters": {"type": "object"}}], "accept": [{"a": {"b": [1]}}]}`, `{"at": "output_json.a.0", "value": null}`,
		`{"tolerance": {"abs": 1}, "units": {"km": 1000}, "separators": {"decimal": ","}, "value": "1,5"}`, `{"metric": "ndcg@3", "k": 2}`, `{"normalize": ["squad"], "language": "zh", "value": "a"}`,
		`{"checks": [{"contains": "a"}]}`, `{"contains": "a"}`, `[{"id": "punctuation:no_comma", "args": {"n": -1}}]`, `{"style": {"regex": "\\[(\\d+)\\]"}, "min": 1}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := newel.ParseJSON([]byte(text))
		if err != nil {
			return
		}
		for _, s := range Table() {
			var m newel.Mistakes
			c := Build(newel.NodeOf(map[string]any{s.Name: v}, newel.Pos{}), &Env{ReadFile: readFrom(map[string]string{"a": text})}, &m)
			if (c == nil) != (m.Len() > 0) {
				t.Fatalf("%s: %v, and mistakes %v", s.Name, c, m.Err())
			}
			if c != nil && !c.Expands() {
				checkScore(t, c, subjectWith(&newel.Case{ID: "a", Output: newel.Raw(`"a 17 [1]"`), Reference: newel.Raw(`"a"`)}))
			}
		}
	})
}

// checkScore scores and holds the score to what every check owes.
func checkScore(t *testing.T, c *Check, s *newel.Subject) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	score := c.Score(ctx, s)
	switch {
	case (score.Verdict == newel.Failed) != (score.Err != nil):
		t.Fatalf("%s: verdict %s with error %v", c.Name(), score.Verdict, score.Err)
	case score.Err != nil && score.Err.Kind == newel.KindInternal:
		t.Fatalf("%s: %v", c.Name(), score.Err)
	case score.Verdict == newel.Unjudged:
		t.Fatalf("%s: unjudged", c.Name())
	}
}

// fuzzedChecks are checks that read what the case brings wherever they can.
var fuzzedChecks = []string{
	`"equals"`, `{"equals": {"as": "json", "from": "vars.x"}}`, `{"equals": {"at": "output_json", "ignore_case": true, "normalize": "squad", "language": {"from": "vars.x"}}}`,
	`"contains"`, `{"contains-all": {"from": "vars.x", "ignore_case": true, "empty": "match"}}`, `"exact-match"`, `{"exact-match": {"normalize": {"from": "vars.x"}}}`,
	`{"number": {"tolerance": {"from": "vars.x"}, "units": {"km": 2, "%": 0.01}, "language": "de"}}`, `{"number": {"units": {"from": "vars.x"}, "separators": {"from": "vars.x"}, "value": 3}}`,
	`{"token-f1": {"language": "zh", "empty": "match", "min": {"from": "vars.x"}}}`, `{"rouge": {"variant": "rougeLsum", "stemmer": true}}`, `{"rouge": {"variant": "rouge2", "language": "ja"}}`,
	`{"bleu": {"tokenize": "intl", "smooth": "floor", "max_order": 3}}`, `{"bleu": {"tokenize": "zh"}}`, `{"chrf": {"word_order": 2}}`, `{"levenshtein": {"max": 3}}`, `{"levenshtein": {"as": "similarity", "min": 0.5}}`,
	`"similarity-set"`, `{"similarity-set": {"split": ",", "ignore_case": true}}`, `{"retrieval": {"at": "output_json", "metric": "ndcg@3", "from": "vars.x"}}`, `"retrieval"`,
	`{"regex": {"from": "vars.x"}}`, `{"one-of": {"from": "vars.x"}}`, `{"range": {"min": {"from": "vars.x"}}}`, `{"json-schema": {"schema": {"from": "vars.x"}}}`, `"tool-calls"`, `"json"`, `"xml"`, `"sql"`,
	`{"csv-columns": {"columns": {"from": "vars.x"}}}`, `"citations"`, `"secrets"`, `"pii"`, `{"banned": {"from": "vars.x"}}`, `{"count": {"of": {"from": "vars.x"}}}`, `{"count": {"at": "output_json"}}`,
	`{"length": {"unit": "sentences"}}`, `{"fields": {"required": {"from": "vars.x"}}}`, `{"steps": {"from": "vars.x"}}`, `{"expr": {"from": "vars.x"}}`, `{"ifeval": {"from": "vars.x"}}`,
	`{"equals": {"extract": {"from": "vars.x"}}}`, `{"language": {"from": "vars.x"}}`, `"latency"`, `"usage"`,
}

// FuzzScore scores any output, reference and parameter.
func FuzzScore(f *testing.F) {
	for _, seed := range [][3]string{
		{`"a 17 [1]"`, `"a"`, `"a"`}, {`{"a": [1, 2.5e300, 12345678901234567890]}`, `{"a": [1]}`, `["a", 1]`}, {`[{"role": "assistant", "content": [{"text": "x"}]}]`, `["x"]`, `{"type": "object"}`},
		{`null`, `null`, `null`}, {`"1.234,5 km"`, `"1234.5"`, `{"km": 0.5, "abs": 2, "decimal": ","}`}, {`"<a><b/></a>"`, `[]`, `"("`}, {`"SELECT 1; DROP TABLE a"`, `0`, `"output_text == 'a'"`},
		{`"北京市 ①"`, `"北京"`, `"zh"`}, {`[{"name": "f", "arguments": "{\"a\": 1}"}]`, `[{"name": "f", "arguments": {"a": 1}}]`, `["json", {"regex": "a(b)?"}]`}, {`"a,b\n1,2"`, `"a,b"`, `{"d1": 1, "d2": -3}`},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	checks := make([]*Check, len(fuzzedChecks))
	for i, text := range fuzzedChecks {
		c, err := buildJSON(text, &Env{})
		if err != nil {
			f.Fatal(err)
		}
		checks[i] = c
	}
	f.Fuzz(func(t *testing.T, output, reference, x string) {
		raws := [3]newel.Raw{}
		for i, text := range []string{output, reference, x} {
			if raws[i] = newel.Raw(text); !raws[i].IsValid() { // any text will do as a JSON string
				raws[i] = newel.AppendString(nil, text)
			}
		}
		of := &newel.Case{ID: "a", Output: raws[0], Reference: raws[1], Vars: []newel.Named{{Name: "x", Value: raws[2]}}, Run: raws[2], Context: []newel.Passage{{ID: "a", Text: x}}}
		for _, c := range checks {
			checkScore(t, c, subjectWith(of))
		}
	})
}
