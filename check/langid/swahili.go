package langid

import (
	"strings"
	"unicode"
)

// The library has no profile of Swahili, which some 100 million people speak, and takes it for one
// of a dozen other languages. Its function words give it away.
const (
	swahiliShared = " ya wa na ni za la cha kama hiyo hizi hivyo pia sana lakini mtu siku kazi ambayo ambaye wote nini sababu "
	swahiliOwn    = " kwa katika kuwa kwenye vya vitu hii huu huyu yake wake watu kwamba wakati baada ndiyo hakuna ilikuwa alikuwa "
)

// swahiliWords is how many words are read.
const swahiliWords = 200

// isSwahili reports that three words in twenty are function words of Swahili, two different ones
// of its own among them. Of a text up to 30 words, a quarter must be, and one of its own suffices.
func isSwahili(text string) bool {
	n, hits, own := 0, 0, map[string]bool{}
	for w := range strings.FieldsFuncSeq(text, notLetter) {
		if n == swahiliWords {
			break
		}
		n++
		w = " " + strings.ToLower(w) + " "
		switch {
		case strings.Contains(swahiliOwn, w):
			own[w] = true
			hits++
		case strings.Contains(swahiliShared, w):
			hits++
		}
	}
	return len(own) >= 2 && 20*hits >= 3*n || len(own) == 1 && n <= 30 && 4*hits >= n
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
