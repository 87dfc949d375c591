package expr_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"newel"
	"newel/expr"
)

func TestTextsThatGrowTooLongAreRefusedBeforeTheyAreMade(t *testing.T) {
	t.Parallel()
	text, _ := json.Marshal(strings.Repeat("a", 100_000))
	s := newel.NewSubject(&newel.Item{Case: &newel.Case{Output: text}})
	for name, src := range map[string]string{
		"replace":               `size(output_text.replace("a", output_text)) > 0`,
		"replace between":       `size(output_text.replace("", output_text)) > 0`,
		"replace some":          `size(output_text.replace("a", output_text, 90000)) > 0`,
		"replace what is dyn":   `size(output.replace("a", output)) > 0`,
		"join by a long text":   `size(output_text.split("").join(output_text)) > 0`,
		"join long texts":       `size(output_text.split("", 1000).map(c, output_text).join()) > 0`,
		"format":                `size(output_text.replace("a", "%s").format(lists.range(1000).map(c, output_text))) > 0`,
		"distinct":              `size(output_text.split("").distinct()) > 0`,
		"sets":                  `sets.contains(output_text.split(""), output_text.split(""))`,
		"the same within an or": `size(output_text.replace("a", output_text)) > 0 || false`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := expr.Compile(src, expr.CaseScope)
			if err != nil {
				t.Fatal(err)
			}
			var limit *expr.LimitError
			if got, err := p.Eval(context.Background(), s); !errors.As(err, &limit) {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	for src, want := range map[string]float64{
		`size(output_text.replace("a", "bcd"))`:                300_000,
		`size(output_text.replace("a", output_text, 2))`:       299_998,
		`size(output_text.replace("a", ""))`:                   0,
		`size(output_text.split("").join("--"))`:               299_998,
		`size("%s and %s".format([output_text, output_text]))`: 200_005,
		`size(output_text.split("", 500).distinct())`:          2,
		`size(["a", "b"].join())`:                              2,
	} {
		p, err := expr.Compile(src, expr.CaseScope)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Eval(context.Background(), s); err != nil || got != want {
			t.Errorf("%s: %v, %v", src, got, err)
		}
	}
}
