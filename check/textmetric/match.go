package textmetric

import (
	"slices"
	"strings"
	"unicode"
)

// Tokens splits a text into the tokens that overlap is counted over: what
// stands between white space and, in languages written without spaces (zh, ja,
// th, lo, km, my), each character of their scripts with its marks, while other
// runs stay whole. The latter is MLQA's mixed segmentation (Lewis et al. 2020).
func Tokens(s, lang string) []string {
	words := fields(s)
	if !unspaced(lang) {
		return words
	}
	var out []string
	for _, w := range words {
		out = appendCharacters(out, w)
	}
	return out
}

func appendCharacters(out []string, word string) []string {
	from := 0       // where the token being read begins
	open := false   // it is a run of other letters, so far
	single := false // it is one character, waiting for marks
	for i, r := range word {
		switch {
		case unspacedRune(r) && !unicode.IsMark(r):
			if open || single {
				out = append(out, word[from:i])
			}
			from, open, single = i, false, true
		case unicode.IsMark(r) && (open || single):
		case single:
			out = append(out, word[from:i])
			from, open, single = i, true, false
		case !open:
			from, open = i, true
		}
	}
	if open || single {
		out = append(out, word[from:])
	}
	return out
}

// ExactMatch reports whether text equals one of the references. Both are
// compared as they are: normalise first.
func ExactMatch(text string, refs []string) bool { return slices.Contains(refs, text) }

// Contains reports whether one of the needles occurs in text. An empty needle
// occurs nowhere, unless empty is true: some published figures count it
// everywhere.
func Contains(text string, needles []string, empty bool) bool {
	for _, needle := range needles {
		if needle == "" {
			if empty {
				return true
			}
			continue
		}
		if strings.Contains(text, needle) {
			return true
		}
	}
	return false
}

// TokenF1 is the token overlap with the reference that gives the best F1, as in
// SQuAD's evaluation script (Rajpurkar et al. 2016): the tokens that both have,
// each as often as both have it, over those of the text (precision) and those
// of the reference (recall). No common token, or no token at all, gives 0.
// Normalise first.
func TokenF1(text string, refs []string, lang string) PRF {
	have := Tokens(text, lang)
	var best PRF
	for _, ref := range refs {
		want := Tokens(ref, lang)
		got := ratios(commonTokens(have, want), len(have), len(want))
		if got.F1 > best.F1 {
			best = got
		}
	}
	return best
}

func commonTokens(have, want []string) int {
	left := make(map[string]int, len(want))
	for _, t := range want {
		left[t]++
	}
	return take(left, slices.Values(have))
}
