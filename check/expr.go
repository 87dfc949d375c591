package check

import (
	"context"
	"errors"
	"fmt"

	"newel"
	"newel/expr"
)

// exprSpec asks a CEL expression over the case and its output.
func exprSpec() *Spec {
	return &Spec{
		Name: "expr", Family: "structural", Main: "expression",
		About:   "The expression is true. It sees the case's fields (reference.amount, dims.language, …; case.reference is the same) and of the output output, output_text, output_json and output_calls. A key that the output lacks, or a value of another kind than the expression needs, is a fail; a missing field of the case is an error, unless has(…) asks for it first. One evaluation may cost 1,000,000 of CEL's units.",
		Source:  "Common Expression Language (cel.dev), with its extensions for strings, math, sets and lists; numbers of JSON and whole numbers also add up, and has(a.b.c) is false when a or a.b is not there",
		Params:  []Param{{Name: "expression", Type: "text", About: "a CEL expression that gives true or false", Required: true}},
		Example: "expr: output_json.amount == reference.amount",
		Build: func(a *Args) Func {
			program := Derive(a, "expression", Text(a, "expression", ""), compileBool)
			return func(ctx context.Context, s *newel.Subject) newel.Score {
				p, err := program.At(s)
				if err != nil {
					return Because(err)
				}
				return holds(ctx, p, s)
			}
		},
	}
}

// compileBool compiles an expression that can give true or false.
func compileBool(src string) (*expr.Program, error) {
	p, err := expr.Compile(src, expr.CaseScope)
	if err != nil {
		return nil, err
	}
	if !p.MayBeBool() {
		return nil, fmt.Errorf("%s gives a value of type %s, not true or false", show(src), p.Type())
	}
	return p, nil
}

func holds(ctx context.Context, p *expr.Program, s *newel.Subject) newel.Score {
	ok, err := p.Bool(ctx, s)
	if err != nil {
		return Because(ofExpression(err))
	}
	if ok {
		return newel.Passed()
	}
	return newel.Missed("not true: " + Clip(p.Source(), 200))
}

// ofExpression puts an expression's errors in the check's own classes.
func ofExpression(err error) error {
	var limit *expr.LimitError
	var eval *expr.EvalError
	switch {
	case errors.As(err, &limit):
		return &LimitError{err.Error()}
	case errors.As(err, &eval):
		return &ParamError{err.Error()}
	}
	return err
}
