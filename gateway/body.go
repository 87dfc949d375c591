package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"newel"
)

// Body writes a request as the client's wire has it: the Messages wire where the
// dialect is anthropic, the URL ends in /messages or the host is
// api.anthropic.com, else chat completions. The same request gives the same
// bytes.
func (c *Client) Body(r Request) (Body, error) {
	if r.Model == "" {
		return Body{}, errors.New("a request needs a model")
	}
	if len(r.Messages) == 0 {
		return Body{}, errors.New("a request needs a message")
	}
	w := writer{members: make(map[string]newel.Raw, 8), client: c}
	var err error
	if c.messages {
		err = w.messagesWire(r)
	} else {
		err = w.chatWire(r)
	}
	if err != nil {
		return Body{}, fmt.Errorf("write the request: %w", err)
	}
	return w.body(r), nil
}

// writer collects the members of a body.
type writer struct {
	members map[string]newel.Raw
	client  *Client
	chars   int
	max     int
	// places are where in the messages member a file goes, from its beginning.
	places []place
}

// place is where a file's content goes into the body.
type place struct {
	at, end int // of the hash that stands there, with its quotes
	media   *Media
	url     bool // as a data URL, not bare Base64
}

// reserved are members that newel writes itself.
var reserved = []string{"messages", "model", "stream", "stream_options", "n"}

// params takes over what the suite asks for besides. A member of the request's
// own that is named there too keeps the suite's value.
func (w *writer) params(r Request, own ...string) error {
	for _, name := range slices.Sorted(maps.Keys(r.Params)) {
		if slices.Contains(reserved, name) || slices.Contains(own, name) {
			return fmt.Errorf("params: %s is not for params, newel writes it itself", name)
		}
		if strings.ContainsFunc(name, func(c rune) bool { return c > '~' }) {
			return fmt.Errorf("params: %s: names of parameters are ASCII", name)
		}
		raw, err := newel.CanonicalOf(r.Params[name])
		if err != nil {
			return fmt.Errorf("params: %s: %w", name, err)
		}
		w.members[name] = bytes.TrimSpace(raw)
	}
	return nil
}

// add puts a member in, unless the suite's params have it.
func (w *writer) add(name string, raw []byte) {
	if _, there := w.members[name]; !there {
		w.members[name] = raw
	}
}

func (w *writer) addText(name, text string) { w.add(name, newel.AppendString(nil, text)) }

func (w *writer) addInt(name string, n int) { w.add(name, strconv.AppendInt(nil, int64(n), 10)) }

// limit notes the most tokens of an answer, which params may set under any of
// their names.
func (w *writer) limit(max int, names ...string) bool {
	w.max = max
	for _, name := range names {
		if raw, ok := w.members[name]; ok {
			if n := wholeNumber(string(raw)); n != nil {
				w.max = int(*n)
			}
			return true
		}
	}
	return false
}

// body puts the members together in canonical order.
func (w *writer) body(r Request) Body {
	b := Body{Model: r.Model, Chars: w.chars, Max: w.max}
	names := slices.Sorted(maps.Keys(w.members)) // ASCII, so RFC 8785's order
	size := 2
	for name, raw := range w.members {
		size += len(name) + len(raw) + 4
	}
	out := append(make([]byte, 0, size), '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(newel.AppendString(out, name), ':')
		if name == "messages" {
			for _, p := range w.places {
				p.at, p.end = p.at+len(out), p.end+len(out)
				b.places = append(b.places, p)
				b.media = append(b.media, p.media)
			}
		}
		out = append(out, w.members[name]...)
	}
	b.names, b.Keyed = names, append(out, '}')
	return b
}

// messages writes the turns, each by a function of the wire.
func (w *writer) messages(list []Message, part func(dst []byte, p Part) ([]byte, error)) error {
	out := append(make([]byte, 0, roomFor(list)), '[')
	for i, m := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{"content":`...)
		var err error
		if out, err = w.content(out, m, part); err != nil {
			return fmt.Errorf("message %d: %w", i+1, err)
		}
		out = append(newel.AppendString(append(out, `,"role":`...), m.Role), '}')
	}
	w.members["messages"] = append(out, ']')
	return nil
}

// roomFor is about how many bytes turns take.
func roomFor(list []Message) int {
	size := 64
	for _, m := range list {
		for _, p := range m.Parts {
			size += len(p.Text) + len(p.Text)/16 + 64
		}
	}
	return size
}

// content writes one text as it is, anything else as a list of parts.
func (w *writer) content(out []byte, m Message, part func(dst []byte, p Part) ([]byte, error)) ([]byte, error) {
	for _, p := range m.Parts {
		w.chars += len(p.Text)
	}
	if len(m.Parts) == 1 && m.Parts[0].Media == nil {
		return w.text(out, m.Role, m.Parts[0].Text), nil
	}
	out = append(out, '[')
	for i, p := range m.Parts {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = part(out, p); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

// text writes a text. Those of the system are the same from call to call.
func (w *writer) text(out []byte, role, text string) []byte {
	if role != "system" {
		return newel.AppendString(out, text)
	}
	quoted, _ := w.client.systems.written(text, func() ([]byte, error) { return newel.AppendString(nil, text), nil })
	return append(out, quoted...)
}

// schema writes a schema in canonical form.
func (w *writer) schema(raw newel.Raw) (newel.Raw, error) {
	out, err := w.client.schemas.written(string(raw), func() ([]byte, error) { return newel.Canonical(raw) })
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return out, nil
}

// file writes the hash of a file where its content will stand.
func (w *writer) file(dst []byte, m *Media, url bool) []byte {
	at := len(dst)
	dst = newel.AppendString(dst, "sha256:"+m.SHA256.String())
	w.places = append(w.places, place{at, len(dst), m, url})
	return dst
}

// chatWire writes a chat-completions body.
func (w *writer) chatWire(r Request) error {
	if err := w.params(r); err != nil {
		return err
	}
	w.addText("model", r.Model)
	if !w.limit(r.MaxTokens, "max_completion_tokens", "max_tokens") && r.MaxTokens > 0 {
		w.addInt("max_completion_tokens", r.MaxTokens)
	}
	if r.Schema != nil {
		schema, err := w.schema(r.Schema)
		if err != nil {
			return err
		}
		w.add("response_format", append(append([]byte(`{"json_schema":{"name":"reply","schema":`), schema...), `,"strict":true},"type":"json_schema"}`...))
	}
	if r.Logprobs > 0 {
		w.add("logprobs", []byte("true"))
		w.addInt("top_logprobs", r.Logprobs)
	}
	return w.messages(r.Messages, w.chatPart)
}

// chatPart writes a part of a chat-completions message.
func (w *writer) chatPart(dst []byte, p Part) ([]byte, error) {
	m := p.Media
	if m == nil {
		return append(newel.AppendString(append(dst, `{"text":`...), p.Text), `,"type":"text"}`...), nil
	}
	family, _, _ := strings.Cut(m.Type, "/")
	switch family {
	case "image":
		return append(w.source(append(dst, `{"image_url":{"url":`...), m), `},"type":"image_url"}`...), nil
	case "video":
		return append(w.source(append(dst, `{"type":"video_url","video_url":{"url":`...), m), `}}`...), nil
	case "audio":
		if m.URL != "" {
			return nil, fmt.Errorf("%s: chat completions take sound as a file only, not by its URL", m.Type)
		}
		dst = w.file(append(dst, `{"input_audio":{"data":`...), m, false)
		dst = newel.AppendString(append(dst, `,"format":`...), audioFormat(m.Type))
		return append(dst, `},"type":"input_audio"}`...), nil
	}
	name := m.Name
	if name == "" {
		name = "document"
	}
	dst = w.source(append(dst, `{"file":{"file_data":`...), m)
	return append(newel.AppendString(append(dst, `,"filename":`...), name), `},"type":"file"}`...), nil
}

// source writes a URL, or a file as one.
func (w *writer) source(dst []byte, m *Media) []byte {
	if m.URL != "" {
		return newel.AppendString(dst, m.URL)
	}
	return w.file(dst, m, true)
}

func audioFormat(mime string) string {
	_, name, _ := strings.Cut(mime, "/")
	switch name = strings.TrimPrefix(name, "x-"); name {
	case "mpeg":
		return "mp3"
	case "wave", "vnd.wave":
		return "wav"
	case "mp4":
		return "m4a"
	}
	return name
}
