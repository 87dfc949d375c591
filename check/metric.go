package check

import (
	"context"
	"errors"

	"newel"
	"newel/check/textmetric"
)

// metricParams returns the parameters of a metric over texts: what to compare
// with, its own, and the bounds.
func metricParams(own ...Param) []Param {
	out := append([]Param(nil), wantedParams...)
	return append(append(out, own...), boundParams...)
}

// measured returns the check that judges a number made from both sides; what
// names it in the explanation.
func measured(c *comparison, bounds Bounds, what string, measure func(s *newel.Subject, b *sides) (float64, error)) Func {
	return func(_ context.Context, s *newel.Subject) newel.Score {
		b, err := c.bounded(s)
		if err != nil {
			return Because(err)
		}
		value, err := measure(s, &b)
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

// ofMetric puts a metric's errors in the check's own classes: its options come
// from the definition or the case.
func ofMetric(err error) error {
	if errors.Is(err, textmetric.ErrTooLong) {
		return &LimitError{err.Error()}
	}
	var param *ParamError
	var missing *newel.MissingError
	if errors.As(err, &param) || errors.As(err, &missing) {
		return err
	}
	return &ParamError{err.Error()}
}

// scoreWords are the three numbers of an overlap.
var scoreWords = []string{"f1", "precision", "recall"}

var scoreParam = Param{Name: "score", Type: "f1, precision or recall", About: "which number counts; precision is the share of the text that the reference has too, recall the share of the reference that the text has", Default: "f1"}

// pick returns one number of an overlap.
func pick(o textmetric.PRF, word string) float64 {
	switch word {
	case "precision":
		return o.Precision
	case "recall":
		return o.Recall
	}
	return o.F1
}

// percentBounds notes bounds of a score from 0 to 100 that were written as
// shares of 1: min: 0.4 would pass nearly everything.
func percentBounds(a *Args) {
	for _, name := range []string{"min", "max"} {
		n := a.Node(name)
		if n == nil {
			continue
		}
		if f, ok := newel.Float(n.Value); ok && f > 0 && f < 1 {
			a.Wrong(n.Pos, "%s: %s is %s, and the score runs from 0 to 100: write %s", a.spec.Name, name, plain(f), plain(float64(f*100)))
		}
	}
}
