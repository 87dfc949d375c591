package data

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"newel"
)

// dig follows steps into a JSON value, nil where they lead nowhere. raw is
// valid JSON.
func dig(raw newel.Raw, steps []string) newel.Raw {
	if len(steps) == 0 {
		return raw
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
	for _, step := range steps {
		if !enter(dec, step) {
			return nil
		}
	}
	v, err := dec.ReadValue()
	if err != nil {
		return nil
	}
	return v
}

// enter moves a decoder in front of the member or element called step.
func enter(dec *jsontext.Decoder, step string) bool {
	switch dec.PeekKind() {
	case '{':
		return enterObject(dec, step)
	case '[':
		return enterList(dec, step)
	}
	return false
}

func enterObject(dec *jsontext.Decoder, step string) bool {
	if _, err := dec.ReadToken(); err != nil {
		return false
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return false
		}
		if name.String() == step {
			return true
		}
		if dec.SkipValue() != nil {
			return false
		}
	}
	return false
}

func enterList(dec *jsontext.Decoder, step string) bool {
	at, err := strconv.Atoi(step)
	if err != nil || at < 0 {
		return false
	}
	if _, err := dec.ReadToken(); err != nil {
		return false
	}
	for range at {
		if dec.PeekKind() == ']' || dec.SkipValue() != nil {
			return false
		}
	}
	return dec.PeekKind() != ']'
}

// reachJSON returns the offset of the value in a record to which steps lead, as
// far as they do; -1 where not even the first does.
func reachJSON(raw newel.Raw, steps []string) int {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
	offset := -1
	for _, step := range steps {
		if !enter(dec, step) {
			return offset
		}
		offset = nextAt(dec, raw)
	}
	return offset
}

// nextAt is the offset of the value that a decoder reads next, behind the comma
// or colon and white space that stand before it.
func nextAt(dec *jsontext.Decoder, raw newel.Raw) int {
	at := int(dec.InputOffset())
	return at + len(raw[at:]) - len(bytes.TrimLeft(raw[at:], " \t\r\n,:"))
}
