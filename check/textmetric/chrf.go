package textmetric

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ChrF scores texts against references by their common character n-grams
// (Popović 2015) and, with WordOrder 2, word n-grams too (chrF++, Popović
// 2017), with the meaning and the defaults of sacreBLEU (Post 2018).
type ChrF struct {
	CharOrder int     // longest character n-gram, 1 to 16; default 6
	WordOrder int     // longest word n-gram, 0 to 16; 2 is chrF++
	Beta      float64 // how much recall weighs against precision; default 2
	Lowercase bool
	// Whitespace keeps white space among the characters.
	Whitespace bool
	// EpsSmoothing averages the F-scores of all orders, as chrF++.py, NLTK and
	// Moses do. Without it precision and recall are averaged first, over the
	// orders that both sides have.
	EpsSmoothing bool
}

// ChrFStats are the counts that a score is made of, of each order: characters
// from 1, then words from 1. They add up over segments.
type ChrFStats struct {
	Hyp, Ref, Match []int
}

// Corpus scores all texts together, from 0 to 100; refs holds the references of
// each, of which the best scoring counts.
func (c ChrF) Corpus(texts []string, refs [][]string) (float64, error) {
	if len(texts) != len(refs) {
		return 0, fmt.Errorf("chrf: %d texts, but references for %d", len(texts), len(refs))
	}
	var sum ChrFStats
	for i, text := range texts {
		s, err := c.Stats(text, refs[i])
		if err != nil {
			return 0, err
		}
		sum.Add(s)
	}
	return c.Score(sum)
}

// Sentence scores one text, from 0 to 100.
func (c ChrF) Sentence(text string, refs []string) (float64, error) {
	s, err := c.Stats(text, refs)
	if err != nil {
		return 0, err
	}
	return c.Score(s)
}

// Add adds the counts of another segment, counted with the same options.
func (s *ChrFStats) Add(o ChrFStats) {
	s.Hyp = addCounts(s.Hyp, o.Hyp)
	s.Ref = addCounts(s.Ref, o.Ref)
	s.Match = addCounts(s.Match, o.Match)
}

// Stats counts one text against the reference that it scores best with. It
// fails on options out of range and without a reference.
func (c ChrF) Stats(text string, refs []string) (ChrFStats, error) {
	c, err := c.withDefaults()
	if err != nil {
		return ChrFStats{}, err
	}
	if len(refs) == 0 {
		return ChrFStats{}, errors.New("chrf: no reference")
	}
	var best ChrFStats
	bestScore := -1.0
	hyp := c.cut(text)
	for _, ref := range refs {
		s := c.compare(hyp, c.cut(ref))
		if score := c.fScore(s); score > bestScore {
			best, bestScore = s, score
		}
	}
	return best, nil
}

// Score turns counts into a score from 0 to 100. It fails on options out of
// range and on counts of other orders than its own.
func (c ChrF) Score(s ChrFStats) (float64, error) {
	c, err := c.withDefaults()
	if err != nil {
		return 0, err
	}
	orders := c.CharOrder + c.WordOrder
	if len(s.Hyp) == 0 {
		s.Add(ChrFStats{make([]int, orders), make([]int, orders), make([]int, orders)})
	}
	if len(s.Hyp) != orders || len(s.Ref) != orders || len(s.Match) != orders {
		return 0, fmt.Errorf("chrf: counts of %d orders, want %d", len(s.Hyp), orders)
	}
	return c.fScore(s), nil
}

// cutText is a text as characters and as words.
type cutText struct{ chars, words grams }

func (c ChrF) cut(s string) cutText {
	if c.Lowercase {
		s = lower(s)
	}
	var t cutText
	if c.WordOrder > 0 {
		t.words = tokenGrams(edgeTokens(s))
	}
	if !c.Whitespace {
		s = strings.Join(fields(s), "")
	}
	t.chars = charGrams(s)
	return t
}

// edgeTokens splits on white space and sets one punctuation mark at the end of
// a word apart or, if there is none, one at its beginning: "(hi)" gives "(hi"
// and ")", as in chrF++.py.
func edgeTokens(s string) []string {
	var out []string
	for _, w := range fields(s) {
		_, first := utf8.DecodeRuneInString(w)
		switch last := len(w) - 1; {
		case first == len(w):
			out = append(out, w)
		case asciiPunct(rune(w[last])):
			out = append(out, w[:last], w[last:])
		case asciiPunct(rune(w[0])):
			out = append(out, w[:1], w[1:])
		default:
			out = append(out, w)
		}
	}
	return out
}

func (c ChrF) compare(hyp, ref cutText) ChrFStats {
	var s ChrFStats
	for n := 1; n <= c.CharOrder; n++ {
		s.order(hyp.chars, ref.chars, n)
	}
	for n := 1; n <= c.WordOrder; n++ {
		s.order(hyp.words, ref.words, n)
	}
	return s
}

func (s *ChrFStats) order(hyp, ref grams, n int) {
	want, have := ref.count(n), hyp.count(n)
	left := make(map[string]int, want)
	ref.tally(n, left)
	if want == 0 {
		have = 0
	}
	s.Hyp = append(s.Hyp, have)
	s.Ref = append(s.Ref, want)
	s.Match = append(s.Match, take(left, hyp.order(n)))
}

// fScore is the F-beta score in per cent: of each order and then averaged, or
// of the averages.
func (c ChrF) fScore(s ChrFStats) float64 {
	const eps = 1e-16
	factor := float64(c.Beta * c.Beta)
	var sum, precision, recall, orders float64
	for i := range s.Hyp {
		p, r := eps, eps
		if s.Hyp[i] > 0 {
			p = float64(s.Match[i]) / float64(s.Hyp[i])
		}
		if s.Ref[i] > 0 {
			r = float64(s.Match[i]) / float64(s.Ref[i])
		}
		if d := float64(factor*p) + r; d > 0 {
			sum += float64(float64((1+factor)*p)*r) / d
		} else {
			sum += eps
		}
		if s.Hyp[i] > 0 && s.Ref[i] > 0 {
			precision, recall, orders = precision+p, recall+r, orders+1
		}
	}
	if c.EpsSmoothing {
		return float64(100*sum) / float64(len(s.Hyp))
	}
	if precision+recall == 0 {
		return 0
	}
	precision, recall = precision/orders, recall/orders
	f := float64(float64((1+factor)*precision)*recall) / (float64(factor*precision) + recall)
	return float64(100 * f)
}

func (c ChrF) withDefaults() (ChrF, error) {
	if c.CharOrder == 0 {
		c.CharOrder = 6
	}
	if c.Beta == 0 {
		c.Beta = 2
	}
	if c.CharOrder < 1 || c.CharOrder > 16 || c.WordOrder < 0 || c.WordOrder > 16 {
		return c, fmt.Errorf("chrf: orders %d and %d, want 1 to 16 characters and 0 to 16 words", c.CharOrder, c.WordOrder)
	}
	if !(c.Beta > 0 && c.Beta <= 1e6) {
		return c, fmt.Errorf("chrf: beta %v, want more than 0", c.Beta)
	}
	return c, nil
}
