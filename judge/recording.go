package judge

import (
	"bytes"
	"fmt"

	"newel"
)

// Recording holds replies that were recorded in a file, by call key or by case.
type Recording struct {
	keys  map[newel.Hash]reply
	cases map[recordedCase][]reply
}

// recordedCase names a row; an empty rubric stands for all.
type recordedCase struct{ id, rubric string }

// keyed reports whether replies can be found by call key.
func (r *Recording) keyed() bool { return r != nil && len(r.keys) > 0 }

// ReadRecording reads a file of JSON lines, each an object of
//
//	call_key          the key of the call, in hexadecimal; or
//	case, rubric      the case's id and, where it matters, the rubric's name
//	reply, replies    a text, or {text, refused, finish, tokens}; or a list of
//	                  them, in the order of the row's calls
//
// What is wrong with it is noted, each with its line.
func ReadRecording(file string, data []byte, m *newel.Mistakes) *Recording {
	r := &Recording{keys: map[newel.Hash]reply{}, cases: map[recordedCase][]reply{}}
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if err := r.line(text); err != nil {
			m.Add(newel.Pos{File: file, Line: line}, "%v", err)
		}
	}
	if len(r.keys)+len(r.cases) == 0 && m.Len() == 0 {
		m.Add(newel.Pos{File: file}, "the file holds no reply")
	}
	return r
}

func (r *Recording) line(text []byte) error {
	v, err := newel.ParseJSON(bytes.TrimSpace(text))
	if err != nil {
		return err
	}
	members, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("a recorded reply is an object of call_key or case, and reply or replies")
	}
	for name := range members {
		switch name {
		case "call_key", "case", "rubric", "reply", "replies":
		default:
			return fmt.Errorf("a recorded reply has no %q%s", name, newel.DidYouMean(name, []string{"call_key", "case", "rubric", "reply", "replies"}))
		}
	}
	replies, err := repliesOf(members)
	if err != nil {
		return err
	}
	return r.put(members, replies)
}

func (r *Recording) put(members map[string]any, replies []reply) error {
	id, byCase := members["case"].(string)
	hex, byKey := members["call_key"].(string)
	if byCase == byKey {
		return fmt.Errorf("a recorded reply belongs to a case or to a call_key, one of them, as a text")
	}
	if byKey {
		var key newel.Hash
		if err := key.UnmarshalText([]byte(hex)); err != nil {
			return fmt.Errorf("call_key: %w", err)
		}
		if _, twice := r.keys[key]; twice || len(replies) != 1 {
			return fmt.Errorf("call_key %s has more than one reply", hex)
		}
		r.keys[key] = replies[0]
		return nil
	}
	rubric, ok := members["rubric"].(string)
	if !ok && members["rubric"] != nil {
		return fmt.Errorf("rubric is a text")
	}
	at := recordedCase{id, rubric}
	if _, twice := r.cases[at]; twice {
		return fmt.Errorf("case %q stands twice: put its replies into a list, replies", id)
	}
	r.cases[at] = replies
	return nil
}

// repliesOf reads reply or replies.
func repliesOf(members map[string]any) ([]reply, error) {
	one, single := members["reply"]
	many, several := members["replies"].([]any)
	if single == (members["replies"] != nil) || members["replies"] != nil && !several {
		return nil, fmt.Errorf("a line has reply, or replies as a list")
	}
	if single {
		many = []any{one}
	}
	out := make([]reply, len(many))
	for i, v := range many {
		var err error
		if out[i], err = replyOf(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// replyOf reads a text, or an object with more about it. Null is an empty reply,
// a number its digits.
func replyOf(v any) (reply, error) {
	switch v := v.(type) {
	case nil:
		return reply{}, nil
	case string:
		return reply{Text: v}, nil
	case map[string]any:
		if _, ok := v["text"].(string); !ok {
			break
		}
		raw, err := newel.CanonicalOf(v)
		if err != nil {
			return reply{}, err
		}
		return decodeReply(raw)
	case bool, []any:
	default:
		text, err := written(v)
		return reply{Text: text}, err
	}
	return reply{}, fmt.Errorf("a reply is a text, or {text, refused, finish, tokens}")
}

// of returns the replies of a row; false where there are none.
func (r *Recording) of(id, rubric string) ([]reply, bool) {
	if out, ok := r.cases[recordedCase{id, rubric}]; ok {
		return out, true
	}
	out, ok := r.cases[recordedCase{id, ""}]
	return out, ok
}

// replayAll reads recorded replies in place of calls.
func (j *Judge) replayAll(s *newel.Subject, p *plan, outcomes []outcome) error {
	list, err := j.recordedFor(s, p)
	if err != nil {
		return err
	}
	from := texts(s)
	for i, c := range p.calls {
		outcomes[i] = j.replay(s, c, list[i], from)
	}
	return nil
}

// found is a recorded reply; key is zero where it was found by its case.
type found struct {
	reply
	key newel.Hash
}

// recordedFor returns the replies of a row in the order of its calls.
func (j *Judge) recordedFor(s *newel.Subject, p *plan) ([]found, error) {
	out := make([]found, len(p.calls))
	if j.def.Replies.IsZero() {
		whole, err := j.byKey(s, p, out)
		if err != nil || whole {
			return out, err
		}
	}
	list, err := j.byCase(s)
	if err != nil {
		return nil, err
	}
	if len(list) != len(p.calls) {
		return nil, &wrongCase{newel.KindCase, fmt.Sprintf("there are %d recorded replies; the row takes %d calls", len(list), len(p.calls))}
	}
	for i := range list {
		out[i].reply = list[i]
	}
	return out, nil
}

// byKey finds each call's reply by its key; false where one is not there.
func (j *Judge) byKey(s *newel.Subject, p *plan, out []found) (bool, error) {
	if !j.def.Recording.keyed() || j.env.Client == nil {
		return false, nil
	}
	for i, c := range p.calls {
		_, key, err := j.key(s, c, j.request(c), 0)
		if err != nil {
			return false, err
		}
		r, ok := j.def.Recording.keys[key]
		if !ok {
			return false, nil
		}
		out[i] = found{r, key}
	}
	return true, nil
}

func (j *Judge) byCase(s *newel.Subject) ([]reply, error) {
	if j.def.Replies.IsZero() {
		list, ok := j.def.Recording.of(s.Case.ID, j.def.Rubric)
		if !ok {
			return nil, &wrongCase{newel.KindCase, "no reply is recorded for the case"}
		}
		return list, nil
	}
	v, err := s.Lookup(j.def.Replies)
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	out := make([]reply, len(list))
	for i, e := range list {
		if out[i], err = replyOf(e); err != nil {
			return nil, &wrongCase{newel.KindCase, fmt.Sprintf("%s: %v", j.def.Replies, err)}
		}
	}
	return out, nil
}

// replay reads one recorded reply. One that was found by its call's key was
// asked for in newel's form and must have the mark.
func (j *Judge) replay(s *newel.Subject, c call, r found, from []string) outcome {
	o := outcome{}
	raw, err := newel.CanonicalOf(r.reply)
	if err != nil {
		return o.fail(newel.KindUnparsable, err.Error())
	}
	o.refs = []newel.CallRef{{Key: r.key, Reply: newel.HashOf(bytes.TrimSpace(raw)), Recorded: true}}
	if !r.key.IsZero() {
		return o.done(j.read(r.reply, c))
	}
	if err := r.standing(j.maxTokens()); err != nil {
		return o.fail(newel.KindUnparsable, err.Error())
	}
	if j.def.Extract != nil {
		cut, err := j.def.Extract(s, r.Text)
		if err != nil {
			return o.fail(newel.KindUnparsable, err.Error())
		}
		return o.done(j.def.Form.readLine(cut, j.words))
	}
	a, err := j.def.Form.readRecorded(r.Text, j.words, from)
	if err == nil && j.def.Logprobs {
		j.def.Form.weigh(&a, r.reply)
	}
	return o.done(a, err)
}

// texts are the texts of a case that a judge may have copied from.
func texts(s *newel.Subject) []string {
	var out []string
	if text, err := s.Text(); err == nil {
		out = append(out, text)
	}
	for _, raw := range append([]newel.Raw{s.Case.Input}, outputs(s)...) {
		if raw.Kind() == '"' {
			if text, err := newel.Unquote(raw); err == nil {
				out = append(out, text)
			}
		}
	}
	for _, p := range s.Context {
		out = append(out, p.Text)
	}
	return out
}

func outputs(s *newel.Subject) []newel.Raw {
	var out []newel.Raw
	for _, o := range s.Case.Outputs {
		out = append(out, o.Value)
	}
	return out
}
