// Package textmetric compares a text with reference texts: normalisers, exact
// match, token F1, edit distance, BLEU, chrF, ROUGE, sets, ranked ids, numbers
// and counts.
//
// Every function is pure and safe for concurrent use; the same input gives the
// same bits on amd64 and arm64. Reading cases, choosing references and turning
// a value into a verdict is left to the checks that call it.
//
// Work is linear in the text, except for the edit distance and the longest
// common subsequence, which refuse with [ErrTooLong] what would pass their
// step bound.
package textmetric

import "errors"

// ErrTooLong says that two texts are too long to compare within the step bound
// of the function that returned it.
var ErrTooLong = errors.New("texts too long to compare")

// PRF is a precision, a recall and their harmonic mean, each from 0 to 1.
type PRF struct {
	Precision, Recall, F1 float64
}

// ratios counts hits against what was offered and what was wanted. A zero
// denominator gives 0, and so does F1 without a hit.
func ratios(hits, offered, wanted int) PRF {
	if hits == 0 || offered == 0 || wanted == 0 {
		return PRF{}
	}
	p := float64(hits) / float64(offered)
	r := float64(hits) / float64(wanted)
	return PRF{Precision: p, Recall: r, F1: float64(float64(2*p)*r) / (p + r)}
}
