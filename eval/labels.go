package eval

import (
	"fmt"

	"newel"
)

// LabelCount counts the values that people gave each rubric, and those that
// are neither pass nor fail, so that nothing is compared with them.
type LabelCount struct {
	names   []string
	skips   []bool
	rubrics []labelled
}

type labelled struct {
	values, odd int
	first       string // the first odd value, as it is written
}

// NewLabelCount returns an empty count. Rubrics that measure or have a judge, as
// a plan has them, are left out: people label those with numbers and choices.
func NewLabelCount(rubrics []string, measures, judged []bool) *LabelCount {
	l := &LabelCount{names: rubrics, skips: make([]bool, len(rubrics)), rubrics: make([]labelled, len(rubrics))}
	for i := range rubrics {
		l.skips[i] = measures[i] || judged[i]
	}
	return l
}

// maxQuoted is how much of a value is quoted, in bytes.
const maxQuoted = 60

// Add takes in one case's labels.
func (l *LabelCount) Add(labels []newel.Named, applies newel.Bitmap) {
	if len(labels) == 0 {
		return
	}
	for i, name := range l.names {
		label := newel.Find(labels, name)
		if label == nil || l.skips[i] || !applies.Has(i) || label.Kind() == 'n' {
			continue
		}
		r := &l.rubrics[i]
		r.values++
		if LabelVerdict(label).Settled() {
			continue
		}
		if r.odd++; r.first == "" {
			r.first = string(label[:min(len(label), maxQuoted)])
		}
	}
}

// Warnings says which rubrics have values that nothing is compared with.
func (l *LabelCount) Warnings() []string {
	var out []string
	for i, r := range l.rubrics {
		if r.odd == 0 {
			continue
		}
		is := "are"
		if r.odd == 1 {
			is = "is"
		}
		out = append(out, fmt.Sprintf("label %q: %d of %d values %s neither pass nor fail (%s): not compared", l.names[i], r.odd, r.values, is, r.first))
	}
	return out
}
