package textmetric

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// primary is the language part of a tag: "de" of "de-AT" and "DE_at".
func primary(lang string) string {
	if i := strings.IndexAny(lang, "-_"); i >= 0 {
		lang = lang[:i]
	}
	return strings.ToLower(lang)
}

// articles lists the articles of a language, in lower case. English, which is
// also what an empty tag means, is SQuAD's list; Spanish and German are those
// of MLQA's evaluation script (Lewis et al. 2020); French, Italian, Portuguese
// and Dutch follow the same idea. Other languages have none.
func articles(lang string) []string {
	if lang = primary(lang); lang == "" {
		lang = "en"
	}
	return articleLists[lang]
}

var articleLists = map[string][]string{
	"en": {"a", "an", "the"},
	"es": {"un", "una", "unos", "unas", "el", "la", "los", "las"},
	"de": {"ein", "eine", "einen", "einem", "eines", "einer", "der", "die", "das", "den", "dem", "des"},
	"fr": {"le", "la", "les", "un", "une", "des"},
	"it": {"il", "lo", "la", "i", "gli", "le", "un", "uno", "una"},
	"pt": {"o", "a", "os", "as", "um", "uma", "uns", "umas"},
	"nl": {"de", "het", "een"},
}

// elided lists the articles that stand before an apostrophe: l'eau, un'ora.
func elided(lang string) []string { return elidedLists[primary(lang)] }

var elidedLists = map[string][]string{"fr": {"l"}, "it": {"l", "un"}}

// unspaced reports whether a language is written without spaces between words.
func unspaced(lang string) bool {
	switch primary(lang) {
	case "zh", "yue", "ja", "th", "lo", "km", "my":
		return true
	}
	return false
}

// unspacedRune reports whether r belongs to a script that unspaced languages
// write. U+30FC, the sound mark of katakana words, counts as theirs.
func unspacedRune(r rune) bool {
	if r < 0x0E00 {
		return false
	}
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// isSpace is what Python's str.split takes for white space, as the published
// scripts use it: Unicode white space and the separators U+001C to U+001F.
func isSpace(r rune) bool {
	return r >= 0x1C && r <= 0x1F || unicode.IsSpace(r)
}

// isWord is Python's \w: letters, numbers and the low line, but no marks.
func isWord(r rune) bool {
	if r < 0x80 {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// asciiPunct reports whether r is in Python's string.punctuation.
func asciiPunct(r rune) bool {
	return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
}

// fields splits on white space as Python's str.split does.
func fields(s string) []string {
	if strings.ContainsAny(s, "\x1c\x1d\x1e\x1f") {
		return strings.FieldsFunc(s, isSpace)
	}
	return strings.Fields(s)
}

// lower is the full Unicode lower case. strings.ToLower differs from it in two
// letters only: a capital I with a dot, and a capital sigma at a word's end.
func lower(s string) string {
	if strings.Contains(s, "İ") || strings.Contains(s, "Σ") {
		return cases.Lower(language.Und).String(s)
	}
	return strings.ToLower(s)
}
