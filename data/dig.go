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

// memberAt returns the offset of a member's name in a JSON object, -1 where
// there is none.
func memberAt(object newel.Raw, name string) int {
	dec := jsontext.NewDecoder(bytes.NewBuffer(object))
	if _, err := dec.ReadToken(); err != nil {
		return -1
	}
	for dec.PeekKind() == '"' {
		quoted, err := dec.ReadValue()
		if err != nil {
			return -1
		}
		if text, _ := unquote(quoted); text == name {
			return int(dec.InputOffset()) - len(quoted)
		}
		if dec.SkipValue() != nil {
			return -1
		}
	}
	return -1
}
