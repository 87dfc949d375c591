package check

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"newel"
)

var jsonTypes = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// jsonSpec asks for an output that is JSON.
func jsonSpec() *Spec {
	return &Spec{
		Name: "json", Family: "schema", Main: "type",
		About:   "The text is one JSON value and nothing else (RFC 8259; a name used twice in an object and broken UTF-8 are no JSON here), of the given type where one is given. extract: json also takes a value that stands in the only fenced block.",
		Source:  "RFC 8259, RFC 7493",
		Params:  []Param{{Name: "type", Type: "one or a list of " + strings.Join(jsonTypes, ", "), About: "what the value must be; a whole number is an integer however it is written"}},
		Extra:   readingParams,
		Example: "json: object",
		Build: func(a *Args) Func {
			reading := ReadingOf(a)
			types := argOf(a, "type", nil, readJSONTypes)
			return func(_ context.Context, s *newel.Subject) newel.Score {
				v, err := reading.JSON(s)
				if err != nil {
					return Because(err)
				}
				want, err := types.At(s)
				if err != nil {
					return Because(err)
				}
				if len(want) == 0 || slices.ContainsFunc(want, func(t string) bool { return isJSONType(v, t) }) {
					return newel.Passed()
				}
				return newel.Missed(fmt.Sprintf("the JSON is of type %s, not %s", jsonTypeOf(v), strings.Join(want, " or ")))
			}
		},
	}
}

func readJSONTypes(v any) ([]string, error) {
	words, err := readTexts(v)
	if v == nil {
		words, err = []string{"null"}, nil
	}
	if err != nil {
		return nil, err
	}
	for _, w := range words {
		if !slices.Contains(jsonTypes, w) {
			return nil, fmt.Errorf("is one of %s, not %s%s", strings.Join(jsonTypes, ", "), show(w), newel.DidYouMean(w, jsonTypes))
		}
	}
	return words, nil
}

// jsonTypeOf names the type of a decoded value; a whole number is an integer.
func jsonTypeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if v == math.Trunc(v) {
			return "integer"
		}
	case json.Number: // beyond what a float64 holds: a long integer
		return "integer"
	}
	return "number"
}

func isJSONType(v any, name string) bool {
	t := jsonTypeOf(v)
	return t == name || t == "integer" && name == "number"
}

// Bounds of a decoded value that is walked by recursion.
const (
	maxJSONDepth  = 256
	maxJSONValues = 200_000
	maxDigits     = 1000 // of a number too long for a float64, and of its exponent's reach
)

// boundJSON returns a LimitError for a value too deep, too large or with
// numbers too long to be worked through in bounded time.
func boundJSON(what string, v any) error {
	left := maxJSONValues
	return boundValue(what, v, maxJSONDepth, &left)
}

func boundValue(what string, v any, depth int, left *int) error {
	*left--
	switch {
	case depth < 0:
		return &LimitError{fmt.Sprintf("%s is nested deeper than %d levels", what, maxJSONDepth)}
	case *left < 0:
		return &LimitError{fmt.Sprintf("%s holds more than %d values", what, maxJSONValues)}
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if err := boundValue(what, e, depth-1, left); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, e := range v {
			if err := boundValue(what, e, depth-1, left); err != nil {
				return err
			}
		}
	case json.Number:
		if !shortNumber(v.String()) {
			return &LimitError{fmt.Sprintf("%s holds the number %s, of more than %d digits", what, Clip(v.String(), 40), maxDigits)}
		}
	}
	return nil
}

// shortNumber reports whether a JSON number, written out, has at most
// maxDigits digits before or after the point.
func shortNumber(text string) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(mantissa) > maxDigits || len(exponent) > 5 {
		return false
	}
	n := 0
	for _, c := range strings.TrimLeft(exponent, "+-") {
		n = 10*n + int(c-'0')
	}
	return n <= maxDigits
}
