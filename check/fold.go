package check

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"

	"newel"
	"newel/check/textmetric"
)

// foldParams are taken by every check that compares texts.
var foldParams = []Param{
	{Name: "ignore_case", Type: "true or false", About: "compare without regard to case", Default: "false"},
	{Name: "normalize", Type: "squad, or a list of nfkc, lower, punctuation, articles, whitespace", About: "how both sides are made alike before they are compared, in this order"},
	{Name: "language", Type: "text", About: "ISO 639-1 code: sets articles, tokens (zh, ja, th: characters) and number format", Default: "en"},
	{Name: "empty", Type: "none or match", About: "whether a wanted text that is empty matches nothing or, as in some published figures, what it can", Default: "none"},
}

// squadFoldParams are foldParams where squad is what normalize is by default.
var squadFoldParams = func() []Param {
	params := append([]Param(nil), foldParams...)
	params[1].Default = "squad; [] for none"
	return params
}()

// Fold makes two texts alike before they are compared.
type Fold struct {
	lower    Arg[bool]
	steps    Arg[[]string]
	language Arg[string]
	empty    Arg[string]
	fixed    *folding // when nothing depends on the case
	made     *cache[textmetric.Normalizer]
}

// folding is a Fold as it is in force for one case.
type folding struct {
	normalizer textmetric.Normalizer
	changes    bool // the normaliser has steps
	lower      bool
	empty      bool // an empty needle matches
	language   string
}

// FoldOf reads ignore_case, normalize, language and empty, as far as the check
// has them. Steps are those of normalize where it is not written.
func FoldOf(a *Args, steps ...string) *Fold {
	f := &Fold{
		lower:    Flag(a, "ignore_case", false),
		steps:    argOf(a, "normalize", steps, readSteps),
		language: Text(a, "language", "en"),
		empty:    Word(a, "empty", "none", "match"),
		made:     newCache[textmetric.Normalizer](cacheSize),
	}
	if f.lower.path.IsZero() && f.steps.path.IsZero() && f.language.path.IsZero() && f.empty.path.IsZero() {
		fixed, err := f.fold(nil)
		if err != nil {
			a.Wrong(a.pos, "%s: %v", a.spec.Name, err)
		}
		f.fixed = &fixed
	}
	return f
}

func readSteps(v any) ([]string, error) {
	steps, err := readTexts(v)
	if err == nil {
		_, err = textmetric.NewNormalizer("en", steps...)
	}
	if err != nil {
		return nil, fmt.Errorf("is squad, or a list of nfkc, lower, punctuation, articles, whitespace, not %s", show(v))
	}
	return steps, nil
}

// at returns the folding in force for s.
func (f *Fold) at(s *newel.Subject) (folding, error) {
	if f.fixed != nil {
		return *f.fixed, nil
	}
	return f.fold(s)
}

func (f *Fold) fold(s *newel.Subject) (g folding, err error) {
	if g.lower, err = f.lower.At(s); err != nil {
		return g, err
	}
	if g.language, err = f.language.At(s); err != nil {
		return g, err
	}
	empty, err := f.empty.At(s)
	if err != nil {
		return g, err
	}
	g.empty = empty == "match"
	steps, err := f.steps.At(s)
	if err != nil || len(steps) == 0 {
		return g, err
	}
	g.changes = true
	key := g.language + " " + strings.Join(steps, " ")
	g.normalizer, err = f.made.get(key, func(string) (textmetric.Normalizer, error) {
		return textmetric.NewNormalizer(g.language, steps...)
	})
	if err != nil {
		return g, &ParamError{err.Error()}
	}
	return g, nil
}

// Text returns text as it is compared for s.
func (f *Fold) Text(s *newel.Subject, text string) (string, error) {
	g, err := f.at(s)
	return g.text(text), err
}

// Texts is Text for a list, in a new one where anything changes.
func (f *Fold) Texts(s *newel.Subject, texts []string) ([]string, error) {
	g, err := f.at(s)
	return g.texts(texts), err
}

// Language returns the language in force for s.
func (f *Fold) Language(s *newel.Subject) (string, error) { return f.language.At(s) }

func (g *folding) text(text string) string {
	if g.changes {
		text = g.normalizer.String(text)
	}
	if g.lower {
		text = foldCase(text)
	}
	return text
}

func (g *folding) texts(texts []string) []string {
	if !g.changes && !g.lower {
		return texts
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = g.text(t)
	}
	return out
}

// foldCase makes texts that differ in case only equal, by Unicode's full case
// folding: lower case is not enough for ß and SS, or for the Greek sigmas.
func foldCase(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return cases.Fold().String(text)
		}
	}
	return strings.ToLower(text)
}
