package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"newel"
)

// slot says where a value comes from, for messages and for paths in it.
type slot struct {
	key     string // the column, or the map's key
	from    string // the path of a map's entry
	expr    *entry // the map's entry whose expression made it
	dir     place
	literal bool // an object {file: …} in it stands for itself
}

func (s slot) wrong(b *builder, format string, args ...any) { s.wrongAt(b, nil, format, args...) }

// wrongAt is wrong for the part of the value to which steps lead.
func (s slot) wrongAt(b *builder, steps []string, format string, args ...any) {
	msg := s.key + ": " + fmt.Sprintf(format, args...)
	switch {
	case s.expr != nil:
		b.bad = true
		b.block.wrong.Add(b.origin().pos(), "%s (made by the expression at %s)", msg, s.expr.pos)
		return
	case s.from != "" && s.from != s.key:
		msg += " (from " + s.from + ")"
	}
	p := s.route()
	p.steps = append(p.steps, steps...)
	b.wrong(p, msg)
}

// route leads to the value in the record.
func (s slot) route() route {
	if s.from != "" {
		if steps, err := recordPath(s.from); err == nil {
			return route{s.from, steps}
		}
	}
	return route{s.key, []string{s.key}}
}

// quote writes a text in double quotes.
func quote(text string) string { return strconv.Quote(text) }

// kindOf names what a JSON value is, in the words of newel.Node.Kind.
func kindOf(raw newel.Raw) string {
	switch raw.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// isScalar reports whether a value is a text, a number, true or false.
func isScalar(raw newel.Raw) bool {
	switch raw.Kind() {
	case '"', '0', 't', 'f':
		return true
	}
	return false
}

// unquote returns the text of a JSON string.
func unquote(raw newel.Raw) (string, bool) {
	if raw.Kind() != '"' {
		return "", false
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), true
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	return string(text), err == nil
}

// scalarText returns a scalar as text: numbers, true and false as JSON writes
// them.
func scalarText(raw newel.Raw) string {
	if text, ok := unquote(raw); ok {
		return text
	}
	return string(raw)
}

// rawOf writes plain JSON values as text, whole numbers in full.
func rawOf(v any) (newel.Raw, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// elements returns the members of a list, each valid JSON.
func elements(raw newel.Raw) []newel.Raw {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	out := []newel.Raw{}
	for dec.PeekKind() != ']' {
		v, err := dec.ReadValue()
		if err != nil {
			return out
		}
		out = append(out, v)
	}
	return out
}

// members returns the entries of an object, in the order written.
func members(raw newel.Raw) []newel.Named {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	out := []newel.Named{}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return out
		}
		n := newel.Named{Name: name.String()}
		if n.Value, err = dec.ReadValue(); err != nil {
			return out
		}
		out = append(out, n)
	}
	return out
}

// fileRef returns the path of a value {file: PATH}.
func fileRef(raw newel.Raw) (string, bool) {
	if raw.Kind() != '{' || !bytes.HasPrefix(bytes.TrimLeft(raw[1:], " \t\r\n"), []byte(`"file"`)) {
		return "", false
	}
	list := members(raw)
	if len(list) != 1 {
		return "", false
	}
	return unquote(list[0].Value)
}

// text returns a value, or in place of {file: PATH} the text of that file.
func (b *builder) text(at slot, v newel.Raw) (newel.Raw, bool) {
	if at.literal || v.Kind() != '{' {
		return v, true
	}
	name, ok := fileRef(v)
	if !ok {
		return v, true
	}
	return b.fileText(at, name)
}

// fileText returns the text of a file as JSON.
func (b *builder) fileText(at slot, name string) (newel.Raw, bool) {
	text, err := b.d.folders.text(at.dir, name)
	if err != nil {
		at.wrong(b, "file: %v", err)
		return nil, false
	}
	raw, _ := jsontext.AppendQuote(make([]byte, 0, len(text)+len(text)/16+2), text)
	b.d.extra += int64(len(text) + cap(raw))
	return raw, true
}

// text reads a file of text that a record names.
func (f *Folders) text(dir place, name string) ([]byte, error) {
	at, err := f.resolve(dir, name)
	if err != nil {
		return nil, err
	}
	file, err := f.open(at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer file.Close()
	text, err := readUpTo(file, maxRecord+1)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, unwrapPath(err))
	case len(text) > maxRecord:
		return nil, fmt.Errorf("%s is larger than %d MiB", name, maxRecord>>20)
	case !utf8.Valid(text):
		return nil, fmt.Errorf("%s is not UTF-8 text", name)
	}
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), nil
}

// readUpTo reads a file, at most so many bytes of it.
func readUpTo(file *os.File, most int64) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(make([]byte, 0, min(info.Size(), most)+bytes.MinRead))
	_, err = b.ReadFrom(io.LimitReader(file, most))
	return b.Bytes(), err
}

// mediaPath returns a path of a record relative to the suite's folder or data
// root.
func (b *builder) mediaPath(at slot, name string) (string, error) {
	to, err := b.d.folders.resolve(at.dir, name)
	if err != nil {
		return "", err
	}
	return path.Clean(to.path), nil
}

// isURL reports whether a medium lies elsewhere.
func isURL(text string) bool {
	for _, scheme := range []string{"http://", "https://", "data:"} {
		if strings.HasPrefix(text, scheme) {
			return true
		}
	}
	return false
}

// notNegative reports whether a number is a cost or a duration.
func notNegative(raw newel.Raw) bool {
	f, err := strconv.ParseFloat(string(raw), 64)
	return err == nil && f >= 0 && !math.IsInf(f, 0)
}
