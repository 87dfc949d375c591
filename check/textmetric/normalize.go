package textmetric

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The steps of a [Normalizer], in the order in which they run.
const (
	StepNFKC        = "nfkc"        // Unicode compatibility composition
	StepLower       = "lower"       // full lower case
	StepPunctuation = "punctuation" // drops ASCII punctuation and all of Unicode's category P
	StepArticles    = "articles"    // drops the articles of the language, as whole words
	StepWhitespace  = "whitespace"  // one space between words, none around

	// StepSQuAD stands alone: lower, ASCII punctuation, articles, white space.
	StepSQuAD = "squad"
)

// A Normalizer rewrites a text before it is compared. Its zero value changes
// nothing.
type Normalizer struct {
	nfkc, lower, space bool
	punct              punctuation
	articles, elided   []string
}

type punctuation int

const (
	keepPunct  punctuation = iota
	asciiOnly              // SQuAD's string.punctuation
	allOfPunct             // MLQA's: category P and string.punctuation
)

// NewNormalizer makes a normaliser of the named steps. They run in the order of
// the constants, whatever the order given. The language chooses the articles;
// empty means English. It fails on an unknown step, and on [StepSQuAD] among
// others.
func NewNormalizer(lang string, steps ...string) (Normalizer, error) {
	var n Normalizer
	for _, step := range steps {
		switch step {
		case StepNFKC:
			n.nfkc = true
		case StepLower:
			n.lower = true
		case StepPunctuation:
			n.punct = allOfPunct
		case StepArticles:
			n.articles, n.elided = articles(lang), elided(lang)
		case StepWhitespace:
			n.space = true
		case StepSQuAD:
			if len(steps) > 1 {
				return Normalizer{}, fmt.Errorf("normalize: %q stands alone, it has its own steps", step)
			}
			return squad(lang), nil
		default:
			return Normalizer{}, fmt.Errorf("normalize: unknown step %q (known: squad, or a list of nfkc, lower, punctuation, articles, whitespace)", step)
		}
	}
	return n, nil
}

func squad(lang string) Normalizer {
	return Normalizer{
		lower: true, punct: asciiOnly, space: true,
		articles: articles(lang), elided: elided(lang),
	}
}

// SQuAD normalises English as SQuAD's evaluation script does (Rajpurkar et al.
// 2016): lower case, then without ASCII punctuation, then without the words a,
// an and the, then with single spaces.
func SQuAD(s string) string { return squad("en").String(s) }

// String is the normalised text; s itself when nothing changes.
func (n Normalizer) String(s string) string {
	out := n.Append(nil, s)
	if string(out) == s {
		return s
	}
	return string(out)
}

// Append adds the normalised text to dst. For ASCII text it allocates nothing
// but the room that dst lacks.
//
// A dropped article leaves a space, dropped punctuation nothing. An elided
// article (French l', Italian l', un') is dropped with its apostrophe: once
// punctuation is gone it could not be told from the word.
func (n Normalizer) Append(dst []byte, s string) []byte {
	if n.nfkc {
		s = norm.NFKC.String(s)
	}
	if n.lower && (strings.Contains(s, "İ") || strings.Contains(s, "Σ")) {
		s = lower(s)
	}
	w := rewriter{Normalizer: n, buf: slices.Grow(dst, len(s)), start: len(dst), word: -1}
	for i := 0; i < len(s); {
		end := i
		for end < len(s) && asciiLetter(s[end]) {
			end++
		}
		if end > i {
			w.letters(s[i:end])
			i = end
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		w.rune(r)
		i += size
	}
	w.endWord()
	return w.buf
}

// A rewriter does all steps but NFKC in one pass over the text.
type rewriter struct {
	Normalizer
	buf   []byte
	start int  // where this text begins in buf
	word  int  // where the word being written begins in buf, or -1
	gap   bool // a space is due before the next thing written
}

// asciiLetter reports whether c is a letter or digit.
func asciiLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// letters writes a run of ASCII letters and digits.
func (w *rewriter) letters(run string) {
	w.letter()
	from := len(w.buf)
	w.buf = append(w.buf, run...)
	if !w.lower {
		return
	}
	for i, c := range w.buf[from:] {
		if 'A' <= c && c <= 'Z' {
			w.buf[from+i] = c | 0x20
		}
	}
}

func (w *rewriter) rune(r rune) {
	if w.lower && r >= utf8.RuneSelf {
		r = unicode.ToLower(r)
	}
	switch {
	case isSpace(r):
		w.blank(r)
	case (r == '\'' || r == '’') && w.elide():
	case w.dropped(r):
	case isWord(r):
		w.letter()
		w.buf = utf8.AppendRune(w.buf, r)
	default:
		w.endWord()
		w.flush()
		w.buf = utf8.AppendRune(w.buf, r)
	}
}

func (w *rewriter) dropped(r rune) bool {
	switch w.punct {
	case asciiOnly:
		return asciiPunct(r)
	case allOfPunct:
		return asciiPunct(r) || r >= utf8.RuneSelf && unicode.IsPunct(r)
	}
	return false
}

// letter makes ready for a letter of a word.
func (w *rewriter) letter() {
	w.flush()
	if w.word < 0 {
		w.word = len(w.buf)
	}
}

func (w *rewriter) flush() {
	if w.gap && len(w.buf) > w.start {
		w.buf = append(w.buf, ' ')
	}
	w.gap = false
}

func (w *rewriter) blank(r rune) {
	w.endWord()
	if w.space {
		w.gap = true
		return
	}
	w.buf = utf8.AppendRune(w.buf, r)
}

// endWord closes the word being written, and takes it back if it is an article.
func (w *rewriter) endWord() {
	if w.word >= 0 && w.isOneOf(w.articles) {
		w.drop()
	}
	w.word = -1
}

// elide takes back an article that its apostrophe has just ended.
func (w *rewriter) elide() bool {
	if w.word < 0 || !w.isOneOf(w.elided) {
		return false
	}
	w.drop()
	w.word = -1
	return true
}

func (w *rewriter) isOneOf(words []string) bool {
	got := w.buf[w.word:]
	for _, word := range words {
		if len(word) == len(got) && strings.EqualFold(string(got), word) {
			return true
		}
	}
	return false
}

// drop removes the word being written and leaves a space for it.
func (w *rewriter) drop() {
	w.buf = w.buf[:w.word]
	if !w.space {
		w.buf = append(w.buf, ' ')
		return
	}
	if len(w.buf) > w.start && w.buf[len(w.buf)-1] == ' ' {
		w.buf = w.buf[:len(w.buf)-1]
	}
	w.gap = true
}
