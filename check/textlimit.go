package check

import (
	"fmt"

	"newel"
)

// maxText is how long a text may be, in bytes, for the checks that search it
// with patterns, lists of words or other tools whose work grows faster than
// the text.
const maxText = 1 << 20

// boundedText returns what is checked, as text, or a LimitError when that is
// longer than maxText.
func boundedText(r *Reading, s *newel.Subject) (string, error) {
	text, err := r.Text(s)
	if err == nil && len(text) > maxText {
		err = &LimitError{fmt.Sprintf("%s has %d bytes, more than the %d that this check reads", r.at, len(text), maxText)}
	}
	return text, err
}

// masked returns the first keep characters of a text that no report may show,
// and its length.
func masked(text string, keep int) string {
	runes := []rune(text)
	return fmt.Sprintf("%s… (%d characters)", string(runes[:min(keep, len(runes))]), len(runes))
}
