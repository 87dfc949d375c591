package textmetric

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/sentences"
	"github.com/clipperhouse/uax29/v2/words"
)

// Chars counts characters as a reader sees them: extended grapheme clusters
// (Unicode Standard Annex 29). A line break of two code points is one.
func Chars(s string) int {
	n := 0
	for g := graphemes.FromString(s); g.Next(); {
		n++
	}
	return n
}

// Words counts words by Unicode Standard Annex 29: "don't" is one, "well-known"
// two; what has no letter and no number is none. In languages written without
// spaces (zh, ja, th, lo, km, my) each character of their scripts is one.
func Words(s, lang string) int {
	n := 0
	for w := words.FromString(s); w.Next(); {
		switch {
		case strings.IndexFunc(w.Value(), letterOrNumber) < 0:
		case unspaced(lang):
			n += len(appendCharacters(nil, w.Value()))
		default:
			n++
		}
	}
	return n
}

// Sentences counts sentences by Unicode Standard Annex 29; what has no letter
// and no number is none. A line break ends a sentence. The rules know no
// abbreviations ("Mr. Smith left." is two), and in Thai, which has no full
// stop, they see line breaks only.
func Sentences(s string) int {
	n := 0
	for t := sentences.FromString(s); t.Next(); {
		if strings.IndexFunc(t.Value(), letterOrNumber) >= 0 {
			n++
		}
	}
	return n
}

func letterOrNumber(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// Lines counts lines, ended by LF, CR LF or CR; a break at the very end begins
// no further line, and an empty text has none.
func Lines(s string) int {
	n, open := 0, false
	for i := range len(s) {
		switch {
		case s[i] == '\n' && i > 0 && s[i-1] == '\r':
		case s[i] == '\n' || s[i] == '\r':
			n, open = n+1, false
		default:
			open = true
		}
	}
	if open {
		n++
	}
	return n
}
