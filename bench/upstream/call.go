package upstream

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// asked is what an answer depends on. Both routes fit in it.
type asked struct {
	Model         string `json:"model"`
	Stream        bool   `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Logprobs    bool      `json:"logprobs"`
	TopLogprobs int       `json:"top_logprobs"`
	MaxTokens   int       `json:"max_tokens"`
	Messages    []message `json:"messages"`
	ToolChoice  choice    `json:"tool_choice"`
}

type message struct {
	Role    string         `json:"role"`
	Content jsontext.Value `json:"content"`
}

// choice is Anthropic's tool_choice, an object. OpenAI's may be a word, which
// is left alone.
type choice struct{ name string }

func (c *choice) UnmarshalJSON(b []byte) error {
	var tool struct{ Type, Name string }
	if len(b) > 0 && b[0] == '{' && json.Unmarshal(b, &tool, json.MatchCaseInsensitiveNames(true)) == nil && tool.Type == "tool" {
		c.name = tool.Name
	}
	return nil
}

// correlation are the headers in which callers give a call an id of their own.
var correlation = [...]string{
	"X-Newel-Call", "X-Litellm-Call-Id", "X-Portkey-Trace-Id", "X-Agentcc-Trace-Id", "Cf-Aig-Event-Id", "Helicone-Property-Call",
	"X-Client-Request-Id", "X-Request-Id", "Idempotency-Key",
}

// read understands a request as far as an answer needs it. The error is for
// the caller.
func read(r *http.Request, body []byte) (*Call, error) {
	c := &Call{Path: r.URL.Path, Header: r.Header, Body: body, Messages: strings.HasSuffix(r.URL.Path, "/messages")}
	if err := json.Unmarshal(body, &c.asked); err != nil {
		return c, fmt.Errorf("the body is not a request: %v", err)
	}
	if c.asked.Model == "" {
		return c, fmt.Errorf("you must provide a model parameter")
	}
	if len(c.asked.Messages) == 0 {
		return c, fmt.Errorf("messages: at least one is needed")
	}
	if c.Messages && c.asked.MaxTokens <= 0 {
		return c, fmt.Errorf("max_tokens: field required")
	}
	c.Model, c.Marker, c.ID = c.asked.Model, marker(body), identity(r.Header, body)
	return c, nil
}

// identity is the caller's id of a call, or the hash of what it asks.
func identity(h http.Header, body []byte) string {
	for _, name := range correlation {
		if v := h[name]; len(v) > 0 && v[0] != "" {
			return v[0]
		}
	}
	return strconv.FormatUint(xxhash.Sum64(body), 16)
}

// marker is the first "case-" of a body with the letters, digits, points,
// dashes and underscores after it, but for those at its end.
func marker(body []byte) string {
	start := bytes.Index(body, []byte("case-"))
	if start < 0 {
		return ""
	}
	end := start
	for end < len(body) && isMark(body[end]) {
		end++
	}
	return strings.TrimRight(string(body[start:end]), ".-_")
}

func isMark(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '-' || b == '_' || b == '.'
}

// Last is the text of the last message.
func (c *Call) Last() string { return c.asked.Messages[len(c.asked.Messages)-1].text() }

// Text is the text of all messages, a line each.
func (c *Call) Text() string {
	lines := make([]string, len(c.asked.Messages))
	for i, m := range c.asked.Messages {
		lines[i] = m.text()
	}
	return strings.Join(lines, "\n")
}

// text is a message's content, or the texts of its parts.
func (m message) text() string {
	var whole string
	if json.Unmarshal(m.Content, &whole) == nil {
		return whole
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(m.Content, &parts) != nil {
		return ""
	}
	var all strings.Builder
	for _, p := range parts {
		all.WriteString(p.Text)
	}
	return all.String()
}
