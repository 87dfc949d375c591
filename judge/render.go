package judge

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"newel"
	"newel/gateway"
)

// maxText is how long the rendered case may be, in bytes.
const maxText = 8 << 20

// ask is what one criterion is about: its text, and which of a pair is shown
// first.
type ask struct {
	criterion string
	swapped   bool
}

// question is a prompt filled from a case.
type question struct {
	system, user string
	mark         string
	files        []gateway.Part
}

// wrongCase says that a case lacks what the prompt asks of it, or has it in a
// form that cannot be shown.
type wrongCase struct {
	kind newel.ErrorKind
	text string
}

func (e *wrongCase) Error() string { return e.text }

// render fills the prompt. The error is a newel.MissingError, a
// newel.OutputError or a wrongCase.
func (j *Judge) render(s *newel.Subject, a ask, files []gateway.Part) (*question, error) {
	pieces, at, err := j.pieces(s, a)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Media.URL + f.Media.SHA256.String()
	}
	all := pieces
	if a.criterion != "" {
		all = append(all, piece{tag: "criterion", text: a.criterion})
	}
	q := &question{files: files, mark: markOf(j.def.Prompt.Hash, all, names)}
	q.system = j.system(a.criterion)
	q.user = j.user(pieces, at, q.mark)
	if len(q.user) > maxText {
		return nil, &wrongCase{newel.KindTooLarge, fmt.Sprintf("the case fills the prompt with more than %d MiB", maxText>>20)}
	}
	return q, nil
}

// system is what is the same for all cases, so that providers can keep it: the
// prompt's own instructions, then how the case is marked and what the answer
// looks like.
func (j *Judge) system(criterion string) string {
	if criterion == "" {
		return j.head
	}
	var b strings.Builder
	b.Grow(len(j.head) + len(criterion) + 64)
	for _, s := range j.def.Prompt.head {
		if s.name == "criterion" {
			b.WriteString("<criterion>\n" + strings.TrimSpace(criterion) + "\n</criterion>")
		} else {
			b.WriteString(s.literal)
		}
	}
	b.WriteString(j.tail)
	return b.String()
}

// user is the message with the case.
func (j *Judge) user(pieces []piece, at []int, mark string) string {
	end := closing(mark)
	size := len(end) + 256
	for _, p := range pieces {
		size += len(p.text) + len(p.attrs) + 2*(len(p.tag)+len(mark)) + 16
	}
	for _, s := range j.def.Prompt.body {
		size += len(s.literal)
	}
	b := make([]byte, 0, size)
	b = append(append(append(b, "The mark of this case is "...), mark...), ".\n\n"...)
	next, skip := 0, false
	for i, s := range j.def.Prompt.body {
		if s.name == "" {
			text := s.literal
			if skip {
				text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
			}
			b, skip = append(b, text...), false
			continue
		}
		for next < at[i] {
			b = appendFenced(b, pieces[next], mark)
			next++
		}
		skip = s.alone || len(b) > 0 && b[len(b)-1] == '\n'
	}
	if len(b) > 0 && b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	return string(append(b, end...))
}

// pieces returns the values that fill the body, and for each of its parts how
// many pieces there are up to its end.
func (j *Judge) pieces(s *newel.Subject, a ask) ([]piece, []int, error) {
	body := j.def.Prompt.body
	pieces, at := make([]piece, 0, len(body)+4), make([]int, len(body))
	for i, slot := range body {
		if slot.name != "" {
			var err error
			if pieces, err = j.appendValue(pieces, s, slot, a); err != nil {
				var missing *newel.MissingError
				if !slot.optional || !errors.As(err, &missing) {
					return nil, nil, err
				}
			}
		}
		at[i] = len(pieces)
	}
	return pieces, at, nil
}

// appendValue adds the pieces of one slot.
func (j *Judge) appendValue(pieces []piece, s *newel.Subject, slot slot, a ask) ([]piece, error) {
	switch name := slot.name; {
	case name == "first" || name == "second":
		text, err := j.output(s, (name == "second") != a.swapped)
		if err != nil {
			return pieces, err
		}
		return append(pieces, piece{tag: name, text: text}), nil
	case name == "output":
		text, err := j.judged(s)
		if err != nil {
			return pieces, err
		}
		return append(pieces, piece{tag: "output", text: text}), nil
	case name == "input":
		return appendInput(pieces, s)
	case name == "context":
		return appendContext(pieces, s)
	}
	v, err := s.Lookup(slot.path)
	if err != nil {
		return pieces, err
	}
	if v == nil {
		return pieces, &newel.MissingError{Path: slot.path.String()}
	}
	text, err := written(v)
	if err != nil {
		return pieces, err
	}
	return append(pieces, piece{tag: slot.tag, text: text}), nil
}

// judged is what the judge is to judge, as text.
func (j *Judge) judged(s *newel.Subject) (string, error) {
	if j.def.At.IsZero() {
		return s.Text()
	}
	v, err := s.Lookup(j.def.At)
	if err != nil {
		return "", err
	}
	return written(v)
}

// output is one of a pair, as text.
func (j *Judge) output(s *newel.Subject, second bool) (string, error) {
	name := j.def.Pair[0]
	if second {
		name = j.def.Pair[1]
	}
	raw := newel.Find(s.Case.Outputs, name)
	if raw == nil {
		return "", &newel.MissingError{Path: "outputs." + name}
	}
	return (&newel.Subject{Case: s.Case, Output: raw}).Text()
}

// appendInput adds the input: a text, each message by itself, or JSON.
func appendInput(pieces []piece, s *newel.Subject) ([]piece, error) {
	if s.Case.Input == nil {
		return pieces, &newel.MissingError{Path: "input"}
	}
	v, err := newel.ParseJSON(s.Case.Input)
	if err != nil {
		return pieces, &wrongCase{newel.KindCase, "input: " + err.Error()}
	}
	if messages, ok := messagesOf(v); ok {
		for i, m := range messages {
			p := piece{tag: "input." + strconv.Itoa(i+1), attrs: attr("role", m.role), text: m.text}
			pieces = append(pieces, p)
		}
		return pieces, nil
	}
	text, err := written(v)
	if err != nil {
		return pieces, err
	}
	return append(pieces, piece{tag: "input", text: text}), nil
}

type message struct{ role, text string }

// messagesOf reads chat messages; false for anything else.
func messagesOf(v any) ([]message, bool) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, false
	}
	out := make([]message, len(list))
	for i, e := range list {
		m, _ := e.(map[string]any)
		role, isMessage := m["role"].(string)
		if !isMessage {
			return nil, false
		}
		text, isText := m["content"].(string)
		if !isText || len(m) > 2 {
			rest := make(map[string]any, len(m))
			for k, v := range m {
				if k != "role" {
					rest[k] = v
				}
			}
			raw, err := newel.CanonicalOf(rest)
			if err != nil {
				return nil, false
			}
			text = string(bytes.TrimSpace(raw))
		}
		out[i] = message{role, text}
	}
	return out, true
}

// appendContext adds each passage by itself, so that none can pass for two.
func appendContext(pieces []piece, s *newel.Subject) ([]piece, error) {
	if len(s.Context) == 0 {
		return pieces, &newel.MissingError{Path: "context"}
	}
	for i, p := range s.Context {
		one := piece{tag: "context." + strconv.Itoa(i+1), text: p.Text}
		if p.ID != "" {
			one.attrs = attr("id", p.ID)
		}
		pieces = append(pieces, one)
	}
	return pieces, nil
}

func attr(name, value string) string { return " " + name + "=" + strconv.Quote(value) }

// written is a value as text: a text as it is, anything else as JSON.
func written(v any) (string, error) {
	if text, ok := v.(string); ok {
		return text, nil
	}
	raw, err := newel.CanonicalOf(v)
	if err != nil {
		return "", &wrongCase{newel.KindCase, err.Error()}
	}
	return string(bytes.TrimSpace(raw)), nil
}
