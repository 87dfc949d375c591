package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"newel"
	"newel/check/textmetric"
)

// numberSpec compares a number with a wanted one.
func numberSpec() *Spec {
	return &Spec{
		Name: "number", Family: "reference", Main: "value", Compares: true,
		About: "The number in the text is the wanted one, or one of several, within the tolerance. A JSON number is taken as it is; of a text one number is read, digits of any script, with its sign, thousands groups and exponent. A wanted value given as text is read the same way. The value is the number that was read. 50% is 50, unless units say otherwise.",
		Params: append(wantedParams[:2:2],
			Param{Name: "tolerance", Type: "number, text such as 2%, or map of abs and rel", About: "how far off it may be: absolute, as a share of the wanted number, or whichever of abs and rel allows more (rel: 0.02 is 2%)", Default: "0"},
			Param{Name: "take", Type: "first, last or only", About: "which number of a text counts; with only, a second one is a fail", Default: "first"},
			Param{Name: "separators", Type: "map of decimal and group", About: "the decimal mark and all marks that may group thousands, in place of the language's: {decimal: ',', group: '. '}"},
			Param{Name: "units", Type: "map of text to number", About: "what may stand beside a number, and what it is multiplied with: {km: 1000, m: 1, '%': 0.01}; for both sides"},
			Param{Name: "language", Type: "text", About: "ISO 639-1 code: which of comma and point is the decimal mark of the text", Default: "en"},
			Param{Name: "reference_language", Type: "text", About: "the same for a wanted value given as text", Default: "en"}),
		Extra:       readingParams,
		Example:     `number: {value: 1234.5, tolerance: 0.01, language: de}`,
		Approximate: "numbers are 64-bit floating point: of more than fifteen digits the last may not count. Long ids are texts: compare them with equals or contains. Number words and fractions (3/4) are not read.",
		Build:       buildNumber,
	}
}

// numberMatch is a compiled number check.
type numberMatch struct {
	reading            *Reading
	wanted             *Wanted
	tolerance          Arg[tolerance]
	take               Arg[string]
	separators         Arg[separators]
	units              Arg[map[string]float64]
	language, ofWanted Arg[string]
}

func buildNumber(a *Args) Func {
	m := &numberMatch{
		reading: ReadingOf(a), wanted: WantedOf(a),
		tolerance: argOf(a, "tolerance", tolerance{}, readTolerance), take: Word(a, "take", takeWords...),
		separators: argOf(a, "separators", separators{}, readSeparators), units: argOf(a, "units", nil, readUnits),
		language: Text(a, "language", "en"), ofWanted: Text(a, "reference_language", "en"),
	}
	m.checkConstant(a)
	return func(_ context.Context, s *newel.Subject) newel.Score {
		score, err := m.score(s)
		if err != nil {
			return Because(err)
		}
		return score
	}
}

// checkConstant notes a constant value that is no number.
func (m *numberMatch) checkConstant(a *Args) {
	units, fixed := m.units.Constant()
	language, alsoFixed := m.ofWanted.Constant()
	if m.wanted.OfCase() || !fixed || !alsoFixed {
		return
	}
	v, _ := m.wanted.value.Constant()
	if _, err := numbersOf(v, textmetric.NumberReader{Language: language, Units: units}); err != nil {
		a.Wrong(a.Node("value").Pos, "number: value %v", err)
	}
}

func (m *numberMatch) score(s *newel.Subject) (newel.Score, error) {
	units, err := m.units.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	got, err := m.got(s, units)
	if err != nil {
		return newel.Score{}, err
	}
	wanted, err := m.want(s, units)
	if err != nil {
		return newel.Score{}, err
	}
	within, err := m.tolerance.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	score := newel.Passed()
	if value, err := newel.ValueOf(got); err == nil {
		score.Value, score.HasValue = value, true
	}
	for _, w := range wanted {
		if textmetric.Within(got, w, within.abs, within.rel) {
			return score, nil
		}
	}
	score.Verdict = newel.Fail
	score.Explanation = "the number is " + plain(got) + ", not " + plainList(wanted) + within.say()
	score.Evidence = []newel.Evidence{{Path: m.reading.at.String(), Want: plainList(wanted), Got: plain(got)}}
	return score, nil
}

// got reads the number that is checked.
func (m *numberMatch) got(s *newel.Subject, units map[string]float64) (float64, error) {
	v, err := m.reading.Value(s)
	if m.reading.plain && err == nil && s.IsText() {
		v, err = m.reading.Text(s) // of a conversation, its last content
	}
	if err != nil {
		return 0, err
	}
	if f, ok := newel.Float(v); ok {
		return f, nil
	}
	text, ok := v.(string)
	if !ok {
		return 0, m.reading.unfit(fmt.Sprintf("%s is %s, not a number", m.reading.at, kindOf(v)))
	}
	take, err := m.take.At(s)
	if err != nil {
		return 0, err
	}
	r, err := m.reader(s, units)
	if err != nil {
		return 0, err
	}
	n, err := takeNumber(r, text, take)
	var output *newel.OutputError
	if errors.As(err, &output) {
		return 0, m.reading.unfit(output.Msg)
	}
	return scaled(n, units), err
}

// unfit is the error of what is checked not being as asked: the output's fault
// or, where it is of the case, a wrong value there.
func (r *Reading) unfit(msg string) error {
	if r.at.OfOutput() {
		return &newel.OutputError{Msg: msg}
	}
	return &ParamError{msg}
}

func (m *numberMatch) reader(s *newel.Subject, units map[string]float64) (textmetric.NumberReader, error) {
	r := textmetric.NumberReader{Units: units}
	marks, err := m.separators.At(s)
	if err != nil {
		return r, err
	}
	r.Decimal, r.Group = marks.decimal, marks.group
	r.Language, err = m.language.At(s)
	return r, err
}

// scaled is a number's value, with a factor for per cent where units have one.
func scaled(n textmetric.Number, units map[string]float64) float64 {
	if factor, ok := units["%"]; ok && n.Percent {
		return float64(n.Value * factor)
	}
	return n.Value
}

// want reads the wanted numbers.
func (m *numberMatch) want(s *newel.Subject, units map[string]float64) ([]float64, error) {
	v, err := m.wanted.Any(s)
	if err != nil {
		return nil, err
	}
	language, err := m.ofWanted.At(s)
	if err != nil {
		return nil, err
	}
	numbers, err := numbersOf(v, textmetric.NumberReader{Language: language, Units: units})
	if err != nil {
		return nil, m.wanted.wrong(err)
	}
	return numbers, nil
}

// numbersOf reads a number, a text that is one, or a list of such.
func numbersOf(v any, r textmetric.NumberReader) ([]float64, error) {
	list, _ := readList(v)
	if len(list) == 0 {
		return nil, errors.New("is an empty list")
	}
	out := make([]float64, len(list))
	for i, e := range list {
		if e == nil {
			return nil, errNull
		}
		f, ok := newel.Float(e)
		if text, isText := e.(string); isText && len(text) <= 1000 {
			n, err := r.Parse(text)
			f, ok = scaled(n, r.Units), err == nil
		}
		if !ok {
			return nil, fmt.Errorf("%s is not a number", show(e))
		}
		out[i] = f
	}
	return out, nil
}

func plainList(numbers []float64) string {
	texts := make([]string, len(numbers))
	for i, f := range numbers {
		texts[i] = plain(f)
	}
	return Clip(strings.Join(texts, " or "), 200)
}
