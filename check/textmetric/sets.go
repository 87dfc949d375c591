package textmetric

// Overlap compares two sets.
type Overlap struct {
	Common, Union int     // elements
	Jaccard       float64 // common over union (Jaccard 1901)
	Coefficient   float64 // common over the smaller set (Szymkiewicz 1934, Simpson 1960)
	PRF                   // common over got (precision) and over want (recall)
}

// CompareSets compares the set that was got with the one wanted; an element
// listed twice is one. Two empty sets agree fully: all measures are 1. With one
// empty, all are 0.
func CompareSets(got, want []string) Overlap {
	have, wish := set(got), set(want)
	if len(have) == 0 && len(wish) == 0 {
		return Overlap{Jaccard: 1, Coefficient: 1, PRF: PRF{1, 1, 1}}
	}
	var o Overlap
	for e := range have {
		if wish[e] {
			o.Common++
		}
	}
	o.Union = len(have) + len(wish) - o.Common
	o.Jaccard = float64(o.Common) / float64(o.Union)
	o.Coefficient = float64(o.Common) / float64(max(1, min(len(have), len(wish))))
	o.PRF = ratios(o.Common, len(have), len(wish))
	return o
}

func set(list []string) map[string]bool {
	s := make(map[string]bool, len(list))
	for _, e := range list {
		s[e] = true
	}
	return s
}
