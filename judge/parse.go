package judge

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"newel"
)

// answer is one reply, read.
type answer struct {
	word  string  // pass or fail, or a choice
	score float64 // of a score
	why   string  // the judge's reasoning
	at    int     // of a score: where its digits begin in the reply
	mass  float64 // of a weighed score: the likelihood that fell on scores; 0: not weighed
	plain string  // why a score that was to be weighed was not
}

// result is what two answers must share to say the same.
func (a answer) result() string {
	if a.word != "" {
		return a.word
	}
	return strconv.FormatFloat(a.score, 'g', -1, 64)
}

// readMarked reads the reply of a judge that was asked for an object with the
// mark of its case. Nothing without the mark counts: text that the reply repeats
// from the case cannot have it, since the mark is a hash of that text. Where
// several objects have it they must say the same.
func (f *Form) readMarked(text, mark string) (answer, error) {
	var found *answer
	unmarked := false
	var wrong error
	err := objects(text, func(o object) (inside bool, err error) {
		given, _ := o.members["check"].(string)
		if !strings.EqualFold(strings.TrimSpace(given), mark) {
			unmarked = unmarked || o.members[f.field()] != nil
			return true, nil
		}
		a, err := f.readObject(o)
		if err != nil {
			wrong = err
			return false, nil
		}
		if found != nil && found.result() != a.result() {
			return false, fmt.Errorf("the reply has two answers, %s and %s", found.result(), a.result())
		}
		found = &a
		return false, nil
	})
	switch {
	case err != nil:
		return answer{}, err
	case wrong != nil:
		return answer{}, wrong
	case found != nil:
		return *found, nil
	case unmarked:
		return answer{}, errors.New(`the reply has an answer without the mark of its case as "check"`)
	}
	return answer{}, errors.New("the reply has no JSON object with an answer")
}

// readObject reads an answer's members. All that were asked for must be there,
// and none may contradict the result.
func (f *Form) readObject(o object) (answer, error) {
	a := answer{}
	result, ok := o.members[f.field()]
	if !ok {
		return a, fmt.Errorf("the answer has no %q", f.field())
	}
	if a.why, ok = o.why(); !ok {
		return a, errors.New(`the answer has no "analysis"`)
	}
	if err := f.readResult(result, &a); err != nil {
		return a, err
	}
	if f.Kind == Score {
		a.at = o.start + o.valueAt("score")
	}
	return a, f.contradiction(o, a)
}

// misfit is a result that is none of those asked for. What it says is the
// judge's, and told to people alone: sent back in a message of newel's own, words
// that an attack had put into the judge's mouth would gain by it.
type misfit struct{ what, said string }

func (e *misfit) Error() string { return fmt.Sprintf("%s: %q", e.what, clip(e.said, 60)) }

// why is the judge's account, under the name that was asked for or another that
// models give it.
func (o object) why() (string, bool) {
	for _, name := range [...]string{"analysis", "reasoning", "reason", "explanation"} {
		if text, ok := o.members[name].(string); ok {
			return text, true
		}
	}
	return "", false
}

func (f *Form) readResult(v any, a *answer) error {
	if f.Kind == Score {
		score, ok := newel.Float(v)
		if text, isText := v.(string); isText {
			s, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			score, ok = s, err == nil
		}
		if !ok {
			return errors.New("the score is no number")
		}
		if !(score >= f.Scale.Min && score <= f.Scale.Max) {
			return fmt.Errorf("the score %s is not within %s to %s", plain(score), plain(f.Scale.Min), plain(f.Scale.Max))
		}
		a.score = score
		return nil
	}
	text, _ := v.(string)
	for _, w := range f.words() {
		if foldASCII(strings.TrimSpace(text)) == w {
			a.word = w
			return nil
		}
	}
	for _, o := range f.Options {
		if slices.ContainsFunc(o.Words, func(w string) bool { return fold(w) == fold(text) }) {
			a.word = o.Name
			return nil
		}
	}
	return &misfit{fmt.Sprintf("the %s is none of %s", f.field(), strings.Join(f.words(), ", ")), text}
}

// contradiction says which member of an answer denies its result: a verdict
// beside a score on the other side of the bar, or two verdicts.
func (f *Form) contradiction(o object, a answer) error {
	passes := a.word == "pass"
	switch f.Kind {
	case Score:
		passes = a.score >= f.Scale.Pass
	case Choice:
		return nil
	}
	for _, name := range [...]string{"verdict", "passed", "pass"} {
		said := ""
		switch v := o.members[name].(type) {
		case string:
			said = fold(v)
		case bool:
			said = map[bool]string{true: "pass", false: "fail"}[v]
		}
		if said == "pass" && !passes || said == "fail" && passes {
			return fmt.Errorf("the answer contradicts itself: %s is %s beside %s %s", name, said, f.field(), a.result())
		}
	}
	return nil
}

// object is a JSON object within a text.
type object struct {
	members    map[string]any
	raw        []byte
	start, end int
}

// scanWork bounds the work of looking for objects: bytes looked at for each
// byte of text.
const scanWork = 4

// objects calls visit with each JSON object in a text, in order; where visit
// says so also with those inside it. It stops at an error.
func objects(text string, visit func(o object) (inside bool, err error)) error {
	work := scanWork*len(text) + 64<<10
	raw := []byte(text)
	for at := 0; ; {
		next := bytes.IndexByte(raw[at:], '{')
		if next < 0 {
			return nil
		}
		at += next
		o, read := objectAt(raw, at)
		if work -= read; work < 0 {
			return errors.New("the reply has too many braces that close nothing")
		}
		if o.members == nil {
			at++
			continue
		}
		inside, err := visit(o)
		if err != nil {
			return err
		}
		if at++; !inside {
			at = o.end
		}
	}
}

// objectAt reads the object that starts at an offset, and says how many bytes
// were looked at. Members that stand twice make it none.
func objectAt(raw []byte, at int) (object, int) {
	rest := bytes.TrimLeft(raw[at+1:], " \t\r\n")
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '}' {
		return object{}, 1
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw[at:]))
	value, err := dec.ReadValue()
	read := int(dec.InputOffset())
	if err != nil {
		return object{}, max(errorOffset(err, len(raw)-at), 1)
	}
	v, err := newel.ParseJSON(value)
	members, _ := v.(map[string]any)
	if err != nil {
		members = nil
	}
	return object{members, value, at, at + read}, 2 * read
}

// errorOffset is how far a decoder got in size bytes before it failed.
func errorOffset(err error, size int) int {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && syntax.ByteOffset > 0 {
		return int(syntax.ByteOffset)
	}
	return size
}

// valueAt returns the offset of a member's value within the object.
func (o object) valueAt(name string) int {
	dec := jsontext.NewDecoder(bytes.NewBuffer(o.raw))
	if _, err := dec.ReadToken(); err != nil {
		return 0
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return 0
		}
		found := key.String() == name
		value, err := dec.ReadValue()
		if err != nil {
			return 0
		}
		if found {
			return int(dec.InputOffset()) - len(value)
		}
	}
	return 0
}
