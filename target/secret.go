package target

import (
	"strings"

	"newel"
)

// secrets reads environment variables when they are needed.
type secrets struct{ *newel.Secrets }

func newSecrets(names []string, lookup func(string) (string, bool)) *secrets {
	return &secrets{newel.NewSecrets(names, lookup)}
}

// value returns a variable's value; one that is empty counts as not set.
func (s *secrets) value(name string) (string, *fault) {
	v, ok := s.Lookup(name)
	if !ok || v == "" {
		return "", &fault{kind: newel.KindTarget, text: "the environment variable " + name + " is not set where the target is asked"}
	}
	return v, nil
}

// mask takes values out of an answer: what is stored and scored never has them.
func (s *secrets) mask(r *reply) *fault {
	if len(s.Names()) == 0 {
		return nil
	}
	v, err := newel.ParseJSON(r.output)
	if err != nil {
		return &fault{kind: newel.KindProtocol, text: err.Error()}
	}
	if masked, found := s.MaskReply(v); found {
		var f *fault
		if r.output, f = encoded(masked); f != nil {
			return f
		}
	}
	for i, passage := range r.context {
		r.context[i], _ = s.MaskReply(passage)
	}
	for name, v := range r.run {
		if _, number := v.(float64); !number { // such as the cost
			r.run[name], _ = s.MaskReply(v)
		}
	}
	return nil
}

// maxMessage is how much of a message is kept, in bytes.
const maxMessage = 6 << 10

// clip bounds a message that is free of secrets already.
func clip(text string) string { return clipTo(text, maxMessage) }

func clipTo(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
