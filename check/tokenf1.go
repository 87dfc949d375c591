package check

import (
	"newel"
	"newel/check/textmetric"
)

// tokenF1Spec is SQuAD's F1 over tokens.
func tokenF1Spec() *Spec {
	return &Spec{
		Name: "token-f1", Family: "reference", Main: "value", Compares: true, Metric: true,
		About:   "How much of the tokens the text shares with the reference, from 0 to 1, once both are normalised as SQuAD's evaluation does; of several references the one with the best F1 counts. Without a token on one side it is 0; with empty: match two sides without tokens share all, as in SQuAD 2.0. Without min or max it only reports.",
		Source:  "SQuAD (Rajpurkar et al. 2016), evaluation script; tokens of zh, ja, th, lo, km and my as in MLQA (Lewis et al. 2020)",
		Params:  metricParams(scoreParam),
		Extra:   append(readingParams[:2:2], squadFoldParams...),
		Example: `token-f1: {value: [Robert Boyle, Boyle], min: 0.5}`,
		Build: func(a *Args) Func {
			score, c := Word(a, "score", scoreWords...), comparisonOf(a, textmetric.StepSQuAD)
			return measured(c, BoundsOf(a), "the token overlap", func(s *newel.Subject, b *sides) (float64, error) {
				word, err := score.At(s)
				if err != nil {
					return 0, err
				}
				if b.empty && bothEmpty(b) {
					return 1, nil
				}
				return pick(textmetric.TokenF1(b.text, b.wanted, b.language), word), nil
			})
		},
	}
}

// bothEmpty reports whether the text has no tokens, and neither has one of the
// references.
func bothEmpty(b *sides) bool {
	if len(textmetric.Tokens(b.text, b.language)) > 0 {
		return false
	}
	for _, w := range b.wanted {
		if len(textmetric.Tokens(w, b.language)) == 0 {
			return true
		}
	}
	return false
}
