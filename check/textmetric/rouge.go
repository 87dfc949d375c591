package textmetric

import (
	"strings"
	"unicode"
)

// maxCells bounds the table of ROUGE-Lsum: 5,800 tokens on either side.
const maxCells = 1 << 25

// ROUGE scores texts against references by common n-grams and subsequences (Lin
// 2004), with the meaning of Google's rouge_score. Of several references the
// one with the best F1 counts; without one the score is 0.
type ROUGE struct {
	// Stemmer cuts English words of more than three letters to their stem, with
	// [Porter].
	Stemmer bool
	// Language is English by default: tokens are then the runs of a to z and
	// digits in the lower-case text, as in rouge_score. In any other language,
	// which rouge_score leaves open, they are runs of letters, marks and digits,
	// and characters where words are not spaced; Stemmer has no effect.
	Language string
}

// N scores n-grams: ROUGE-1 to ROUGE-9. Any other n gives 0.
func (r ROUGE) N(n int, text string, refs []string) PRF {
	if n < 1 || n > 9 {
		return PRF{}
	}
	hyp := tokenGrams(r.tokens(text))
	return bestOf(refs, func(ref string) PRF {
		want := tokenGrams(r.tokens(ref))
		left := make(map[string]int, want.count(n))
		want.tally(n, left)
		return ratios(take(left, hyp.order(n)), hyp.count(n), want.count(n))
	})
}

// L scores the longest common subsequence of tokens: ROUGE-L. Beyond its step
// bound it fails with [ErrTooLong].
func (r ROUGE) L(text string, refs []string) (PRF, error) {
	hyp := r.tokens(text)
	var failed error
	best := bestOf(refs, func(ref string) PRF {
		want := r.tokens(ref)
		n, err := commonLength(hyp, want)
		if err != nil {
			failed = err
		}
		return ratios(n, len(hyp), len(want))
	})
	return best, failed
}

// Lsum scores whole summaries, one sentence a line: ROUGE-Lsum. Each sentence of
// the reference counts the tokens that it shares, in order, with any sentence of
// the text, none more often than both sides have it. Beyond its step bound it
// fails with [ErrTooLong].
func (r ROUGE) Lsum(text string, refs []string) (PRF, error) {
	hyp := r.lines(text)
	var failed error
	best := bestOf(refs, func(ref string) PRF {
		got, err := summaryOverlap(hyp, r.lines(ref))
		if err != nil {
			failed = err
		}
		return got
	})
	return best, failed
}

func bestOf(refs []string, score func(ref string) PRF) PRF {
	var best PRF
	for _, ref := range refs {
		if got := score(ref); got.F1 > best.F1 {
			best = got
		}
	}
	return best
}

func (r ROUGE) lines(s string) [][]string {
	var out [][]string
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" {
			out = append(out, r.tokens(line))
		}
	}
	return out
}

func (r ROUGE) tokens(s string) []string {
	s = lower(s)
	if lang := primary(r.Language); lang != "" && lang != "en" {
		var out []string
		for _, w := range strings.FieldsFunc(s, notInWord) {
			if unspaced(lang) {
				out = appendCharacters(out, w)
				continue
			}
			out = append(out, w)
		}
		return out
	}
	out := strings.FieldsFunc(s, func(c rune) bool { return !('a' <= c && c <= 'z' || '0' <= c && c <= '9') })
	if !r.Stemmer {
		return out
	}
	for i, w := range out {
		if len(w) > 3 {
			out[i] = Porter(w)
		}
	}
	return out
}

func notInWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
}

// summaryOverlap is the union-LCS score of section 3.2 of Lin 2004, with the
// cap on repeated tokens of ROUGE-1.5.5.
func summaryOverlap(hyp, ref [][]string) (PRF, error) {
	hypLeft, hypLen := tokenCounts(hyp)
	refLeft, refLen := tokenCounts(ref)
	if hypLen > 0 && refLen > maxCells/hypLen {
		return PRF{}, ErrTooLong
	}
	hits := 0
	for _, want := range ref {
		shared := make([]bool, len(want))
		for _, have := range hyp {
			markCommon(want, have, shared)
		}
		for i, t := range want {
			if shared[i] && hypLeft[t] > 0 && refLeft[t] > 0 {
				hypLeft[t]--
				refLeft[t]--
				hits++
			}
		}
	}
	return ratios(hits, hypLen, refLen), nil
}

func tokenCounts(lines [][]string) (counts map[string]int, total int) {
	counts = map[string]int{}
	for _, line := range lines {
		for _, t := range line {
			counts[t]++
		}
		total += len(line)
	}
	return counts, total
}
