package suite

import (
	"encoding/json"
	"slices"
	"strings"

	"newel"
)

// scalarText returns a scalar as text: numbers as JSON writes them.
func scalarText(n *newel.Node) (string, bool) {
	if !n.IsScalar() || n.Value == nil {
		return "", false
	}
	if t, ok := n.Text(); ok {
		return t, true
	}
	b, err := json.Marshal(n.Value)
	return string(b), err == nil
}

func sortAxes(axes []Axis) {
	slices.SortFunc(axes, func(a, b Axis) int { return strings.Compare(a.Name, b.Name) })
}
