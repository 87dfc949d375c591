package newel

import (
	"fmt"
	"strings"
)

// Subject is what a scorer looks at: an item's case with its output. Decoded
// forms are made once and kept, so it serves one goroutine at a time and must
// not be changed by a scorer.
type Subject struct {
	Item   *Item
	Case   *Case
	Output Raw // the case's own, or the target's
	Dims   []Dim
	// Context and Run are the case's, or what the target sent along.
	Context []Passage
	Run     Raw

	text    *string
	textErr error
	json    any
	jsonErr error
	parsed  bool
	calls   []ToolCall
	callErr error
	called  bool
	fields  map[string]any
	entries []entry
}

// entry is one decoded value of a case's named values, such as vars.must.
type entry struct {
	field, name string
	value       any
}

// NewSubject returns the subject of an item whose case brings its output.
func NewSubject(it *Item) *Subject {
	s := &Subject{Item: it, Case: it.Case, Output: it.Case.Output, Context: it.Case.Context, Run: it.Case.Run}
	s.Dims = MergeDims(it.Case.Dims, it.Matrix)
	return s
}

// Attach puts a target's answer in place of what the case lacks.
func (s *Subject) Attach(f *Fetched) error {
	s.Output = f.Output
	if f.Context != nil {
		passages, err := ParsePassages(f.Context)
		if err != nil {
			return fmt.Errorf("target's context: %w", err)
		}
		s.Context = passages
	}
	if f.Run != nil {
		s.Run = f.Run
	}
	return nil
}

// MergeDims returns dims with those of the matrix added, the matrix winning.
func MergeDims(dims, matrix []Dim) []Dim {
	if len(matrix) == 0 {
		return dims
	}
	out := make([]Dim, 0, len(dims)+len(matrix))
	i, j := 0, 0
	for i < len(dims) || j < len(matrix) {
		switch {
		case j == len(matrix) || (i < len(dims) && dims[i].Name < matrix[j].Name):
			out, i = append(out, dims[i]), i+1
		default:
			if i < len(dims) && dims[i].Name == matrix[j].Name {
				i++
			}
			out, j = append(out, matrix[j]), j+1
		}
	}
	return out
}

// OutputError says that an output cannot be read as asked. For a scorer that
// is a fail, never an error.
type OutputError struct{ Msg string }

func (e *OutputError) Error() string { return e.Msg }

// MissingError says that a case lacks a field that was asked for. For a scorer
// that is an error of kind case.
type MissingError struct{ Path string }

func (e *MissingError) Error() string { return "the case has no " + e.Path }

// Text returns the output as text: a text as it is, of messages the last
// content, anything else as canonical JSON.
func (s *Subject) Text() (string, error) {
	if s.text == nil && s.textErr == nil {
		text, err := outputText(s.Output)
		s.text, s.textErr = &text, err
	}
	if s.textErr != nil {
		return "", s.textErr
	}
	return *s.text, nil
}

func outputText(raw Raw) (string, error) {
	switch raw.Kind() {
	case '"':
		return Unquote(raw)
	case '[', '{':
		if text, ok := lastContent(raw); ok {
			return text, nil
		}
	case 'n':
		return "", &OutputError{"the output is null"}
	}
	if raw == nil {
		return "", &OutputError{"there is no output"}
	}
	canonical, err := Canonical(raw)
	return string(canonical), err
}

// IsText reports whether the output is a text: one as it is, or the content of
// a message or conversation.
func (s *Subject) IsText() bool {
	switch s.Output.Kind() {
	case '"':
		return true
	case '[', '{':
		_, ok := lastContent(s.Output)
		return ok
	}
	return false
}

// Unquote returns the text of a JSON string.
func Unquote(raw Raw) (string, error) {
	v, err := ParseJSON(raw)
	text, ok := v.(string)
	if err == nil && !ok {
		err = fmt.Errorf("%.40s is not a JSON string", raw)
	}
	return text, err
}

// lastContent returns the content of the last message of a conversation, or
// of a single message.
func lastContent(raw Raw) (string, bool) {
	v, err := ParseJSON(raw)
	if err != nil {
		return "", false
	}
	message, ok := v.(map[string]any)
	if list, isList := v.([]any); isList && len(list) > 0 {
		message, ok = list[len(list)-1].(map[string]any)
	}
	if !ok || message["role"] == nil {
		return "", false
	}
	return contentText(message["content"])
}

func contentText(content any) (string, bool) {
	switch c := content.(type) {
	case nil:
		return "", true
	case string:
		return c, true
	case []any:
		var parts []string
		for _, part := range c {
			if m, ok := part.(map[string]any); ok {
				if text, ok := m["text"].(string); ok {
					parts = append(parts, text)
				}
			}
		}
		return strings.Join(parts, "\n"), true
	}
	return "", false
}

// JSON returns the output decoded: a text is parsed, anything else is taken
// as it is. An output that is no JSON gives an OutputError.
func (s *Subject) JSON() (any, error) {
	if !s.parsed {
		s.parsed = true
		s.json, s.jsonErr = s.parseOutput()
	}
	return s.json, s.jsonErr
}

func (s *Subject) parseOutput() (any, error) {
	if s.Output == nil {
		return nil, &OutputError{"there is no output"}
	}
	text := []byte(s.Output)
	if s.Output.Kind() == '"' {
		t, err := s.Text()
		if err != nil {
			return nil, err
		}
		text = []byte(t)
	}
	v, err := ParseJSON(text)
	if err != nil {
		return nil, &OutputError{"the output is not JSON: " + err.Error()}
	}
	return v, nil
}
