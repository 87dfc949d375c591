package check

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"newel"
)

// bannedSpec looks for words that must not stand in a text.
func bannedSpec() *Spec {
	return &Spec{
		Name: "banned", Family: "regex", Main: "words",
		About: "The text holds none of the words or phrases. Only whole words count: \"ass\" is not in \"class\", in any script; a word written without spaces around it, as in Chinese, Japanese or Thai, counts wherever it stands. White space within a phrase stands for any white space.",
		Params: []Param{
			{Name: "words", Type: "text or list of texts", About: "what must not be there, each at most 400 bytes"},
			{Name: "file", Type: "path of a file", About: "a file with one word or phrase a line; lines that start with # are comments"},
			{Name: "ignore_case", Type: "true or false", About: "find them in capitals too", Default: "true"},
		},
		Extra:   readingParams,
		Example: `banned: ["guaranteed return", "risk-free"]`,
		Build:   buildBanned,
	}
}

func buildBanned(a *Args) Func {
	ignoreCase := fixedOf(a, "ignore_case", true, readFlag)
	reading, words := ReadingOf(a), Texts(a, "words")
	fixed := newWordTree(ignoreCase)
	fixed.addAll(fileWords(a))
	list, constant := words.Constant()
	if constant {
		if err := boundedWords(list); err != nil {
			a.Wrong(a.Pos(), "banned: words: %v", err)
		}
		fixed.addAll(list)
	}
	if constant && fixed.size == 0 && !a.Has("file") {
		a.Wrong(a.Pos(), "banned has no words: give a list, or file:")
	}
	made := newCache[*wordTree](cacheSize)
	return func(_ context.Context, s *newel.Subject) newel.Score {
		text, err := boundedText(reading, s)
		if err != nil {
			return Because(err)
		}
		tree := fixed
		if !constant {
			own, err := words.At(s)
			if err != nil {
				return Because(err)
			}
			if err := boundedWords(own); err != nil {
				return Because(err)
			}
			tree, _ = made.get(strings.Join(own, "\n"), func(string) (*wordTree, error) { return fixed.with(own), nil })
		}
		return bannedScore(text, tree)
	}
}

// fileWords reads the words of file:.
func fileWords(a *Args) []string {
	n := a.fixed("file")
	if n == nil {
		return nil
	}
	name, ok := n.Text()
	if !ok {
		a.Wrong(n.Pos, "banned: file is the path of a file, not %s", n.Kind())
		return nil
	}
	if a.Env().ReadFile == nil {
		a.Wrong(n.Pos, "banned: file: files are not to be had here; write the words as a list")
		return nil
	}
	b, err := a.Env().ReadFile(name)
	if err != nil {
		a.Wrong(n.Pos, "banned: file: %v", err)
		return nil
	}
	words := wordLines(string(b))
	if len(words) == 0 {
		a.Wrong(n.Pos, "banned: file: %s has no words", name)
	}
	if err := boundedWords(words); err != nil {
		a.Wrong(n.Pos, "banned: file: %s: %v", name, err)
	}
	return words
}

// maxWord is how long a banned word or phrase may be, in bytes: to look for it
// takes as many steps at each place of the text.
const maxWord = 400

// boundedWords returns a LimitError for words that are too long.
func boundedWords(words []string) error {
	for _, w := range words {
		if len(w) > maxWord {
			return &LimitError{fmt.Sprintf("the word %s has %d bytes; at most %d are looked for", show(Clip(w, 40)), len(w), maxWord)}
		}
	}
	return nil
}

// wordLines returns the lines of a word list without blanks and comments.
func wordLines(text string) []string {
	var words []string
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			words = append(words, line)
		}
	}
	return words
}

func bannedScore(text string, tree *wordTree) newel.Score {
	from, to := tree.find(text)
	if from < 0 {
		return newel.Passed()
	}
	around := text[startOfRune(text, from-60):min(len(text), to+60)]
	return newel.Score{
		Verdict:     newel.Fail,
		Explanation: "holds the banned " + show(text[from:to]),
		Evidence:    []newel.Evidence{{Path: "output", Want: "no " + show(text[from:to]), Got: strings.ToValidUTF8(around, "")}},
	}
}

func startOfRune(text string, i int) int {
	i = max(i, 0)
	for i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// wordTree finds any of many words in one pass over a text.
type wordTree struct {
	fold bool
	root wordNode
	list []string
	size int // words that are not blank
}

type wordNode struct {
	next map[rune]*wordNode
	end  bool // a word ends here
}

func newWordTree(fold bool) *wordTree { return &wordTree{fold: fold} }

func (t *wordTree) addAll(words []string) {
	for _, w := range words {
		t.add(w)
	}
}

func (t *wordTree) add(word string) {
	word = strings.Join(strings.Fields(word), " ")
	if word == "" {
		return
	}
	t.list = append(t.list, word)
	t.size++
	at := &t.root
	for _, r := range word {
		r = t.folded(r)
		if at.next == nil {
			at.next = map[rune]*wordNode{}
		}
		if at.next[r] == nil {
			at.next[r] = &wordNode{}
		}
		at = at.next[r]
	}
	at.end = true
}

// with returns a tree that knows more words.
func (t *wordTree) with(words []string) *wordTree {
	more := newWordTree(t.fold)
	more.addAll(t.list)
	more.addAll(words)
	return more
}

func (t *wordTree) folded(r rune) rune {
	if unicode.IsSpace(r) {
		return ' '
	}
	if t.fold {
		return unicode.ToLower(r)
	}
	return r
}

// find returns where the first word stands that the tree knows, -1 if none.
func (t *wordTree) find(text string) (from, to int) {
	before := rune(-1)
	for i, r := range text {
		if t.root.next[t.folded(r)] != nil && borders(before, r) {
			if end := t.match(text, i); end > 0 {
				return i, end
			}
		}
		before = r
	}
	return -1, -1
}

// match returns where a known word that starts at from ends, 0 if none does.
func (t *wordTree) match(text string, from int) int {
	at, last, blank := &t.root, rune(-1), false
	for i, r := range text[from:] {
		r0 := t.folded(r)
		if at.end && borders(last, r) {
			return from + i
		}
		if r0 == ' ' && blank {
			continue
		}
		at, last, blank = at.next[r0], r, r0 == ' '
		if at == nil {
			return 0
		}
	}
	if at.end {
		return len(text)
	}
	return 0
}

// borders reports whether a word can end between two characters; -1 stands for
// the text's edge.
func borders(a, b rune) bool {
	return !wordRune(a) || !wordRune(b) || unspaced(a) || unspaced(b)
}

func wordRune(r rune) bool {
	return r >= 0 && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_')
}

// unspaced reports whether r is of a script that is written without spaces
// between words.
func unspaced(r rune) bool {
	return r > 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
