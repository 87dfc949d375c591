package check

import (
	"testing"

	"newel"
)

func TestSimilaritySet(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"a list of the output, in any order", `{"similarity-set": {"at": "output_json.tags", "value": ["a", "b"], "min": 1}}`, `{"tags": ["b", "a", "b"]}`, nil, "pass 1"},
		{"Jaccard by default", `{"similarity-set": {"value": ["a", "b", "c"]}}`, `["a", "b", "x"]`, nil, "undecided 0.5"},
		{"what differs is named", `{"similarity-set": {"value": ["a", "b"], "min": 0.9}}`, `["a", "x"]`, nil, `fail 0.333333333: the jaccard of the elements is 0.333333333, below the minimum of 0.9; missing: ["b"]; not wanted: ["x"]`},
		{"precision", `{"similarity-set": {"value": ["a", "b", "c"], "score": "precision"}}`, `["a", "x"]`, nil, "undecided 0.5"},
		{"recall", `{"similarity-set": {"value": ["a", "b", "c", "d"], "score": "recall"}}`, `["a", "x"]`, nil, "undecided 0.25"},
		{"F1", `{"similarity-set": {"value": ["a", "b"], "score": "f1"}}`, `["a", "x"]`, nil, "undecided 0.5"},
		{"overlap", `{"similarity-set": {"value": ["a", "b", "c"], "score": "overlap"}}`, `["a"]`, nil, "undecided 1"},
		{"the score of the case", `{"similarity-set": {"value": ["a", "b"], "score": {"from": "vars.s"}}}`, `["a"]`, varsCase("s", `"recall"`), "undecided 0.5"},
		{"two empty lists share all", `{"similarity-set": {"value": []}}`, `[]`, nil, "undecided 1"},
		{"an empty list shares nothing", `{"similarity-set": {"value": ["a"]}}`, `[]`, nil, "undecided 0"},
		{"elements are folded", `{"similarity-set": {"value": ["A"], "ignore_case": true}}`, `["a"]`, nil, "undecided 1"},
		{"a number and a text of it are alike", `{"similarity-set": {"value": [17, {"b": 1, "a": 2}]}}`, `["17", {"a": 2.0, "b": 1}]`, nil, "undecided 1"},
		{"texts are cut", `{"similarity-set": {"split": ","}}`, `red, green,, blue`, refCase(`"blue,red,green"`), "undecided 1"},
		{"a wanted text may be JSON", `"similarity-set"`, `["a", "b"]`, refCase(`"[\"b\", \"a\"]"`), "undecided 1"},
		{"a wanted value that is no list is one of one", `"similarity-set"`, `["a"]`, refCase(`"a"`), "undecided 1"},
		{"an output that is no list is a fail", `"similarity-set"`, `{"a": 1}`, refCase(`"a"`), "fail: output is a map, not a list"},
		{"an output that is no JSON is a fail", `"similarity-set"`, `a`, refCase(`"a"`), "fail: the output is not JSON: read JSON: jsontext: invalid character 'a' at start of value"},
		{"a reference of null is a case without", `"similarity-set"`, `[]`, refCase(`null`), "error case: the case has no reference: null is nothing to compare with"},
	})
	testMistakes(t, []mistake{
		{"a score that is none", `{"similarity-set": {"value": [], "score": "jacard"}}`, `similarity-set: score is one of jaccard, f1, precision, recall, overlap (did you mean "jaccard"?)`},
		{"nothing to cut at", `{"similarity-set": {"value": [], "split": ""}}`, `similarity-set: split is empty`},
	})
}

func TestRetrieval(t *testing.T) {
	t.Parallel()
	found := func(relevant string) *newel.Case {
		return &newel.Case{ID: "a", Output: newel.Raw(`"x"`), Reference: newel.Raw(relevant),
			Context: []newel.Passage{{ID: "d1", Text: "…"}, {ID: "d2", Text: "…"}, {ID: "d3", Text: "…"}, {ID: "d4", Text: "…"}}}
	}
	testRules(t, []rule{
		{"recall of the context", `"retrieval"`, "", found(`["d2", "d9"]`), "undecided 0.5"},
		{"recall at 1", `{"retrieval": {"metric": "recall@1", "min": 0.5}}`, "", found(`["d2", "d9"]`), "fail 0: the recall@1 is 0, below the minimum of 0.5"},
		{"precision at 2", `{"retrieval": {"metric": "precision@2"}}`, "", found(`["d2", "d9"]`), "undecided 0.5"},
		{"k by itself", `{"retrieval": {"metric": "precision", "k": 4}}`, "", found(`["d2", "d9"]`), "undecided 0.25"},
		{"k of the case", `{"retrieval": {"metric": "precision", "k": {"from": "vars.k"}, "at": "output_json", "value": ["a"]}}`, `["b", "a"]`, varsCase("k", "2"), "undecided 0.5"},
		{"reciprocal rank", `{"retrieval": {"metric": "mrr"}}`, "", found(`["d4", "d2"]`), "undecided 0.5"},
		{"average precision", `{"retrieval": {"metric": "map"}}`, "", found(`["d1", "d4"]`), "undecided 0.75"},
		{"gain of the best order", `{"retrieval": {"metric": "ndcg"}}`, "", found(`{"d1": 3, "d2": 1}`), "undecided 1"},
		{"gain in the wrong order", `{"retrieval": {"metric": "ndcg@2"}}`, "", found(`{"d1": 1, "d2": 3}`), "undecided 0.796707581"},
		{"ids as texts and numbers", `{"retrieval": {"at": "output_json.sources", "value": ["17", 18]}}`, `{"sources": [17, "18"]}`, nil, "undecided 1"},
		{"ids under a key", `{"retrieval": {"at": "output_json", "id": "doc", "value": ["a"]}}`, `[{"doc": "a"}]`, nil, "undecided 1"},
		{"an element without id", `{"retrieval": {"at": "output_json", "value": ["a"]}}`, `[{"doc": "a"}]`, nil, `fail: output_json.0 has no id: {"doc":"a"}`},
		{"a passage without id", `"retrieval"`, "", &newel.Case{ID: "a", Output: newel.Raw(`"x"`), Reference: newel.Raw(`["d1"]`), Context: []newel.Passage{{Text: "t"}}}, `error definition: context.0 has no id: {"text":"t"}`},
		{"no list", `{"retrieval": {"at": "output_json", "value": ["a"]}}`, `{"a": 1}`, nil, `fail: output_json is a map, not a list of ids`},
		{"no context", `{"retrieval": {"value": ["a"]}}`, `x`, nil, `error case: the case has no context`},
		{"nothing relevant is an error of the case", `"retrieval"`, "", found(`[]`), "error case: no id is relevant by reference, and no measure is defined for such a case"},
		{"gains that are none", `"retrieval"`, "", found(`{"d1": "much"}`), `error definition: reference: maps ids to numbers, their gains; "much" is not one`},
		{"ids that are none", `"retrieval"`, "", found(`[true]`), `error definition: reference: is a list of ids or a map of ids to gains; true is no id`},
	})
	testMistakes(t, []mistake{
		{"a measure that is none", `{"retrieval": {"value": ["a"], "metric": "recal"}}`, `retrieval: metric is one of recall, precision, mrr, ndcg, map (did you mean "recall"?)`},
		{"no places", `{"retrieval": {"value": ["a"], "metric": "recall@0"}}`, `retrieval: metric "recall@0" counts no places: write recall@5`},
		{"places said twice", `{"retrieval": {"value": ["a"], "metric": "recall@5", "k": 5}}`, `retrieval: metric says k already: keep one`},
		{"no places at all", `{"retrieval": {"value": ["a"], "k": 0}}`, `retrieval: k is at least 1; leave it out for all places`},
	})
}
