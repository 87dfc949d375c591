package textmetric

import "strings"

// Porter is the stem of an English word in lower case: the algorithm of Porter
// (1980) with the changes that NLTK's PorterStemmer makes by default, which is
// what rouge_score uses. Anything but a vowel or y counts as a consonant.
func Porter(word string) string {
	if stem := irregular(word); stem != "" {
		return stem
	}
	if len(word) <= 2 {
		return word
	}
	word = plural(word)
	word = pastOrGerund(word)
	word = finalY(word)
	word = doubleSuffix(word)
	word = replaceFirst(word, simpleSuffixes[:], 0)
	word = residualSuffix(word)
	return finalE(word)
}

// irregular lists the words that the rules would get wrong.
func irregular(word string) string {
	switch word {
	case "sky", "skies":
		return "sky"
	case "dying":
		return "die"
	case "lying":
		return "lie"
	case "tying":
		return "tie"
	case "innings", "inning":
		return "inning"
	case "outings", "outing":
		return "outing"
	case "cannings", "canning":
		return "canning"
	case "news", "howe", "proceed", "exceed", "succeed":
		return word
	}
	return ""
}

type suffixRule struct{ suffix, with string }

// Step 2 of the algorithm: double suffixes to single ones.
var doubleSuffixes = [...]suffixRule{
	{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
	{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
	{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
	{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"},
	{"fulli", "ful"},
}

// Step 3: -ic-, -full, -ness and the like.
var simpleSuffixes = [...]suffixRule{
	{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
}

// Step 4: what is left after a long stem.
var residualSuffixes = [...]suffixRule{
	{"al", ""}, {"ance", ""}, {"ence", ""}, {"er", ""}, {"ic", ""}, {"able", ""}, {"ible", ""},
	{"ant", ""}, {"ement", ""}, {"ment", ""}, {"ent", ""}, {"ou", ""}, {"ism", ""}, {"ate", ""},
	{"iti", ""}, {"ous", ""}, {"ive", ""}, {"ize", ""},
}

// replaceFirst applies the first rule whose suffix the word has, if the stem's
// measure is above least; no other rule is tried.
func replaceFirst(word string, rules []suffixRule, least int) string {
	for _, r := range rules {
		if stem, ok := strings.CutSuffix(word, r.suffix); ok {
			if measure(stem) > least {
				return stem + r.with
			}
			return word
		}
	}
	return word
}

// plural is step 1a; four-letter words keep their -ie (dies, but flies to fli).
func plural(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) == 4:
		return w[:len(w)-1]
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "ies"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"):
		return w
	}
	return strings.TrimSuffix(w, "s")
}

// pastOrGerund is step 1b.
func pastOrGerund(w string) string {
	if strings.HasSuffix(w, "ied") {
		if len(w) == 4 {
			return w[:len(w)-1]
		}
		return w[:len(w)-2]
	}
	if stem, ok := strings.CutSuffix(w, "eed"); ok {
		if measure(stem) > 0 {
			return stem + "ee"
		}
		return w
	}
	for _, suffix := range [...]string{"ed", "ing"} {
		if stem, ok := strings.CutSuffix(w, suffix); ok && hasVowel(stem) {
			return mend(stem)
		}
	}
	return w
}

// mend repairs a stem that has lost -ed or -ing.
func mend(stem string) string {
	last := stem[len(stem)-1]
	switch {
	case strings.HasSuffix(stem, "at"), strings.HasSuffix(stem, "bl"), strings.HasSuffix(stem, "iz"):
		return stem + "e"
	case endsDouble(stem):
		if last == 'l' || last == 's' || last == 'z' {
			return stem
		}
		return stem[:len(stem)-1]
	case measure(stem) == 1 && endsShort(stem):
		return stem + "e"
	}
	return stem
}

// finalY is step 1c: y to i after a consonant that is not the first letter.
func finalY(w string) string {
	stem, ok := strings.CutSuffix(w, "y")
	if ok && len(stem) > 1 && consonantAt(stem, len(stem)-1) {
		return stem + "i"
	}
	return w
}

// doubleSuffix is step 2. After -alli the step runs again; the l of -logi
// belongs to the stem that is measured.
func doubleSuffix(w string) string {
	if stem, ok := strings.CutSuffix(w, "alli"); ok && measure(stem) > 0 {
		return doubleSuffix(stem + "al")
	}
	if strings.HasSuffix(w, "logi") {
		if measure(w[:len(w)-3]) > 0 {
			return w[:len(w)-1]
		}
		return w
	}
	return replaceFirst(w, doubleSuffixes[:], 0)
}

// residualSuffix is step 4; -ion goes after s or t only.
func residualSuffix(w string) string {
	if stem, ok := strings.CutSuffix(w, "ion"); ok {
		if measure(stem) > 1 && (strings.HasSuffix(stem, "s") || strings.HasSuffix(stem, "t")) {
			return stem
		}
		return w
	}
	return replaceFirst(w, residualSuffixes[:], 1)
}

// finalE is step 5: a final e, and one l of two, after a long stem.
func finalE(w string) string {
	if stem, ok := strings.CutSuffix(w, "e"); ok {
		if m := measure(stem); m > 1 || m == 1 && !endsShort(stem) {
			w = stem
		}
	}
	if strings.HasSuffix(w, "ll") && measure(w[:len(w)-1]) > 1 {
		return w[:len(w)-1]
	}
	return w
}

// measure counts the changes from vowels to consonants.
func measure(w string) int {
	n, vowel := 0, false
	for i, consonant := 0, false; i < len(w); i++ {
		consonant = isConsonant(w[i], i > 0 && consonant)
		if consonant && vowel {
			n++
		}
		vowel = !consonant
	}
	return n
}

// isConsonant classes a letter; y is a vowel after a consonant.
func isConsonant(c byte, afterConsonant bool) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return !afterConsonant
	}
	return true
}

func consonantAt(w string, at int) bool {
	consonant := false
	for i := range at + 1 {
		consonant = isConsonant(w[i], i > 0 && consonant)
	}
	return consonant
}

func hasVowel(w string) bool {
	consonant := false
	for i := range len(w) {
		if consonant = isConsonant(w[i], i > 0 && consonant); !consonant {
			return true
		}
	}
	return false
}

func endsDouble(w string) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && consonantAt(w, n-1)
}

// endsShort is the paper's *o: consonant, vowel, consonant other than w, x or
// y; or a word of one vowel and one consonant.
func endsShort(w string) bool {
	n := len(w)
	if n == 2 {
		return !consonantAt(w, 0) && consonantAt(w, 1)
	}
	return n >= 3 && consonantAt(w, n-3) && !consonantAt(w, n-2) && consonantAt(w, n-1) &&
		!strings.ContainsRune("wxy", rune(w[n-1]))
}
