package expr

import (
	"errors"
	"fmt"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"

	"newel"
)

type celValue = ref.Val

// caseType is the name of the type of the variable case. As a type with known
// fields it lets the compiler find misspelt ones.
const caseType = "newel.Case"

// caseField is one thing that an expression over a case can name.
type caseField struct {
	name string
	typ  *cel.Type
	path newel.Path
}

// texts is a map from text to text.
var texts = cel.MapType(cel.StringType, cel.StringType)

// object is a map from text to anything.
var object = cel.MapType(cel.StringType, cel.DynType)

// fieldTypes says what is known of a field; any other is dyn.
var fieldTypes = map[string]*cel.Type{
	"id": cel.StringType, "cluster": cel.StringType, "output_text": cel.StringType,
	"context": cel.ListType(texts), "tags": cel.ListType(cel.StringType), "turns": cel.ListType(cel.StringType),
	"media": cel.ListType(texts), "dims": texts, "outputs": object, "vars": object, "labels": object,
	"raters": object, "output_calls": cel.ListType(object),
}

// caseFields are the fields of a case and its output, in the order of
// newel.PathFields.
var caseFields = func() []caseField {
	names := newel.PathFields()
	fields := make([]caseField, len(names))
	for i, name := range names {
		path, err := newel.ParsePath(name)
		if err != nil {
			panic("expr: " + err.Error())
		}
		fields[i] = caseField{name, cel.DynType, path}
		if t := fieldTypes[name]; t != nil {
			fields[i].typ = t
		}
	}
	return fields
}()

// caseIndex finds a field by its name.
var caseIndex = func() map[string]int {
	index := make(map[string]int, len(caseFields))
	for i, f := range caseFields {
		index[f.name] = i
	}
	return index
}()

// maxFields is room for all fields of a case.
const maxFields = 24

// environment returns what an expression of a scope is compiled in. Each is
// made once, by whoever asks first: it takes two to three milliseconds.
func environment(scope Scope) (*cel.Env, error) {
	if scope == RecordScope {
		return recordEnvironment()
	}
	return caseEnvironment()
}

var caseEnvironment = sync.OnceValues(func() (*cel.Env, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, fmt.Errorf("expressions: %w", err)
	}
	options := append(common(), cel.CustomTypeProvider(&caseProvider{registry}), cel.Variable("case", cel.ObjectType(caseType)))
	for _, f := range caseFields {
		options = append(options, cel.Variable(f.name, f.typ))
	}
	return cel.NewEnv(options...)
})

var recordEnvironment = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(append(common(),
		cel.Variable("record", cel.DynType),
		cel.Variable("path", texts),
		cel.Variable("row", cel.IntType))...)
})

// common is what all scopes share: JSON's values, CEL's standard functions and
// its extensions for texts, numbers, sets and lists.
func common() []cel.EnvOption {
	return []cel.EnvOption{
		cel.CustomTypeAdapter(adapter{}),
		cel.CrossTypeNumericComparisons(true),
		cel.ParserExpressionSizeLimit(MaxSize),
		cel.ParserRecursionLimit(100),
		ext.Strings(), ext.Math(), ext.Sets(), ext.Lists(),
	}
}

// caseProvider adds the type of case to CEL's own.
type caseProvider struct{ *types.Registry }

func (p *caseProvider) FindStructType(name string) (*types.Type, bool) {
	if name == caseType {
		return types.NewTypeTypeWithParam(cel.ObjectType(caseType)), true
	}
	return p.Registry.FindStructType(name)
}

func (p *caseProvider) FindStructFieldNames(name string) ([]string, bool) {
	if name == caseType {
		return newel.PathFields(), true
	}
	return p.Registry.FindStructFieldNames(name)
}

func (p *caseProvider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	if name != caseType {
		return p.Registry.FindStructFieldType(name, field)
	}
	i, ok := caseIndex[field]
	if !ok {
		return nil, false
	}
	return &types.FieldType{
		Type:    caseFields[i].typ,
		IsSet:   func(vars any) bool { return vars.(*caseVars).has(i) },
		GetFrom: func(vars any) (any, error) { return vars.(*caseVars).get(i), nil },
	}, true
}

// caseVars gives an expression its case, decoding each field when it is first
// asked for. It is itself the value of the variable case.
type caseVars struct {
	subject *newel.Subject
	values  [maxFields]ref.Val
}

func (c *caseVars) Parent() cel.Activation { return nil }

func (c *caseVars) ResolveName(name string) (any, bool) {
	if i, ok := caseIndex[name]; ok {
		return c.get(i), true
	}
	if name == "case" {
		return c, true
	}
	return nil, false
}

// get returns a field, or a types.Err that wraps why there is none.
func (c *caseVars) get(i int) ref.Val {
	if c.values[i] == nil {
		v, err := c.subject.Lookup(caseFields[i].path)
		if err != nil {
			c.values[i] = types.WrapErr(err)
		} else {
			c.values[i] = adapter{}.NativeToValue(v)
		}
	}
	return c.values[i]
}

// has is false for what is not there and for an output that cannot be read as
// asked; a field that is broken otherwise is there.
func (c *caseVars) has(i int) bool {
	err, broken := c.get(i).(*types.Err)
	if !broken {
		return true
	}
	var missing *newel.MissingError
	var output *newel.OutputError
	return !errors.As(err, &missing) && !errors.As(err, &output)
}

// all returns every field that is there, for an expression that uses case as
// a whole.
func (c *caseVars) all() map[string]any {
	m := make(map[string]any, len(caseFields))
	for i, f := range caseFields {
		if v := c.get(i); !types.IsError(v) {
			m[f.name] = v
		}
	}
	return m
}

// recordVars gives an expression a record of a data file.
type recordVars struct {
	record any
	path   map[string]string
	row    int
}

func (r *recordVars) Parent() cel.Activation { return nil }

func (r *recordVars) ResolveName(name string) (any, bool) {
	switch name {
	case "record":
		return r.record, true
	case "path":
		if r.path == nil {
			return map[string]string{}, true
		}
		return r.path, true
	case "row":
		return r.row, true
	}
	return nil, false
}
