package check

import (
	"fmt"
	"math"

	"newel"
)

// These turn a decoded JSON value into what a parameter is, or continue a
// sentence that begins with the parameter's name.

func readText(v any) (string, error) {
	switch t := v.(type) {
	case string:
		return t, nil
	case bool:
		return fmt.Sprint(t), nil
	}
	if text, ok := numberText(v); ok {
		return text, nil
	}
	return "", fmt.Errorf("is a text, not %s", kindOf(v))
}

func readTexts(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	out := make([]string, len(list))
	for i, e := range list {
		t, err := readText(e)
		if err != nil {
			return nil, fmt.Errorf("is a text or a list of texts, not %s", kindOf(e))
		}
		out[i] = t
	}
	return out, nil
}

func readNumber(v any) (float64, error) {
	f, ok := newel.Float(v)
	if !ok {
		return 0, fmt.Errorf("is a number, not %s", kindOf(v))
	}
	return f, nil
}

func readWhole(v any) (int, error) {
	f, ok := newel.Float(v)
	if !ok || f < 0 || f != math.Trunc(f) || f > 1e15 {
		return 0, fmt.Errorf("is a whole number of at least 0, not %s", show(v))
	}
	return int(f), nil
}

func readFlag(v any) (bool, error) {
	b, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("is true or false, not %s", kindOf(v))
	}
	return b, nil
}
