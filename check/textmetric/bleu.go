package textmetric

import (
	"errors"
	"fmt"
)

// The smoothing methods of BLEU, numbered as by Chen and Cherry (2014).
const (
	SmoothExp   = "exp"   // method 3, as mteval-v13a does; the default
	SmoothNone  = "none"  // an order without a match makes the score 0
	SmoothFloor = "floor" // method 1: a small count in place of none
	SmoothAddK  = "add-k" // method 2: k added to counts above the first order
)

// logOfZero stands for the logarithm of 0, as in sacreBLEU.
const logOfZero = -9999999999

// BLEU scores texts against references by their common word n-grams (Papineni
// et al. 2002), with the meaning and the defaults of sacreBLEU (Post 2018). The
// zero value is sacreBLEU's default: 13a, exp, order 4, case kept.
type BLEU struct {
	Tokenize       string  // a Tokenize constant; default 13a
	Smooth         string  // a Smooth constant; default exp
	SmoothValue    float64 // default 0.1 for floor, 1 for add-k; others have none
	MaxOrder       int     // longest n-gram, 1 to 16; default 4
	EffectiveOrder bool    // leave out orders that the text is too short for; Sentence always does
	Lowercase      bool
}

// BLEUStats are the counts that a score is made of. They add up over segments.
type BLEUStats struct {
	HypLen, RefLen int   // tokens; the reference is the one closest in length
	Correct, Total []int // n-grams of each order from 1: matched, and in the text
}

// BLEUScore is a score and what it is made of.
type BLEUScore struct {
	Score          float64   // 0 to 100
	Precisions     []float64 // 0 to 100, smoothed, of each order from 1
	BrevityPenalty float64   // 0 to 1
	BLEUStats
}

// Corpus scores all texts together; refs holds the references of each.
func (b BLEU) Corpus(texts []string, refs [][]string) (BLEUScore, error) {
	if len(texts) != len(refs) {
		return BLEUScore{}, fmt.Errorf("bleu: %d texts, but references for %d", len(texts), len(refs))
	}
	var sum BLEUStats
	for i, text := range texts {
		s, err := b.Stats(text, refs[i])
		if err != nil {
			return BLEUScore{}, err
		}
		sum.Add(s)
	}
	return b.Score(sum)
}

// Sentence scores one text, with the effective order, as sacrebleu's
// sentence_bleu does.
func (b BLEU) Sentence(text string, refs []string) (BLEUScore, error) {
	b.EffectiveOrder = true
	s, err := b.Stats(text, refs)
	if err != nil {
		return BLEUScore{}, err
	}
	return b.Score(s)
}

// Stats counts one text. It fails on unknown options and without a reference.
func (b BLEU) Stats(text string, refs []string) (BLEUStats, error) {
	b, err := b.withDefaults()
	if err != nil {
		return BLEUStats{}, err
	}
	if len(refs) == 0 {
		return BLEUStats{}, errors.New("bleu: no reference")
	}
	hyp := b.grams(text)
	want := make([]grams, len(refs))
	for i, ref := range refs {
		want[i] = b.grams(ref)
	}
	s := BLEUStats{HypLen: hyp.count(1), RefLen: closest(hyp.count(1), want)}
	for n := 1; n <= b.MaxOrder; n++ {
		s.Correct = append(s.Correct, take(mostOften(want, n), hyp.order(n)))
		s.Total = append(s.Total, hyp.count(n))
	}
	return s, nil
}

func (b BLEU) grams(s string) grams {
	if b.Lowercase {
		s = lower(s)
	}
	return tokenGrams(bleuTokens(b.Tokenize, s))
}

// Add adds the counts of another segment, counted with the same options.
func (s *BLEUStats) Add(o BLEUStats) {
	s.HypLen += o.HypLen
	s.RefLen += o.RefLen
	s.Correct = addCounts(s.Correct, o.Correct)
	s.Total = addCounts(s.Total, o.Total)
}

func addCounts(to, from []int) []int {
	for len(to) < len(from) {
		to = append(to, 0)
	}
	for i, n := range from {
		to[i] += n
	}
	return to
}

// closest is the reference length nearest to n; of two, the shorter.
func closest(n int, refs []grams) int {
	best := refs[0].count(1)
	for _, r := range refs[1:] {
		l := r.count(1)
		d, least := max(l-n, n-l), max(best-n, n-best)
		if d < least || d == least && l < best {
			best = l
		}
	}
	return best
}

// mostOften counts each n-gram as often as the reference that has it most.
func mostOften(refs []grams, n int) map[string]int {
	most := make(map[string]int, refs[0].count(n))
	refs[0].tally(n, most)
	for _, r := range refs[1:] {
		counts := make(map[string]int, r.count(n))
		r.tally(n, counts)
		for gram, c := range counts {
			most[gram] = max(most[gram], c)
		}
	}
	return most
}

// Score turns counts into a score. It fails on unknown options and on counts of
// other orders than its own.
func (b BLEU) Score(s BLEUStats) (BLEUScore, error) {
	b, err := b.withDefaults()
	if err != nil {
		return BLEUScore{}, err
	}
	if len(s.Correct) == 0 && len(s.Total) == 0 {
		s.Correct, s.Total = make([]int, b.MaxOrder), make([]int, b.MaxOrder)
	}
	if len(s.Correct) != b.MaxOrder || len(s.Total) != b.MaxOrder {
		return BLEUScore{}, fmt.Errorf("bleu: counts of %d and %d orders, want %d", len(s.Correct), len(s.Total), b.MaxOrder)
	}
	precisions, order := b.precisions(s)
	out := BLEUScore{Precisions: precisions, BrevityPenalty: brevity(s), BLEUStats: s}
	if order > 0 {
		out.Score = float64(out.BrevityPenalty * geometricMean(precisions[:order]))
	}
	return out, nil
}

func brevity(s BLEUStats) float64 {
	switch {
	case s.HypLen >= s.RefLen:
		return 1
	case s.HypLen == 0:
		return 0
	}
	return exactExp(1 - float64(s.RefLen)/float64(s.HypLen))
}

func geometricMean(percents []float64) float64 {
	sum := 0.0
	for _, p := range percents {
		if p == 0 {
			sum += logOfZero
			continue
		}
		sum += exactLog(p)
	}
	return exactExp(sum / float64(len(percents)))
}

// precisions also returns how many orders count; 0 when nothing matched.
func (b BLEU) precisions(s BLEUStats) ([]float64, int) {
	out := make([]float64, b.MaxOrder)
	order, matched, halving := b.MaxOrder, false, 1.0
	for _, c := range s.Correct {
		matched = matched || c > 0
	}
	if !matched {
		return out, 0
	}
	for i := range out {
		correct, total := float64(s.Correct[i]), float64(s.Total[i])
		if b.Smooth == SmoothAddK && i > 0 {
			correct, total = correct+b.SmoothValue, total+b.SmoothValue
		}
		if total == 0 {
			break
		}
		if b.EffectiveOrder {
			order = i + 1
		}
		switch {
		case correct > 0:
			out[i] = float64(100*correct) / total
		case b.Smooth == SmoothExp:
			halving *= 2
			out[i] = 100 / float64(halving*total)
		case b.Smooth == SmoothFloor:
			out[i] = float64(100*b.SmoothValue) / total
		}
	}
	return out, order
}

func (b BLEU) withDefaults() (BLEU, error) {
	if b.Tokenize == "" {
		b.Tokenize = Tokenize13a
	}
	if b.Smooth == "" {
		b.Smooth = SmoothExp
	}
	if b.MaxOrder == 0 {
		b.MaxOrder = 4
	}
	if b.SmoothValue == 0 {
		b.SmoothValue = map[string]float64{SmoothFloor: 0.1, SmoothAddK: 1}[b.Smooth]
	}
	switch b.Tokenize {
	case Tokenize13a, TokenizeNone, TokenizeChar, TokenizeIntl, TokenizeZh:
	default:
		return b, fmt.Errorf("bleu: unknown tokenizer %q (known: 13a, none, char, intl, zh)", b.Tokenize)
	}
	switch b.Smooth {
	case SmoothExp, SmoothNone, SmoothFloor, SmoothAddK:
	default:
		return b, fmt.Errorf("bleu: unknown smoothing %q (known: exp, none, floor, add-k)", b.Smooth)
	}
	if b.MaxOrder < 1 || b.MaxOrder > 16 {
		return b, fmt.Errorf("bleu: order %d, want 1 to 16", b.MaxOrder)
	}
	if !(b.SmoothValue >= 0) {
		return b, fmt.Errorf("bleu: smoothing value %v, want 0 or more", b.SmoothValue)
	}
	return b, nil
}
