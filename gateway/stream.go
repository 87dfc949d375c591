package gateway

import (
	"bytes"
	"encoding/json"
	"strings"

	"newel"
)

// looksLikeStream reports whether a body is a stream of events, which a gateway
// may send though none was asked for.
func looksLikeStream(contentType string, body []byte) bool {
	if strings.HasPrefix(contentType, "text/event-stream") {
		return true
	}
	start := bytes.TrimLeft(body[:min(len(body), 64)], " \r\n")
	return bytes.HasPrefix(start, []byte("data:")) || bytes.HasPrefix(start, []byte("event:"))
}

// joinChunks adds up a stream of either wire into the object that would have
// come without streaming. Of usage the last chunk counts, on the Messages wire
// the greatest number of each field; nothing is ever summed. Cut reports that
// the end was never said.
func joinChunks(body []byte) (object map[string]any, cut bool) {
	j := &joiner{object: map[string]any{}}
	for line := range bytes.Lines(body) {
		data, ok := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data:"))
		if !ok {
			continue
		}
		data = bytes.TrimSpace(data)
		if string(data) == "[DONE]" {
			j.ended = true
			continue
		}
		if chunk := decodeObject(data); chunk != nil {
			j.add(chunk)
		}
	}
	j.close()
	return j.object, !j.ended && j.finish == nil
}

// joiner adds up chunks.
type joiner struct {
	object    map[string]any
	text      strings.Builder
	refusal   strings.Builder
	finish    any
	logprobs  []newel.Raw
	toolCalls bool
	chat      bool // a choice was seen
	messages  bool // the Messages wire
	ended     bool
}

func (j *joiner) add(chunk map[string]any) {
	if kind := textOf(chunk["type"]); kind != "" && chunk["choices"] == nil {
		j.event(kind, chunk)
		return
	}
	for name, v := range chunk {
		if name != "choices" && (v != nil || j.object[name] == nil) {
			j.object[name] = v
		}
	}
	choices, _ := chunk["choices"].([]any)
	for _, c := range choices {
		j.choice(c)
	}
}

// choice adds the first choice's delta.
func (j *joiner) choice(c any) {
	if i := intOf(dig(c, "index")); i != nil && *i != 0 {
		return
	}
	j.chat = true
	delta := dig(c, "delta")
	j.text.WriteString(textOf(dig(delta, "content")))
	j.refusal.WriteString(textOf(dig(delta, "refusal")))
	if f := dig(c, "finish_reason"); f != nil {
		j.finish = f
	}
	if calls, ok := dig(delta, "tool_calls").([]any); ok && len(calls) > 0 {
		j.toolCalls = true
	}
	if raw, ok := dig(c, "logprobs").(newel.Raw); ok && raw.Kind() == '{' {
		j.logprobs = append(j.logprobs, raw)
	}
}

// event adds an event of the Messages wire.
func (j *joiner) event(kind string, e map[string]any) {
	switch kind {
	case "error":
		j.object["type"], j.object["error"] = "error", e["error"]
	case "message_start":
		j.messages = true
		if m, ok := e["message"].(map[string]any); ok {
			j.object = m
		}
	case "content_block_delta":
		j.text.WriteString(textOf(dig(e, "delta", "text")))
	case "message_delta":
		if delta, ok := e["delta"].(map[string]any); ok {
			for name, v := range delta {
				j.object[name] = v
			}
		}
		j.object["usage"] = greatest(j.object["usage"], e["usage"])
	case "message_stop":
		j.ended = true
	}
}

// greatest merges two usages field by field: input counts come in the first
// event, output in the last, and some servers tell cache counts only there.
func greatest(a, b any) any {
	before, ok := a.(map[string]any)
	after, also := b.(map[string]any)
	if !ok || !also {
		if b == nil {
			return a
		}
		return b
	}
	for name, v := range after {
		switch v := v.(type) {
		case map[string]any:
			before[name] = greatest(before[name], v)
		case json.Number:
			old, seen := intOf(before[name]), intOf(v)
			if old == nil || seen == nil || *seen > *old {
				before[name] = v
			}
		default:
			if v != nil {
				before[name] = v
			}
		}
	}
	return before
}

// close puts the texts where a whole answer has them.
func (j *joiner) close() {
	switch {
	case j.messages:
		j.object["content"] = []any{map[string]any{"type": "text", "text": j.text.String()}}
	case j.chat:
		message := map[string]any{"role": "assistant", "content": j.text.String()}
		if j.refusal.Len() > 0 {
			message["refusal"] = j.refusal.String()
		}
		if j.toolCalls {
			message["tool_calls"] = []any{map[string]any{}}
		}
		choice := map[string]any{"message": message, "finish_reason": j.finish}
		if len(j.logprobs) > 0 {
			choice["logprobs"] = j.logprobs
		}
		j.object["choices"] = []any{choice}
	}
}
