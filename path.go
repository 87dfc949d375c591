package newel

import (
	"fmt"
	"strconv"
	"strings"
)

// Path names a place in a case or its output: reference.amount,
// context.0.text, output_json.items.0, case.dims.language, or a JSON Pointer
// (/vars/a.b) where a key holds a dot.
type Path struct {
	text  string
	field string
	rest  []string
}

// pathFields lists what a path may start with.
var pathFields = [...]string{"id", "input", "output", "outputs", "reference", "context", "media", "turns", "dims",
	"tags", "vars", "labels", "raters", "cluster", "criteria", "run",
	"output_text", "output_json", "output_calls"}

// PathFields lists what a path may start with, in the order of the guide.
func PathFields() []string { return pathFields[:] }

// ParsePath reads a path.
func ParsePath(text string) (Path, error) {
	parts, err := splitPath(text)
	if err != nil {
		return Path{}, err
	}
	if parts[0] == "case" && len(parts) > 1 {
		parts = parts[1:]
	}
	for _, f := range pathFields {
		if f == parts[0] {
			return Path{text: text, field: f, rest: parts[1:]}, nil
		}
	}
	hint := ""
	if near := Nearest(parts[0], pathFields[:]); near != "" {
		hint = fmt.Sprintf(" (did you mean %q?)", near)
	}
	return Path{}, fmt.Errorf("path %q starts with no field of a case or output%s; columns of a data file that are no field are under vars", text, hint)
}

func splitPath(text string) ([]string, error) {
	if strings.HasPrefix(text, "/") {
		parts := strings.Split(text[1:], "/")
		unescape := strings.NewReplacer("~1", "/", "~0", "~")
		for i := range parts {
			parts[i] = unescape.Replace(parts[i])
		}
		return parts, nil
	}
	parts := strings.Split(text, ".")
	for _, p := range parts {
		if p == "" {
			return nil, fmt.Errorf("path %q has an empty part", text)
		}
	}
	return parts, nil
}

// String returns the path as it was written.
func (p Path) String() string { return p.text }

// IsZero reports whether p was never set.
func (p Path) IsZero() bool { return p.field == "" }

// Field returns what the path starts with, without "case.".
func (p Path) Field() string { return p.field }

// OfOutput reports whether the path reads the output, where an unreadable
// value is a fail and not an error of the case.
func (p Path) OfOutput() bool { return strings.HasPrefix(p.field, "output") }

// Walk follows steps into a decoded JSON value.
func Walk(v any, steps []string) (any, bool) {
	for _, step := range steps {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[step]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// Nearest returns the word of list that was probably meant by word, or "": one
// that differs in a few letters, else one that word begins with or begins.
func Nearest(word string, list []string) string {
	best, bestDistance := "", 1+len(word)/3
	for _, w := range list {
		if d := editDistance(strings.ToLower(word), w, bestDistance); d < bestDistance || (d == bestDistance && best == "") {
			best, bestDistance = w, d
		}
	}
	for _, w := range list {
		if best == "" && min(len(w), len(word)) >= 3 && (strings.HasPrefix(word, w) || strings.HasPrefix(w, word)) {
			best = w
		}
	}
	return best
}

// editDistance counts insertions, deletions, substitutions and swaps of
// neighbours (optimal string alignment), giving up beyond most.
func editDistance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, now := rows[(i-1)%3], rows[i%3], rows[(i+1)%3]
		now[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}
