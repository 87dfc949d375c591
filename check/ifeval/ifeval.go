// Package ifeval checks verifiable instructions: demands on the form of a text that a program can
// decide, such as "at least 300 words", "no commas" or "wrap the answer in double quotes". The
// families and their meaning are those of IFEval (Zhou et al. 2023, arXiv:2311.07911) for English
// and of M-IFEval (Dussolle et al. 2025, arXiv:2502.04688) for Spanish, French and Japanese, under
// the same ids and arguments, so that published prompt sets run as they are.
//
// An instruction is a pure function of the text. It leaves to others where the text comes from and
// what a broken instruction costs. Families that need a language detector, a sentence splitter or
// a word tokenizer answer as near to the published verdicts as a small one can; Families says
// which these are and how often they agree.
package ifeval

import (
	"newel"

	"fmt"
	"strings"
)

// Instruction is one compiled demand, safe for concurrent use. The zero value follows nothing.
type Instruction struct {
	id     string
	follow func(text string) bool
}

// Compile makes an instruction from its id and arguments. The id may carry its language
// ("fr:punctuation:no_comma"); without one it is English. Argument names and types are checked
// strictly; an argument whose value is nil counts as absent, since published files list every
// argument of every family that way. Numbers may be of any integer type or whole floats.
func Compile(id string, args map[string]any) (Instruction, error) {
	f, lang, err := find(id)
	if err != nil {
		return Instruction{}, err
	}
	v, err := f.read(lang, args)
	if err != nil {
		return Instruction{}, fmt.Errorf("instruction %q: %w", id, err)
	}
	return Instruction{id: id, follow: f.build(v)}, nil
}

// ID is the id that the instruction was compiled from.
func (in Instruction) ID() string { return in.id }

// Follow reports whether text follows the instruction as it stands. A blank text follows none.
func (in Instruction) Follow(text string) bool {
	return in.follow != nil && !blank(text) && in.follow(text)
}

// find gives the family and the language that id names.
func find(id string) (family, string, error) {
	lang, name := "en", id
	if l, rest, ok := strings.Cut(id, ":"); ok && strings.Contains(rest, ":") {
		lang, name = l, rest
	}
	for _, f := range families {
		if f.id == name && f.speaks(lang) {
			return f, lang, nil
		}
	}
	if near := newel.Nearest(lang+":"+name, ids()); near != "" {
		return family{}, "", fmt.Errorf("unknown instruction %q (did you mean %q?)", id, near)
	}
	return family{}, "", fmt.Errorf("unknown instruction %q", id)
}
