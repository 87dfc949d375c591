package check

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"newel"
)

// equalsSpec compares texts or JSON, whole with whole.
func equalsSpec() *Spec {
	return &Spec{
		Name: "equals", Family: "reference", Main: "value", Compares: true,
		About: "What is checked is the wanted value. A wanted text is compared as text, through ignore_case and normalize. A wanted map is compared as JSON: the output must be JSON, numbers count by value (1.0 is 1; long integers digit by digit), the order of keys does not. Any other wanted value (a number, true, null) equals the same JSON, and else its JSON as text. A wanted list is the value itself where JSON is checked, that is a list, or a map, number, true or null that is no text, or a place within output_json; a text that holds no list equals any one of its entries. as: text and as: json fix one way: with json a wanted text that is JSON is parsed too.",
		Params: append(wantedParams[:2:2],
			Param{Name: "as", Type: "auto, text or json", About: "text compares texts, a list meaning any of them; json compares JSON, a list being the value; auto goes by the two sides", Default: "auto"}),
		Extra:   append(readingParams[:2:2], foldParams[:3]...),
		Example: `equals: {at: output_json.order, value: {id: 17, state: shipped}}`,
		Build:   buildEquals,
	}
}

// equality is a compiled equals.
type equality struct {
	comparison
	as   Arg[string]
	args *Args
}

// same returns the pass of a value, which under a not says what the value is.
func (e *equality) same(v any) newel.Score {
	if !e.args.env.negated {
		return newel.Passed()
	}
	return newel.Score{Verdict: newel.Pass, Explanation: "what is checked is " + show(v), Evidence: []newel.Evidence{{Path: e.reading.at.String(), Got: show(v)}}}
}

func buildEquals(a *Args) Func {
	e := &equality{comparison{ReadingOf(a), WantedOf(a), FoldOf(a)}, Word(a, "as", "auto", "text", "json"), a}
	if as, fixed := e.as.Constant(); fixed && as == "text" {
		e.wanted.wantTexts(a)
	}
	return func(_ context.Context, s *newel.Subject) newel.Score {
		score, err := e.score(s)
		if err != nil {
			return Because(err)
		}
		return score
	}
}

func (e *equality) score(s *newel.Subject) (newel.Score, error) {
	as, err := e.as.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	if as == "text" {
		texts, err := e.wanted.Texts(s)
		if err != nil {
			return newel.Score{}, err
		}
		return e.texts(s, texts)
	}
	want, err := e.wanted.Any(s)
	if err != nil {
		return newel.Score{}, err
	}
	if as == "json" {
		return e.json(s, parsed(want))
	}
	switch w := want.(type) {
	case string:
		return e.texts(s, []string{w})
	case map[string]any:
		return e.json(s, w)
	case []any:
		return e.list(s, w)
	}
	return e.anyOf(s, []any{want})
}

// parsed returns the map or list that a text holds, else v as it is.
func parsed(v any) any {
	text, ok := v.(string)
	if !ok {
		return v
	}
	inner, err := newel.ParseJSON([]byte(text))
	switch inner.(type) {
	case map[string]any, []any:
		if err == nil {
			return inner
		}
	}
	return v
}

// texts compares with any of several texts.
func (e *equality) texts(s *newel.Subject, wanted []string) (newel.Score, error) {
	text, err := e.reading.Text(s)
	if err != nil {
		return newel.Score{}, err
	}
	g, err := e.fold.at(s)
	if err != nil {
		return newel.Score{}, err
	}
	b := sides{text: g.text(text), wanted: g.texts(wanted)}
	if slices.Contains(b.wanted, b.text) {
		return e.same(b.text), nil
	}
	if len(wanted) == 1 {
		return e.miss(unlike(b.text, b.wanted[0]), &b), nil
	}
	return e.miss("the text is none of "+showList(b.wanted), &b), nil
}

// unlike says where a text begins to differ from another.
func unlike(got, want string) string {
	at, line := 0, 1
	for at < len(got) && at < len(want) && got[at] == want[at] {
		if got[at] == '\n' {
			line++
		}
		at++
	}
	for at > 0 && (at < len(got) && !utf8.RuneStart(got[at]) || at < len(want) && !utf8.RuneStart(want[at])) {
		at--
	}
	if len(got) <= 80 && len(want) <= 80 || at == 0 {
		return "the text is " + show(Clip(got, 80)) + ", not " + show(Clip(want, 80))
	}
	return fmt.Sprintf("the text differs from character %d on (line %d): it goes on %s, not %s",
		utf8.RuneCountInString(got[:at])+1, line, show(Clip(got[at:], 60)), show(Clip(want[at:], 60)))
}

// list compares with a list: the value itself where JSON is checked, any of
// its entries where a text is that holds no list.
func (e *equality) list(s *newel.Subject, want []any) (newel.Score, error) {
	isText, err := e.checksText(s)
	if err != nil {
		return newel.Score{}, err
	}
	if isText && len(want) > 0 {
		got, err := e.value(s)
		if _, isList := got.([]any); err != nil || !isList {
			return e.anyOf(s, want)
		}
	}
	return e.json(s, want)
}

// anyOf compares with any of several values: with a number, true, false or null
// as JSON, and with each as text.
func (e *equality) anyOf(s *newel.Subject, wanted []any) (newel.Score, error) {
	texts := make([]string, len(wanted))
	for i, w := range wanted {
		if text, ok := w.(string); ok {
			texts[i] = text
			continue
		}
		got, err := e.value(s)
		if err == nil && equalJSON(w, got) {
			return e.same(got), nil
		}
		if texts[i], err = textOf(w); err != nil {
			return newel.Score{}, err
		}
	}
	return e.texts(s, texts)
}

// checksText reports whether what is checked is a text: within output_json
// nothing is.
func (e *equality) checksText(s *newel.Subject) (bool, error) {
	r := e.reading
	switch {
	case r.extracts():
		return true, nil
	case r.plain:
		return s.IsText(), nil
	case r.at.Field() == "output_json":
		return false, nil
	}
	v, err := s.Lookup(r.at)
	_, isText := v.(string)
	return isText, err
}

// value returns what is checked as JSON: a text is parsed, but not one within
// output_json.
func (e *equality) value(s *newel.Subject) (any, error) {
	r := e.reading
	switch {
	case r.extracts(), r.plain && s.Output.Kind() == '"':
		return r.JSON(s)
	case r.plain && s.IsText():
		text, err := s.Text()
		if err != nil {
			return nil, err
		}
		return r.parse(text)
	case r.at.Field() == "output_json":
		return s.Lookup(r.at)
	}
	return r.JSON(s)
}

func (e *equality) json(s *newel.Subject, want any) (newel.Score, error) {
	got, err := e.value(s)
	if err != nil {
		return newel.Score{}, err
	}
	if equalJSON(got, want) {
		return e.same(got), nil
	}
	d := difference(got, want)
	at := e.reading.at.String()
	if e.reading.plain {
		at = "output_json"
	}
	return newel.Score{
		Verdict:     newel.Fail,
		Explanation: d.say(),
		Evidence:    []newel.Evidence{{Path: d.under(at), Want: d.want, Got: d.got}},
	}, nil
}
