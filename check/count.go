package check

import (
	"context"
	"fmt"
	"strings"

	"newel"
)

// countSpec counts elements or occurrences.
func countSpec() *Spec {
	return &Spec{
		Name: "count", Family: "structural", Metric: true,
		About: "How many elements the list at a path holds, or keys the map there; with of: how often a text occurs, with regex: how often a pattern matches, those of a list together, none overlapping another of its kind. Without min, max or equals it only reports.",
		Params: append([]Param{
			{Name: "of", Type: "text or list of texts", About: "count where this occurs in the text"},
			{Name: "regex", Type: "text or list of texts", About: "count where this pattern matches the text (Go syntax)"},
		}, exactParams...),
		Extra:   readingParams,
		Example: "count: {at: output_json.items, min: 1, max: 5}",
		Build:   buildCount,
	}
}

func buildCount(a *Args) Func {
	reading, bounds := ReadingOf(a), exactly(a)
	if a.Has("of") && a.Has("regex") {
		a.Wrong(a.Pos(), "count has both of and regex: keep one")
	}
	size := countElements(reading)
	what := "the number of elements"
	switch {
	case a.Has("of"):
		size, what = countTexts(a, reading), "the number of occurrences"
	case a.Has("regex"):
		size, what = countPatterns(a, reading), "the number of matches"
	}
	return func(_ context.Context, s *newel.Subject) newel.Score {
		n, err := size(s)
		if err != nil {
			return Because(err)
		}
		return bounds.Judge(s, what, float64(n))
	}
}

func countElements(r *Reading) func(s *newel.Subject) (int, error) {
	return func(s *newel.Subject) (int, error) {
		v, err := r.JSON(s)
		if err != nil {
			return 0, err
		}
		switch v := v.(type) {
		case []any:
			return len(v), nil
		case map[string]any:
			return len(v), nil
		}
		msg := fmt.Sprintf("%s is %s, neither a list nor a map", r.at, kindOf(v))
		if r.at.OfOutput() {
			return 0, &newel.OutputError{Msg: msg}
		}
		return 0, &ParamError{msg}
	}
}

func countTexts(a *Args, r *Reading) func(s *newel.Subject) (int, error) {
	needles := deriveList(a, "of", func(text string) (string, error) {
		if text == "" {
			return "", fmt.Errorf("is empty: nothing to count")
		}
		return text, nil
	})
	return func(s *newel.Subject) (int, error) {
		text, err := r.Text(s)
		if err != nil {
			return 0, err
		}
		list, err := needles.At(s)
		n := 0
		for _, needle := range list {
			n += strings.Count(text, needle)
		}
		return n, err
	}
}

func countPatterns(a *Args, r *Reading) func(s *newel.Subject) (int, error) {
	patterns := deriveList(a, "regex", func(text string) (*pattern, error) { return compilePattern(text, false) })
	return func(s *newel.Subject) (int, error) {
		text, err := boundedText(r, s)
		if err != nil {
			return 0, err
		}
		list, err := patterns.At(s)
		if err != nil {
			return 0, err
		}
		return countMatches(list, text)
	}
}
