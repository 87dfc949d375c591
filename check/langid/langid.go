// Package langid tells which language a text is written in. It knows some 80 languages by their
// script and their commonest letter triples, adds half a megabyte to the binary, needs no model
// file and takes about a millisecond. A text of a few words is often taken for a neighbour's
// language (Spanish for Galician, Danish for Norwegian), with a low confidence; what to do about
// doubt is left to the caller.
package langid

import (
	"strings"
	"unicode"

	"github.com/abadojack/whatlanggo"
)

// maxBytes bounds the work: more text would not change the answer.
const maxBytes = 2 << 10

// Reliable is the confidence from which an answer is worth acting on.
const Reliable = whatlanggo.ReliableConfidenceThreshold

// DetectLanguage gives the ISO 639-1 code of the language that text is most likely written in (the
// ISO 639-3 code where the former has none) and a confidence from 0 to 1, where 1 is certain. When
// nothing tells, as in a text of digits, or when two languages fit equally well, the code is "" and
// the confidence 0. Letter case does not matter; only the first 2 KiB are read.
func DetectLanguage(text string) (iso string, confidence float64) {
	if len(text) > maxBytes {
		text = strings.ToValidUTF8(text[:maxBytes], "")
	}
	info := whatlanggo.Detect(text)
	switch {
	case info.Lang < 0 || info.Confidence <= 0: // a tie is broken at random in there: no answer
		return "", 0
	case info.Script == unicode.Latin && isSwahili(text):
		return "sw", 1
	case info.Lang == whatlanggo.Cmn && hasKana(text):
		return "ja", 1
	}
	return code(info.Lang), info.Confidence
}

func code(lang whatlanggo.Lang) string {
	if lang == whatlanggo.Pes {
		return "fa"
	}
	if iso := lang.Iso6391(); iso != "" {
		return iso
	}
	return lang.Iso6393()
}

// hasKana reports that one letter in twenty is hiragana or katakana: Japanese that is dense in
// Chinese characters, which the library takes for Chinese.
func hasKana(text string) bool {
	letters, kana := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
		if unicode.In(r, unicode.Hiragana, unicode.Katakana) {
			kana++
		}
	}
	return kana > 0 && 20*kana >= letters
}
