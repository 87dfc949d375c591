package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"newel"
)

// sentence is one sentence with what it cites.
type sentence struct {
	text       string
	start, end int
	says       bool // it has words besides its citations
	cites      []citation
}

// sentencesOf splits a text. Citations at the head of a sentence that has just
// begun belong to the one before: "It ships today. [1] Call us."
func sentencesOf(text string, found []citation) []sentence {
	var out []sentence
	it := sentences.FromString(text)
	for it.Next() {
		start, end := it.Start(), it.End()
		one := sentence{text: it.Value(), start: start, end: end}
		rest := start // of what the sentence says
		for len(found) > 0 && found[0].start < end {
			c := found[0]
			found = found[1:]
			if !hasWords(text[min(rest, c.start):c.start]) && !one.says && len(out) > 0 && !strings.Contains(text[start:c.start], "\n") {
				out[len(out)-1].cites = append(out[len(out)-1].cites, c)
			} else {
				one.says = one.says || hasWords(text[min(rest, c.start):c.start])
				one.cites = append(one.cites, c)
			}
			rest = max(rest, c.end)
		}
		one.says = one.says || rest < end && hasWords(text[rest:end])
		if one.says || len(one.cites) > 0 {
			out = append(out, one)
		}
	}
	return out
}

func hasWords(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

func (c *citations) checkQuotes(s *newel.Subject, text string, found []citation, list []sentence, shelf *shelf, score *newel.Score) error {
	quoted, err := c.quoted.At(s)
	if err != nil || !quoted {
		return err
	}
	words, err := c.words.At(s)
	if err != nil {
		return err
	}
	total := 0
	for _, p := range shelf.passages {
		total += len(p.Text)
	}
	if total > maxContext {
		return &LimitError{fmt.Sprintf("the context has %d bytes; quotations are looked for in at most %d", total, maxContext)}
	}
	q := quoteSearch{check: c, subject: s, shelf: shelf, folded: make(map[int]string)}
	seen := 0
	for _, quote := range quotesIn(text, found) {
		if len(strings.Fields(quote.text)) < words {
			continue
		}
		if seen++; seen > maxQuotes {
			return &LimitError{fmt.Sprintf("the text has more than %d quotations", maxQuotes)}
		}
		for len(list) > 0 && list[0].end <= quote.start {
			list = list[1:]
		}
		if err := q.look(quote.text, citedIn(list, quote), score); err != nil {
			return err
		}
	}
	return nil
}

// citedIn returns what is cited in the sentences over which a quotation
// stretches; list begins with its first.
func citedIn(list []sentence, quote quotation) []citation {
	var out []citation
	for _, one := range list {
		if one.start >= quote.end {
			break
		}
		out = append(out, one.cites...)
	}
	return out
}

// quoteSearch looks for quotations in passages, each folded once.
type quoteSearch struct {
	check   *citations
	subject *newel.Subject
	shelf   *shelf
	folded  map[int]string
}

// look faults a quotation that no passage cited with it holds.
func (q *quoteSearch) look(quote string, cites []citation, score *newel.Score) error {
	if len(cites) == 0 {
		fault(score, show(quote)+" is quoted and nothing is cited with it")
		return nil
	}
	var cited []string
	for _, c := range cites {
		cited = append(cited, c.text)
		for _, i := range q.shelf.open(c) {
			found, err := q.holds(i, quote)
			if found || err != nil {
				return err
			}
		}
	}
	fault(score, fmt.Sprintf("%s is quoted and does not stand in %s", show(quote), showList(slices.Compact(cited))),
		newel.Evidence{Path: "context", Want: quote, Got: showList(slices.Compact(cited))})
	return nil
}

func (q *quoteSearch) holds(passage int, quote string) (bool, error) {
	text, ok := q.folded[passage]
	if !ok {
		var err error
		if text, err = q.fold(q.shelf.passages[passage].Text); err != nil {
			return false, err
		}
		q.folded[passage] = text
	}
	for _, part := range strings.Split(strings.ReplaceAll(quote, "...", "…"), "…") {
		want, err := q.fold(strings.Trim(part, " \t[]()"))
		if err != nil {
			return false, err
		}
		i := strings.Index(text, want)
		if i < 0 {
			return false, nil
		}
		text = text[i+len(want):]
	}
	return true, nil
}

// fold makes texts alike: white space, and quotation marks and dashes of
// either kind, do not count; then what the check asks.
func (q *quoteSearch) fold(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	text = strings.Map(func(r rune) rune {
		switch r {
		case '’', '‘', '‚', '‛':
			return '\''
		case '“', '”', '„', '‟', '«', '»':
			return '"'
		case '–', '—', '‑', '−':
			return '-'
		}
		return r
	}, text)
	return q.check.fold.Text(q.subject, text)
}

// quotation is what stands in quotation marks, and where.
type quotation struct {
	text       string
	start, end int
}

// closers lists for each mark that opens a quotation those that close it.
func closers(open rune) string {
	switch open {
	case '"':
		return `"`
	case '“':
		return "”"
	case '„':
		return "“”"
	case '«':
		return "»"
	}
	return "」"
}

// quotesIn returns the quotations of a text, none longer than its line,
// without the citations in them and without the comma or full stop that only
// the sentence put there.
func quotesIn(text string, found []citation) []quotation {
	var out []quotation
	for at := 0; ; {
		i := strings.IndexAny(text[at:], `"“„«「`)
		if i < 0 {
			return out
		}
		open, size := utf8.DecodeRuneInString(text[at+i:])
		start := at + i + size
		line, _, _ := strings.Cut(text[start:], "\n")
		end := strings.IndexAny(line, closers(open))
		if end < 0 {
			at = start
			continue
		}
		words := bareWords(text, start, start+end, found)
		out = append(out, quotation{strings.TrimRight(strings.TrimSpace(words), ".,;:!?"), start, start + end})
		_, size = utf8.DecodeRuneInString(line[end:])
		at = start + end + size
	}
}

// bareWords returns text[start:end] without citations.
func bareWords(text string, start, end int, found []citation) string {
	i, _ := slices.BinarySearchFunc(found, start, func(c citation, at int) int { return c.start - at })
	var b strings.Builder
	for _, c := range found[i:] {
		if c.end > end {
			break
		}
		if c.start >= start {
			b.WriteString(text[start:c.start])
			start = c.end
		}
	}
	b.WriteString(text[start:end])
	return b.String()
}
