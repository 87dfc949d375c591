package check

import (
	"context"
	"errors"
	"reflect"

	"newel"
)

// oneOfSpec asks for one of a few values.
func oneOfSpec() *Spec {
	return &Spec{
		Name: "one-of", Family: "structural", Main: "values",
		About:   "What is checked is one of the values. A text among them is compared with the whole text, through ignore_case and normalize; any other value (a number, true, null, a list, a map) with the JSON there.",
		Params:  []Param{{Name: "values", Type: "list of any", About: "what it may be", Required: true}},
		Extra:   append(readingParams[:2:2], foldParams[:3]...),
		Example: `one-of: {values: [approve, reject, escalate], extract: [trim, lower]}`,
		Build:   buildOneOf,
	}
}

func buildOneOf(a *Args) Func {
	reading, fold := ReadingOf(a), FoldOf(a)
	values := argOf(a, "values", nil, readList)
	if list, constant := values.Constant(); constant && values.Set() && len(list) == 0 {
		a.Wrong(a.Node("values").Pos, "one-of: values is empty: nothing can pass")
	}
	return func(_ context.Context, s *newel.Subject) newel.Score {
		wanted, err := values.At(s)
		if err != nil {
			return Because(err)
		}
		found, got, err := among(s, reading, fold, wanted)
		if err != nil {
			return Because(err)
		}
		if found && !a.env.negated {
			return newel.Passed()
		}
		if found {
			return newel.Score{Verdict: newel.Pass, Explanation: show(got) + " is one of " + show(wanted), Evidence: []newel.Evidence{{Path: reading.at.String(), Got: show(got)}}}
		}
		return newel.Score{
			Verdict:     newel.Fail,
			Explanation: show(got) + " is none of " + show(wanted),
			Evidence:    []newel.Evidence{{Path: reading.at.String(), Want: show(wanted), Got: show(got)}},
		}
	}
}

// readList takes a single value for a list of one.
func readList(v any) ([]any, error) {
	if list, ok := v.([]any); ok {
		return list, nil
	}
	return []any{v}, nil
}

// among reports whether what is checked is among the wanted values, and what
// it is, as far as that could be told.
func among(s *newel.Subject, r *Reading, f *Fold, wanted []any) (found bool, got any, err error) {
	texts, others := split(wanted)
	if len(texts) > 0 {
		text, err := r.Text(s)
		if err != nil {
			return false, nil, err
		}
		if found, err = amongTexts(s, f, text, texts); found || err != nil {
			return found, text, err
		}
		got = text
	}
	if len(others) == 0 {
		return false, got, nil
	}
	v, err := r.JSON(s)
	var output *newel.OutputError
	if err != nil && len(texts) > 0 && errors.As(err, &output) {
		return false, got, nil
	}
	for _, w := range others {
		found = found || err == nil && reflect.DeepEqual(w, v)
	}
	return found, v, err
}

func split(values []any) (texts []string, others []any) {
	for _, v := range values {
		if t, ok := v.(string); ok {
			texts = append(texts, t)
		} else {
			others = append(others, v)
		}
	}
	return texts, others
}

func amongTexts(s *newel.Subject, f *Fold, text string, wanted []string) (bool, error) {
	text, err := f.Text(s, text)
	if err != nil {
		return false, err
	}
	for _, w := range wanted {
		folded, err := f.Text(s, w)
		if err != nil {
			return false, err
		}
		if text == folded {
			return true, nil
		}
	}
	return false, nil
}
