package ifeval

import (
	"strings"
	"unicode/utf8"
)

// Keywords are sought without regard to case and taken literally: a dot in one is a dot.

func keywordsExist(v values) func(string) bool {
	keys := lowered(v.texts("keywords"))
	return func(text string) bool {
		text = strings.ToLower(text)
		for _, k := range keys {
			if !strings.Contains(text, k) {
				return false
			}
		}
		return true
	}
}

func keywordFrequency(v values) func(string) bool {
	key, want, holds := strings.ToLower(v.text("keyword")), v.count("frequency"), v.compare("relation")
	return func(text string) bool {
		return holds(strings.Count(strings.ToLower(text), key), want)
	}
}

// forbiddenWords demands that none of the words stands in the text as a whole word.
func forbiddenWords(v values) func(string) bool {
	words := lowered(v.texts("forbidden_words"))
	return func(text string) bool {
		text = strings.ToLower(text)
		for _, w := range words {
			if hasWord(text, w) {
				return false
			}
		}
		return true
	}
}

// forbiddenTexts is forbiddenWords for a language without spaces: nowhere in the text.
func forbiddenTexts(v values) func(string) bool {
	return func(text string) bool {
		for _, w := range v.texts("forbidden_words") {
			if strings.Contains(text, w) {
				return false
			}
		}
		return true
	}
}

// letterFrequency counts a letter in either case; a Japanese one in either syllabary.
func letterFrequency(v values) func(string) bool {
	want, holds, fold := v.count("let_frequency"), v.compare("let_relation"), strings.ToLower
	if v.lang == "ja" {
		fold = hiragana
	}
	letter := fold(v.text("letter"))
	return func(text string) bool { return holds(strings.Count(fold(text), letter), want) }
}

func lowered(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ToLower(w)
	}
	return out
}

// hasWord reports that word occurs in text with a word boundary on either side.
func hasWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		start := at + i
		if boundary(text, start) && boundary(text, start+len(word)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[start:])
		at = start + size
	}
}

// boundary reports that exactly one of the runes before and after the byte offset is a word rune.
func boundary(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return (at > 0 && isWordRune(before)) != (at < len(text) && isWordRune(after))
}
