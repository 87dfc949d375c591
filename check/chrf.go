package check

import (
	"errors"

	"newel"
	"newel/check/textmetric"
)

// chrfSpec is chrF of one text.
func chrfSpec() *Spec {
	return &Spec{
		Name: "chrf", Family: "reference", Main: "value", Compares: true, Metric: true,
		About:  "chrF, from 0 to 100: how many of its sequences of up to six characters the text shares with the reference, recall counting twice as much as precision; of several references the best counts. word_order: 2 makes it chrF++. White space does not count. Without min or max it only reports.",
		Source: "chrF and chrF++ (Popović 2015, 2017) as sacreBLEU computes them (Post 2018)",
		Params: metricParams(
			Param{Name: "char_order", Type: "whole number from 1 to 16", About: "the longest sequence of characters", Default: "6"},
			Param{Name: "word_order", Type: "whole number from 0 to 16", About: "the longest sequence of words", Default: "0"},
			Param{Name: "beta", Type: "number above 0", About: "how much recall weighs against precision", Default: "2"},
			Param{Name: "eps_smoothing", Type: "true or false", About: "average the F-scores of all orders, as chrF++.py, NLTK and Moses do, instead of precision and recall first", Default: "false"},
			Param{Name: "ignore_case", Type: "true or false", About: "compare without regard to case", Default: "false"}),
		Extra:   readingParams,
		Example: `chrf: {word_order: 2, min: 45}`,
		Build:   buildChrF,
	}
}

func buildChrF(a *Args) Func {
	chars, words, beta := readOrder(a, "char_order", 6, 1), readOrder(a, "word_order", 0, 0), argOf(a, "beta", 2, readPositive)
	eps := Flag(a, "eps_smoothing", false)
	c := comparisonOf(a)
	percentBounds(a)
	return measured(c, BoundsOf(a), "the chrF score", func(s *newel.Subject, b *sides) (float64, error) {
		var metric textmetric.ChrF
		var err error
		if metric.CharOrder, err = chars.At(s); err != nil {
			return 0, err
		}
		if metric.WordOrder, err = words.At(s); err != nil {
			return 0, err
		}
		if metric.Beta, err = beta.At(s); err != nil {
			return 0, err
		}
		if metric.EpsSmoothing, err = eps.At(s); err != nil {
			return 0, err
		}
		return metric.Sentence(b.text, b.wanted)
	})
}

// readPositive reads a weight of a metric.
func readPositive(v any) (float64, error) {
	f, ok := newel.Float(v)
	if !ok || f <= 0 || f > 1000 {
		return 1, errors.New("is a number above 0, at most 1000")
	}
	return f, nil
}
