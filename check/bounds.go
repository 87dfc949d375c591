package check

import (
	"fmt"

	"newel"
)

// boundParams are taken by every check that gives a number.
var boundParams = []Param{
	{Name: "min", Type: "number", About: "passes from this value on"},
	{Name: "max", Type: "number", About: "passes up to this value"},
}

// Bounds turns a number into a verdict. Without min and max a metric only
// reports: its verdict is undecided.
type Bounds struct {
	min, max Arg[float64]
	exact    bool // min and max are one value
}

// BoundsOf reads min and max.
func BoundsOf(a *Args) Bounds { return boundsIn(a, readNumber) }

// boundsIn reads min and max with read, for values that have a unit.
func boundsIn(a *Args, read func(any) (float64, error)) Bounds {
	b := Bounds{min: argOf(a, "min", 0, read), max: argOf(a, "max", 0, read)}
	low, fixedLow := b.min.Constant()
	high, fixedHigh := b.max.Constant()
	if b.min.Set() && b.max.Set() && fixedLow && fixedHigh && low > high {
		a.Wrong(a.Node("min").Pos, "%s: min %s is above max %s: nothing can pass", a.spec.Name, plain(low), plain(high))
	}
	return b
}

// Set reports whether either bound was written.
func (b Bounds) Set() bool { return b.min.Set() || b.max.Set() }

// Judge returns the score of value, what names it in the explanation.
func (b Bounds) Judge(s *newel.Subject, what string, value float64) newel.Score {
	v, err := newel.ValueOf(value)
	if err != nil {
		return Because(err)
	}
	score := newel.Score{Value: v, HasValue: true}
	if !b.Set() {
		return score
	}
	score.Verdict = newel.Pass
	for _, bound := range []struct {
		arg  Arg[float64]
		word string
		sign int
	}{{b.min, "below the minimum", 1}, {b.max, "above the maximum", -1}} {
		if !bound.arg.Set() {
			continue
		}
		limit, err := boundAt(bound.arg, s)
		if err != nil {
			return Because(err)
		}
		if bound.sign > 0 && v < limit || bound.sign < 0 && v > limit {
			score.Verdict = newel.Fail
			score.Explanation = fmt.Sprintf("%s is %s, %s of %s", what, v, bound.word, limit)
			if b.exact {
				score.Explanation = fmt.Sprintf("%s is %s, not %s", what, v, limit)
			}
		}
	}
	return score
}

func boundAt(arg Arg[float64], s *newel.Subject) (newel.Value, error) {
	f, err := arg.At(s)
	if err != nil {
		return 0, err
	}
	v, err := newel.ValueOf(f)
	if err != nil {
		return 0, &ParamError{"a bound is beyond what is compared: " + err.Error()}
	}
	return v, nil
}
