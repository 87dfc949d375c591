package suite

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"newel"
)

// addYAMLError notes what the library says is no YAML, in words that say what
// to do.
func addYAMLError(file string, text []byte, err error, m *newel.Mistakes) {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		m.Add(newel.Pos{File: file}, "not YAML: %v", err)
		return
	}
	at, msg := load.Mark, ""
	if begun := load.ContextMark; beginsWrong(load) {
		at = begun
	}
	switch next := runeAt(text, at.Line, at.Column); {
	case next == '\t':
		msg = "a tab indents here: YAML indents with spaces"
	case strings.Contains(load.Message, "cannot start any token"):
		msg = fmt.Sprintf("a value cannot begin with %c: put the text in quotes", next)
	default:
		msg = reworded(load)
	}
	m.Add(newel.Pos{File: file, Line: at.Line, Column: at.Column}, "not YAML: %s", msg)
}

// beginsWrong reports whether what is wrong is better looked for where the
// construct begins than where the library gave up.
func beginsWrong(e *yaml.LoadError) bool {
	return e.ContextMark.Line > 0 &&
		(strings.Contains(e.Message, "unexpected end of stream") || strings.Contains(e.Message, "expected ':'"))
}

// reworded says what to do about the library's messages.
func reworded(e *yaml.LoadError) string {
	begun := e.ContextMark.Line
	for _, known := range []struct{ part, say string }{
		{"tab character", "a tab indents here: YAML indents with spaces"},
		{"mapping values are not allowed", `": " may stand once in a line, behind the key: put a text that holds it in quotes, or look at the indentation`},
		{"unexpected end of stream", "the text in quotes that begins here is not closed"},
		{"expected ',' or ']'", fmt.Sprintf("the list that begins on line %d lacks a comma or its ] before this", begun)},
		{"expected ',' or '}'", fmt.Sprintf("the map that begins on line %d lacks a comma or its } before this", begun)},
		{"expected node content", "a value is missing here, or a bracket is not closed"},
		{"expected key", fmt.Sprintf("this fits no key of the map that begins on line %d: look at the indentation, and at quotes and brackets before it", begun)},
		{"expected '-' indicator", fmt.Sprintf("this is no entry of the list that begins on line %d: begin it with -, or look at the indentation", begun)},
		{"expected ':'", "this line is no key with a value: a colon is missing, or a text goes on without indentation"},
		{"unknown anchor", "there is no anchor of this name; put a text that begins with * in quotes"},
		{"unknown escape", `a backslash in double quotes begins an escape: write two of them, or put the text in single quotes`},
		{"alphabetic or numeric", "& and * begin the name of an anchor: put the text in quotes"},
		{"<document start>", "a second value begins here; a suite is one map, and records go into a data file"},
		{"max depth", "values are nested too deep"},
	} {
		if strings.Contains(e.Message, known.part) {
			return known.say
		}
	}
	return e.Message
}

// runeAt returns the character at a line and column, 0 where there is none.
func runeAt(text []byte, line, column int) rune {
	for at := range strings.Lines(string(text)) {
		if line--; line > 0 {
			continue
		}
		for _, r := range at {
			if column--; column <= 0 {
				return r
			}
		}
		return 0
	}
	return 0
}

// unreadable returns the place of the first character that no text file
// holds, and says what is wrong with it; "" when all of text is fine.
func unreadable(file string, text []byte) (newel.Pos, string) {
	pos := newel.Pos{File: file, Line: 1, Column: 1}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return pos, "not UTF-8 text: save the file as UTF-8"
		case r < ' ' && r != '\n' && r != '\r' && r != '\t', r == 0x7f:
			return pos, fmt.Sprintf("not text: the file holds the control character %U", r)
		case r == '\n':
			pos.Line, pos.Column = pos.Line+1, 0
		}
		pos.Column++
		i += size
	}
	return pos, ""
}
