package textmetric

import (
	"strings"
	"unicode"
)

func isMinus(r rune) bool { return r == '-' || r == '−' || r == '–' }

func isSign(r rune) bool { return r == '+' || isMinus(r) }

// before looks at what stands right before a number: a currency sign or unit,
// and a sign. It fails if a letter or low line does that makes the digits part
// of a word.
func (s *scanner) before(start int) (from int, unit string, ok bool) {
	unit, i := s.unitBefore(start)
	from = i
	if unit == "" && unicode.Is(unicode.Sc, s.at(i-1)) {
		i--
	}
	if s.signed(i) {
		return i - 1, unit, true
	}
	return from, unit, unit != "" || !glues(s.at(start-1))
}

// glues reports whether digits right after r belong to a word or name.
func glues(r rune) bool {
	return r == '_' || unicode.IsLetter(r) && !unspacedRune(r) && !unicode.Is(unicode.Hangul, r)
}

// signed reports whether a sign stands before place i and belongs to what
// follows: not between two words or numbers, nor in a row of signs.
func (s *scanner) signed(i int) bool {
	sign, before := s.at(i-1), s.at(i-2)
	return isSign(sign) && before != sign && !isDigit(before) && !glues(before) &&
		!strings.ContainsRune(")]%.,", before)
}

// exponent reads "e-5" or "×10^-5" at place i, and returns it as "e-5".
func (s *scanner) exponent(i int) (string, int) {
	j := i
	if s.at(i) == 'e' || s.at(i) == 'E' {
		j++
	} else if j = s.powerOfTen(i); j == i {
		return "", i
	}
	out := "e"
	if isSign(s.at(j)) {
		if isMinus(s.at(j)) {
			out = "e-"
		}
		j++
	}
	end := j
	for ; isDigit(s.at(end)) && end < j+4; end++ {
		out += string(s.at(end))
	}
	if end == j || end == j+4 || unicode.IsLetter(s.at(end)) {
		return "", i
	}
	return out, end
}

// powerOfTen is the place after "×10^", " x 10^" and the like, or i.
func (s *scanner) powerOfTen(i int) int {
	j := s.skipSpace(i)
	switch s.at(j) {
	case '×', 'x', '*', '·':
	default:
		return i
	}
	j = s.skipSpace(j + 1)
	if s.at(j) != '1' || s.at(j+1) != '0' || s.at(j+2) != '^' {
		return i
	}
	return j + 3
}

// skipSpace is the place after one space, or i.
func (s *scanner) skipSpace(i int) int {
	switch s.at(i) {
	case ' ', '\u00a0', '\u202f', '\u2009':
		return i + 1
	}
	return i
}

func (s *scanner) percent(i int) (int, bool) {
	j := s.skipSpace(i)
	if s.at(j) == '%' || s.at(j) == '٪' {
		return j + 1, true
	}
	return i, false
}

// unitAfter is the longest unit at place i, a space before it or not, and the
// place after it.
func (s *scanner) unitAfter(i int) (string, int) {
	from := s.skipSpace(i)
	rest := s.text[s.offset(from):]
	best := ""
	for unit := range s.Units {
		if len(unit) > len(best) && strings.HasPrefix(rest, unit) && !splitsWord(unit, rest[len(unit):]) {
			best = unit
		}
	}
	if best == "" {
		return "", i
	}
	end := s.offset(from) + len(best)
	for i = from; i < len(s.runes) && s.offset(i) < end; i++ {
	}
	return best, i
}

// splitsWord reports whether a unit ends in the midst of a word: "m" in "men".
func splitsWord(unit, rest string) bool {
	last, next := []rune(unit), []rune(rest[:min(len(rest), 4)])
	return len(next) > 0 && glues(last[len(last)-1]) && glues(next[0])
}

// unitBefore is the longest unit that ends at place i, a space after it or not,
// and the place where it begins.
func (s *scanner) unitBefore(i int) (string, int) {
	if len(s.Units) == 0 {
		return "", i
	}
	end := s.offset(i)
	if i > 0 && s.skipSpace(i-1) == i {
		end = s.offset(i - 1)
	}
	head := s.text[min(s.used, end):end]
	best := ""
	for unit := range s.Units {
		if len(unit) > len(best) && strings.HasSuffix(head, unit) && !endsWord(s.text[:end-len(unit)], unit) {
			best = unit
		}
	}
	if best == "" {
		return "", i
	}
	begin := end - len(best)
	for i > 0 && s.offset(i) > begin {
		i--
	}
	return best, i
}

// endsWord reports whether a unit begins in the midst of a word: "m" in "am".
func endsWord(head, unit string) bool {
	before, first := []rune(head[max(0, len(head)-4):]), []rune(unit)
	return len(before) > 0 && glues(first[0]) && (glues(before[len(before)-1]) || isDigit(before[len(before)-1]))
}
