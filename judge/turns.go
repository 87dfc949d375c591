package judge

import (
	"strings"

	"newel"
	"newel/gateway"
)

// Turns is the call's prompt as people read it, with the files that go along
// named by their type and their URL or hash.
func (p *Planned) Turns() []newel.Turn {
	out := make([]newel.Turn, len(p.Messages))
	for i, m := range p.Messages {
		out[i].Role = m.Role
		var texts []string
		for _, part := range m.Parts {
			if part.Media == nil {
				texts = append(texts, part.Text)
				continue
			}
			out[i].Files = append(out[i].Files, fileName(part.Media))
		}
		out[i].Text = strings.Join(texts, "\n")
	}
	return out
}

func fileName(m *gateway.Media) string {
	if m.URL != "" {
		return m.Type + " " + m.URL
	}
	return m.Type + " sha256 " + m.SHA256.String()
}

// ReplyText is a reply as the journal keeps it, for people; nil where raw is
// empty.
func ReplyText(raw []byte) (*newel.ReplyText, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	r, err := decodeReply(raw)
	if err != nil {
		return nil, err
	}
	return &newel.ReplyText{Text: r.Text, Refused: r.Refused, Finish: r.Finish}, nil
}
