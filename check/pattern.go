package check

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// maxMatching is how much work matching may be, in instructions of the
// compiled patterns times bytes of the text; an instruction takes up to some
// ten nanoseconds for each byte.
const maxMatching = 300_000_000

// pattern is a regular expression that knows what it costs.
type pattern struct {
	*regexp.Regexp
	size int // instructions; 0 for one of newel's own, which is never too costly
}

// sized counts a regular expression's instructions.
func sized(re *regexp.Regexp) (*pattern, error) {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	return &pattern{re, len(program.Inst)}, nil
}

// boundMatching returns a LimitError when looking for the patterns in a text
// is more work than maxMatching.
func boundMatching(text string, patterns ...*pattern) error {
	size := 0
	for _, p := range patterns {
		size += p.size
	}
	if size == 0 || len(text) <= maxMatching/size {
		return nil
	}
	what := "the pattern is"
	if len(patterns) > 1 {
		what = fmt.Sprintf("the %d patterns are", len(patterns))
	}
	return &LimitError{fmt.Sprintf("%s too large for a text of %d bytes: at most %d are searched; use smaller repetitions or fewer alternatives", what, len(text), maxMatching/size)}
}
