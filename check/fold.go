package check

import (
	"strings"

	"newel"
	"newel/check/textmetric"
)

// foldParams are taken by every check that compares texts.
var foldParams = []Param{
	{Name: "ignore_case", Type: "true or false", About: "compare without regard to case", Default: "false"},
	{Name: "normalize", Type: "squad, or a list of nfkc, lower, punctuation, articles, whitespace", About: "how both sides are made alike before they are compared, in order"},
	{Name: "language", Type: "text", About: "ISO 639-1 code: sets articles, tokens (zh, ja, th: characters) and number format", Default: "en"},
	{Name: "empty", Type: "none or match", About: "whether a needle that is empty matches nothing or, as in some published figures, everything", Default: "none"},
}

// Fold makes two texts alike before they are compared.
type Fold struct {
	steps    []string
	lower    bool
	language Arg[string]
	fixed    *textmetric.Normalizer // when the language is constant
	made     *cache[textmetric.Normalizer]
	Empty    bool // an empty needle matches
}

// FoldOf reads ignore_case, normalize, language and empty.
func FoldOf(a *Args) *Fold {
	f := &Fold{language: Text(a, "language", "en"), made: newCache[textmetric.Normalizer](cacheSize)}
	f.lower, _ = Flag(a, "ignore_case", false).Constant()
	empty, _ := Word(a, "empty", "none", "match").Constant()
	f.Empty = empty == "match"
	if n := a.Node("normalize"); n != nil {
		steps, err := readTexts(n.Any())
		if err == nil {
			_, err = textmetric.NewNormalizer("en", steps...)
		}
		if err != nil {
			a.Wrong(n.Pos, "normalize: %v", err)
			return f
		}
		f.steps = steps
	}
	if language, constant := f.language.Constant(); constant && f.steps != nil {
		fixed, err := textmetric.NewNormalizer(language, f.steps...)
		if err != nil {
			a.Wrong(a.pos, "%s: %v", a.spec.Name, err)
		}
		f.fixed = &fixed
	}
	return f
}

// Text returns text as it is compared for s.
func (f *Fold) Text(s *newel.Subject, text string) (string, error) {
	if f.steps != nil {
		n, err := f.normalizer(s)
		if err != nil {
			return "", err
		}
		text = n.String(text)
	}
	if f.lower {
		text = strings.ToLower(text)
	}
	return text, nil
}

// Texts is Text for a list, in a new one where anything changes.
func (f *Fold) Texts(s *newel.Subject, texts []string) ([]string, error) {
	if f.steps == nil && !f.lower {
		return texts, nil
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		var err error
		if out[i], err = f.Text(s, t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Language returns the language in force for s.
func (f *Fold) Language(s *newel.Subject) (string, error) { return f.language.At(s) }

func (f *Fold) normalizer(s *newel.Subject) (n textmetric.Normalizer, err error) {
	if f.fixed != nil {
		return *f.fixed, nil
	}
	language, err := f.language.At(s)
	if err != nil {
		return n, err
	}
	n, err = f.made.get(language, func(language string) (textmetric.Normalizer, error) {
		return textmetric.NewNormalizer(language, f.steps...)
	})
	if err != nil {
		return n, &ParamError{err.Error()}
	}
	return n, nil
}
