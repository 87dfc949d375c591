package check

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"newel"
)

// tolerance is how far a number may be off.
type tolerance struct{ abs, rel float64 }

func (t tolerance) say() string {
	var parts []string
	if t.abs > 0 {
		parts = append(parts, "±"+plain(t.abs))
	}
	if t.rel > 0 {
		parts = append(parts, "±"+plain(t.rel*100)+"%")
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, " or ") + ")"
}

func readTolerance(v any) (tolerance, error) {
	if text, ok := v.(string); ok {
		share, isShare := strings.CutSuffix(strings.TrimSpace(text), "%")
		f, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
		if !isShare || err != nil || !(f >= 0) || math.IsInf(f, 0) {
			return tolerance{}, fmt.Errorf("is a number of at least 0, or a text such as 2%%, not %s", show(text))
		}
		return tolerance{rel: f / 100}, nil
	}
	if m, ok := v.(map[string]any); ok {
		return readBoth(m)
	}
	f, ok := newel.Float(v)
	if !ok || f < 0 {
		return tolerance{}, fmt.Errorf("is a number of at least 0, a text such as 2%%, or {abs, rel}, not %s", show(v))
	}
	return tolerance{abs: f}, nil
}

func readBoth(m map[string]any) (t tolerance, err error) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		f, ok := newel.Float(m[name])
		switch {
		case !ok || f < 0:
			err = fmt.Errorf("has %s of %s, not a number of at least 0", name, show(m[name]))
		case name == "abs":
			t.abs = f
		case name == "rel":
			t.rel = f
		default:
			err = fmt.Errorf("has no %q: it is a map of abs and rel", name)
		}
	}
	return t, err
}

// separators are the marks of numbers in a text.
type separators struct{ decimal, group string }

func readSeparators(v any) (separators, error) {
	m, ok := v.(map[string]any)
	decimal, isText := m["decimal"].(string)
	group, alsoText := m["group"].(string)
	switch {
	case !ok || m["decimal"] != nil && !isText || m["group"] != nil && !alsoText || len(m) == 0:
		return separators{}, errors.New("is a map of texts: {decimal: ',', group: '.'}")
	case utf8.RuneCountInString(decimal) > 1:
		return separators{}, fmt.Errorf("has one decimal mark, not %s", show(decimal))
	case decimal != "" && strings.Contains(group, decimal):
		return separators{}, fmt.Errorf("has %s both as decimal and as group mark", show(decimal))
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if name != "decimal" && name != "group" {
			return separators{}, fmt.Errorf("has no %q: it is a map of decimal and group", name)
		}
	}
	return separators{decimal, group}, nil
}

func readUnits(v any) (map[string]float64, error) {
	m, ok := v.(map[string]any)
	units := make(map[string]float64, len(m))
	for name, factor := range m {
		f, isNumber := newel.Float(factor)
		ok = ok && isNumber && name != "" && f != 0
		units[name] = f
	}
	if !ok || len(m) > 100 {
		return nil, errors.New("is a map of units to the factors of their values, at most 100: {km: 1000, m: 1}")
	}
	return units, nil
}
