package textmetric

import "math/bits"

// commonLength is the length of the longest common subsequence of two token
// lists, by the bit-parallel method of Hyyrö (2004): a bit of row is 0 where
// the length grows. It fails with [ErrTooLong] beyond the step bound.
func commonLength(a, b []string) (int, error) {
	if len(a) == 0 || len(b) == 0 {
		return 0, nil
	}
	words := (len(a) + 63) / 64
	ids := make(map[string]int, len(a))
	for _, t := range a {
		if _, ok := ids[t]; !ok {
			ids[t] = len(ids)
		}
	}
	if words > maxSteps/len(b) || words > maxCells/len(ids) {
		return 0, ErrTooLong
	}
	where := make([]uint64, words*len(ids))
	for i, t := range a {
		where[ids[t]*words+i/64] |= 1 << (i % 64)
	}
	row := make([]uint64, words)
	for i := range row {
		row[i] = ^uint64(0)
	}
	for _, t := range b {
		if id, ok := ids[t]; ok {
			step(row, where[id*words:(id+1)*words])
		}
	}
	n := 0
	for _, w := range row {
		n += bits.OnesCount64(^w)
	}
	return n, nil
}

func step(row, match []uint64) {
	var carry uint64
	for i, v := range row {
		u := v & match[i]
		var sum uint64
		sum, carry = bits.Add64(v, u, carry)
		row[i] = sum | (v &^ match[i])
	}
}

// markCommon sets shared for the tokens of a in a longest common subsequence
// with b: of several, the one that rouge_score picks, which walks back from the
// end and prefers to drop a token of a.
func markCommon(a, b []string, shared []bool) {
	width := len(b) + 1
	table := make([]uint16, (len(a)+1)*width)
	for i := range a {
		above, row := table[i*width:], table[(i+1)*width:]
		for j := range b {
			if a[i] == b[j] {
				row[j+1] = above[j] + 1
			} else {
				row[j+1] = max(above[j+1], row[j])
			}
		}
	}
	for i, j := len(a), len(b); i > 0 && j > 0; {
		switch {
		case a[i-1] == b[j-1]:
			shared[i-1] = true
			i, j = i-1, j-1
		case table[i*width+j-1] > table[(i-1)*width+j]:
			j--
		default:
			i--
		}
	}
}
