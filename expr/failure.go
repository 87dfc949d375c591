package expr

import (
	"context"
	"errors"
	"regexp/syntax"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/interpreter"

	"newel"
)

// failure turns what CEL says went wrong into what it means for the caller.
func (p *Program) failure(ctx context.Context, err error) error {
	var output *newel.OutputError
	var missing *newel.MissingError
	var limit *LimitError
	var cancelled interpreter.EvalCancelledError
	switch {
	case errors.As(err, &output):
		return output
	case errors.As(err, &missing):
		return missing
	case errors.As(err, &cancelled) && cancelled.Cause == interpreter.CostLimitExceeded:
		return &LimitError{CostLimit}
	case errors.As(err, &limit):
		return limit
	case errors.Is(err, interpreter.InterruptError{}) && ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return p.blame(err)
}

// AskFirst tells, of an error that a case lacks what an expression names, how
// the expression can ask for it; of any other error nothing.
func AskFirst(err error) string {
	var missing *newel.MissingError
	if !errors.As(err, &missing) {
		return ""
	}
	return ": ask for it first, as in has(" + missing.Path + ") && …"
}

// blame finds where in the expression it went wrong, and so whether the output
// was not as the expression needs it, or the case.
func (p *Program) blame(err error) error {
	var at *types.Err
	var pattern *syntax.Error
	msg := strings.TrimSuffix(err.Error(), " 0")
	if !errors.As(err, &at) || at.NodeID() == 0 || errors.As(err, &pattern) {
		return &EvalError{"fails: " + msg}
	}
	node, where := p.find(at.NodeID())
	switch {
	case node == nil:
		return &EvalError{"fails: " + msg}
	case noSuchKey(err) && where.ofOutput(node):
		return &newel.OutputError{Msg: "the output has no " + show(node)}
	case noSuchKey(err):
		return &newel.MissingError{Path: show(node)}
	case where.ofOutput(node):
		return &newel.OutputError{Msg: "the output is not as the expression needs it: " + explain(node, msg)}
	}
	return &EvalError{"fails: " + explain(node, msg)}
}

// noSuchKey reports whether CEL says that a key or element is not there. Its
// error has no exported type.
func noSuchKey(err error) bool {
	msg := err.Error()
	return strings.HasPrefix(msg, "no such key: ") || strings.HasPrefix(msg, "index out of bounds: ")
}

// scopes knows what the variables of the comprehensions around a node run over.
type scopes map[string]ast.Expr

// find returns the node called id and the comprehensions that it stands in.
func (p *Program) find(id int64) (ast.Expr, scopes) {
	var found ast.Expr
	where := scopes{}
	ast.PreOrderVisit(p.tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.ComprehensionKind {
			c := e.AsComprehension()
			for _, name := range []string{c.IterVar(), c.IterVar2()} {
				if name != "" {
					where[name] = c.IterRange()
				}
			}
		}
		if e.ID() == id {
			found = e
		}
	}))
	return found, where
}

// ofOutput reports whether anything below a node reads the output.
func (w scopes) ofOutput(node ast.Expr) bool {
	found := false
	seen := map[string]bool{}
	var visit func(e ast.Expr)
	visit = func(e ast.Expr) {
		ast.PreOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
			switch e.Kind() {
			case ast.IdentKind:
				name := e.AsIdent()
				found = found || strings.HasPrefix(name, "output")
				if over := w[name]; over != nil && !seen[name] {
					seen[name] = true
					visit(over)
				}
			case ast.SelectKind:
				s := e.AsSelect()
				isCase := s.Operand().Kind() == ast.IdentKind && s.Operand().AsIdent() == "case"
				found = found || isCase && strings.HasPrefix(s.FieldName(), "output")
			}
		}))
	}
	visit(node)
	return found
}

// show writes a chain of selections as a path.
func show(node ast.Expr) string {
	switch node.Kind() {
	case ast.IdentKind:
		return node.AsIdent()
	case ast.SelectKind:
		return show(node.AsSelect().Operand()) + "." + node.AsSelect().FieldName()
	case ast.CallKind:
		call := node.AsCall()
		if call.FunctionName() == operators.Index && len(call.Args()) == 2 {
			return show(call.Args()[0]) + "[" + show(call.Args()[1]) + "]"
		}
	case ast.LiteralKind:
		if text, ok := node.AsLiteral().(types.String); ok {
			return strconv.Quote(string(text))
		}
		if text, ok := node.AsLiteral().ConvertToType(types.StringType).(types.String); ok {
			return string(text)
		}
	}
	return "…"
}

// explain says what a failed call was about.
func explain(node ast.Expr, msg string) string {
	if node.Kind() != ast.CallKind || !strings.HasPrefix(msg, "no such overload") {
		return msg
	}
	call := node.AsCall()
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	shown := make([]string, len(args))
	for i, a := range args {
		shown[i] = show(a)
	}
	name, isOperator := operators.FindReverse(call.FunctionName())
	if isOperator && len(shown) == 2 {
		return shown[0] + " " + name + " " + shown[1] + " is not defined for the kinds of values there"
	}
	return call.FunctionName() + "(" + strings.Join(shown, ", ") + ") is not defined for the kinds of values there"
}
