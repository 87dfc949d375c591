package ifeval

import (
	"slices"
	"strings"
)

// Demands on the whole reply: how it starts, ends and is divided, and what may not stand in it.

// quotation demands that the whole text stands in double quotes, in guillemets (French only) or in
// corner brackets (Japanese).
func quotation(v values) func(string) bool {
	pairs := [][2]string{{`"`, `"`}}
	switch v.lang {
	case "fr":
		pairs = append(pairs, [2]string{"«", "»"})
	case "ja":
		pairs = [][2]string{{"「", "」"}}
	}
	return func(text string) bool {
		text = strip(text)
		return slices.ContainsFunc(pairs, func(p [2]string) bool {
			return len(text) >= len(p[0])+len(p[1]) && strings.HasPrefix(text, p[0]) && strings.HasSuffix(text, p[1])
		})
	}
}

// endChecker demands the last words, in any case; quotes around the whole text are forgiven, and
// in Spanish a full stop after the words.
func endChecker(v values) func(string) bool {
	phrase := strings.ToLower(strip(v.text("end_phrase")))
	return func(text string) bool {
		text = strings.ToLower(strings.Trim(strip(text), `"`))
		if v.lang == "es" && !strings.HasSuffix(phrase, ".") {
			text = strings.TrimSuffix(text, ".")
		}
		return strings.HasSuffix(text, phrase)
	}
}

// repeatPrompt demands that the text begins with the request, word for word, in any case.
func repeatPrompt(v values) func(string) bool {
	prompt := strings.ToLower(strip(v.text("prompt_to_repeat")))
	return func(text string) bool { return strings.HasPrefix(strings.ToLower(strip(text)), prompt) }
}

// twoResponses demands two different answers with six asterisks between them.
func twoResponses(values) func(string) bool {
	return func(text string) bool {
		found, ok := parts(text, "******")
		return ok && len(found) == 2 && found[0] != found[1]
	}
}

func lacks(chars string) func(values) func(string) bool {
	return func(values) func(string) bool {
		return func(text string) bool { return !strings.ContainsAny(text, chars) }
	}
}
