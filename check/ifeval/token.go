package ifeval

import (
	"iter"
	"strings"
)

// tokenBreaks always stand alone in the published word tokenizer (Penn Treebank rules).
const tokenBreaks = ";@#$%&?!()[]{}<>\"`“”„‘’«»"

// tokens splits text as far as the Penn Treebank rules change which words are all capitals: at
// spaces, at punctuation inside a run, at double hyphens, and before a contraction. A full stop or
// hyphen stays in its word.
func tokens(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return isSpace(r) || strings.ContainsRune(tokenBreaks, r) }) {
			for t := range strings.FieldsFuncSeq(spread(run), isSpace) {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// spread puts a space where the rules part a run.
func spread(run string) string {
	if !strings.ContainsAny(run, ":,-.'’") {
		return run
	}
	run = strings.ReplaceAll(strings.ReplaceAll(run, "--", " "), "...", " ")
	var b strings.Builder
	for i := 0; i < len(run); i++ {
		if c := run[i]; (c == ':' || c == ',') && i+1 < len(run) && (run[i+1] < '0' || run[i+1] > '9') {
			b.WriteByte(' ')
			continue
		}
		b.WriteByte(run[i])
	}
	return uncontract(b.String())
}

// uncontract parts "I'LL" into "I" and "'LL", and "DON'T" into "DO" and "N'T".
func uncontract(run string) string {
	low := strings.ToLower(run)
	for _, end := range []string{"n't", "'ll", "'re", "'ve", "'s", "'m", "'d"} {
		if stem := len(run) - len(end); strings.HasSuffix(low, end) && len(low) == len(run) && stem > 0 {
			return run[:stem] + " " + run[stem:]
		}
	}
	return run
}
