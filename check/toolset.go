package check

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"newel"
)

// toolSource is where the tools of a check come from.
type toolSource struct {
	arg     Arg[any]
	dialect Arg[string]
	fixed   *toolset // when they do not depend on the case
	made    *cache[*toolset]
}

func toolSourceOf(a *Args, dialect Arg[string]) *toolSource {
	src := &toolSource{arg: Any(a, "tools"), dialect: dialect, made: newCache[*toolset](cacheSize)}
	v, constant := src.arg.Constant()
	name, fixedDialect := dialect.Constant()
	if !src.arg.Set() || !constant {
		return src
	}
	v, err := toolsFile(v, a.Env().ReadFile)
	if err == nil {
		src.arg = Const(v)
		src.fixed, err = readTools(v, name == "bfcl")
	}
	if err == nil {
		err = src.fixed.compileAll()
	}
	if err != nil {
		a.Wrong(a.Node("tools").Pos, "tool-calls: tools %v", err)
	}
	if !fixedDialect {
		src.fixed = nil
	}
	return src
}

// toolsFile returns the JSON of a file where tools is its name.
func toolsFile(v any, read func(string) ([]byte, error)) (any, error) {
	file, ok := v.(string)
	if !ok {
		return v, nil
	}
	if read == nil {
		return nil, fmt.Errorf("%q: a case's own checks read no files: write the tools themselves", file)
	}
	return jsonFile(read, file)
}

// at returns the tools for s, nil where none were written.
func (src *toolSource) at(s *newel.Subject) (*toolset, error) {
	if src.fixed != nil || !src.arg.Set() {
		return src.fixed, nil
	}
	v, err := src.arg.At(s)
	if err != nil {
		return nil, err
	}
	dialect, err := src.dialect.At(s)
	if err != nil {
		return nil, err
	}
	text, err := textOf(v)
	if err != nil {
		return nil, err
	}
	set, err := src.made.get(dialect+text, func(string) (*toolset, error) {
		if given, ok := v.(string); ok {
			if v, err = newel.ParseJSON([]byte(given)); err != nil {
				return nil, err
			}
		}
		return readTools(v, dialect == "bfcl")
	})
	if err != nil {
		return nil, &ParamError{"tools " + err.Error()}
	}
	return set, nil
}

// toolset is the tools that may be called.
type toolset struct {
	names []string
	tools map[string]*tool
}

// tool is one of them. Its schema is compiled when first needed.
type tool struct {
	required []string
	params   any // nil: the tool says nothing of its arguments
	once     sync.Once
	schema   *jsonSchema
	err      error
}

func readTools(v any, bfcl bool) (*toolset, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("is a list of {name, parameters}, not %s", kindOf(v))
	}
	if err := boundJSON("tools", v); err != nil {
		return nil, err
	}
	set := &toolset{tools: make(map[string]*tool, len(list))}
	for _, e := range list {
		name, params, err := readTool(e)
		if err != nil {
			return nil, err
		}
		if set.tools[name] != nil {
			return nil, fmt.Errorf("has %s twice", name)
		}
		if m, ok := params.(map[string]any); ok && bfcl {
			params = closed(bfclSchema(m))
		}
		set.names = append(set.names, name)
		set.tools[name] = &tool{params: params, required: requiredOf(params)}
	}
	return set, nil
}

func readTool(v any) (name string, params any, err error) {
	if name, ok := v.(string); ok {
		return name, nil, nil
	}
	m, ok := v.(map[string]any)
	if f, nested := m["function"].(map[string]any); nested {
		m = f
	}
	name, named := m["name"].(string)
	if !ok || !named || name == "" {
		return "", nil, errors.New("has an entry without a name: " + show(v))
	}
	for _, key := range []string{"parameters", "input_schema", "inputSchema"} {
		if params := m[key]; params != nil {
			return name, params, nil
		}
	}
	return name, nil, nil
}

func requiredOf(params any) []string {
	m, _ := params.(map[string]any)
	list, _ := m["required"].([]any)
	var out []string
	for _, e := range list {
		if name, ok := e.(string); ok {
			out = append(out, name)
		}
	}
	return out
}

// compileAll compiles every schema, so that a constant's faults are known
// before a run.
func (set *toolset) compileAll() error {
	for _, name := range set.names {
		if _, err := set.tools[name].compiled(); err != nil {
			return fmt.Errorf("has for %s a schema that %w", name, err)
		}
	}
	return nil
}

func (t *tool) compiled() (*jsonSchema, error) {
	t.once.Do(func() {
		if t.params != nil {
			t.schema, t.err = compileSchema(t.params, schemaOptions{draft: "2020-12"})
		}
	})
	return t.schema, t.err
}

// fault says what is wrong with a call's arguments, empty when nothing is.
func (t *tool) fault(ctx context.Context, call newel.ToolCall) (string, error) {
	schema, err := t.compiled()
	if err != nil {
		return "", &ParamError{fmt.Sprintf("tools has for %s a schema that %v", call.Name, err)}
	}
	if schema == nil {
		return "", nil
	}
	failed, err := schema.validate(ctx, call.Arguments)
	if failed == nil || err != nil {
		return "", err
	}
	return fmt.Sprintf("the arguments of %s do not fit its schema: %s", call.Name, listReasons(schemaReasons(failed, call.Arguments))), nil
}

// bfclTypes are the leaderboard's names of types, which are Python's.
var bfclTypes = map[string]string{"dict": "object", "float": "number", "tuple": "array", "list": "array", "int": "integer", "bool": "boolean", "str": "string"}

// bfclSchema returns a schema of the leaderboard as a JSON Schema.
func bfclSchema(m map[string]any) map[string]any {
	out := maps.Clone(m)
	if name, ok := m["type"].(string); ok {
		if t, ok := bfclTypes[name]; ok {
			out["type"] = t
		}
		if name == "any" {
			delete(out, "type")
		}
	}
	if properties, ok := m["properties"].(map[string]any); ok {
		copied := make(map[string]any, len(properties))
		for name, p := range properties {
			copied[name] = bfclAny(p)
		}
		out["properties"] = copied
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if v, ok := m[key]; ok {
			out[key] = bfclAny(v)
		}
	}
	if _, isList := m["required"].([]any); !isList {
		delete(out, "required")
	}
	return out
}

func bfclAny(v any) any {
	if m, ok := v.(map[string]any); ok {
		return bfclSchema(m)
	}
	return v
}

// closed lets no arguments in but those that the schema names: the
// leaderboard counts any other as wrong.
func closed(m map[string]any) map[string]any {
	if _, given := m["additionalProperties"]; !given {
		m["additionalProperties"] = false
	}
	return m
}

// has reports whether a tool names one of its parameters; it does when it
// says nothing of them.
func (t *tool) has(argument string) bool {
	m, _ := t.params.(map[string]any)
	properties, ok := m["properties"].(map[string]any)
	if !ok {
		return true
	}
	_, ok = properties[argument]
	return ok
}

// missing returns the first required argument that a call lacks.
func (t *tool) missing(arguments map[string]any) string {
	i := slices.IndexFunc(t.required, func(name string) bool {
		_, given := arguments[name]
		return !given
	})
	if i < 0 {
		return ""
	}
	return t.required[i]
}
