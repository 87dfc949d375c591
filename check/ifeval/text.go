package ifeval

import (
	"iter"
	"strings"
	"unicode"
)

// spaceClass is the body of a regular-expression class for white space as the published checks
// mean it: every Unicode space, not only the ASCII ones that \s stands for here.
const spaceClass = `\t-\r\x1c-\x1f\x{85}\p{Z}`

// isSpace reports white space: the Unicode property plus the four ASCII information separators.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
}

func strip(s string) string { return strings.TrimFunc(s, isSpace) }

func blank(s string) bool { return strip(s) == "" }

// isWordRune reports a letter, a number or an underscore. Combining marks are not part of a word,
// so that a Devanagari vowel sign ends one.
func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r)
}

// words yields the maximal runs of word runes.
func words(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(r rune) bool { return !isWordRune(r) })
}

// isUpper reports that text has a cased letter and that every one of them is a capital.
func isUpper(text string) bool {
	found := false
	for _, r := range text {
		switch {
		case isLowerRune(r) || unicode.IsTitle(r):
			return false
		case unicode.IsUpper(r):
			found = true
		}
	}
	return found
}

// isLower reports that text has a cased letter and that none of them is a capital.
func isLower(text string) bool {
	found := false
	for _, r := range text {
		switch {
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			return false
		case isLowerRune(r):
			found = true
		}
	}
	return found
}

func isLowerRune(r rune) bool {
	return unicode.IsLower(r) || r > unicode.MaxASCII && unicode.Is(unicode.Other_Lowercase, r)
}

// countRunes counts the runes of text that keep accepts.
func countRunes(text string, keep func(rune) bool) int {
	n := 0
	for _, r := range text {
		if keep(r) {
			n++
		}
	}
	return n
}

// parts splits text at mark. A blank part at either end is dropped; a blank part in between makes
// the division malformed: ok is false.
func parts(text, mark string) (found []string, ok bool) {
	pieces := strings.Split(text, mark)
	for i := 1; i < len(pieces)-1; i++ {
		if blank(pieces[i]) {
			return nil, false
		}
	}
	return filled(pieces), true
}

// filled gives the pieces that are not blank, without the space around them.
func filled(pieces []string) []string {
	var out []string
	for _, p := range pieces {
		if p = strip(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}
