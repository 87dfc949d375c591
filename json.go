package newel

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Raw is one JSON value as text. Nil means absent.
type Raw = jsontext.Value

// Hash is a SHA-256.
type Hash [sha256.Size]byte

// HashOf returns the SHA-256 of data.
func HashOf(data []byte) Hash { return sha256.Sum256(data) }

// String returns h in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether h was never set.
func (h Hash) IsZero() bool { return h == Hash{} }

// MarshalText writes h in hexadecimal.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads 64 hexadecimal digits.
func (h *Hash) UnmarshalText(text []byte) error {
	if len(text) != 2*len(h) {
		return fmt.Errorf("%q is not a hash: want %d hexadecimal digits", text, 2*len(h))
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// Canonical returns raw in canonical form (RFC 8785), except that an integer
// which a float64 does not hold keeps its digits: ids and amounts must not
// change on their way into a hash. It is an error for raw not to be I-JSON:
// broken UTF-8, a name used twice.
func Canonical(raw Raw) (Raw, error) {
	out := raw.Clone()
	if err := out.Canonicalize(keepInts); err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	return out, nil
}

var keepInts = jsontext.CanonicalizeRawInts(false)

// AppendCanonical adds raw in canonical form. Texts, nearly all there is, are
// copied when they stand so already.
func AppendCanonical(dst []byte, raw Raw) ([]byte, error) {
	if canonicalText(raw) {
		return append(dst, raw...), nil
	}
	c, err := Canonical(raw)
	return append(dst, c...), err
}

// canonicalText reports whether raw is a JSON string in canonical form; false
// where only a closer look could tell.
func canonicalText(raw Raw) bool {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return false
	}
	body := raw[1 : len(raw)-1]
	for {
		i := bytes.IndexByte(body, '\\')
		if i < 0 {
			return true
		}
		if i+1 == len(body) || body[i+1] == 'u' || body[i+1] == '/' {
			return false
		}
		body = body[i+2:]
	}
}

// CanonicalOf marshals v and returns it in canonical form (RFC 8785).
func CanonicalOf(v any) (Raw, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	out := Raw(b.Bytes())
	return out, out.Canonicalize(keepInts)
}

// AppendString adds text as a canonical JSON string. Broken UTF-8 becomes
// U+FFFD.
func AppendString(dst []byte, text string) []byte {
	dst, _ = jsontext.AppendQuote(dst, text)
	return dst
}

// errNotOne is for a text that holds more than one JSON value.
var errNotOne = errors.New("text after the JSON value")

// ParseJSON decodes one JSON value into nil, bool, float64, string, []any and
// map[string]any. A number that a float64 does not hold exactly, such as a
// 64-bit id, is a json.Number instead. Names used twice and broken UTF-8 are
// errors.
func ParseJSON(raw []byte) (any, error) {
	if text, ok := parseText(raw); ok {
		return text, nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw)) // a Buffer is read in place
	v, err := parseValue(dec)
	if err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	if rest := bytes.TrimLeft(raw[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, fmt.Errorf("read JSON: %w", errNotOne)
	}
	return v, nil
}

// parseText reads a JSON string, which most values are, without a decoder.
func parseText(raw []byte) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	return string(text), err == nil
}

func parseValue(dec *jsontext.Decoder) (any, error) {
	tok, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return tok.Bool(), nil
	case '"':
		return tok.String(), nil
	case '0':
		return ParseNumber(tok.String()), nil
	case '[':
		return parseList(dec)
	}
	return parseObject(dec)
}

func parseList(dec *jsontext.Decoder) (any, error) {
	list := []any{}
	for dec.PeekKind() != ']' {
		v, err := parseValue(dec)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := dec.ReadToken()
	return list, err
}

func parseObject(dec *jsontext.Decoder) (any, error) {
	object := map[string]any{}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		if object[key], err = parseValue(dec); err != nil {
			return nil, err
		}
	}
	_, err := dec.ReadToken()
	return object, err
}

// ParseNumber returns the float64 of a JSON number, or a json.Number where a
// float64 would lose digits.
func ParseNumber(text string) any {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || (len(text) > 15 && !holds(f, text)) {
		return json.Number(text)
	}
	return f
}

// holds reports whether f prints back as the integer in text. Fractions are
// taken as floating point from the start.
func holds(f float64, text string) bool {
	if bytes.ContainsAny([]byte(text), ".eE") {
		return true
	}
	return strconv.FormatFloat(f, 'f', -1, 64) == text
}

// Float returns a decoded JSON number as a float64.
func Float(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	}
	return 0, false
}
