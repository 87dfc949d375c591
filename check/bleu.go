package check

import (
	"fmt"

	"newel"
	"newel/check/textmetric"
)

var (
	bleuTokenizers = []string{textmetric.Tokenize13a, textmetric.TokenizeIntl, textmetric.TokenizeZh, textmetric.TokenizeChar, textmetric.TokenizeNone}
	bleuSmooths    = []string{textmetric.SmoothExp, textmetric.SmoothFloor, textmetric.SmoothAddK, textmetric.SmoothNone}
)

// bleuSpec is BLEU of one text.
func bleuSpec() *Spec {
	return &Spec{
		Name: "bleu", Family: "reference", Main: "value", Compares: true, Metric: true,
		About:  "Sentence BLEU, from 0 to 100: how many of the text's word sequences of up to four words stand in a reference, with a penalty for short texts; all references count together. Orders that the text is too short for are left out. Without min or max it only reports.",
		Source: "BLEU (Papineni et al. 2002) as sacreBLEU's sentence_bleu computes it (Post 2018); smoothing by Chen and Cherry 2014",
		Params: metricParams(
			Param{Name: "tokenize", Type: "13a, intl, zh, char or none", About: "how words are found, by sacreBLEU's names", Default: "13a"},
			Param{Name: "smooth", Type: "exp, floor, add-k or none", About: "what an order without a match counts", Default: "exp"},
			Param{Name: "smooth_value", Type: "number above 0", About: "how much floor and add-k add", Default: "0.1 for floor, 1 for add-k"},
			Param{Name: "max_order", Type: "whole number from 1 to 16", About: "the longest sequence", Default: "4"},
			Param{Name: "ignore_case", Type: "true or false", About: "compare without regard to case", Default: "false"}),
		Extra:       readingParams,
		Approximate: "the mean over cases is not corpus BLEU, which adds up counts before it divides.",
		Example:     `bleu: {min: 25}`,
		Build:       buildBLEU,
	}
}

func buildBLEU(a *Args) Func {
	tokenize, smooth, order := Word(a, "tokenize", bleuTokenizers...), Word(a, "smooth", bleuSmooths...), readOrder(a, "max_order", 4, 1)
	added := argOf(a, "smooth_value", 0, readPositive)
	c := comparisonOf(a)
	percentBounds(a)
	return measured(c, BoundsOf(a), "the BLEU score", func(s *newel.Subject, b *sides) (float64, error) {
		metric := textmetric.BLEU{EffectiveOrder: true}
		var err error
		if metric.Tokenize, err = tokenize.At(s); err != nil {
			return 0, err
		}
		if metric.Smooth, err = smooth.At(s); err != nil {
			return 0, err
		}
		if metric.SmoothValue, err = added.At(s); err != nil {
			return 0, err
		}
		if metric.MaxOrder, err = order.At(s); err != nil {
			return 0, err
		}
		score, err := metric.Sentence(b.text, b.wanted)
		return score.Score, err
	})
}

// readOrder returns a parameter that is the length of a sequence, from least
// to 16.
func readOrder(a *Args, name string, fallback, least int) Arg[int] {
	return argOf(a, name, fallback, func(v any) (int, error) {
		n, err := readWhole(v)
		if err != nil || n < least || n > 16 {
			return fallback, fmt.Errorf("is a whole number from %d to 16, not %s", least, show(v))
		}
		return n, nil
	})
}
