package data

import (
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"newel"
)

// contentID makes an id from what a case says: 16 hexadecimal digits of the
// SHA-256 over its input, turns, outputs, reference, context, media, vars,
// checks, criteria and run. Dims, tags, labels, raters and cluster may change
// without changing it; spacing and the order of keys do not matter.
func contentID(c *newel.Case) (string, error) {
	object := map[string]any{
		"input": c.Input, "output": c.Output, "reference": c.Reference,
		"checks": c.Checks, "criteria": c.Criteria, "run": c.Run,
		"outputs": c.Outputs, "vars": c.Vars, "context": c.Context, "media": c.Media, "turns": c.Turns,
	}
	text, err := json.Marshal(object)
	if err != nil {
		return "", fmt.Errorf("cannot be made from the content: %w", err)
	}
	// Numbers stay as written: in canonical JSON, ids beyond 2^53 would meet.
	raw := newel.Raw(text)
	if err := raw.Format(jsontext.ReorderRawObjects(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)); err != nil {
		return "", fmt.Errorf("cannot be made from the content: %w", err)
	}
	return newel.HashOf(raw).String()[:16], nil
}
