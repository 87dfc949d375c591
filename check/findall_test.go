package check

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFindAllFindsWhatTheLibraryFinds(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{`a`, `a*`, `\ba`, `(x)?b`, `$`, `^`, `(?m)^.`} {
		re := regexp.MustCompile(pattern)
		for _, text := range []string{"", "a", "ab ba", strings.Repeat("a b\n", 100), strings.Repeat("é", 300)} {
			for _, most := range []int{-1, 0, 1, 2, 64, 65, 200} {
				want := re.FindAllStringSubmatchIndex(text, most)
				got, err := findAll(re, text, most)
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("%s, %d bytes, most %d: want -, got +\n%s%v", pattern, len(text), most, diff, err)
				}
			}
		}
	}
}

// TestAPatternThatTakesTheSquareIsALimit would run for an hour without a
// bound: each "<a" looks for a ">" to the end of a mebibyte.
func TestAPatternThatTakesTheSquareIsALimit(t *testing.T) {
	t.Parallel()
	_, err := findAll(regexp.MustCompile(`(?s)<a.*?>|<a`), strings.Repeat("<a", maxText/2), -1)
	var limit *LimitError
	if !errors.As(err, &limit) {
		t.Errorf("got %v, want a limit error", err)
	}
}
