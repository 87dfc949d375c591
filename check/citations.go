package check

import (
	"context"
	"fmt"
	"strings"

	"newel"
)

// citationsSpec checks an output's citations of its context.
func citationsSpec() *Spec {
	return &Spec{
		Name: "citations", Family: "citation", Main: "style",
		About:  "The text cites its context. A citation is the number of a passage, counted from first, or its id; [1, 2], [1-3] and [doc-7] are all read, and so are 【1】, [^1] and [Source 1]. Every citation must lead to a passage of the case's context, and there must be at least one unless min or max say otherwise. With quoted, what stands in quotation marks must be found in a passage cited in the same sentence. With share, at least that share of the sentences must carry a citation. The value is the share of sentences cited where share is asked, else the number of citations.",
		Source: "newel's own; passages, citations and cited sentences as in ALCE (Gao et al. 2023, Enabling Large Language Models to Generate Text with Citations), whose precision and recall ask besides whether a passage supports what cites it: that is for a judge",
		Params: append([]Param{
			{Name: "style", Type: "bracket, paren or {regex: PATTERN}", About: "how a citation is written; of a regular expression (Go syntax) the first group, else the whole match, is read", Default: "bracket"},
			{Name: "in_context", Type: "true or false", About: "every citation leads to a passage; a case without context is then an error", Default: "true"},
			{Name: "first", Type: "0 or 1", About: "the number of the first passage", Default: "1"},
			{Name: "quoted", Type: "true or false", About: "what is quoted stands in a passage that is cited with it; white space does not count, … leaves something out", Default: "false"},
			{Name: "quote_words", Type: "whole number", About: "quotations of fewer words are not looked at", Default: "3"},
			{Name: "share", Type: "number", About: "least share of sentences that carry a citation, 0 to 1"},
			{Name: "min", Type: "whole number", About: "least number of citations", Default: "1, or 0 with max"},
			{Name: "max", Type: "whole number", About: "greatest number of citations"},
		}, foldParams...),
		Extra:       readingParams,
		Example:     `citations: {style: bracket, min: 1, quoted: true}`,
		Approximate: "Sentences are those of Unicode's UAX 29, which takes the full stop of an abbreviation before a capital for an end. In brackets, text that is neither a number nor the id of a passage counts as a citation only if it has no white space and a digit in it, so [sic] does not; Markdown links and check boxes are left alone. In style paren every whole number in parentheses is a citation, a year too.",
		Build: func(a *Args) Func {
			c := citationsOf(a)
			return func(_ context.Context, s *newel.Subject) newel.Score {
				score, err := c.score(s)
				if err != nil {
					return Because(err)
				}
				return score
			}
		},
	}
}

// citations is one check, built.
type citations struct {
	reading   *Reading
	fold      *Fold
	style     Arg[citeStyle]
	inContext Arg[bool]
	first     Arg[int]
	quoted    Arg[bool]
	words     Arg[int]
	share     Arg[float64]
	min, max  Arg[int]
}

func citationsOf(a *Args) *citations {
	c := &citations{
		reading: ReadingOf(a), fold: FoldOf(a),
		style:     argOf(a, "style", bracketStyle(), readStyle),
		inContext: Flag(a, "in_context", true), first: argOf(a, "first", 1, readFirst),
		quoted: Flag(a, "quoted", false), words: Whole(a, "quote_words", 3),
		share: argOf(a, "share", 0, readShare), min: Whole(a, "min", 1), max: Whole(a, "max", 0),
	}
	if c.max.Set() && !c.min.Set() {
		c.min = Const(0)
	}
	low, fixed := c.min.Constant()
	high, alsoFixed := c.max.Constant()
	if c.max.Set() && fixed && alsoFixed && low > high {
		a.Wrong(a.Node("max").Pos, "citations: min %d is above max %d: nothing can pass", low, high)
	}
	return c
}

func readFirst(v any) (int, error) {
	n, err := readWhole(v)
	if err != nil || n > 1 {
		return 1, fmt.Errorf("is 0 or 1, not %s", show(v))
	}
	return n, nil
}

func readShare(v any) (float64, error) {
	f, err := readNumber(v)
	if err != nil || f < 0 || f > 1 {
		return 0, fmt.Errorf("is a number from 0 to 1, not %s", show(v))
	}
	return f, nil
}

// Bounds of the search for quotations.
const (
	maxQuotes  = 1000
	maxContext = 4 << 20 // bytes of all passages
)

func (c *citations) score(s *newel.Subject) (newel.Score, error) {
	text, err := boundedText(c.reading, s)
	if err != nil {
		return newel.Score{}, err
	}
	style, err := c.style.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	first, err := c.first.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	inContext, err := c.inContext.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	if inContext && s.Context == nil {
		return newel.Score{}, &newel.MissingError{Path: "context"}
	}
	shelf := shelve(s.Context, first)
	found, err := style.find(text, shelf)
	if err != nil {
		return newel.Score{}, err
	}
	score := newel.Score{Verdict: newel.Pass, HasValue: true}
	if err := c.count(s, found, &score); err != nil {
		return score, err
	}
	if inContext {
		lost(found, shelf, &score)
	}
	sentences := sentencesOf(text, found)
	if err := c.checkQuotes(s, text, found, sentences, shelf, &score); err != nil {
		return score, err
	}
	return score, c.checkShare(s, sentences, &score)
}

// fault makes score a fail; of several faults the first is told.
func fault(score *newel.Score, why string, evidence ...newel.Evidence) {
	if score.Verdict == newel.Pass {
		score.Verdict, score.Explanation, score.Evidence = newel.Fail, why, evidence
	}
}

func (c *citations) count(s *newel.Subject, found []citation, score *newel.Score) error {
	n := 0
	for _, f := range found {
		n += f.count()
	}
	low, err := c.min.At(s)
	if err != nil {
		return err
	}
	high, err := c.max.At(s)
	if err != nil {
		return err
	}
	switch {
	case n == 0 && low > 0:
		fault(score, "the text cites nothing")
	case n < low:
		fault(score, fmt.Sprintf("the text has %s, below the minimum of %d", plural(n, "citation"), low))
	case c.max.Set() && n > high:
		fault(score, fmt.Sprintf("the text has %s, above the maximum of %d", plural(n, "citation"), high))
	}
	score.Value, err = newel.ValueOf(float64(n))
	return err
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// lost faults citations that lead to no passage.
func lost(found []citation, shelf *shelf, score *newel.Score) {
	var unknown []string
	for _, f := range found {
		if !shelf.has(f) {
			unknown = append(unknown, f.text)
		}
	}
	if len(unknown) == 0 {
		return
	}
	what := fmt.Sprintf("has %s, numbered from %d", plural(len(shelf.passages), "passage"), shelf.first)
	if len(shelf.passages) == 0 {
		what = "is empty"
	}
	fault(score, fmt.Sprintf("%s leads to no passage: the context %s", showList(unknown), what),
		newel.Evidence{Path: "context", Want: shelf.show(), Got: showList(unknown)})
}

func (c *citations) checkShare(s *newel.Subject, sentences []sentence, score *newel.Score) error {
	if !c.share.Set() {
		return nil
	}
	least, err := c.share.At(s)
	if err != nil {
		return err
	}
	cited, all := 0, 0
	var bare string
	for _, one := range sentences {
		if !one.says {
			continue
		}
		all++
		if len(one.cites) > 0 {
			cited++
		} else if bare == "" {
			bare = strings.TrimSpace(one.text)
		}
	}
	share := 0.0
	if all > 0 {
		share = float64(cited) / float64(all)
	}
	value, err := newel.ValueOf(share)
	if err != nil {
		return err
	}
	limit, err := newel.ValueOf(least)
	if err != nil {
		return err
	}
	score.Value = value
	if value < limit {
		fault(score, fmt.Sprintf("%d of %s carry a citation, below the share of %s", cited, plural(all, "sentence"), limit),
			newel.Evidence{Path: "output", Want: "a citation", Got: Clip(bare, 200)})
	}
	return nil
}
