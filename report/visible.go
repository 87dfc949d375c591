package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Visible returns text in which nothing acts on a terminal or hides from its
// reader: control characters (escape sequences begin with one), line ends,
// bidirectional controls, invisible characters and broken UTF-8 become escapes
// such as \n, \x1b and \u202e. Backslashes stay as they are, so the result is
// for reading, not for parsing. Letters of all scripts, emoji and their joiners
// pass.
func Visible(text string) string { return visible(text, "") }

// visible is Visible with the characters of keep left alone.
func visible(text, keep string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case !acts(r) || strings.ContainsRune(keep, r):
			b.WriteRune(r)
		default:
			b.WriteString(escapeOf(r))
		}
		i += size
	}
	return b.String()
}

// plain reports whether text is printable ASCII: nearly all of it is.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

func escapeOf(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// acts reports whether r moves the cursor, changes the direction of what
// follows, or shows as nothing. The joiners U+200C and U+200D, which Persian and
// emoji need, do not count.
func acts(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0: // C0, DEL, C1
		return true
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x180e: // soft hyphen, joiner, Arabic mark, vowel separator
		return true
	case r == 0x200b, r == 0x200e, r == 0x200f: // zero width space, direction marks
		return true
	case r >= 0x2028 && r <= 0x202e: // line and paragraph ends, embeddings, overrides
		return true
	case r >= 0x2060 && r <= 0x206f: // word joiner, invisible operators, isolates
		return true
	case r == 0xfeff, r >= 0xfff0 && r <= 0xfffb, r == 0xfffe, r == 0xffff:
		return true
	case r >= 0xe0000 && r <= 0xe0fff: // tags and other unseen characters
		return true
	}
	return false
}

// clip returns at most n characters of text, the last one an ellipsis where
// something was cut off.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	seen := 0
	cut := 0
	for i := range text {
		if seen == n-1 {
			cut = i
		}
		if seen++; seen > n {
			return text[:cut] + "…"
		}
	}
	return text
}

// ShellWord returns text as one word of a shell command.
func ShellWord(text string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._:/@%+=,-", r)
	}
	text = Visible(text)
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !safe(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
