package check

import (
	"context"
	"fmt"
	"strings"

	"newel"
)

// jsonSchemaSpec validates JSON against a schema.
func jsonSchemaSpec() *Spec {
	return &Spec{
		Name: "json-schema", Family: "schema", Main: "schema",
		About:  "The text is JSON and valid against a JSON Schema. Nothing is ever fetched: what a $ref names stands in the schema, in the suite's folder or under refs.",
		Source: "JSON Schema drafts 7, 2019-09 and 2020-12; all 2,226 required tests of the JSON Schema Test Suite for drafts 7 and 2020-12 hold",
		Params: []Param{
			{Name: "schema", Type: "file name, map, true or false", About: "the schema: a JSON file of the suite, or the schema itself; a text taken from a case is read as JSON", Required: true},
			{Name: "draft", Type: "2020-12, 2019-09 or 7", About: "the draft of a schema that does not say by $schema", Default: "2020-12"},
			{Name: "assert_format", Type: "true or false", About: "whether format is checked in the drafts where it only annotates (2019-09, 2020-12)", Default: "false"},
			{Name: "refs", Type: "folder, or map of URI to file, folder/ or schema", About: "where references lead: a folder for relative ones, and for absolute ones the URI (or its beginning, with a folder)"},
		},
		Extra:       readingParams,
		Example:     `json-schema: {schema: {type: object, required: [amount], properties: {amount: {type: number}}}}`,
		Approximate: "Patterns are matched in linear time by Go's engine, ECMA-262's classes and escapes rewritten for it: a pattern with look-around or back-references is a mistake of the definition. contentEncoding, contentMediaType and contentSchema only annotate.",
		Build: func(a *Args) Func {
			reading, source := ReadingOf(a), schemaSourceOf(a)
			return func(ctx context.Context, s *newel.Subject) newel.Score {
				schema, err := source.at(s)
				if err != nil {
					return Because(err)
				}
				v, err := reading.JSON(s)
				if err != nil {
					return Because(err)
				}
				return schema.score(ctx, v)
			}
		},
	}
}

// score validates v and says what is wrong with it.
func (j *jsonSchema) score(ctx context.Context, v any) newel.Score {
	if err := boundJSON("the JSON", v); err != nil {
		return Because(err)
	}
	failed, err := j.validate(ctx, v)
	if err != nil {
		return Because(err)
	}
	if failed == nil {
		return newel.Passed()
	}
	reasons := schemaReasons(failed, v)
	return newel.Score{Verdict: newel.Fail, Explanation: "the JSON does not fit the schema: " + listReasons(reasons), Evidence: evidenceOf(reasons)}
}

// schemaSource is where the schema of a check comes from.
type schemaSource struct {
	fixed  *jsonSchema // when nothing depends on the case
	schema Arg[any]
	draft  Arg[string]
	format Arg[bool]
	refs   Arg[any]
	read   func(path string) ([]byte, error)
	made   *cache[*jsonSchema]
}

func schemaSourceOf(a *Args) *schemaSource {
	src := &schemaSource{
		schema: Any(a, "schema"),
		draft:  argOf(a, "draft", "2020-12", readDraft),
		format: Flag(a, "assert_format", false),
		refs:   argOf(a, "refs", nil, readRefs),
		read:   a.Env().ReadFile,
		made:   newCache[*jsonSchema](cacheSize),
	}
	v, fixedSchema := src.schema.Constant()
	draft, fixedDraft := src.draft.Constant()
	format, fixedFormat := src.format.Constant()
	refs, fixedRefs := src.refs.Constant()
	if fixedRefs && refs != nil {
		src.checkRefs(a, refs)
	}
	if !src.schema.Set() || !fixedSchema || !fixedDraft || !fixedFormat || !fixedRefs {
		src.readAhead(a, v, refs)
		return src
	}
	if draft == "" { // a mistake, noted already
		return src
	}
	fixed, err := src.compileConstant(v, schemaOptions{draft: draft, format: format, refs: refs, read: src.read})
	if err != nil {
		a.Wrong(a.Node("schema").Pos, "%s: schema %v", a.spec.Name, err)
	}
	src.fixed = fixed
	return src
}

// readAhead reads the files that a schema which is compiled later may need:
// when cases are scored, only what was read now is there.
func (src *schemaSource) readAhead(a *Args, schema, refs any) {
	if file, isText := schema.(string); isText && src.schema.Set() && src.read != nil {
		if _, err := src.read(file); err != nil {
			a.Wrong(a.Node("schema").Pos, "%s: schema %v", a.spec.Name, err)
		}
	}
	if a.Env().ReadFolder == nil {
		return
	}
	folders, _ := refs.(map[string]any)
	if one, isText := refs.(string); isText {
		folders = map[string]any{"": strings.TrimSuffix(one, "/") + "/"}
	}
	for _, target := range folders {
		folder, isText := target.(string)
		if !isText || !strings.HasSuffix(folder, "/") {
			continue
		}
		if err := a.Env().ReadFolder(folder); err != nil {
			a.Wrong(a.Node("refs").Pos, "%s: refs: %v", a.spec.Name, err)
		}
	}
}

func readDraft(v any) (string, error) {
	word, err := readText(v)
	if err != nil {
		return "", err
	}
	word = strings.TrimPrefix(strings.TrimPrefix(word, "draft-0"), "draft")
	if draftNamed(word) == nil {
		return "", fmt.Errorf("is one of 2020-12, 2019-09, 7, not %s", show(v))
	}
	return word, nil
}

func readRefs(v any) (any, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case map[string]any:
		return v, nil
	}
	return nil, fmt.Errorf("is a folder or a map of URI to file, folder/ or schema, not %s", kindOf(v))
}

// checkRefs notes files that are not there before a schema happens to need
// them.
func (src *schemaSource) checkRefs(a *Args, refs any) {
	m, _ := refs.(map[string]any)
	for uri, target := range m {
		file, isText := target.(string)
		switch {
		case !isText && !isSchema(target):
			a.Wrong(a.Node("refs").Pos, "json-schema: refs: %s is a file, a folder/ or a schema, not %s", uri, kindOf(target))
		case isText && src.read == nil:
			a.Wrong(a.Node("refs").Pos, "json-schema: refs: %s: a case's own checks read no files: write the schema itself", uri)
		case isText && !strings.HasSuffix(file, "/"):
			if _, err := src.read(file); err != nil {
				a.Wrong(a.Node("refs").Pos, "json-schema: refs: %s: %v", uri, err)
			}
		}
	}
}

func isSchema(v any) bool {
	switch v.(type) {
	case bool, map[string]any:
		return true
	}
	return false
}

// compileConstant compiles a schema written in the suite: a file's name or
// the schema itself.
func (src *schemaSource) compileConstant(v any, opts schemaOptions) (*jsonSchema, error) {
	file, isText := v.(string)
	if !isText {
		return compileSchema(v, opts)
	}
	if src.read == nil {
		return nil, fmt.Errorf("%q: a case's own checks read no files: write the schema itself", file)
	}
	doc, err := jsonFile(src.read, file)
	if err != nil {
		return nil, err
	}
	opts.file = file
	schema, err := compileSchema(doc, opts)
	if err != nil {
		return nil, fmt.Errorf("%q %w", file, err)
	}
	return schema, nil
}

// at returns the schema for s. One that depends on the case is compiled once
// for each text seen lately.
func (src *schemaSource) at(s *newel.Subject) (*jsonSchema, error) {
	if src.fixed != nil {
		return src.fixed, nil
	}
	v, err := src.schema.At(s)
	if err != nil {
		return nil, err
	}
	opts := schemaOptions{read: src.read}
	if opts.draft, err = src.draft.At(s); err != nil {
		return nil, err
	}
	if opts.format, err = src.format.At(s); err != nil {
		return nil, err
	}
	if opts.refs, err = src.refs.At(s); err != nil {
		return nil, err
	}
	if _, constant := src.refs.Constant(); !constant {
		opts.read = nil // what a case brings reads no files
	}
	return src.compileAt(v, opts)
}

func (src *schemaSource) compileAt(v any, opts schemaOptions) (*jsonSchema, error) {
	if _, constant := src.schema.Constant(); constant {
		key, err := textOf([]any{opts.draft, opts.format, opts.refs})
		if err != nil {
			return nil, err
		}
		return paramOf(src.made.get(key, func(string) (*jsonSchema, error) { return src.compileConstant(v, opts) }))
	}
	text, err := textOf(v)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%s %t ", opts.draft, opts.format)
	if _, constant := src.refs.Constant(); !constant {
		refs, err := textOf(opts.refs)
		if err != nil {
			return nil, err
		}
		key += refs
	}
	opts.ofCase = true
	return paramOf(src.made.get(key+"\n"+text, func(string) (*jsonSchema, error) {
		doc, err := newel.ParseJSON([]byte(text))
		if err != nil {
			return nil, err
		}
		return compileSchema(doc, opts)
	}))
}

// paramOf makes an error that of a parameter taken from the case.
func paramOf[T any](v T, err error) (T, error) {
	if err != nil {
		return v, &ParamError{"schema " + err.Error()}
	}
	return v, nil
}
