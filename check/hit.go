package check

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"newel"
)

// hit returns a pass. Under a not, where the pass will be a fail, it says what
// was found, and shows the text around the byte at which it begins.
func (a *Args) hit(what, path, text string, at int) newel.Score {
	if !a.env.negated {
		return newel.Passed()
	}
	what += fmt.Sprintf(", at character %d", 1+utf8.RuneCountInString(text[:at]))
	return newel.Score{Verdict: newel.Pass, Explanation: what, Evidence: []newel.Evidence{{Path: path, Got: excerpt(text, at)}}}
}

// excerpt returns up to 400 bytes of text around a place.
func excerpt(text string, at int) string {
	from := max(0, at-100)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	shown := Clip(text[from:], 400)
	if from > 0 {
		shown = "…" + shown
	}
	return strings.ToValidUTF8(shown, "\ufffd")
}
