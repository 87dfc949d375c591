package check

import (
	"context"
	"fmt"
	"strings"

	"newel"
	"newel/check/langid"
)

// languageSpec asks for the language that a text is written in.
func languageSpec() *Spec {
	return &Spec{
		Name: "language", Family: "regex", Main: "language",
		About: "The text is written in the language, or in one of several. A region (de-CH) is left aside. A text without letters is in no language and fails.",
		Params: []Param{
			{Name: "language", Type: "text or list of texts", About: "ISO 639-1 code, such as de; of a list any will do", Required: true},
		},
		Extra:       readingParams,
		Approximate: "Told by script and by the commonest triples of letters in the first 8 KiB. A text of a line or two is often taken for a neighbouring language (Spanish for Galician, Danish for Norwegian); list those that you would take too, or let the check settle nothing.",
		Example:     "language: {from: dims.language}",
		Build: func(a *Args) Func {
			reading, codes := ReadingOf(a), deriveList(a, "language", readLanguage)
			return func(_ context.Context, s *newel.Subject) newel.Score {
				text, err := reading.Text(s)
				if err != nil {
					return Because(err)
				}
				wanted, err := codes.At(s)
				if err != nil {
					return Because(err)
				}
				return languageScore(text, wanted)
			}
		},
	}
}

// readLanguage returns the language of a code without its region.
func readLanguage(code string) (string, error) {
	base, _, _ := strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	base = strings.ToLower(base)
	if len(base) < 2 || len(base) > 3 || strings.Trim(base, "abcdefghijklmnopqrstuvwxyz") != "" {
		return "", fmt.Errorf("%s is no language code: write de, not German", show(code))
	}
	return base, nil
}

func languageScore(text string, wanted []string) newel.Score {
	found, confidence := langid.DetectLanguage(text)
	if found == "" {
		return newel.Missed("the text has no letters, so it is in no language")
	}
	if contained(wanted, found) {
		return newel.Passed()
	}
	want := strings.Join(wanted, " or ")
	return newel.Score{
		Verdict:     newel.Fail,
		Explanation: fmt.Sprintf("looks like %s (confidence %.2f), not %s", found, confidence, want),
		Evidence:    []newel.Evidence{{Path: "output", Want: want, Got: found}},
	}
}
