package ifeval

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// openedAndClosed demands both marks of a Spanish question or exclamation.
func openedAndClosed(open, end string) func(values) func(string) bool {
	return func(values) func(string) bool {
		return func(text string) bool { return strings.Contains(text, open) && strings.Contains(text, end) }
	}
}

// wordsWith demands exactly so many words with one of the characters.
func wordsWith(chars string) func(values) func(string) bool {
	return func(v values) func(string) bool {
		want := v.count("let_frequency")
		return func(text string) bool { return countWordsWith(text, chars) == want }
	}
}

// tildes counts words with an acute accent.
func tildes(v values) func(string) bool {
	want, holds := v.count("num_words"), v.compare("relation")
	return func(text string) bool { return holds(countWordsWith(text, "áéíóúÁÉÍÓÚ"), want) }
}

func countWordsWith(text, chars string) int {
	n := 0
	for w := range words(text) {
		if strings.ContainsAny(w, chars) {
			n++
		}
	}
	return n
}

func noDigits(values) func(string) bool {
	return func(text string) bool { return !strings.ContainsFunc(text, unicode.IsDigit) }
}

// informalAddress demands that the reader is called tu somewhere; a vous elsewhere is forgiven.
func informalAddress(values) func(string) bool {
	familiar := []string{"tu", "te", "toi", "ton", "ta", "tes", "t"}
	return func(text string) bool {
		for w := range words(strings.ToLower(text)) {
			if slices.Contains(familiar, w) {
				return true
			}
		}
		return false
	}
}

// noAccents demands letters without any diacritic: no cedilla either.
func noAccents(values) func(string) bool {
	return func(text string) bool { return !strings.ContainsFunc(norm.NFD.String(text), isMark) }
}

func isMark(r rune) bool { return unicode.Is(unicode.Mn, r) }

// accentuated demands that no word is left without the accents that it should have been given.
func accentuated(v values) func(string) bool {
	bare := v.accents("word_to_accentuate")
	return func(text string) bool {
		text = strings.ToLower(text)
		for w := range bare {
			if hasWord(text, strings.ToLower(w)) {
				return false
			}
		}
		return true
	}
}

func forbiddenChar(v values) func(string) bool {
	char := strings.ToLower(v.text("forbidden_char"))
	return func(text string) bool { return !strings.Contains(strings.ToLower(text), char) }
}
