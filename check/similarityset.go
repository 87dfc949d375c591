package check

import (
	"context"
	"errors"
	"strings"

	"newel"
	"newel/check/textmetric"
)

var setScores = []string{"jaccard", "f1", "precision", "recall", "overlap"}

// similaritySetSpec compares two lists as sets.
func similaritySetSpec() *Spec {
	return &Spec{
		Name: "similarity-set", Family: "reference", Main: "value", Compares: true, Metric: true,
		About:  "How much a list shares with the wanted list, from 0 to 1, whatever their order; an element listed twice is one. Elements are compared as texts, through ignore_case and normalize: a text as it is, anything else as its JSON, so 17 and \"17\" are alike. A text is read as JSON, or cut at split. Two empty lists share all; an empty one and another nothing. Without min or max it only reports.",
		Source: "Jaccard 1901; overlap coefficient: Szymkiewicz 1934, Simpson 1960",
		Params: metricParams(
			Param{Name: "score", Type: "jaccard, f1, precision, recall or overlap", About: "common elements over all (jaccard), over the given ones (precision), over the wanted ones (recall), the mean of the last two (f1), or over the smaller list (overlap)", Default: "jaccard"},
			Param{Name: "split", Type: "text", About: "cuts a side that is a text into elements, without the white space around them; empty ones do not count"}),
		Extra:   append(readingParams[:2:2], foldParams[:3]...),
		Example: `similarity-set: {at: output_json.tags, value: [refund, late], score: f1, min: 0.8}`,
		Build:   buildSimilaritySet,
	}
}

// setMatch is a compiled similarity-set.
type setMatch struct {
	comparison
	score, split Arg[string]
	bounds       Bounds
}

func buildSimilaritySet(a *Args) Func {
	m := &setMatch{comparison{ReadingOf(a), WantedOf(a), FoldOf(a)}, Word(a, "score", setScores...), Text(a, "split", ""), BoundsOf(a)}
	if mark, fixed := m.split.Constant(); fixed && m.split.Set() && mark == "" {
		a.Wrong(a.Node("split").Pos, "similarity-set: split is empty")
	}
	return func(_ context.Context, s *newel.Subject) newel.Score {
		score, err := m.judge(s)
		if err != nil {
			return Because(err)
		}
		return score
	}
}

func (m *setMatch) judge(s *newel.Subject) (newel.Score, error) {
	split, err := m.split.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	word, err := m.score.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	g, err := m.fold.at(s)
	if err != nil {
		return newel.Score{}, err
	}
	got, err := m.got(s, split)
	if err != nil {
		return newel.Score{}, err
	}
	want, err := m.want(s, split)
	if err != nil {
		return newel.Score{}, err
	}
	got, want = g.texts(got), g.texts(want)
	score := m.bounds.Judge(s, "the "+word+" of the elements", setScore(textmetric.CompareSets(got, want), word))
	if score.Verdict == newel.Fail {
		score.Explanation += setDifference(got, want)
		score.Evidence = []newel.Evidence{{Path: m.reading.at.String(), Want: showAll(want), Got: showAll(got)}}
	}
	return score, nil
}

// got returns the elements that are checked.
func (m *setMatch) got(s *newel.Subject, split string) ([]string, error) {
	r := m.reading
	if split != "" {
		v, err := r.Value(s)
		if r.plain && err == nil && s.IsText() {
			v, err = r.Text(s)
		}
		if text, ok := v.(string); ok && err == nil {
			return cut(text, split), nil
		}
	}
	v, err := r.JSON(s)
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		return nil, r.unfit(r.at.String() + " is " + kindOf(v) + ", not a list")
	}
	return elements(list)
}

// want returns the wanted elements; a value that is no list is one of one.
func (m *setMatch) want(s *newel.Subject, split string) ([]string, error) {
	v, err := m.wanted.Any(s)
	if err != nil {
		return nil, err
	}
	if text, ok := v.(string); ok && split != "" {
		return cut(text, split), nil
	}
	if v == nil {
		return nil, m.wanted.wrong(errNull)
	}
	list, _ := readList(parsed(v))
	return elements(list)
}

func cut(text, at string) []string {
	var out []string
	for part := range strings.SplitSeq(text, at) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func elements(list []any) ([]string, error) {
	out := make([]string, len(list))
	var errs error
	for i, e := range list {
		var err error
		out[i], err = textOf(e)
		errs = errors.Join(errs, err)
	}
	return out, errs
}

func setScore(o textmetric.Overlap, word string) float64 {
	switch word {
	case "jaccard":
		return o.Jaccard
	case "overlap":
		return o.Coefficient
	}
	return pick(o.PRF, word)
}

// setDifference says what one side lacks of the other.
func setDifference(got, want []string) string {
	out := ""
	if missing := missingFrom(want, got); len(missing) > 0 {
		out += "; missing: " + showAll(missing)
	}
	if extra := missingFrom(got, want); len(extra) > 0 {
		out += "; not wanted: " + showAll(extra)
	}
	return out
}

// missingFrom returns what list has and other has not.
func missingFrom(list, other []string) []string {
	have := make(map[string]bool, len(other))
	for _, e := range other {
		have[e] = true
	}
	var out []string
	for _, e := range list {
		if !have[e] {
			have[e] = true
			out = append(out, e)
		}
	}
	return out
}

func showAll(texts []string) string {
	list := make([]any, len(texts))
	for i, t := range texts {
		list[i] = t
	}
	return show(list)
}
