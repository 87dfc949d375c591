package upstream

import (
	"cmp"
	"strconv"
	"time"
)

// completion is the body of a chat completion.
func (s *Server) completion(c *Call, a *Act, u Usage) []byte {
	b := s.opening(make([]byte, 0, 512+len(a.Text)), c, "chat.completion")
	b = append(b, `,"choices":[{"index":0,"message":{"role":"assistant","content":`...)
	if a.Refusal != "" {
		b = quote(append(b, `null,"refusal":`...), a.Refusal)
	} else {
		b = append(quote(b, a.Text), `,"refusal":null`...)
	}
	b = append(b, `},"logprobs":`...)
	if c.asked.Logprobs {
		b = tokens(b, a, c.asked.TopLogprobs)
	} else {
		b = append(b, `null`...)
	}
	b = quote(append(b, `,"finish_reason":`...), cmp.Or(a.Finish, "stop"))
	b = append(b, `}]`...)
	if !a.NoUsage {
		b = usage(append(b, `,"usage":`...), u)
	}
	return append(b, `,"system_fingerprint":"fp_scripted"}`...)
}

// opening is what completions and their chunks begin with.
func (s *Server) opening(b []byte, c *Call, object string) []byte {
	b = append(b, `{"id":"chatcmpl-`...)
	b = strconv.AppendInt(b, int64(c.N), 10)
	b = append(append(append(b, `","object":"`...), object...), `","created":`...)
	b = strconv.AppendInt(b, time.Now().Unix(), 10)
	return quote(append(b, `,"model":`...), s.shown(c))
}

func usage(b []byte, u Usage) []byte {
	b = append(b, `{"prompt_tokens":`...)
	b = strconv.AppendInt(b, u.In, 10)
	b = field(b, "completion_tokens", u.Out)
	b = field(b, "total_tokens", u.In+u.Out)
	b = append(b, `,"prompt_tokens_details":{"audio_tokens":0`...)
	b = field(b, "cached_tokens", u.Cached)
	b = append(b, `},"completion_tokens_details":{"audio_tokens":0`...)
	b = field(b, "reasoning_tokens", u.Reasoning)
	return append(b, `}}`...)
}

// tokens are the logprobs of an answer, with at most top alternatives each.
func tokens(b []byte, a *Act, top int) []byte {
	list := a.Tokens
	if list == nil {
		only := Token{Text: a.Text, Logprob: -0.1}
		list = []Token{{Text: a.Text, Logprob: -0.1, Top: []Token{only}}}
	}
	b = append(b, `{"content":[`...)
	for i, t := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(token(b, t), `,"top_logprobs":[`...)
		for j, other := range t.Top[:min(top, len(t.Top))] {
			if j > 0 {
				b = append(b, ',')
			}
			b = append(token(b, other), '}')
		}
		b = append(b, `]}`...)
	}
	return append(b, `],"refusal":null}`...)
}

// token opens the object of one token.
func token(b []byte, t Token) []byte {
	b = quote(append(b, `{"token":`...), t.Text)
	b = append(b, `,"logprob":`...)
	b = strconv.AppendFloat(b, t.Logprob, 'g', -1, 64)
	b = append(b, `,"bytes":[`...)
	for i := range len(t.Text) {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(t.Text[i]), 10)
	}
	return append(b, ']')
}
