package textmetric

import "unicode/utf8"

// maxSteps bounds the work of one edit distance, in words of 64 cells: about half
// a second, or two unlike texts of 65,000 characters each.
const maxSteps = 1 << 26

// Levenshtein is the least number of insertions, deletions and substitutions of
// code points that turn a into b (Levenshtein 1966). With a limit of 0 or more
// the answer is exact up to the limit and limit+1 above it, and costs less the
// smaller the limit; a negative limit means none. Beyond its step bound it
// fails with [ErrTooLong].
//
// Method: bit-parallel blocks (Myers 1999, Hyyrö 2003) inside the diagonal band
// that the limit leaves (Ukkonen 1985); without a limit the band widens until
// the distance fits.
func Levenshtein(a, b string, limit int) (int, error) {
	if a == b {
		return 0, nil
	}
	p, t, symbols := encode(a, b)
	p, t = trimCommon(p, t)
	if len(p) > len(t) {
		p, t = t, p
	}
	if limit >= 0 {
		return withinBand(p, t, symbols, limit)
	}
	for band := 64 + len(t) - len(p); ; band *= 4 {
		band = min(band, len(t))
		d, err := withinBand(p, t, symbols, band)
		if err != nil || d <= band {
			return d, err
		}
	}
}

// Similarity is 1 minus the edit distance over the length of the longer text in
// code points: 1 for equal texts (two empty ones too), 0 for texts with nothing
// in common. It fails as [Levenshtein] does.
func Similarity(a, b string) (float64, error) {
	d, err := Levenshtein(a, b, -1)
	if err != nil || d == 0 {
		return 1, err
	}
	longest := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	return 1 - float64(d)/float64(longest), nil
}

// SimilarityAtLeast reports whether [Similarity] reaches least, at the price of
// a distance with a limit.
func SimilarityAtLeast(a, b string, least float64) (bool, error) {
	longest := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if longest == 0 {
		return least <= 1, nil
	}
	limit := int(float64((1-least)*float64(longest))) + 1
	d, err := Levenshtein(a, b, max(0, min(limit, longest)))
	return 1-float64(d)/float64(longest) >= least, err
}

// trimCommon cuts what both texts begin and end with: it does not change their
// distance.
func trimCommon(a, b []int32) ([]int32, []int32) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// encode numbers the code points of both texts from 0: ASCII as itself, others
// in order of appearance. It also returns how many numbers there are. Broken
// UTF-8 reads as U+FFFD.
func encode(a, b string) (x, y []int32, symbols int) {
	ids := map[rune]int32{}
	number := func(s string) []int32 {
		out := make([]int32, 0, utf8.RuneCountInString(s))
		for _, r := range s {
			id := int32(r)
			if r >= utf8.RuneSelf {
				var ok bool
				if id, ok = ids[r]; !ok {
					id = int32(utf8.RuneSelf + len(ids))
					ids[r] = id
				}
			}
			out = append(out, id)
		}
		return out
	}
	x, y = number(a), number(b)
	return x, y, utf8.RuneSelf + len(ids)
}

// withinBand is the distance of p to the longer t if it is at most band, else
// band+1.
func withinBand(p, t []int32, symbols, band int) (int, error) {
	if len(t)-len(p) > band {
		return band + 1, nil
	}
	if len(p) == 0 {
		return len(t), nil
	}
	blocks := (len(p) + 63) / 64
	if width := min(len(t), 2*band+64); blocks > maxSteps/width {
		return 0, ErrTooLong
	}
	s := sweep{text: t, band: band, where: make([]uint64, symbols), across: make([]int8, len(t))}
	for i := range s.across {
		s.across[i] = 1
	}
	for from := 0; from < len(p); from += 64 {
		s.block(p[from:min(from+64, len(p))], from)
	}
	if s.bottom > band || s.end < len(t) {
		return band + 1, nil
	}
	return s.bottom, nil
}

// A sweep fills the table of distances one strip of up to 64 rows after the
// other, each across the columns of its part of the band. Cells outside the
// band count as too far, which no path within the limit notices.
type sweep struct {
	text   []int32
	band   int
	where  []uint64 // symbol → rows of the strip that hold it
	across []int8   // column → change along the strip's bottom row, from the column before
	bottom int      // distance at the bottom row and the last column done
	first  int      // first column of the strip above
	end    int      // column after its last
	edge   int      // distance at the bottom row, before column first
}

func (s *sweep) block(rows []int32, from int) {
	for i, id := range rows {
		s.where[id] |= 1 << i
	}
	first := max(0, from-s.band)
	end := min(len(s.text), from+len(rows)+s.band)
	bottom := s.above(first) + len(rows)
	s.edge = bottom
	up, down := ^uint64(0), uint64(0) // rows one more, one less than the row above
	last := len(rows) - 1
	for j := first; j < end; j++ {
		in := int8(1)
		if j < s.end || from == 0 {
			in = s.across[j]
		}
		var out int8
		up, down, out = column(up, down, s.where[s.text[j]], last, in)
		s.across[j] = out
		bottom += int(out)
	}
	for _, id := range rows {
		s.where[id] = 0
	}
	s.first, s.end, s.bottom = first, end, bottom
}

// above is the distance in the row above the strip, before column first.
func (s *sweep) above(first int) int {
	d := s.edge
	for j := s.first; j < first && j < s.end; j++ {
		d += int(s.across[j])
	}
	return d
}

// column moves one strip by one column: from the vertical changes of the last
// column to those of this one, given the rows that match and the change along
// the row above (in). It returns the change along the bottom row (out), whose
// bit is number last. Random texts would mislead branches, so there are none.
func column(up, down, match uint64, last int, in int8) (newUp, newDown uint64, out int8) {
	inPlus, inMinus := uint64(uint8(-in)>>7), uint64(uint8(in)>>7)
	vertical := match | down
	match |= inMinus
	horizontal := (((match & up) + up) ^ up) | match
	plus := down | ^(horizontal | up)
	minus := up & horizontal
	out = int8(plus>>last&1) - int8(minus>>last&1)
	plus, minus = plus<<1|inPlus, minus<<1|inMinus
	return minus | ^(vertical | plus), plus & vertical, out
}
