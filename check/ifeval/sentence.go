package ifeval

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences are counted as Punkt (Kiss and Strunk 2006), the splitter of the published checks, sees
// them: one candidate per run of non-spaces, its last full stop, question mark or exclamation mark
// that closing punctuation or another run follows. A full stop after an abbreviation, an initial,
// an ellipsis or a number ends a sentence only when the next word looks like a beginning. Punkt
// learned its abbreviations and beginnings from newspapers; here both are short lists. The Unicode
// rules (UAX #29) were tried first and give 173 of the 208 English verdicts: they keep the "1." of
// a list with its line, which Punkt counts.

const (
	sentenceEnds = ".?!"
	// breakers may follow an end mark inside a run and still leave it a candidate.
	breakers = `?!)";}]*:@'({[`
	closers  = `"')]}`
)

// countSentences counts the sentences of text. With lists, the number that opens a list item counts
// as one, as Punkt has it.
func countSentences(text string, lists bool) int {
	text = strip(text)
	n, last := 0, 0
	for run := range runs(text) {
		end := candidate(text, run)
		if end < 0 || !breaks(text, run[0], end) || !lists && number(text[run[0]:end-1]) {
			continue
		}
		n++
		last = absorb(text, end)
	}
	if !blank(text[last:]) {
		n++
	}
	return n
}

// runs yields the start and end of every run of non-spaces.
func runs(text string) iter.Seq[[2]int] {
	return func(yield func([2]int) bool) {
		start := -1
		for i, r := range text {
			switch space := isSpace(r); {
			case space && start >= 0:
				if !yield([2]int{start, i}) {
					return
				}
				start = -1
			case !space && start < 0:
				start = i
			}
		}
		if start >= 0 {
			yield([2]int{start, len(text)})
		}
	}
}

// candidate gives the offset after the run's last end mark that may end a sentence, or -1.
func candidate(text string, run [2]int) int {
	for i := run[1] - 1; i >= run[0]; i-- {
		if strings.IndexByte(sentenceEnds, text[i]) < 0 {
			continue
		}
		if i+1 < run[1] && strings.IndexByte(breakers, text[i+1]) >= 0 || i+1 == run[1] && run[1] < len(text) {
			return i + 1
		}
	}
	return -1
}

// breaks reports whether the end mark before offset end, in the run from start, ends a sentence.
func breaks(text string, start, end int) bool {
	run := text[start:end]
	if run[len(run)-1] != '.' || strings.ContainsAny(run, "?!") {
		return true
	}
	word := strings.ToLower(run[strings.LastIndexAny(run, breakers)+1:])
	word = strings.TrimLeft(word, "(\"`{[:;&#*@)}]-,“‘«¿¡")
	stem := strings.TrimSuffix(word, ".")
	next := firstRun(text[end:])
	switch {
	case strings.HasSuffix(word, ".."), abbreviation(stem):
		return starter(next)
	case number(stem):
		return !startsLower(next)
	case initial(stem):
		return !startsUpper(next) || starter(next)
	}
	return true
}

// absorb moves past closing punctuation that belongs to the sentence that ends at the offset.
func absorb(text string, end int) int {
	rest := strings.TrimLeft(text[end:], closers)
	if r, _ := utf8.DecodeRuneInString(rest); rest == "" || isSpace(r) {
		return len(text) - len(rest)
	}
	return end
}

func firstRun(text string) string {
	for run := range runs(text) {
		return text[run[0]:run[1]]
	}
	return ""
}

func startsUpper(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

func startsLower(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLower(r)
}

func initial(stem string) bool {
	r, size := utf8.DecodeRuneInString(stem)
	return size == len(stem) && unicode.IsLetter(r)
}

func number(stem string) bool {
	return stem != "" && strings.IndexFunc(stem, func(r rune) bool { return !unicode.IsDigit(r) && r != ',' && r != '.' && r != '-' }) < 0
}

// starter reports a capitalised word that often begins sentences and is seldom a name.
func starter(word string) bool {
	return startsUpper(word) && strings.Contains(starters, " "+strings.ToLower(strings.TrimRight(word, ",;:'’\""))+" ")
}

// abbreviation reports a word that usually keeps its full stop inside a sentence: a listed one, or
// letters with full stops between them.
func abbreviation(stem string) bool {
	if strings.Contains(abbreviations, " "+stem+" ") {
		return true
	}
	for part := range strings.SplitSeq(stem, ".") {
		if !initial(part) {
			return false
		}
	}
	return strings.Contains(stem, ".")
}

// Both lists are in lower case with a space on either side of each word.
const (
	abbreviations = " mr mrs ms dr prof st jr sr vs inc ltd co corp gen col sen rep gov capt lt sgt rev hon mt" +
		" dept vol fig cf al ph.d jan feb aug sept oct nov dec ave blvd" +
		" sra srta dra ud uds pág núm mme mlle mgr "

	starters = " a an the this that these those it its he she they we you i his her their our my there here" +
		" in on at as for from with by of to if when while after before since although though because" +
		" but and or so yet however moreover then thus also one some many most all each every no not" +
		" what who why how where which is are was were do does did can could will would should may might" +
		" let once even such both another other more few several any now today" +
		" el la los las un una esto esta este en por para con sin pero y si cuando como también además" +
		" le les une des ce cette ces il elle ils elles nous vous je on dans pour avec mais et quand "
)
