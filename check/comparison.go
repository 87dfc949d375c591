package check

import (
	"fmt"

	"newel"
)

// comparison is what the comparisons of texts have in common: two sides, made
// alike.
type comparison struct {
	reading *Reading
	wanted  *Wanted
	fold    *Fold
}

// comparisonOf reads both sides; steps are normalize's default.
func comparisonOf(a *Args, steps ...string) *comparison {
	c := &comparison{ReadingOf(a), WantedOf(a), FoldOf(a, steps...)}
	c.wanted.wantTexts(a)
	return c
}

// sides are both sides of a comparison for one case.
type sides struct {
	text   string
	wanted []string
	folding
}

// at returns both sides for s, folded alike.
func (c *comparison) at(s *newel.Subject) (sides, error) {
	text, err := c.reading.Text(s)
	if err != nil {
		return sides{}, err
	}
	g, err := c.fold.at(s)
	if err != nil {
		return sides{}, err
	}
	wanted, err := c.wanted.Texts(s)
	return sides{g.text(text), g.texts(wanted), g}, err
}

// maxMetric is how long a text may be, in bytes, for metrics, whose work or
// room grows faster than the text; all references together may have eight times
// as much. chrF then takes about a second at worst.
const maxMetric = 128 << 10

// bounded is at for metrics: longer sides are a LimitError.
func (c *comparison) bounded(s *newel.Subject) (sides, error) {
	b, err := c.at(s)
	if err != nil {
		return b, err
	}
	size, all := len(b.text), 0
	for _, w := range b.wanted {
		size, all = max(size, len(w)), all+len(w)
	}
	if size > maxMetric || all > 8*maxMetric {
		return b, &LimitError{fmt.Sprintf("the text or a reference has %d bytes, all references %d; this check compares up to %d and %d", size, all, maxMetric, 8*maxMetric)}
	}
	return b, nil
}

// miss is the score of a comparison that does not hold.
func (c *comparison) miss(explanation string, b *sides) newel.Score {
	return newel.Score{
		Verdict:     newel.Fail,
		Explanation: explanation,
		Evidence:    []newel.Evidence{{Path: c.reading.at.String(), Want: showList(b.wanted), Got: Clip(b.text, 400)}},
	}
}
