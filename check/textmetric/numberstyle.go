package textmetric

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// numberStyle says how a language writes numbers. After the decimals in CLDR;
// thin and no-break spaces and the apostrophe group thousands everywhere.
type numberStyle struct {
	decimal rune
	group   string // marks that group thousands
	indian  bool   // groups of two digits before the last three
	strict  bool   // the marks were given: no other reading
}

func (r NumberReader) style() numberStyle {
	if r.Decimal != "" || r.Group != "" {
		d, _ := utf8.DecodeRuneInString(r.Decimal)
		if r.Decimal == "" {
			d = 0
		}
		return numberStyle{decimal: d, group: r.Group, strict: true}
	}
	lang := strings.ToLower(strings.ReplaceAll(r.Language, "_", "-"))
	switch lang {
	case "de-ch", "de-li", "it-ch", "es-mx", "es-us", "es-gt", "es-hn", "es-ni", "es-pa", "es-sv", "es-do", "es-pr", "es-pe", "es-419":
		return numberStyle{decimal: '.', group: ","}
	case "en-in":
		return numberStyle{decimal: '.', group: ",", indian: true}
	}
	switch primary(lang) {
	case "de", "nl", "it", "pt", "es", "da", "id", "tr", "el", "ro", "hr", "sl", "sr", "bs", "vi", "ca", "gl", "eu", "is":
		return numberStyle{decimal: ',', group: ". "}
	case "fr", "ru", "uk", "be", "pl", "cs", "sk", "sv", "nb", "nn", "no", "fi", "hu", "bg", "et", "lv", "lt", "kk":
		return numberStyle{decimal: ',', group: " "}
	case "hi", "bn", "ta", "te", "mr", "gu", "kn", "ml", "pa":
		return numberStyle{decimal: '.', group: ",", indian: true}
	}
	return numberStyle{decimal: '.', group: ","}
}

// mark is the mark that r stands for between two digits, or 0.
func (st numberStyle) mark(r rune) rune {
	if st.strict {
		if r != 0 && (r == st.decimal || strings.ContainsRune(st.group, r)) {
			return r
		}
		return 0
	}
	switch r {
	case '.', ',', '\'':
		return r
	case '’':
		return '\''
	case '٫':
		return '.'
	case '٬':
		return ','
	case '\u00a0', '\u202f', '\u2009', '\u2007':
		return ' '
	case ' ':
		if strings.ContainsRune(st.group, ' ') {
			return r
		}
	}
	return 0
}

// join reads groups of digits with marks between them as one number, and gives
// its digits with a point as decimal mark. It fails where the marks make no
// sense as one number.
func (st numberStyle) join(groups []string, marks []rune) (string, bool) {
	n := len(marks)
	if n == 0 {
		return groups[0], true
	}
	last := marks[n-1]
	// Whether the last mark may be a decimal one, after what stands before it.
	pointed := n == 1 || marks[0] != last && st.grouped(groups[:n], marks[:n-1])
	switch {
	case pointed && last == st.decimal:
		return strings.Join(groups[:n], "") + "." + groups[n], true
	case st.grouped(groups, marks) && (n > 1 || st.groups(last)):
		return strings.Join(groups, ""), true
	case st.strict:
		return "", false
	case pointed && (last == '.' || last == ',' && n > 1):
		return strings.Join(groups[:n], "") + "." + groups[n], true
	}
	return "", false
}

// groups reports whether one mark between three digits groups them.
func (st numberStyle) groups(mark rune) bool {
	return strings.ContainsRune(st.group, mark) || !st.strict && (mark == ' ' || mark == '\'')
}

// grouped reports whether one and the same mark groups all digits: three by
// three or, in the Indian way, two by two before the last three.
func (st numberStyle) grouped(groups []string, marks []rune) bool {
	if len(groups[0]) > 3 || groups[0][0] == '0' {
		return false
	}
	if st.strict && !strings.ContainsRune(st.group, marks[0]) {
		return false
	}
	threes, twos := true, st.indian && len(groups[0]) < 3
	for i, g := range groups[1:] {
		if marks[i] != marks[0] {
			return false
		}
		threes = threes && len(g) == 3
		twos = twos && (len(g) == 2 && i < len(marks)-1 || len(g) == 3 && i == len(marks)-1)
	}
	return threes || twos
}

// A piece is a number whose digits have been read, at its place among the code
// points.
type piece struct {
	digits     string // "1234.56"
	start, end int
}

// read cuts the digits and marks from start to end into numbers: one if they
// read as one, else what stands between spaces, else what stands between marks
// that are not decimal, else each group.
func (s *scanner) read(start, end int) []piece {
	groups, marks := s.parts(start, end)
	if digits, ok := s.style.join(groups, marks); ok {
		return []piece{{digits, start, end}}
	}
	if slices.Contains(marks, ' ') {
		return s.split(start, end, func(m rune) bool { return m == ' ' })
	}
	if slices.ContainsFunc(marks, func(m rune) bool { return m != s.style.decimal }) {
		return s.split(start, end, func(m rune) bool { return m != s.style.decimal })
	}
	return s.split(start, end, func(rune) bool { return true })
}

// parts lists the groups of digits from start to end and the marks between. A
// mark at the beginning has a 0 before it.
func (s *scanner) parts(start, end int) (groups []string, marks []rune) {
	var group strings.Builder
	for i := start; i < end; i++ {
		if r := s.at(i); isDigit(r) {
			group.WriteRune(r)
			continue
		}
		if i == start {
			group.WriteByte('0')
		}
		groups, marks = append(groups, group.String()), append(marks, s.style.mark(s.at(i)))
		group.Reset()
	}
	return append(groups, group.String()), marks
}

// split reads what stands between the marks that cut picks. Each call cuts away
// a kind of mark, so it ends after three levels.
func (s *scanner) split(start, end int, cut func(mark rune) bool) []piece {
	var out []piece
	from := start
	for i := start; i <= end; i++ {
		if i < end && (isDigit(s.at(i)) || !cut(s.style.mark(s.at(i)))) {
			continue
		}
		if i > from {
			out = append(out, s.read(from, i)...)
		}
		from = i + 1
	}
	return out
}
