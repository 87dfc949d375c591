package check

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"newel"
)

// regexSpec searches the text for regular expressions.
func regexSpec() *Spec {
	return &Spec{
		Name: "regex", Family: "regex", Main: "pattern",
		About:  "The pattern, or one of several, matches somewhere in the text, or with full: true the text as a whole. With min or max the matches are counted, those of several patterns together. Flags stand in the pattern: (?i) ignores case, (?s) lets . match a line break, (?m) lets ^ and $ match at lines. There is no look-around and there are no back-references: a match takes time in proportion to the text; patterns too large for the text, and counting that takes longer than two seconds, are errors of kind limit.",
		Source: "Go's regexp syntax (RE2)",
		Params: append([]Param{
			{Name: "pattern", Type: "text or list of texts", About: "the regular expression; of a list any will do", Required: true},
			{Name: "full", Type: "true or false", About: "the pattern must match the whole text", Default: "false"},
		}, boundParams...),
		Extra:   readingParams,
		Example: `regex: {pattern: "(?i)order \\d{2,}", min: 1}`,
		Build:   buildRegex,
	}
}

func buildRegex(a *Args) Func {
	full, reading, bounds := Flag(a, "full", false), ReadingOf(a), BoundsOf(a)
	always, fixed := full.Constant()
	if always && bounds.Set() {
		a.Wrong(a.Pos(), "regex: full: true matches the text once or not at all: leave out min and max")
	}
	patterns := deriveList(a, "pattern", func(text string) (*pattern, error) { return compilePattern(text, always) })
	wholes := patterns
	if !fixed {
		wholes = deriveList(a, "pattern", func(text string) (*pattern, error) { return compilePattern(text, true) })
	}
	return func(_ context.Context, s *newel.Subject) newel.Score {
		text, err := boundedText(reading, s)
		if err != nil {
			return Because(err)
		}
		whole, err := full.At(s)
		if err != nil {
			return Because(err)
		}
		of := patterns
		if whole {
			of = wholes
		}
		list, err := of.At(s)
		if err != nil {
			return Because(err)
		}
		if bounds.Set() {
			count, err := countMatches(list, text)
			if err != nil {
				return Because(err)
			}
			return bounds.Judge(s, "the number of matches", float64(count))
		}
		return anyMatch(a, reading, list, text, whole)
	}
}

func anyMatch(a *Args, reading *Reading, list []*pattern, text string, full bool) newel.Score {
	if err := boundMatching(text, list...); err != nil {
		return Because(err)
	}
	for _, re := range list {
		if !re.MatchString(text) {
			continue
		}
		if !a.env.negated {
			return newel.Passed()
		}
		at := re.FindStringIndex(text)
		return a.hit(show(text[at[0]:at[1]])+" matches "+show(bare(re)), reading.at.String(), text, at[0])
	}
	wanted := make([]string, len(list))
	for i, re := range list {
		wanted[i] = bare(re)
	}
	where := "nothing in the text matches "
	if full {
		where = "the text as a whole does not match "
	}
	return newel.Score{
		Verdict:     newel.Fail,
		Explanation: where + showList(wanted),
		Evidence:    []newel.Evidence{{Path: "output", Want: showList(wanted), Got: Clip(text, 400)}},
	}
}

// bare is a pattern as it was written.
func bare(re *pattern) string {
	return strings.TrimSuffix(strings.TrimPrefix(re.String(), wholeBefore), wholeAfter)
}

func countMatches(list []*pattern, text string) (count int, err error) {
	if err := boundMatching(text, list...); err != nil {
		return 0, err
	}
	for _, re := range list {
		found, err := findAll(re.Regexp, text, -1)
		if err != nil {
			return 0, err
		}
		count += len(found)
	}
	return count, nil
}

// What stands around a pattern that must match the whole text.
const wholeBefore, wholeAfter = `\A(?:`, `)\z`

// compilePattern compiles a regular expression; its error says where in the
// pattern it goes wrong.
func compilePattern(text string, full bool) (*pattern, error) {
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, patternError(text, err)
	}
	if full {
		if re, err = regexp.Compile(wholeBefore + text + wholeAfter); err != nil {
			return nil, err
		}
	}
	return sized(re)
}

func patternError(text string, err error) error {
	var wrong *syntax.Error
	if !errors.As(err, &wrong) {
		return err
	}
	hint := ""
	if wrong.Code == syntax.ErrInvalidPerlOp || wrong.Code == syntax.ErrInvalidEscape {
		hint = "; there is no look-around and there are no back-references"
	}
	column := 1
	if i := strings.Index(text, wrong.Expr); i > 0 {
		column += utf8.RuneCountInString(text[:i])
	}
	return fmt.Errorf("%s is not a regular expression (Go syntax): column %d: %s: %s%s", show(text), column, wrong.Code, show(wrong.Expr), hint)
}
