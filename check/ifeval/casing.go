package ifeval

import (
	"strings"

	"newel/check/langid"
)

// allCapitals demands capital letters throughout, in the language of the family.
func allCapitals(v values) func(string) bool {
	return func(text string) bool { return isUpper(text) && plausibly(text, v.lang) }
}

// allLowercase demands small letters throughout, in the language of the family.
func allLowercase(v values) func(string) bool {
	return func(text string) bool { return isLower(text) && plausibly(text, v.lang) }
}

// plausibly reports that nothing reliable speaks against the language: the letter case is the
// point of these families, and a title of two words has no sure language.
func plausibly(text, lang string) bool {
	found, confidence := langid.DetectLanguage(text)
	return found == lang || confidence < langid.Reliable
}

// responseLanguage demands the language; a text whose language cannot be told passes.
func responseLanguage(v values) func(string) bool {
	want := strings.ToLower(v.text("language"))
	return func(text string) bool {
		found, _ := langid.DetectLanguage(text)
		return found == "" || found == want
	}
}

func capitalWords(v values) func(string) bool {
	want, holds := v.count("capital_frequency"), v.compare("capital_relation")
	return func(text string) bool {
		n := 0
		for t := range tokens(text) {
			if isUpper(t) {
				n++
			}
		}
		return holds(n, want)
	}
}
