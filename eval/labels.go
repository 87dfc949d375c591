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

// NewLabelCount returns an empty count. Measures, as in a plan, are left out:
// numbers are what they are labelled with.
func NewLabelCount(rubrics []string, measures []bool) *LabelCount {
	return &LabelCount{names: rubrics, skips: measures, rubrics: make([]labelled, len(rubrics))}
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
