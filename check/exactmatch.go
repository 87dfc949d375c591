package check

import (
	"context"
	"slices"

	"newel"
	"newel/check/textmetric"
)

// exactMatchSpec is SQuAD's exact match.
func exactMatchSpec() *Spec {
	return &Spec{
		Name: "exact-match", Family: "reference", Main: "value", Compares: true,
		About:   "The text equals the reference, or one of several, once both are normalised as SQuAD's evaluation does: lower case, without punctuation, articles and spare white space. A reference of which nothing is left matches nothing, unless empty: match; SQuAD's own figures count it. equals compares without normalising.",
		Source:  "SQuAD (Rajpurkar et al. 2016), evaluation script",
		Params:  wantedParams,
		Extra:   append(readingParams[:2:2], squadFoldParams...),
		Example: `exact-match: {value: [Robert Boyle, Boyle]}`,
		Build: func(a *Args) Func {
			c := comparisonOf(a, textmetric.StepSQuAD)
			return func(_ context.Context, s *newel.Subject) newel.Score {
				b, err := c.at(s)
				if err != nil {
					return Because(err)
				}
				if slices.Contains(b.wanted, b.text) && (b.text != "" || b.empty) {
					return newel.Passed()
				}
				if b.text == "" {
					return c.miss("once normalised, nothing is left of the text", &b)
				}
				return c.miss("once normalised, the text is "+show(b.text)+", not "+orList(b.wanted), &b)
			}
		},
	}
}

// orList returns texts, any of which would have done, for an explanation.
func orList(texts []string) string {
	if len(texts) > 1 {
		return "any of " + showList(texts)
	}
	return showList(texts)
}
