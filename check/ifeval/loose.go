package ifeval

import "strings"

// FollowLoose reports whether any of eight readings of text follows the instruction: the text as
// it is, without its first line (an introduction), without its last line (a farewell), without
// both, and each of the four without asterisks (Markdown emphasis). It forgives what models add
// around an answer; it also lets more wrong answers pass than Follow does.
func (in Instruction) FollowLoose(text string) bool {
	for _, v := range trimmed(text) {
		if in.Follow(v) || strings.Contains(v, "*") && in.Follow(strings.ReplaceAll(v, "*", "")) {
			return true
		}
	}
	return false
}

// trimmed gives text whole, then without its first line, its last line and both.
func trimmed(text string) [4]string {
	_, noFirst, _ := strings.Cut(text, "\n")
	noLast := beforeLast(text)
	return [4]string{text, strip(noFirst), strip(noLast), strip(beforeLast(noFirst))}
}

// beforeLast gives text without its last line; a single line leaves nothing.
func beforeLast(text string) string {
	return text[:max(strings.LastIndexByte(text, '\n'), 0)]
}
