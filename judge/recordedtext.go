package judge

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A reply that somebody recorded was asked for in a form of their own: it has no
// mark. What counts then is what stands last in it.

// readRecorded reads a reply that has no mark: the last JSON object with an
// answer, if nothing but a fence or a full stop follows it; else the last line,
// if it is a verdict, choice or score and nothing else, perhaps behind "Answer:".
// An object that stands so in the case was copied from it and does not count.
func (f *Form) readRecorded(text string, words map[string]string, from []string) (answer, error) {
	var last *object
	err := objects(text, func(o object) (bool, error) {
		if o.members[f.field()] == nil || copied(string(o.raw), from) {
			return true, nil
		}
		last = &o
		return false, nil
	})
	if err != nil {
		return answer{}, err
	}
	if last != nil && strings.Trim(text[last.end:], " \t\r\n`.") == "" {
		return f.readLoose(*last, words)
	}
	return f.readLine(lastLine(text), words)
}

func copied(text string, from []string) bool {
	for _, f := range from {
		if strings.Contains(f, text) {
			return true
		}
	}
	return false
}

// readLoose is readObject for an object of which less is known.
func (f *Form) readLoose(o object, words map[string]string) (answer, error) {
	a := answer{}
	a.why, _ = o.why()
	said, _ := o.members[f.field()].(string)
	if name, ok := words[fold(said)]; ok {
		a.word = name
		return a, nil
	}
	if err := f.readResult(o.members[f.field()], &a); err != nil {
		return a, err
	}
	if f.Kind == Score {
		a.at = o.start + o.valueAt("score")
	}
	return a, f.contradiction(o, a)
}

func lastLine(text string) string {
	text = strings.TrimRight(text, " \t\r\n`")
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// label is what may stand before an answer in its line.
var label = regexp.MustCompile(`(?i)^[\s*_#>-]*(?:my |the )?(?:final |overall )?(?:verdict|answer|choice|score|rating|grade|label|decision|judge?ment)[\s*_]*(?::|=|\bis\b)`)

// outOf is a score with the end of its scale: 4/5, 4 out of 5.
var outOf = regexp.MustCompile(`(?i)^(-?[0-9]+(?:\.[0-9]+)?)\s*(?:/|out of)\s*([0-9]+(?:\.[0-9]+)?)$`)

// readLine reads a line that is an answer and nothing else.
func (f *Form) readLine(line string, words map[string]string) (answer, error) {
	rest := line
	if at := label.FindStringIndex(line); at != nil {
		rest = line[at[1]:]
	}
	for _, t := range []string{line, rest, bare(line), bare(rest)} {
		if f.Kind == Score {
			if a, err := f.lineScore(t); err == nil {
				return a, nil
			}
			continue
		}
		if name, ok := words[fold(t)]; ok {
			return answer{word: name}, nil
		}
	}
	if f.Kind == Score {
		return answer{}, fmt.Errorf("the reply does not end in a score: %q", clip(line, 60))
	}
	return answer{}, fmt.Errorf("the reply does not end in %s: %q", strings.Join(f.words(), ", "), clip(line, 60))
}

// bare is a word without the marks that stand around it.
func bare(text string) string {
	return strings.Trim(text, " \t*_`'\"“”[].!")
}

func (f *Form) lineScore(text string) (answer, error) {
	text = strings.TrimSpace(text)
	if m := outOf.FindStringSubmatch(text); m != nil {
		if end, err := strconv.ParseFloat(m[2], 64); err != nil || end != f.Scale.Max {
			return answer{}, errors.New("another scale")
		}
		text = m[1]
	}
	a := answer{}
	err := f.readResult(text, &a)
	return a, err
}
