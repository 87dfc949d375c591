package check

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"newel"
)

// jsonFile returns the JSON of a file of the suite. Its errors begin with the
// file's name and, of what is no JSON, the place in it.
func jsonFile(read func(path string) ([]byte, error), file string) (any, error) {
	text, err := read(file)
	if err != nil {
		return nil, err
	}
	v, err := newel.ParseJSON(text)
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntax):
		line, column := placeAt(text, int(syntax.ByteOffset))
		return nil, fmt.Errorf("%s:%d:%d: not JSON: %w", file, line, column, syntax.Err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return v, nil
}

// placeAt returns the line and column, in characters, of an offset of a text.
func placeAt(text []byte, offset int) (line, column int) {
	before := text[:min(offset, len(text))]
	last := bytes.LastIndexByte(before, '\n')
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[last+1:])
}
