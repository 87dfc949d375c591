package ifeval

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	numberedItems = regexp.MustCompile(`(?m)^[` + spaceClass + `]*\p{Nd}+\.`)
	doubleAngles  = regexp.MustCompile(`《[^\n《》]*》`)
	kanjiRuns     = regexp.MustCompile(`[\x{4e00}-\x{9fff}]+`)
)

const japaneseNumerals = `[\p{Nd}一二三四五六七八九十百]+`

func isKanji(r rune) bool    { return r >= 0x4e00 && r <= 0x9fff }
func isHiragana(r rune) bool { return r >= 0x3041 && r <= 0x309f }
func isKatakana(r rune) bool { return r >= 0x30a0 && r <= 0x30ff }
func isLatin(r rune) bool    { return unicode.Is(unicode.Latin, r) }

// hiragana writes the katakana of text as hiragana.
func hiragana(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'ァ' && r <= 'ヶ' {
			return r - ('ァ' - 'ぁ')
		}
		return r
	}, text)
}

func numberLetters(v values) func(string) bool {
	want, holds := v.count("num_letters"), v.compare("relation")
	return func(text string) bool { return holds(utf8.RuneCountInString(text), want) }
}

func kanjiCount(v values) func(string) bool {
	want, holds := v.count("kanji_limit"), v.compare("relation")
	return func(text string) bool { return holds(countRunes(text, isKanji), want) }
}

func withoutRunes(bad func(rune) bool) func(values) func(string) bool {
	return func(values) func(string) bool {
		return func(text string) bool { return !strings.ContainsFunc(text, bad) }
	}
}

func hiraganaOnly(v values) func(string) bool {
	return withoutRunes(func(r rune) bool { return isKanji(r) || isKatakana(r) || isLatin(r) })(v)
}

func katakanaOnly(v values) func(string) bool {
	return withoutRunes(func(r rune) bool { return isKanji(r) || isHiragana(r) || isLatin(r) })(v)
}

func furigana(values) func(string) bool {
	return func(text string) bool {
		for _, at := range kanjiRuns.FindAllStringIndex(text, -1) {
			if !strings.HasPrefix(text[at[1]:], "（") {
				return false
			}
		}
		return true
	}
}

// japaneseSentences splits text at full stops, at question and exclamation marks and at line ends.
func japaneseSentences(text string) []string {
	return filled(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("。！？!?\n", r) }))
}

func japaneseNumberSentences(v values) func(string) bool {
	want, holds := v.count("num_sentences"), v.compare("relation")
	return func(text string) bool { return holds(len(japaneseSentences(text)), want) }
}

func unifiedEnd(v values) func(string) bool {
	ending := v.text("ending")
	return func(text string) bool {
		for _, s := range japaneseSentences(text) {
			if !strings.HasSuffix(s, ending) {
				return false
			}
		}
		return true
	}
}

// nominalEnding counts sentences whose last character is a kanji or a katakana, as nouns have and
// inflected words seldom do. A line end ends no sentence here, so that headings do not count.
func nominalEnding(v values) func(string) bool {
	want := v.count("count")
	return func(text string) bool {
		n := 0
		for s := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("。！？", r) }) {
			if r, _ := utf8.DecodeLastRuneInString(strip(s)); isKanji(r) || isKatakana(r) {
				n++
			}
		}
		return n >= want
	}
}

func numberedLists(v values) func(string) bool {
	want := v.count("num_items")
	return func(text string) bool { return len(numberedItems.FindAllStringIndex(text, -1)) == want }
}

func japaneseHighlights(v values) func(string) bool {
	want := v.count("num_highlights")
	return func(text string) bool {
		n := 0
		for _, h := range doubleAngles.FindAllString(text, -1) {
			if !blank(strings.Trim(h, "《》")) {
				n++
			}
		}
		return n >= want
	}
}

func japaneseSections(v values) func(string) bool {
	heading := regexp.MustCompile(`第` + japaneseNumerals + regexp.QuoteMeta(v.text("section_spliter")))
	want := v.count("num_sections")
	return func(text string) bool { return len(heading.FindAllStringIndex(text, want)) >= want }
}
