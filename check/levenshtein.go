package check

import (
	"context"
	"errors"

	"newel"
	"newel/check/textmetric"
)

// levenshteinSpec is the edit distance.
func levenshteinSpec() *Spec {
	return &Spec{
		Name: "levenshtein", Family: "reference", Main: "value", Compares: true, Metric: true,
		About:  "The edit distance: how many characters (code points) must be put in, taken out or replaced to turn the text into the reference; of several references the nearest counts. With as: similarity it is 1 minus the distance over the length of the longer text. Without min or max it only reports. Texts too long to be compared exactly fail without a value where the distance is surely above max, and are an error of kind limit otherwise.",
		Source: "Levenshtein 1966",
		Params: metricParams(
			Param{Name: "as", Type: "distance or similarity", About: "what the value is: whole edits, or a share from 0 to 1", Default: "distance"}),
		Extra:   append(readingParams[:2:2], foldParams[:3]...),
		Example: `levenshtein: {max: 10}`,
		Build:   buildLevenshtein,
	}
}

func buildLevenshtein(a *Args) Func {
	as, c, bounds := Word(a, "as", "distance", "similarity"), comparisonOf(a), BoundsOf(a)
	return func(_ context.Context, s *newel.Subject) newel.Score {
		b, err := c.bounded(s)
		if err != nil {
			return Because(err)
		}
		word, err := as.At(s)
		if err != nil {
			return Because(err)
		}
		value, what, err := nearest(&b, word)
		if errors.Is(err, textmetric.ErrTooLong) && word == "distance" && bounds.max.Set() {
			return c.farther(s, &b, bounds)
		}
		if err != nil {
			return Because(ofMetric(err))
		}
		score := bounds.Judge(s, what, value)
		if score.Verdict == newel.Fail {
			score.Evidence = c.miss("", &b).Evidence
		}
		return score
	}
}

// nearest returns the distance to the nearest reference, or the similarity.
func nearest(b *sides, as string) (value float64, what string, err error) {
	if as == "similarity" {
		best := 0.0
		for _, w := range b.wanted {
			v, err := textmetric.Similarity(b.text, w)
			if err != nil {
				return 0, "", err
			}
			best = max(best, v)
		}
		return best, "the similarity", nil
	}
	best := -1
	for _, w := range b.wanted {
		d, err := textmetric.Levenshtein(b.text, w, -1)
		if err != nil {
			return 0, "", err
		}
		if best < 0 || d < best {
			best = d
		}
	}
	return float64(best), "the edit distance", nil
}

// farther judges texts that are too long for an exact distance by whether it is
// above max, which is less work.
func (c *comparison) farther(s *newel.Subject, b *sides, bounds Bounds) newel.Score {
	limit, err := bounds.max.At(s)
	if err != nil {
		return Because(err)
	}
	if !(limit >= 0 && limit < maxText) {
		return Because(ofMetric(textmetric.ErrTooLong))
	}
	most := int(limit)
	best := most + 1
	for _, w := range b.wanted {
		d, err := textmetric.Levenshtein(b.text, w, most)
		if err != nil {
			return Because(ofMetric(err))
		}
		best = min(best, d)
	}
	if best <= most { // of some other reference, and exact
		return bounds.Judge(s, "the edit distance", float64(best))
	}
	return c.miss("the edit distance is above the maximum of "+plain(limit), b)
}
