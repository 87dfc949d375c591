package eval

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"newel"
	"newel/stat"
)

// maxRaters is how many people of one rubric are told apart.
const maxRaters = 20

// raterFold compares the people who labelled a rubric's cases with each other.
type raterFold struct {
	ratings stat.Ratings
	class   map[string]int
	pairs   map[[2]string]map[[2]int]int // by two raters, then by their labels
	people  map[string]bool
	crowded bool // too many people or labels
}

type rating struct {
	who   string
	class int
}

// addRaters takes in what several people said of a case, once.
func (f *Fold) addRaters(it *newel.ItemRows) {
	for i := range it.Raters {
		at := slices.Index(f.run.Plan.Rubrics, it.Raters[i].Name)
		if at >= 0 && it.Applies.Has(at) {
			f.rubrics[at].raters.add(it.Raters[i].Value)
		}
	}
}

func (r *raterFold) add(labels newel.Raw) {
	if r.crowded {
		return
	}
	said := r.read(labels)
	if r.crowded {
		return
	}
	unit := make([]float64, len(said))
	for i, a := range said {
		unit[i] = float64(a.class)
		for _, b := range said[i+1:] {
			r.pair(a, b)
		}
	}
	r.ratings.Add(unit)
}

func (r *raterFold) pair(a, b rating) {
	key := [2]string{a.who, b.who}
	if r.pairs == nil {
		r.pairs = map[[2]string]map[[2]int]int{}
	}
	if r.pairs[key] == nil {
		r.pairs[key] = map[[2]int]int{}
	}
	r.pairs[key][[2]int{a.class, b.class}]++
}

// read lists who said what, sorted by who. Null is nobody's label.
func (r *raterFold) read(labels newel.Raw) []rating {
	var out []rating
	var list []json.RawMessage
	named := map[string]json.RawMessage{}
	switch {
	case json.Unmarshal(labels, &list) == nil:
		for i, label := range list {
			out = r.rate(out, strconv.Itoa(i+1), label)
		}
	case json.Unmarshal(labels, &named) == nil:
		for _, who := range slices.Sorted(maps.Keys(named)) {
			out = r.rate(out, who, named[who])
		}
	}
	return out
}

func (r *raterFold) rate(out []rating, who string, label json.RawMessage) []rating {
	label = bytes.TrimSpace(label)
	if string(label) == "null" || r.crowded {
		return out
	}
	class, known := r.class[string(label)]
	if !known {
		class = len(r.class)
	}
	if !known && class >= maxChoices || !r.people[who] && len(r.people) >= maxRaters {
		r.crowded = true
		return out
	}
	if r.class == nil {
		r.class, r.people = map[string]int{}, map[string]bool{}
	}
	r.class[string(label)], r.people[who] = class, true
	return append(out, rating{who, class})
}

// summary is nil where no case has labels of two people.
func (r *raterFold) summary() *newel.RaterAgreement {
	if r.crowded || r.ratings.Units == 0 {
		return nil
	}
	out := &newel.RaterAgreement{Cases: int(r.ratings.Units), Alpha: number(r.ratings.Alpha())}
	for _, key := range slices.SortedFunc(maps.Keys(r.pairs), comparePairs) {
		t := stat.Table{Counts: make([][]int64, len(r.class))}
		for i := range t.Counts {
			t.Counts[i] = make([]int64, len(r.class))
		}
		pair := newel.RaterPair{A: key[0], B: key[1]}
		for classes, n := range r.pairs[key] {
			t.Counts[classes[0]][classes[1]] = int64(n)
			if classes[0] == classes[1] {
				pair.Agree += n
			}
		}
		got := t.Macro(false)
		pair.N, pair.Kappa = int(got.N), number(got.Kappa)
		out.Pairs = append(out.Pairs, pair)
	}
	return out
}

// comparePairs orders raters that a list numbers by number, others by name.
func comparePairs(a, b [2]string) int {
	for i := range a {
		if c := compareRaters(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

func compareRaters(a, b string) int {
	one, errA := strconv.Atoi(a)
	other, errB := strconv.Atoi(b)
	switch {
	case errA == nil && errB == nil && one != other:
		return one - other
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
