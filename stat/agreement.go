package stat

import "math"

// Table crosses what people said with what a judge said, class by class.
// Counts[truth][said] are replies that named a class; Unparsed[truth] are
// replies that could not be read. Unparsed may be nil.
type Table struct {
	Counts   [][]int64
	Unparsed []int64
}

// Agreement is how well a judge meets people. A ratio with nothing below the
// line is 0; all are NaN without rows.
type Agreement struct {
	N                     int64
	Accuracy              float64
	Precision, Recall, F1 float64
	Kappa                 float64 // Cohen 1960; NaN where chance alone agrees always
}

// Agreement scores the table with one class as the positive one. With
// countUnparsed a reply that could not be read is a wrong answer: it misses
// its class and claims none. Without, it is left out.
func (t Table) Agreement(positive int, countUnparsed bool) Agreement {
	out := t.shared(countUnparsed)
	if out.N > 0 && positive >= 0 && positive < len(t.Counts) {
		out.Precision, out.Recall, out.F1 = t.class(positive, countUnparsed)
	}
	return out
}

// Macro scores the table with the plain mean of precision, recall and F1 over
// the classes that people or the judge named.
func (t Table) Macro(countUnparsed bool) Agreement {
	out := t.shared(countUnparsed)
	classes := 0.0
	var precision, recall, f1 float64
	for c := range t.Counts {
		if t.truth(c, countUnparsed)+t.said(c) == 0 {
			continue
		}
		classes++
		p, r, f := t.class(c, countUnparsed)
		precision, recall, f1 = precision+p, recall+r, f1+f
	}
	if classes > 0 {
		out.Precision, out.Recall, out.F1 = precision/classes, recall/classes, f1/classes
	}
	return out
}

// shared is what does not depend on the class.
func (t Table) shared(countUnparsed bool) Agreement {
	agreed, chance := 0.0, 0.0
	out := Agreement{}
	for c := range t.Counts {
		out.N += t.truth(c, countUnparsed)
		agreed += float64(t.Counts[c][c])
		chance += float64(t.truth(c, countUnparsed)) * float64(t.said(c))
	}
	if out.N == 0 {
		nan := math.NaN()
		return Agreement{0, nan, nan, nan, nan, nan}
	}
	n := float64(out.N)
	out.Accuracy = agreed / n
	chance /= n * n
	out.Kappa = math.NaN()
	if chance < 1 {
		out.Kappa = (out.Accuracy - chance) / (1 - chance)
	}
	return out
}

func (t Table) class(c int, countUnparsed bool) (precision, recall, f1 float64) {
	hits := float64(t.Counts[c][c])
	truth, said := float64(t.truth(c, countUnparsed)), float64(t.said(c))
	return ratio(hits, said), ratio(hits, truth), ratio(2*hits, truth+said)
}

// truth is how many rows people put in the class.
func (t Table) truth(c int, countUnparsed bool) int64 {
	sum := int64(0)
	for _, v := range t.Counts[c] {
		sum += v
	}
	if countUnparsed && c < len(t.Unparsed) {
		sum += t.Unparsed[c]
	}
	return sum
}

// said is how many rows the judge put in the class.
func (t Table) said(c int) int64 {
	sum := int64(0)
	for _, row := range t.Counts {
		sum += row[c]
	}
	return sum
}

// Lost is how many replies could not be read.
func (t Table) Lost() int64 {
	sum := int64(0)
	for _, n := range t.Unparsed {
		sum += n
	}
	return sum
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
