package expr

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/operators"

	"newel"
)

// CompileError says what is wrong with an expression, and where in it.
type CompileError struct {
	Line, Column int // from 1, in code points
	Msg          string
}

func (e *CompileError) Error() string {
	if e.Line == 1 {
		return fmt.Sprintf("column %d: %s", e.Column, e.Msg)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// compileError returns the first of CEL's issues in newel's words. What follows
// it is mostly its echo.
func compileError(env *cel.Env, scope Scope, issues *cel.Issues) error {
	list := issues.Errors()
	first := list[0]
	for _, e := range list[1:] {
		a, b := e.Location, first.Location
		if a.Line() < b.Line() || a.Line() == b.Line() && a.Column() < b.Column() {
			first = e
		}
	}
	line, column := max(first.Location.Line(), 1), max(first.Location.Column()+1, 1)
	return &CompileError{line, column, reword(env, scope, first.Message)}
}

var (
	unknownName  = regexp.MustCompile(`^undeclared reference to '([^']*)'`)
	unknownField = regexp.MustCompile(`^undefined field '([^']*)'`)
	unexpected   = regexp.MustCompile(`^(?:mismatched input|extraneous input|no viable alternative at input|token recognition error at:) '(.*?)'(?: expecting .*)?$`)
	wrongKinds   = regexp.MustCompile(`^found no matching overload for '([^']*)' applied to '(.*)'$`)
)

func reword(env *cel.Env, scope Scope, msg string) string {
	if m := unknownName.FindStringSubmatch(msg); m != nil {
		return fmt.Sprintf("unknown name %q%s", m[1], newel.DidYouMean(m[1], names(env, scope)))
	}
	if m := unknownField.FindStringSubmatch(msg); m != nil {
		return fmt.Sprintf("a case has no field %q%s; columns of a data file that are no field are under case.vars", m[1], newel.DidYouMean(m[1], newel.PathFields()))
	}
	if m := wrongKinds.FindStringSubmatch(msg); m != nil {
		return noOverload(m[1], m[2])
	}
	if rest, ok := strings.CutPrefix(msg, "Syntax error: "); ok {
		return "not an expression: " + stumble(rest)
	}
	return msg
}

// stumble says in fewer words what the parser stumbled over.
func stumble(msg string) string {
	at := unexpected.FindStringSubmatch(msg)
	switch {
	case at == nil:
		return msg
	case strings.HasPrefix(at[1], "<EOF>"):
		return "it ends where more was expected"
	case strings.TrimSpace(at[1]) == "=":
		return "cannot read =; write == to compare"
	}
	return "cannot read " + at[1]
}

// noOverload says that a function or operator does not take such arguments.
func noOverload(function, arguments string) string {
	name, isOperator := operators.FindReverse(function)
	if !isOperator || name == "" {
		name = function
	}
	hint := ""
	switch {
	case strings.Contains(arguments, "int") && strings.Contains(arguments, "double"):
		hint = ": write double(…) around the whole number"
	case strings.Contains(arguments, "int") && strings.Contains(arguments, "string"):
		hint = ": a text and a number; dims are texts, and int(…) or string(…) convert"
	}
	return fmt.Sprintf("%s does not take %s%s", name, arguments, hint)
}

// names lists what an expression may name: variables and functions.
func names(env *cel.Env, scope Scope) []string {
	list := []string{"record", "path", "row"}
	if scope == CaseScope {
		list = append(newel.PathFields(), "case")
	}
	for name := range env.Functions() {
		if unicode.IsLetter(rune(name[0])) {
			list = append(list, name)
		}
	}
	return list
}
