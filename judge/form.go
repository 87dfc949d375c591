package judge

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"newel"
)

// Kind is what a judge answers.
type Kind uint8

const (
	// Verdict is pass or fail.
	Verdict Kind = iota
	// Score is a number on a scale.
	Score
	// Choice is one of several words.
	Choice
)

var kindNames = [...]string{"verdict", "score", "choice"}

// String returns the word that a suite writes.
func (k Kind) String() string { return kindNames[k%3] }

// ParseKind reads the word that a suite writes.
func ParseKind(word string) (Kind, bool) {
	i := slices.Index(kindNames[:], word)
	return Kind(max(i, 0)), i >= 0
}

// Kinds lists the words that ParseKind reads.
func Kinds() []string { return kindNames[:] }

// Scale is what a score is given on. A score of Pass or more passes.
type Scale struct{ Min, Max, Pass float64 }

// whole reports whether scores are whole numbers: both ends are, and there is
// room between them.
func (s Scale) whole() bool {
	return s.Min == math.Trunc(s.Min) && s.Max == math.Trunc(s.Max) && s.Max-s.Min >= 2
}

// Digits reports whether each score is one digit, so that one token of the
// answer is the score.
func (s Scale) Digits() bool { return s.whole() && s.Min >= 0 && s.Max <= 9 }

// Option is one choice, with further replies that mean it.
type Option struct {
	Name  string
	Words []string
}

// Form is what an answer must look like.
type Form struct {
	Kind    Kind
	Scale   Scale    // of a score
	Options []Option // of a choice, in the order shown
}

// Tie is the choice between two outputs of which none is better.
const Tie = "tie"

// field is the member of the answer that holds its result.
func (f *Form) field() string {
	switch f.Kind {
	case Score:
		return "score"
	case Choice:
		return "choice"
	}
	return "verdict"
}

// words are the results that the model is told of, nil for a score.
func (f *Form) words() []string {
	switch f.Kind {
	case Score:
		return nil
	case Verdict:
		return []string{"pass", "fail"}
	}
	names := make([]string, len(f.Options))
	for i, o := range f.Options {
		names[i] = o.Name
	}
	return names
}

// plainWords are replies that mean a verdict where nobody asked for a form.
var plainWords = []Option{
	{"pass", []string{"passed", "passes", "yes", "true"}},
	{"fail", []string{"failed", "fails", "no", "false"}},
}

// index finds the result that a word means.
func (f *Form) index() map[string]string {
	options := f.Options
	switch f.Kind {
	case Score:
		return nil
	case Verdict:
		options = plainWords
	}
	m := make(map[string]string, 2*len(options))
	for _, o := range options {
		m[fold(o.Name)] = o.Name
		for _, w := range o.Words {
			m[fold(w)] = o.Name
		}
	}
	return m
}

// fold is a word as it is compared.
func fold(word string) string { return strings.ToLower(strings.TrimSpace(word)) }

// foldASCII is lower case for letters of ASCII alone: no other letter makes a
// verdict.
func foldASCII(word string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, word)
}

// Twice returns a word that means two of the options, "" if none does.
func Twice(options []Option) string {
	seen := map[string]string{}
	for _, o := range options {
		for _, w := range append([]string{o.Name}, o.Words...) {
			w = fold(w)
			if of, ok := seen[w]; ok && of != o.Name {
				return w
			}
			seen[w] = o.Name
		}
	}
	return ""
}

// schema is the answer's JSON Schema, in the subset that providers take with
// strict: all properties required, no others, no bounds on numbers. Models write
// the members in the order of their names, which is that of canonical JSON:
// analysis comes ahead of every result.
func (f *Form) schema() newel.Raw {
	b := []byte(`{"additionalProperties":false,"properties":{"analysis":{"type":"string"},"check":{"type":"string"},`)
	b = newel.AppendString(b, f.field())
	b = append(b, ':')
	if f.Kind == Score {
		kind := "number"
		if f.Scale.whole() {
			kind = "integer"
		}
		b = append(b, `{"type":"`+kind+`"}`...)
	} else {
		b = append(b, `{"enum":[`...)
		for i, w := range f.words() {
			if i > 0 {
				b = append(b, ',')
			}
			b = newel.AppendString(b, w)
		}
		b = append(b, `],"type":"string"}`...)
	}
	b = append(b, `},"required":["analysis","check",`...)
	return append(newel.AppendString(b, f.field()), `],"type":"object"}`...)
}

// plain writes a number without an exponent.
func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
