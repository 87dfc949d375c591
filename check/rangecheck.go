package check

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"newel"
	"newel/check/textmetric"
)

// rangeSpec asks for a number within bounds.
func rangeSpec() *Spec {
	return &Spec{
		Name: "range", Family: "structural",
		About: "What is checked is a number within the bounds. A text must be one number and nothing else, with thousands grouped or a currency sign if need be; extract: number takes the first of several.",
		Params: append([]Param{
			{Name: "above", Type: "number", About: "the number is greater than this"},
			{Name: "below", Type: "number", About: "the number is less than this"},
			{Name: "language", Type: "text", About: "ISO 639-1 code: which of comma and point is the decimal mark of a text", Default: "en"},
		}, boundParams...),
		Extra:   readingParams,
		Example: "range: {at: output_json.score, min: 0, max: 1}",
		Build:   buildRange,
	}
}

// edge is one bound of a range.
type edge struct {
	limit Arg[float64]
	holds func(value, limit float64) bool
	words string
}

func buildRange(a *Args) Func {
	reading, language := ReadingOf(a), Text(a, "language", "en")
	var edges []edge
	for _, e := range []edge{
		{Number(a, "min", 0), func(v, l float64) bool { return v >= l }, "at least "},
		{Number(a, "max", 0), func(v, l float64) bool { return v <= l }, "at most "},
		{Number(a, "above", 0), func(v, l float64) bool { return v > l }, "above "},
		{Number(a, "below", 0), func(v, l float64) bool { return v < l }, "below "},
	} {
		if e.limit.Set() {
			edges = append(edges, e)
		}
	}
	if !a.Has("min") && !a.Has("max") && !a.Has("above") && !a.Has("below") {
		a.Wrong(a.Pos(), "range needs min, max, above or below")
	}
	checkEdges(a, edges)
	return func(_ context.Context, s *newel.Subject) newel.Score {
		v, err := numberAt(s, reading, language)
		if err != nil {
			return Because(err)
		}
		return within(s, v, edges)
	}
}

// checkEdges notes bounds between which there is no number.
func checkEdges(a *Args, edges []edge) {
	for _, low := range edges {
		for _, high := range edges {
			l, lowFixed := low.limit.Constant()
			h, highFixed := high.limit.Constant()
			isLow, isHigh := low.holds(1, 0), high.holds(0, 1)
			if lowFixed && highFixed && isLow && isHigh && (l > h || l == h && !(low.holds(l, l) && high.holds(h, h))) {
				a.Wrong(a.Pos(), "range: no number is %s%s and %s%s", low.words, plain(l), high.words, plain(h))
			}
		}
	}
}

func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func numberAt(s *newel.Subject, r *Reading, language Arg[string]) (float64, error) {
	v, err := r.Value(s)
	if err != nil {
		return 0, err
	}
	if f, ok := newel.Float(v); ok {
		return f, nil
	}
	msg := fmt.Sprintf("%s is %s, not a number", r.at, kindOf(v))
	if text, ok := v.(string); ok {
		lang, err := language.At(s)
		if err != nil {
			return 0, err
		}
		if f, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && newel.Raw(strings.TrimSpace(text)).IsValid() {
			return f, nil
		}
		n, err := textmetric.ParseNumber(Clip(text, 1000), lang)
		if err == nil {
			return n.Value, nil
		}
		msg = fmt.Sprintf("%s is not one number", show(Clip(text, 60)))
	}
	if r.at.OfOutput() {
		return 0, &newel.OutputError{Msg: msg}
	}
	return 0, &ParamError{msg}
}

func within(s *newel.Subject, v float64, edges []edge) newel.Score {
	score := newel.Passed()
	if value, err := newel.ValueOf(v); err == nil {
		score.Value, score.HasValue = value, true
	}
	for _, e := range edges {
		limit, err := e.limit.At(s)
		if err != nil {
			return Because(err)
		}
		if !e.holds(v, limit) {
			score.Verdict = newel.Fail
			score.Explanation = plain(v) + " is not " + e.words + plain(limit)
			return score
		}
	}
	return score
}
