package upstream

import (
	"cmp"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// message is the body of an answer of the messages route. A call that must
// use a tool gets the text as the tool's input.
func (s *Server) message(c *Call, a *Act, u Usage) []byte {
	b := append(make([]byte, 0, 512+len(a.Text)), `{"id":"msg_`...)
	b = strconv.AppendInt(b, int64(c.N), 10)
	b = quote(append(b, `","type":"message","role":"assistant","model":`...), s.shown(c))
	b = append(b, `,"content":[`...)
	b = append(block(b, c, a), `],"stop_reason":`...)
	b = quote(b, stopped(c, a))
	b = append(b, `,"stop_sequence":null`...)
	if !a.NoUsage {
		b = exclusive(append(b, `,"usage":`...), u)
	}
	return append(b, '}')
}

// block is the content: a text, or the use of a tool.
func block(b []byte, c *Call, a *Act) []byte {
	text := cmp.Or(a.Text, a.Refusal)
	if usesTool(c, a) {
		b = quote(append(b, `{"type":"tool_use","id":"toolu_1","name":`...), c.asked.ToolChoice.name)
		return append(append(append(b, `,"input":`...), text...), '}')
	}
	return append(quote(append(b, `{"type":"text","text":`...), text), '}')
}

func usesTool(c *Call, a *Act) bool {
	input := jsontext.Value(a.Text)
	return c.asked.ToolChoice.name != "" && input.IsValid() && input.Kind() == '{'
}

// stopped is Anthropic's word for how an answer ended.
func stopped(c *Call, a *Act) string {
	switch {
	case a.Refusal != "":
		return "refusal"
	case a.Finish == "length":
		return "max_tokens"
	case a.Finish != "" && a.Finish != "stop":
		return a.Finish
	case usesTool(c, a):
		return "tool_use"
	}
	return "end_turn"
}

// exclusive is the usage as Anthropic tells it: input tokens without those of
// the cache.
func exclusive(b []byte, u Usage) []byte {
	b = append(b, `{"input_tokens":`...)
	b = strconv.AppendInt(b, u.In-u.Cached-u.Written, 10)
	b = field(b, "cache_creation_input_tokens", u.Written)
	b = field(b, "cache_read_input_tokens", u.Cached)
	b = append(b, `,"cache_creation":{"ephemeral_5m_input_tokens":`...)
	b = strconv.AppendInt(b, u.Written, 10)
	b = append(b, `,"ephemeral_1h_input_tokens":0}`...)
	b = field(b, "output_tokens", u.Out)
	return append(b, `,"service_tier":"standard"}`...)
}
