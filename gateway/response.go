package gateway

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"newel"
)

// decode makes object of the body. A body that is no JSON object leaves it nil;
// of a list of objects, as some providers wrap their errors, it takes the first.
func (r *response) decode() {
	if r.stream = r.stream || looksLikeStream(r.header.Get("Content-Type"), r.body); r.stream {
		r.object, r.cut = joinChunks(r.body)
		return
	}
	r.object = decodeObject(r.body)
}

// lenient accepts what gateways write: names used twice, broken UTF-8.
func lenient(body []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func decodeObject(body []byte) map[string]any {
	v, err := decodeValue(lenient(body), 0)
	if err != nil {
		return nil
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	object, _ := v.(map[string]any)
	return object
}

// maxDepth bounds the nesting of what a gateway may answer.
const maxDepth = 200

func decodeValue(dec *jsontext.Decoder, depth int) (any, error) {
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
		return json.Number(tok.String()), nil
	}
	if depth == maxDepth {
		return nil, strconv.ErrRange
	}
	if tok.Kind() == '[' {
		return decodeList(dec, depth+1)
	}
	return decodeMembers(dec, depth+1)
}

func decodeList(dec *jsontext.Decoder, depth int) (any, error) {
	list := []any{}
	for dec.PeekKind() != ']' {
		v, err := decodeValue(dec, depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := dec.ReadToken()
	return list, err
}

// decodeMembers reads an object's members. Logprobs, which are many and read by
// one reader only, stay as they are.
func decodeMembers(dec *jsontext.Decoder, depth int) (any, error) {
	object := map[string]any{}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		if key == "logprobs" {
			raw, err := dec.ReadValue()
			if err != nil {
				return nil, err
			}
			object[key] = newel.Raw(raw.Clone())
			continue
		}
		if object[key], err = decodeValue(dec, depth); err != nil {
			return nil, err
		}
	}
	_, err := dec.ReadToken()
	return object, err
}

// ok reports whether the status is one of success.
func (r *response) ok() bool { return r.status >= 200 && r.status < 300 }

// head returns a header without surrounding space; empty: absent.
func (r *response) head(name string) string { return strings.TrimSpace(r.header.Get(name)) }

// headInt returns a header that is a whole number; nil where it is none.
func (r *response) headInt(name string) *int64 { return wholeNumber(r.head(name)) }

// headFloat returns a header that is a finite number, not negative.
func (r *response) headFloat(name string) *float64 { return finite(r.head(name)) }

// headMoney returns a header that is an amount of dollars; nil where it is not
// a value: absent, negative, infinite, None.
func (r *response) headMoney(name string) *newel.Money { return amount(r.head(name)) }

// at returns what stands in the body at a path of names; nil: nothing.
func (r *response) at(path ...string) any { return dig(r.object, path...) }

// text returns a text of the body; empty where there is none.
func (r *response) text(path ...string) string { return textOf(r.at(path...)) }

// int returns a whole number of the body.
func (r *response) int(path ...string) *int64 { return intOf(r.at(path...)) }

// float returns a finite number of the body, not negative.
func (r *response) float(path ...string) *float64 { return finite(numberText(r.at(path...))) }

// money returns an amount of dollars of the body, a number or a text.
func (r *response) money(path ...string) *newel.Money { return amount(numberText(r.at(path...))) }

// list returns a list of the body.
func (r *response) list(path ...string) []any {
	list, _ := r.at(path...).([]any)
	return list
}

// dig goes down into objects by name.
func dig(v any, path ...string) any {
	for _, name := range path {
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = object[name]
	}
	return v
}

// textOf returns a text, or a number as text, as error codes are either.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

func numberText(v any) string { return strings.TrimSpace(textOf(v)) }

func intOf(v any) *int64 {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	return wholeNumber(n.String())
}

// wholeNumber reads 12 and 12.0.
func wholeNumber(text string) *int64 {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return &n
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return nil
	}
	n := int64(f)
	return &n
}

func finite(text string) *float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || f < 0 {
		return nil
	}
	return &f
}
