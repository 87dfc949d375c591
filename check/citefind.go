package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"newel"
)

// citeStyle is how citations are written.
type citeStyle struct {
	re *pattern
	// marked says that whatever the pattern finds is a citation; else text in
	// brackets must look like one.
	marked bool
	paren  bool
}

var (
	inBrackets = regexp.MustCompile(`\[([^\[\]\n]{1,200})\]|【([^【】\n]{1,200})】`)
	inParens   = regexp.MustCompile(`\(([^()\n]{1,200})\)`)
)

func bracketStyle() citeStyle { return citeStyle{re: &pattern{Regexp: inBrackets}} }

func readStyle(v any) (citeStyle, error) {
	switch v {
	case "bracket":
		return bracketStyle(), nil
	case "paren":
		return citeStyle{re: &pattern{Regexp: inParens}, paren: true}, nil
	}
	m, ok := v.(map[string]any)
	pattern, isText := m["regex"].(string)
	if !ok || !isText || len(m) != 1 {
		word, _ := v.(string)
		return bracketStyle(), fmt.Errorf("is bracket, paren or {regex: PATTERN}, not %s%s", show(v), newel.DidYouMean(word, []string{"bracket", "paren"}))
	}
	re, err := compilePattern(pattern, false)
	if err != nil {
		return bracketStyle(), err
	}
	return citeStyle{re: re, marked: true}, nil
}

// citation is one thing cited: a passage's id, a number or a range of them.
type citation struct {
	text       string // as written, without its brackets
	start, end int    // where its brackets stand in the text
	id         string
	low, high  int // of numbers; low is -1 for an id
}

// count returns how many passages are cited, at most a million.
func (c citation) count() int { return min(c.high-c.low+1, 1_000_000) }

// find returns the citations of a text, in order.
func (st citeStyle) find(text string, shelf *shelf) ([]citation, error) {
	if err := boundMatching(text, st.re); err != nil {
		return nil, err
	}
	places, err := findAll(st.re.Regexp, text, -1)
	var out []citation
	for _, at := range places {
		inner := text[at[0]:at[1]]
		for g := 2; g+1 < len(at); g += 2 {
			if at[g] >= 0 {
				inner = text[at[g]:at[g+1]]
				break
			}
		}
		if !st.marked && !st.paren && strings.HasPrefix(text[at[1]:], "(") {
			continue // a Markdown link
		}
		out = st.items(out, inner, at[0], at[1], shelf)
	}
	return out, err
}

// items splits what stands in one pair of brackets. Unless the style marks
// citations, one item that is none makes the whole brackets none.
func (st citeStyle) items(out []citation, inner string, start, end int, shelf *shelf) []citation {
	before := len(out)
	inner, _, _ = strings.Cut(inner, "†")
	if c, ok := shelf.cite(strings.TrimSpace(inner)); ok && c.low < 0 { // an id may hold commas
		c.start, c.end = start, end
		return append(out, c)
	}
	for _, item := range strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ';' || r == '，' || r == '、' }) {
		item = strings.TrimSpace(item)
		c, ok := shelf.cite(item)
		if !ok && st.marked && item != "" {
			c, ok = citation{text: item, id: item, low: -1, high: -1}, true
		}
		if !ok && !st.marked && !looksLikeID(item) {
			return out[:before]
		}
		if !ok {
			c = citation{text: item, id: item, low: -1, high: -1}
		}
		c.start, c.end = start, end
		out = append(out, c)
	}
	return out
}

// looksLikeID reports whether an item that is neither number nor known id is
// meant as one all the same.
func looksLikeID(item string) bool {
	return strings.ContainsFunc(item, unicode.IsDigit) && !strings.ContainsFunc(item, unicode.IsSpace) && len(item) <= 80
}

// shelf holds the passages of a context, by number and id.
type shelf struct {
	passages []newel.Passage
	first    int
	ids      map[string]int
}

func shelve(passages []newel.Passage, first int) *shelf {
	s := &shelf{passages: passages, first: first}
	for i, p := range passages {
		if p.ID == "" {
			continue
		}
		if s.ids == nil {
			s.ids = make(map[string]int, len(passages))
		}
		s.ids[p.ID] = i
	}
	return s
}

// citeWord matches the word that some put before a number.
var citeWord = regexp.MustCompile(`^(?i:(?:source|doc|document|passage|context|ref|reference|citation|cite)s?[ :#.]*|\^|#)`)

// cite reads an item: an id of the shelf, a number, or a range.
func (s *shelf) cite(item string) (citation, bool) {
	for _, form := range []string{item, citeWord.ReplaceAllString(item, "")} {
		if _, known := s.ids[form]; known {
			return citation{text: item, id: form, low: -1, high: -1}, true
		}
		low, high, ok := numbers(form)
		if ok {
			return citation{text: item, low: low, high: high}, true
		}
	}
	return citation{}, false
}

// numbers reads 3 and 3-5, with any dash.
func numbers(item string) (low, high int, ok bool) {
	left, right, isRange := strings.Cut(item, "-")
	for _, dash := range []string{"–", "—", "‑"} {
		if !isRange {
			left, right, isRange = strings.Cut(item, dash)
		}
	}
	low, ok = wholeNumber(strings.TrimSpace(left))
	if !isRange || !ok {
		return low, low, ok && !isRange
	}
	high, ok = wholeNumber(strings.TrimSpace(right))
	return low, high, ok && low <= high
}

func wholeNumber(text string) (int, bool) {
	if len(text) > 9 || text == "" || strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// has reports whether a citation leads to passages only.
func (s *shelf) has(c citation) bool {
	if c.low < 0 {
		_, known := s.ids[c.id]
		return known
	}
	return c.low >= s.first && c.high < s.first+len(s.passages)
}

// open returns the indexes of the passages that a citation leads to.
func (s *shelf) open(c citation) []int {
	if c.low < 0 {
		if i, known := s.ids[c.id]; known {
			return []int{i}
		}
		return nil
	}
	var out []int
	for n := max(c.low, s.first); n <= c.high && n-s.first < len(s.passages); n++ {
		out = append(out, n-s.first)
	}
	return out
}

// show names what may be cited.
func (s *shelf) show() string {
	if len(s.ids) == 0 {
		return fmt.Sprintf("%d to %d", s.first, s.first+len(s.passages)-1)
	}
	ids := make([]string, 0, len(s.ids))
	for id := range s.ids {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return showList(ids)
}
