package textmetric

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// grams is a text cut into pieces (tokens or characters), of which every run of
// n neighbours is a substring: counting n-grams copies nothing.
type grams struct {
	text   string
	starts []int
	ends   []int
}

// tokenGrams joins tokens that hold no space themselves.
func tokenGrams(tokens []string) grams {
	g := grams{
		text:   strings.Join(tokens, " "),
		starts: make([]int, len(tokens)),
		ends:   make([]int, len(tokens)),
	}
	at := 0
	for i, t := range tokens {
		g.starts[i], g.ends[i] = at, at+len(t)
		at += len(t) + 1
	}
	return g
}

// charGrams cuts s into its code points.
func charGrams(s string) grams {
	n := utf8.RuneCountInString(s)
	g := grams{text: s, starts: make([]int, 0, n), ends: make([]int, 0, n)}
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		g.starts, g.ends = append(g.starts, i), append(g.ends, i+size)
		i += size
	}
	return g
}

// count is the number of n-grams.
func (g grams) count(n int) int { return max(0, len(g.starts)-n+1) }

// order yields the n-grams from left to right.
func (g grams) order(n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range g.count(n) {
			if !yield(g.text[g.starts[i]:g.ends[i+n-1]]) {
				return
			}
		}
	}
}

// tally counts the n-grams into counts.
func (g grams) tally(n int, counts map[string]int) {
	for gram := range g.order(n) {
		counts[gram]++
	}
}

// take removes each thing from what is left and returns how many were there:
// the size of the common multiset.
func take(left map[string]int, things iter.Seq[string]) int {
	hits := 0
	for t := range things {
		if left[t] > 0 {
			left[t]--
			hits++
		}
	}
	return hits
}
