package upstream

import (
	"cmp"
	"net/http"
	"strconv"
)

// stream writes an answer as server-sent events, the text in two pieces. A cut
// one ends after the first.
func (s *Server) stream(w http.ResponseWriter, c *Call, a *Act, u Usage) {
	w.Header()["Content-Type"] = []string{"text/event-stream"}
	w.WriteHeader(http.StatusOK)
	events := s.chunks(c, a, u)
	if c.Messages {
		events = s.events(c, a, u)
	}
	if a.Cut {
		events = events[:2]
	}
	flush := http.NewResponseController(w)
	for _, e := range events {
		_, _ = w.Write(e)
		_ = flush.Flush()
	}
	if a.Cut {
		hangUp(w)
	}
}

// halves splits a text without splitting a letter.
func halves(text string) [2]string {
	at := 0
	for i := range text {
		if i > len(text)/2 {
			break
		}
		at = i
	}
	return [2]string{text[:at], text[at:]}
}

// chunks are the events of a chat completion.
func (s *Server) chunks(c *Call, a *Act, u Usage) [][]byte {
	chunk := func(delta []byte, finish string) []byte {
		b := s.opening([]byte("data: "), c, "chat.completion.chunk")
		b = append(append(b, `,"choices":[{"index":0,"delta":`...), delta...)
		b = append(b, `,"finish_reason":`...)
		if finish == "" {
			b = append(b, `null`...)
		} else {
			b = quote(b, finish)
		}
		return append(b, "}]}\n\n"...)
	}
	key := `{"content":`
	if a.Refusal != "" {
		key = `{"refusal":`
	}
	all := [][]byte{chunk([]byte(`{"role":"assistant","content":""}`), "")}
	for _, part := range halves(cmp.Or(a.Text, a.Refusal)) {
		all = append(all, chunk(append(quote([]byte(key), part), '}'), ""))
	}
	all = append(all, chunk([]byte(`{}`), cmp.Or(a.Finish, "stop")))
	if c.asked.StreamOptions.IncludeUsage && !a.NoUsage {
		b := append(s.opening([]byte("data: "), c, "chat.completion.chunk"), `,"choices":[],"usage":`...)
		all = append(all, append(s.priced(usage(b, u), u), "}\n\n"...))
	}
	return append(all, []byte("data: [DONE]\n\n"))
}

// priced adds LiteLLM's cost to a usage object that just ended.
func (s *Server) priced(b []byte, u Usage) []byte {
	if s.script.Dialect != LiteLLM || s.script.Price == (Price{}) {
		return b
	}
	b = append(b[:len(b)-1], `,"cost":`...)
	return append(append(b, float(s.script.Price.Cost(u))...), '}')
}

// events are those of Anthropic's messages.
func (s *Server) events(c *Call, a *Act, u Usage) [][]byte {
	event := func(name string, rest []byte) []byte {
		b := append([]byte("event: "+name+"\ndata: {\"type\":\""+name+"\""), rest...)
		return append(b, "}\n\n"...)
	}
	begun := u
	begun.Out = 1
	start := strconv.AppendInt([]byte(`,"message":{"id":"msg_`), int64(c.N), 10)
	start = quote(append(start, `","type":"message","role":"assistant","content":[],"stop_reason":null,"model":`...), s.shown(c))
	start = append(exclusive(append(start, `,"usage":`...), begun), '}')
	all := [][]byte{
		event("message_start", start),
		event("content_block_start", []byte(`,"index":0,"content_block":{"type":"text","text":""}`)),
	}
	for _, part := range halves(cmp.Or(a.Text, a.Refusal)) {
		all = append(all, event("content_block_delta", append(quote([]byte(`,"index":0,"delta":{"type":"text_delta","text":`), part), '}')))
	}
	end := quote([]byte(`,"delta":{"stop_reason":`), stopped(c, a))
	end = exclusive(append(end, `},"usage":`...), u)
	return append(all, event("content_block_stop", []byte(`,"index":0`)), event("message_delta", end), event("message_stop", nil))
}
