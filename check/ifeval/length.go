package ifeval

import (
	"strings"
	"unicode"
)

// numberWords counts runs of letters, numbers and underscores; in Spanish, those of letters only.
func numberWords(v values) func(string) bool {
	want, holds, lettersOnly := v.count("num_words"), v.compare("relation"), v.lang == "es"
	return func(text string) bool {
		n := 0
		for w := range words(text) {
			if !lettersOnly || strings.IndexFunc(w, notLetter) < 0 {
				n++
			}
		}
		return holds(n, want)
	}
}

func numberSentences(v values) func(string) bool {
	want, holds := v.count("num_sentences"), v.compare("relation")
	return func(text string) bool { return holds(countSentences(text, v.lang != "es"), want) }
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// numberParagraphs counts paragraphs that a Markdown divider of three asterisks separates.
func numberParagraphs(v values) func(string) bool {
	want := v.count("num_paragraphs")
	return func(text string) bool {
		found, ok := parts(text, "***")
		return ok && len(found) == want
	}
}

// firstWordOfParagraph demands the number of paragraphs, which empty lines separate, and the first
// word of the nth. An nth paragraph that is blank fails.
func firstWordOfParagraph(v values) func(string) bool {
	want := strings.ToLower(v.text("first_word"))
	return nthParagraph(v, func(p string) bool { return firstWord(p) == want })
}

// startOfParagraph is firstWordOfParagraph for words that no space ends: the paragraph begins with
// the text given, which may be a phrase; opening quotes are passed over.
func startOfParagraph(v values) func(string) bool {
	want := strings.ToLower(v.text("first_word"))
	return nthParagraph(v, func(p string) bool {
		return strings.HasPrefix(strings.ToLower(strings.TrimLeft(p, "「『\"'")), want)
	})
}

func nthParagraph(v values, holds func(paragraph string) bool) func(string) bool {
	want, nth := v.count("num_paragraphs"), v.count("nth_paragraph")
	return func(text string) bool {
		all := strings.Split(text, "\n\n")
		if n := len(filled(all)); n != want || nth < 1 || nth > n {
			return false
		}
		paragraph := strip(all[nth-1])
		return paragraph != "" && holds(paragraph)
	}
}

// firstWord gives the first word of a paragraph in lower case, without the quotes before it and
// without what follows the first sentence mark, comma or quote in it.
func firstWord(paragraph string) string {
	word := paragraph
	if i := strings.IndexFunc(word, isSpace); i >= 0 {
		word = word[:i]
	}
	word = strings.TrimLeft(strings.TrimLeft(word, "'"), `"`)
	if i := strings.IndexAny(word, `.,?!'"`); i >= 0 {
		word = word[:i]
	}
	return strings.ToLower(word)
}
