package judge

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"newel"
	"newel/gateway"
)

// reply is what a judge reads of a model's answer. As canonical JSON it is what
// the journal keeps.
type reply struct {
	Text    string          `json:"text"`
	Refused bool            `json:"refused,omitempty"`
	Finish  string          `json:"finish,omitempty"`
	Tokens  []gateway.Token `json:"tokens,omitempty"`
}

// EncodeReply returns what a judge reads of a reply, as the journal keeps it:
// canonical JSON of text, refused, finish and tokens. Alternatives are kept only
// of tokens that may be a score.
func EncodeReply(r gateway.Reply) ([]byte, error) {
	kept := reply{Text: strings.ToValidUTF8(r.Text, "\uFFFD"), Refused: r.Refused, Finish: r.Finish}
	for _, t := range r.Tokens {
		if !scoreLike(t.Text) {
			t.Top, t.Logprob = nil, 0
		}
		t.Text = strings.ToValidUTF8(t.Text, "\uFFFD")
		kept.Tokens = append(kept.Tokens, t)
	}
	raw, err := newel.CanonicalOf(kept)
	return bytes.TrimSpace(raw), err
}

// decodeReply reads what EncodeReply wrote.
func decodeReply(raw []byte) (reply, error) {
	var r reply
	if err := json.Unmarshal(raw, &r); err != nil {
		return r, fmt.Errorf("the journal's reply: %w", err)
	}
	return r, nil
}

// errEmpty is for a reply without text.
var errEmpty = errors.New("the reply is empty")

// hopeless is a reply that no repair can help.
type hopeless struct{ text string }

func (e *hopeless) Error() string { return e.text }

// standing says why a reply is no answer whatever its text says; nil: it may be
// one.
func (r reply) standing(maxTokens int) error {
	switch {
	case r.Refused:
		return &hopeless{"the judge refused to answer"}
	case r.Finish == "length":
		return &hopeless{fmt.Sprintf("the answer was cut off: it may have %d tokens, reasoning included (params: {max_tokens: N} allows more)", maxTokens)}
	case r.Finish == "content_filter":
		return &hopeless{"the answer was cut off by a content filter"}
	case strings.TrimSpace(r.Text) == "":
		return errEmpty
	case len(r.Text) > maxReply:
		return &hopeless{fmt.Sprintf("the reply has more than %d KiB", maxReply>>10)}
	}
	return nil
}

// maxReply is how long a reply may be to be read, in bytes.
const maxReply = 1 << 20
