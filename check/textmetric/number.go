package textmetric

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Number is a number as it stands in a text.
type Number struct {
	Value      float64 // as written, times the factor of its unit; 50% is 50
	Percent    bool    // a per cent sign follows
	Unit       string  // the unit that was recognised, if any
	Text       string  // the text it was read from, sign, per cent sign and unit included
	Start, End int     // where Text stands, in bytes
}

// A NumberReader reads numbers written in digits. It reads no number words and
// no fractions ("3/4" is 3 and 4). Digits of other scripts count as digits;
// digits right after a letter ("GPT4") do not, unless words of that script
// stand without spaces ("第3").
type NumberReader struct {
	// Language says which of comma and point is the decimal mark; a region may
	// change it (de-CH, es-MX). Default English. What can only be meant in the
	// other way is read so: "1.234,56" in English, "0.5" in German.
	Language string
	// Decimal and Group set the marks instead, and nothing else is then read as
	// one: the decimal mark, and all marks that may group thousands.
	Decimal, Group string
	// Units maps what may stand after a number, or before it, to the factor
	// that its value is multiplied with: {"km": 1000, "m": 1, "$": 1}.
	Units map[string]float64
}

// FindNumbers reads all numbers of a text in a language, from left to right.
func FindNumbers(text, lang string) []Number { return NumberReader{Language: lang}.Find(text) }

// ParseNumber reads a text that is one number. White space and currency signs
// may stand around it. Anything else is an error.
func ParseNumber(text, lang string) (Number, error) { return NumberReader{Language: lang}.Parse(text) }

// Parse is [ParseNumber] with the reader's settings.
func (r NumberReader) Parse(text string) (Number, error) {
	found := r.Find(text)
	if len(found) != 1 || !onlyMoney(text[:found[0].Start]) || !onlyMoney(text[found[0].End:]) {
		return Number{}, fmt.Errorf("read number %q: not one number", shorten(text))
	}
	return found[0], nil
}

func onlyMoney(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !isSpace(r) && !unicode.Is(unicode.Sc, r) }) < 0
}

func shorten(s string) string {
	if len(s) <= 40 {
		return s
	}
	return strings.ToValidUTF8(s[:40], "") + "…"
}

// Within reports whether got is as close to want as allowed: |got-want| is at
// most abs, or at most rel·|want|. Negative tolerances count as 0. What binary
// fractions round away is forgiven, so 0.31 is within 0.01 of 0.3; with no
// tolerance the two must be equal. An infinite number is close only to itself,
// NaN to none.
func Within(got, want, abs, rel float64) bool {
	if got == want {
		return true
	}
	if math.IsInf(got, 0) || math.IsInf(want, 0) {
		return false
	}
	allowed := max(abs, float64(rel*math.Abs(want)), 0)
	if allowed == 0 {
		return false
	}
	slack := float64(0x1p-50 * max(math.Abs(got), math.Abs(want)))
	return math.Abs(got-want) <= allowed+slack
}

// Find is [FindNumbers] with the reader's settings.
func (r NumberReader) Find(text string) []Number {
	if !strings.ContainsFunc(text, func(c rune) bool { return digitOf(c) >= 0 }) {
		return nil
	}
	s := scanner{NumberReader: r, style: r.style(), text: text, runes: fold(text)}
	var out []Number
	for i := 0; i < len(s.runes); {
		if !s.begins(i) {
			i++
			continue
		}
		end := s.runEnd(i)
		next := end
		for _, p := range s.read(i, end) {
			n, after, ok := s.finish(p, p.start == i, p.end == end)
			if ok {
				out = append(out, n)
				s.used = n.End
			}
			next = max(next, after)
		}
		i = next
	}
	return out
}

// A scanner looks for numbers in one text.
type scanner struct {
	NumberReader
	style numberStyle
	text  string
	runes []folded
	used  int // in bytes: what stands before belongs to earlier numbers
}

// folded is a code point with digits and signs of all scripts turned to ASCII,
// and where it stands. The full-width comma is Chinese punctuation unless it
// follows a full-width digit.
type folded struct {
	r  rune
	at int
}

func fold(text string) []folded {
	out := make([]folded, 0, utf8.RuneCountInString(text))
	wide := false // the code point before is a full-width digit
	for i, r := range text {
		was := r
		if d := digitOf(r); d >= 0 {
			r = '0' + d
		} else if 0xFF01 <= r && r <= 0xFF5E && (r != '，' || wide) {
			r -= '！' - '!'
		}
		wide = '０' <= was && was <= '９'
		out = append(out, folded{r, i})
	}
	return out
}

// digitOf is the value of a decimal digit, or -1.
func digitOf(r rune) rune {
	if r < utf8.RuneSelf {
		if '0' <= r && r <= '9' {
			return r - '0'
		}
		return -1
	}
	for _, zero := range [...]rune{0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50, 0xFF10} {
		if zero <= r && r <= zero+9 {
			return r - zero
		}
	}
	return -1
}

// at is the code point at i, or 0 outside the text.
func (s *scanner) at(i int) rune {
	if i < 0 || i >= len(s.runes) {
		return 0
	}
	return s.runes[i].r
}

func (s *scanner) offset(i int) int {
	if i >= len(s.runes) {
		return len(s.text)
	}
	return s.runes[i].at
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// begins reports whether a number may begin at i: with a digit or, as in ".5",
// with a decimal mark that nothing stands before.
func (s *scanner) begins(i int) bool {
	r := s.at(i)
	if !isDigit(r) {
		before := s.at(i - 1)
		point := r == s.style.decimal || r == '.' && !s.style.strict
		return point && isDigit(s.at(i+1)) && !isDigit(before) && !unicode.IsLetter(before) && before != r
	}
	return true
}

// runEnd is the end of the digits, with marks between them, that begin at i.
func (s *scanner) runEnd(i int) int {
	if !isDigit(s.at(i)) {
		i++
	}
	for i < len(s.runes) {
		switch {
		case isDigit(s.at(i)), s.style.mark(s.at(i)) != 0 && isDigit(s.at(i-1)) && isDigit(s.at(i+1)):
			i++
		default:
			return i
		}
	}
	return i
}

// finish reads what stands around the digits of a piece: sign and unit before
// the first of a run, exponent, per cent sign and unit after the last. It
// returns the place after all that, and fails on digits that belong to a word
// and on values out of range.
func (s *scanner) finish(p piece, first, last bool) (n Number, next int, ok bool) {
	start, next := p.start, p.end
	digits := p.digits
	if first {
		if start, n.Unit, ok = s.before(p.start); !ok {
			return n, next, false
		}
		if start < p.start && isMinus(s.at(start)) {
			digits = "-" + digits
		}
	}
	if last {
		var exponent, unit string
		exponent, next = s.exponent(next)
		digits += exponent
		if next, n.Percent = s.percent(next); !n.Percent {
			unit, next = s.unitAfter(next)
		}
		if unit != "" {
			n.Unit = unit
		}
	}
	v, err := strconv.ParseFloat(digits, 64)
	if factor, known := s.Units[n.Unit]; known {
		v = float64(v * factor)
	}
	n.Value, n.Start, n.End = v, s.offset(start), s.offset(next)
	n.Text = s.text[n.Start:n.End]
	return n, next, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}
