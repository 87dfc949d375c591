package pack

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"newel"
)

// body is the JSON that AppendBody writes.
type body struct {
	Checks    newel.Raw            `json:"checks"`
	Cluster   string               `json:"cluster"`
	Context   newel.Raw            `json:"context"`
	Criteria  newel.Raw            `json:"criteria"`
	ID        string               `json:"id"`
	Input     newel.Raw            `json:"input"`
	Media     []newel.Media        `json:"media"`
	Output    newel.Raw            `json:"output"`
	Outputs   map[string]newel.Raw `json:"outputs"`
	Reference newel.Raw            `json:"reference"`
	Turns     []string             `json:"turns"`
	Vars      map[string]newel.Raw `json:"vars"`
}

func readBody(content []byte) (*newel.Case, error) {
	var b body
	if err := json.Unmarshal(content, &b); err != nil {
		return nil, err
	}
	c := &newel.Case{
		ID: b.ID, Input: b.Input, Output: b.Output, Outputs: listed(b.Outputs), Reference: b.Reference,
		Media: b.Media, Turns: b.Turns, Vars: listed(b.Vars), Cluster: b.Cluster, Checks: b.Checks, Criteria: b.Criteria,
	}
	if b.Context == nil {
		return c, nil
	}
	var err error
	c.Context, err = newel.ParsePassages(b.Context)
	return c, err
}

func listed(m map[string]newel.Raw) []newel.Named {
	if m == nil {
		return nil
	}
	out := make([]newel.Named, 0, len(m))
	for name, v := range m {
		out = append(out, newel.Named{Name: name, Value: v})
	}
	slices.SortFunc(out, func(a, b newel.Named) int { return strings.Compare(a.Name, b.Name) })
	return out
}
