package check

import (
	"fmt"
	"regexp"
	"time"
)

// maxFinding is how long one pattern may look for all its places in a text.
const maxFinding = 2 * time.Second

// findAll is re.FindAllStringSubmatchIndex with a bound. One match takes time
// in proportion to the text, but all of them may take its square: of
// "(?s)<a.*?>|<a" in a text of "<a" alone, each runs to the end. Which patterns
// do cannot be told beforehand, so this check of all looks at a clock: it asks
// for twice as many matches each time, and gives up with a LimitError where
// that took longer than maxFinding.
func findAll(re *regexp.Regexp, text string, most int) ([][]int, error) {
	begun := time.Now()
	for n := 64; ; n *= 2 {
		if most >= 0 {
			n = min(n, most)
		}
		found := re.FindAllStringSubmatchIndex(text, n)
		if len(found) < n || n == most {
			return found, nil
		}
		if time.Since(begun) > maxFinding {
			return nil, &LimitError{fmt.Sprintf("finding all matches of %s takes longer than %s: narrow the pattern, or check a shorter text", show(re.String()), maxFinding)}
		}
	}
}
