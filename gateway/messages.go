package gateway

import (
	"errors"
	"fmt"
	"strings"

	"newel"
)

// The Messages wire of Anthropic, which several gateways speak too.

// isMessages reports whether an answer is of the Messages wire.
func isMessages(r *response) bool {
	return r.at("choices") == nil && (r.text("type") == "message" || r.at("content") != nil && r.at("stop_reason") != nil)
}

// takeMessage reads an answer of the Messages wire.
func takeMessage(r *response, reply *Reply, c *newel.Call) {
	reply.Finish = messageFinish(r.text("stop_reason"))
	reply.Refused = r.text("stop_reason") == "refusal"
	reply.Text = contentText(r.at("content"))
	if reply.Refused && reply.Text == "" {
		reply.Text = strings.TrimSpace("refused " + r.text("stop_details", "category"))
	}
}

// messageFinish gives a stop reason the word that chat completions have for it.
func messageFinish(reason string) string {
	switch reason {
	case "end_turn", "stop_sequence":
		return "stop"
	case "max_tokens", "model_context_window_exceeded":
		return "length"
	case "tool_use":
		return "tool_calls"
	case "refusal":
		return "refusal"
	}
	return reason // pause_turn, and what comes later
}

// defaultMax is how many tokens an answer may have where the request does not
// say, on the Messages wire, which wants to be told.
const defaultMax = 1024

// messagesWire writes a body of the Messages wire. System texts go to their own
// member; a seed or logprobs it has not.
func (w *writer) messagesWire(r Request) error {
	if r.Logprobs > 0 {
		return errors.New("the Messages wire tells no logprobs: ask over chat completions, or without them")
	}
	if err := w.params(r, "system"); err != nil {
		return err
	}
	turns := r.Messages
	var system []byte
	for len(turns) > 0 && turns[0].Role == "system" {
		for _, p := range turns[0].Parts {
			if p.Media != nil {
				return errors.New("the Messages wire takes no file in a system message")
			}
			if system != nil {
				system = append(system, ',')
			}
			w.chars += len(p.Text)
			system, _ = w.messagesPart(system, p)
		}
		turns = turns[1:]
	}
	if system != nil {
		w.add("system", append(append([]byte{'['}, system...), ']'))
	}
	return w.messagesRest(r, turns)
}

func (w *writer) messagesRest(r Request, turns []Message) error {
	w.addText("model", r.Model)
	if !w.limit(r.MaxTokens, "max_tokens") {
		if w.max == 0 {
			w.max = defaultMax
		}
		w.addInt("max_tokens", w.max)
	}
	if r.Schema != nil {
		schema, err := w.schema(r.Schema)
		if err != nil {
			return err
		}
		w.add("output_config", append(append([]byte(`{"format":{"schema":`), schema...), `,"type":"json_schema"}}`...))
	}
	return w.messages(turns, w.messagesPart)
}

// messagesPart writes a content block.
func (w *writer) messagesPart(dst []byte, p Part) ([]byte, error) {
	m := p.Media
	if m == nil {
		return append(newel.AppendString(append(dst, `{"text":`...), p.Text), `,"type":"text"}`...), nil
	}
	kind := "document"
	switch family, _, _ := strings.Cut(m.Type, "/"); family {
	case "image":
		kind = "image"
	case "audio", "video":
		return nil, fmt.Errorf("%s: the Messages wire takes pictures and documents only", m.Type)
	}
	if m.URL != "" {
		dst = newel.AppendString(append(dst, `{"source":{"type":"url","url":`...), m.URL)
	} else {
		dst = w.file(append(dst, `{"source":{"data":`...), m, false)
		dst = newel.AppendString(append(dst, `,"media_type":`...), m.Type)
		dst = append(dst, `,"type":"base64"`...)
	}
	return append(newel.AppendString(append(dst, `},"type":`...), kind), '}'), nil
}
