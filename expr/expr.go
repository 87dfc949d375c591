// Package expr compiles and evaluates the expressions of a suite: the CEL of
// expr checks, of when and where, and of a data map's {expr: …}.
//
// An expression is pure, bounded in cost, and reads only what it names. What
// its result decides is the caller's business.
package expr

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"

	"newel"
)

// CostLimit is what one evaluation may cost, in CEL's units: about one for
// each operation, one for every ten bytes that a text function walks over.
// Most expressions cost under a hundred; this many take some tens of
// milliseconds.
const CostLimit = 1_000_000

// MaxSize is how long an expression may be, in code points.
const MaxSize = 16 << 10

// Scope says what an expression can see.
type Scope uint8

const (
	// CaseScope is a case and, where there is one, its output.
	CaseScope Scope = iota
	// RecordScope is a record of a data file, the captures of the file's path
	// and the row's number.
	RecordScope
)

// Program is a compiled expression, safe for concurrent use.
type Program struct {
	source string
	scope  Scope
	tree   *ast.AST
	result *cel.Type
	loops  bool // it has a comprehension, which is where CEL looks at a context
	run    cel.Program
	pool   sync.Pool // of *caseVars
}

// Compile reads an expression. What is wrong with it comes back as a
// CompileError.
func Compile(src string, scope Scope) (*Program, error) {
	env, err := environment(scope)
	if err != nil {
		return nil, err
	}
	checked, issues := env.Compile(src)
	if issues.Err() != nil {
		return nil, compileError(env, scope, issues)
	}
	p := &Program{source: src, scope: scope, tree: checked.NativeRep(), result: checked.OutputType()}
	growth, err := boundedGrowth(env)
	if err != nil {
		return nil, &CompileError{Line: 1, Column: 1, Msg: err.Error()}
	}
	p.run, err = plan(env, checked, append(p.options(), growth))
	if err != nil {
		return nil, &CompileError{Line: 1, Column: 1, Msg: err.Error()}
	}
	return p, nil
}

// plan prepares a program. The library works constant parts out on the way and
// panics on some that have no value, such as a map with bytes for a key.
func plan(env *cel.Env, checked *cel.Ast, options []cel.ProgramOption) (run cel.Program, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("a constant part of the expression has no value: %v", cause)
		}
	}()
	return env.Program(checked, options...)
}

// options are the bounds and the ways in which newel's expressions differ from
// plain CEL.
func (p *Program) options() []cel.ProgramOption {
	tests := map[int64]bool{}
	ast.PreOrderVisit(p.tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch {
		case e.Kind() == ast.ComprehensionKind:
			p.loops = true
		case e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly():
			tests[e.ID()] = true
		}
	}))
	options := []cel.ProgramOption{
		cel.EvalOptions(cel.OptOptimize),
		cel.CostLimit(CostLimit),
		cel.InterruptCheckFrequency(64),
		mixedArithmetic(),
	}
	if len(tests) > 0 {
		options = append(options, presenceTests(tests))
	}
	return options
}

// Source returns the expression as it was written.
func (p *Program) Source() string { return p.source }

// Type returns the name of the result's type as far as it is known: bool,
// int, double, string, list, map, null_type, …, or dyn.
func (p *Program) Type() string { return p.result.TypeName() }

// MayBeBool reports whether the result can be true or false.
func (p *Program) MayBeBool() bool {
	return p.result.Kind() == cel.BoolKind || p.result.Kind() == cel.DynKind
}

// Eval evaluates the expression over a case and its output, and returns plain
// JSON: nil, bool, float64, string, []any, map[string]any, and json.Number for
// a whole number that a float64 does not hold.
//
// An output that cannot be read as asked gives a newel.OutputError, a case
// without what is asked of it a newel.MissingError, too much work a LimitError,
// anything else an EvalError or the context's cause.
func (p *Program) Eval(ctx context.Context, s *newel.Subject) (any, error) {
	vars, _ := p.pool.Get().(*caseVars)
	if vars == nil {
		vars = new(caseVars)
	}
	vars.subject = s
	out, err := p.eval(ctx, vars)
	*vars = caseVars{}
	p.pool.Put(vars)
	return out, err
}

// Bool is Eval for an expression that must give true or false.
func (p *Program) Bool(ctx context.Context, s *newel.Subject) (bool, error) {
	v, err := p.Eval(ctx, s)
	if err != nil {
		return false, err
	}
	return p.asBool(v)
}

// EvalRecord evaluates the expression over a record of a data file: record is
// decoded JSON, path holds the captures of the file's path, and row counts
// from 0. A missing key gives a newel.MissingError.
func (p *Program) EvalRecord(ctx context.Context, record any, path map[string]string, row int) (any, error) {
	return p.eval(ctx, &recordVars{record: record, path: path, row: row})
}

// BoolRecord is EvalRecord for an expression that must give true or false.
func (p *Program) BoolRecord(ctx context.Context, record any, path map[string]string, row int) (bool, error) {
	v, err := p.EvalRecord(ctx, record, path, row)
	if err != nil {
		return false, err
	}
	return p.asBool(v)
}

func (p *Program) asBool(v any) (bool, error) {
	b, ok := v.(bool)
	if !ok {
		return false, &EvalError{Msg: "gives " + kindOf(v) + " where true or false was expected"}
	}
	return b, nil
}

func (p *Program) eval(ctx context.Context, vars cel.Activation) (any, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	// Only comprehensions look at the context while they run, and to offer it
	// costs a goroutine's worth of set-up.
	eval := p.run.Eval
	if p.loops {
		eval = func(vars any) (out celValue, _ *cel.EvalDetails, err error) {
			return p.run.ContextEval(ctx, vars)
		}
	}
	out, _, err := eval(vars)
	if err != nil {
		return nil, p.failure(ctx, err)
	}
	plain, err := toJSON(out)
	if err != nil {
		return nil, &EvalError{Msg: err.Error()}
	}
	return plain, nil
}

// LimitError says that an evaluation passed CostLimit, or would have made a
// text of more than four megabytes.
type LimitError struct {
	Limit uint64 // in CEL's cost units
}

func (e *LimitError) Error() string {
	return "the expression costs more than its limit: it walks over too much text or too many elements"
}

// EvalError says that an expression could not be evaluated for a reason that
// is neither the output's nor a missing field's, such as a text of the case
// compared with a number.
type EvalError struct{ Msg string }

func (e *EvalError) Error() string { return "the expression " + e.Msg }

// isMissing reports whether err says that something is not there.
func isMissing(err error) bool {
	var missing *newel.MissingError
	return errors.As(err, &missing) || noSuchKey(err)
}
