package paid

import (
	"crypto/sha256"
	"fmt"
	"strconv"

	"newel"
)

// keyVersion is raised when the same call would get another key.
const keyVersion = 1

// Shape is everything that shapes the reply to a call. What is not in it must
// not matter: run, suite, rubric, case, timeouts, tags.
type Shape struct {
	Kind string // judge, http or command
	// Body is what is sent, with the hash of each file in its place; of a command
	// an object of its argv, the hashes of its files, its image's digest and its
	// input.
	Body newel.Raw
	// Prompt is the hash of the prompt's text before it is filled in; zero where
	// there is none.
	Prompt newel.Hash
	// Schema is what the reply must look like; nil: it is free.
	Schema newel.Raw
	// Canonical says that Body and Schema are in canonical form already, which
	// costs more to find out than all the rest.
	Canonical bool
	Gateway   string // its name in the suite
	Vote      int    // which of several votes of one model
	Trial     int
	Repair    int // which attempt to get a reply that can be read
}

// Key returns the call key: the SHA-256 of a canonical JSON object with the
// members body, gateway, kind, prompt (in hexadecimal, empty where there is
// none), repair, schema (null where there is none), trial, version and vote. It
// is an error for Body or Schema not to be I-JSON.
func Key(s Shape) (newel.Hash, error) {
	body, err := s.canonical(s.Body)
	if err != nil {
		return newel.Hash{}, fmt.Errorf("call key: body: %w", err)
	}
	schema := newel.Raw("null")
	if s.Schema != nil {
		if schema, err = s.canonical(s.Schema); err != nil {
			return newel.Hash{}, fmt.Errorf("call key: schema: %w", err)
		}
	}
	b := make([]byte, 0, len(s.Gateway)+len(schema)+256)
	b = newel.AppendString(append(b, `,"gateway":`...), s.Gateway)
	b = newel.AppendString(append(b, `,"kind":`...), s.Kind)
	b = append(b, `,"prompt":"`...)
	if !s.Prompt.IsZero() {
		b = append(b, s.Prompt.String()...)
	}
	b = strconv.AppendInt(append(b, `","repair":`...), int64(s.Repair), 10)
	b = append(append(b, `,"schema":`...), schema...)
	b = strconv.AppendInt(append(b, `,"trial":`...), int64(s.Trial), 10)
	b = strconv.AppendInt(append(b, `,"version":`...), keyVersion, 10)
	b = strconv.AppendInt(append(b, `,"vote":`...), int64(s.Vote), 10)
	h := sha256.New()
	h.Write([]byte(`{"body":`))
	h.Write(body)
	h.Write(append(b, '}'))
	return newel.Hash(h.Sum(nil)), nil
}

func (s *Shape) canonical(raw newel.Raw) (newel.Raw, error) {
	if s.Canonical {
		return raw, nil
	}
	return newel.Canonical(raw)
}
