package check

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
	"github.com/clipperhouse/uax29/v2/words"

	"newel"
)

// exactParams are taken by the checks that count.
var exactParams = append([]Param{{Name: "equals", Type: "number", About: "passes at exactly this value"}}, boundParams...)

// exactly reads equals as min and max in one.
func exactly(a *Args) Bounds {
	if !a.Has("equals") {
		return BoundsOf(a)
	}
	if a.Has("min") || a.Has("max") {
		a.Wrong(a.Node("equals").Pos, "%s: equals stands alone: leave out min and max", a.spec.Name)
	}
	a.check.reports = false
	n := Number(a, "equals", 0)
	return Bounds{n, n, true}
}

var lengthUnits = []string{"chars", "words", "sentences", "lines", "tokens"}

// lengthSpec measures a text.
func lengthSpec() *Spec {
	return &Spec{
		Name: "length", Family: "structural", Metric: true,
		About:  "How long the text is. chars are Unicode code points; words are those of Unicode's word rules that hold a letter or digit (in Chinese, Japanese and Thai: characters); sentences are those of Unicode's sentence rules that hold a letter or digit; lines end at line breaks, and a break at the very end starts none. Without min, max or equals it only reports.",
		Source: "Unicode Standard Annex 29 (words, sentences)",
		Params: append([]Param{
			{Name: "unit", Type: "one of " + strings.Join(lengthUnits, ", "), About: "what is counted", Default: "chars"},
		}, exactParams...),
		Extra:       readingParams,
		Approximate: "tokens are bytes of UTF-8 divided by four, rounded up: a rule of thumb for English. A vocabulary of some megabytes would be exact for one model and as wrong for the next; where the target reports its tokens, usage: is exact.",
		Example:     "length: {max: 120, unit: words}",
		Build: func(a *Args) Func {
			unit := fixedOf(a, "unit", lengthUnits[0], readWord(lengthUnits))
			reading, bounds := ReadingOf(a), exactly(a)
			what := "the length in " + unit
			return func(_ context.Context, s *newel.Subject) newel.Score {
				text, err := reading.Text(s)
				if err != nil {
					return Because(err)
				}
				return bounds.Judge(s, what, float64(measure(text, unit)))
			}
		},
	}
}

func measure(text, unit string) int {
	switch unit {
	case "words":
		return countWords(text)
	case "sentences":
		return countSentences(text)
	case "lines":
		return countLines(text)
	case "tokens":
		return (len(text) + 3) / 4
	}
	return utf8.RuneCountInString(text)
}

func countWords(text string) int {
	n := 0
	for it := words.FromString(text); it.Next(); {
		if hasLetter(it.Value()) {
			n++
		}
	}
	return n
}

func countSentences(text string) int {
	n := 0
	for it := sentences.FromString(text); it.Next(); {
		if hasLetter(it.Value()) {
			n++
		}
	}
	return n
}

func countLines(text string) int {
	if text == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
}

func hasLetter(text string) bool {
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}
