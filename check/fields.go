package check

import (
	"context"
	"fmt"
	"strings"

	"newel"
)

// fieldsSpec asks which keys the output's JSON has.
func fieldsSpec() *Spec {
	return &Spec{
		Name: "fields", Family: "structural", Main: "required",
		About: "The JSON has each required key and none of the forbidden ones. A key may be a path within it: customer.id, items.0.price, or a JSON Pointer (/customer/id) where a key holds a dot. A key whose value is null is there.",
		Params: []Param{
			{Name: "required", Type: "text or list of texts", About: "paths that must be there"},
			{Name: "forbidden", Type: "text or list of texts", About: "paths that must not"},
		},
		Extra:   readingParams,
		Example: "fields: {required: [id, customer.name], forbidden: [customer.ssn]}",
		Build: func(a *Args) Func {
			reading := ReadingOf(a)
			required, forbidden := deriveList(a, "required", readInner), deriveList(a, "forbidden", readInner)
			if !a.Has("required") && !a.Has("forbidden") {
				a.Wrong(a.Pos(), "fields needs required or forbidden")
			}
			return func(_ context.Context, s *newel.Subject) newel.Score {
				v, err := reading.JSON(s)
				if err != nil {
					return Because(err)
				}
				must, err := required.At(s)
				if err != nil {
					return Because(err)
				}
				mustNot, err := forbidden.At(s)
				if err != nil {
					return Because(err)
				}
				return fieldsScore(v, must, mustNot)
			}
		},
	}
}

// innerPath is a path within a JSON value.
type innerPath struct {
	text  string
	steps []string
}

func readInner(text string) (innerPath, error) {
	if strings.HasPrefix(text, "/") {
		steps := strings.Split(text[1:], "/")
		unescape := strings.NewReplacer("~1", "/", "~0", "~")
		for i := range steps {
			steps[i] = unescape.Replace(steps[i])
		}
		return innerPath{text, steps}, nil
	}
	steps := strings.Split(text, ".")
	for _, s := range steps {
		if s == "" {
			return innerPath{}, fmt.Errorf("%s has an empty part", show(text))
		}
	}
	if steps[0] == "output_json" && len(steps) > 1 {
		return innerPath{}, fmt.Errorf("paths start within the output: write %s", strings.Join(steps[1:], "."))
	}
	return innerPath{text, steps}, nil
}

func fieldsScore(v any, required, forbidden []innerPath) newel.Score {
	var lacks, holds []string
	for _, p := range required {
		if _, ok := newel.Walk(v, p.steps); !ok {
			lacks = append(lacks, p.text)
		}
	}
	for _, p := range forbidden {
		if _, ok := newel.Walk(v, p.steps); ok {
			holds = append(holds, p.text)
		}
	}
	if len(lacks)+len(holds) == 0 {
		return newel.Passed()
	}
	var parts []string
	if len(lacks) > 0 {
		parts = append(parts, "lacks "+strings.Join(lacks, ", "))
	}
	if len(holds) > 0 {
		parts = append(parts, "holds the forbidden "+strings.Join(holds, ", "))
	}
	return newel.Score{
		Verdict:     newel.Fail,
		Explanation: "the JSON " + strings.Join(parts, " and "),
		Evidence:    []newel.Evidence{{Path: "output_json", Want: Clip(strings.Join(lacks, ", "), 200), Got: show(v)}},
	}
}
