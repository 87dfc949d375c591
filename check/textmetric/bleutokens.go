package textmetric

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The tokenisers of BLEU, under the names that sacreBLEU gives them (Post
// 2018).
const (
	Tokenize13a  = "13a"  // mteval-v13a, as used by WMT; the default
	TokenizeNone = "none" // white space only
	TokenizeChar = "char" // every character
	TokenizeIntl = "intl" // mteval-v14: Unicode punctuation and symbols
	TokenizeZh   = "zh"   // Chinese characters one by one, the rest as 13a
)

// bleuTokens cuts one segment. The name is one of the constants.
func bleuTokens(name, s string) []string {
	s = strings.TrimRightFunc(s, isSpace)
	switch name {
	case TokenizeNone:
		return fields(s)
	case TokenizeChar:
		return characters(s)
	case TokenizeIntl:
		return fields(splitSymbols(splitBeforeOther(splitAfterOther(s))))
	case TokenizeZh:
		return westernTokens(spreadChinese(strings.TrimFunc(s, isSpace)))
	}
	s = strings.ReplaceAll(s, "<skipped>", "")
	s = strings.ReplaceAll(s, "-\n", "")
	s = strings.ReplaceAll(s, "\n", " ")
	for _, entity := range [...][2]string{{"&quot;", `"`}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}} {
		s = strings.ReplaceAll(s, entity[0], entity[1])
	}
	return westernTokens(" " + s + " ")
}

func characters(s string) []string {
	var out []string
	for c := range charGrams(s).order(1) {
		if r, _ := utf8.DecodeRuneInString(c); !isSpace(r) {
			out = append(out, c)
		}
	}
	return out
}

// westernTokens is the part that 13a and zh share: symbols apart; full stops
// and commas apart unless between digits; a dash apart after a digit. Each pass
// is a substitution from left to right that never looks twice at a byte, so a
// run of stops is cut as the original expressions cut it.
func westernTokens(s string) []string {
	s = spreadBytes(s)
	s = pairs(s, func(a, b byte) bool { return !digit(a) && (b == '.' || b == ',') }, false)
	s = pairs(s, func(a, b byte) bool { return (a == '.' || a == ',') && !digit(b) }, true)
	s = pairs(s, func(a, b byte) bool { return digit(a) && b == '-' }, false)
	return fields(s)
}

// spreadBytes puts a space on both sides of every ASCII symbol except the
// apostrophe, comma, dash and full stop.
func spreadBytes(s string) string {
	var out strings.Builder
	out.Grow(len(s) + len(s)/4)
	for i := range len(s) {
		c := s[i]
		if c == ' ' || asciiPunct(rune(c)) && !strings.ContainsRune("',-.", rune(c)) {
			out.WriteByte(' ')
			out.WriteByte(c)
			out.WriteByte(' ')
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}

// pairs sets the second byte of each matching pair apart, or the first.
func pairs(s string, match func(a, b byte) bool, first bool) string {
	var out strings.Builder
	out.Grow(len(s) + len(s)/4)
	for i := 0; i < len(s); i++ {
		if i+1 == len(s) || !match(s[i], s[i+1]) {
			out.WriteByte(s[i])
			continue
		}
		if first {
			out.WriteByte(' ')
		}
		out.WriteByte(s[i])
		out.WriteByte(' ')
		out.WriteByte(s[i+1])
		if !first {
			out.WriteByte(' ')
		}
		i++
	}
	return out.String()
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// splitAfterOther sets punctuation apart that follows anything but a number.
func splitAfterOther(s string) string {
	return runePairs(s, func(a, b rune) bool { return !unicode.IsNumber(a) && unicode.IsPunct(b) }, false)
}

// splitBeforeOther sets punctuation apart that anything but a number follows.
func splitBeforeOther(s string) string {
	return runePairs(s, func(a, b rune) bool { return unicode.IsPunct(a) && !unicode.IsNumber(b) }, true)
}

func splitSymbols(s string) string {
	return spread(s, unicode.IsSymbol)
}

// runePairs is pairs for code points.
func runePairs(s string, match func(a, b rune) bool, first bool) string {
	var out strings.Builder
	out.Grow(len(s) + len(s)/4)
	runes := []rune(s)
	for i := 0; i < len(runes); i++ {
		if i+1 == len(runes) || !match(runes[i], runes[i+1]) {
			out.WriteRune(runes[i])
			continue
		}
		if first {
			out.WriteByte(' ')
		}
		out.WriteRune(runes[i])
		out.WriteByte(' ')
		out.WriteRune(runes[i+1])
		if !first {
			out.WriteByte(' ')
		}
		i++
	}
	return out.String()
}

func spreadChinese(s string) string { return spread(s, chinese) }

// spread puts a space on both sides of the code points that apart picks.
func spread(s string, apart func(rune) bool) string {
	var out strings.Builder
	out.Grow(len(s) + len(s)/4)
	for _, r := range s {
		if !apart(r) {
			out.WriteRune(r)
			continue
		}
		out.WriteByte(' ')
		out.WriteRune(r)
		out.WriteByte(' ')
	}
	return out.String()
}

// chinese is sacreBLEU's table, slips included, for published zh scores rest on
// it: what was meant as extension B (from U+20000) reads there as U+2001 to
// U+2A6D, so typographic marks, arrows and signs stand apart, and rare
// characters beyond U+FFFF do not.
func chinese(r rune) bool {
	for _, span := range [...][2]rune{
		{0x2001, 0x2A6D}, {0x2E80, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
		{0x31C0, 0x31EF}, {0x3200, 0x33FF}, {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D},
		{0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
	} {
		if span[0] <= r && r <= span[1] {
			return true
		}
	}
	return false
}
