package check

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxSchemaSteps bounds one validation, in evaluations of a schema or member.
const maxSchemaSteps = 500_000

// schemaOptions say how a schema is read.
type schemaOptions struct {
	draft  string // of a schema without $schema
	format bool   // assert format in every draft
	file   string // the schema's own file, empty when it is written inline
	refs   any    // a folder, or a map of URI to file, folder/ or schema
	read   func(path string) ([]byte, error)
	ofCase bool // the schema is a case's: it reaches refs and no other file
}

func draftNamed(name string) *jsonschema.Draft {
	switch name {
	case "2020-12":
		return jsonschema.Draft2020
	case "2019-09":
		return jsonschema.Draft2019
	case "7":
		return jsonschema.Draft7
	}
	return nil
}

// jsonSchema is a compiled schema. Each validation under way has a copy of
// its own, so that its steps can be counted.
type jsonSchema struct {
	doc  any
	opts schemaOptions

	mu   sync.Mutex
	docs map[string]any // documents that references led to
	idle []*schemaRun
}

// compileSchema compiles a decoded schema. Its errors continue a sentence that
// begins with the schema's name.
func compileSchema(doc any, opts schemaOptions) (*jsonSchema, error) {
	if !isSchema(doc) {
		return nil, fmt.Errorf("is a map, true or false, not %s", kindOf(doc))
	}
	if err := boundJSON("the schema", doc); err != nil {
		return nil, err
	}
	j := &jsonSchema{doc: doc, opts: opts, docs: map[string]any{}}
	run, err := j.compile()
	if err != nil {
		return nil, err
	}
	j.idle = append(j.idle, run)
	return j, nil
}

// Where schemas without an address of their own stand.
const (
	suiteBase  = "suite:///"
	inlineName = "inline.schema"
)

func (j *jsonSchema) base() string {
	folder, _ := j.opts.refs.(string)
	switch {
	case j.opts.file != "":
		return suiteBase + j.opts.file
	case folder != "":
		return suiteBase + strings.TrimSuffix(folder, "/") + "/" + inlineName
	}
	return suiteBase + inlineName
}

// schemaRun is one compiled copy with its counter.
type schemaRun struct {
	schema *jsonschema.Schema
	steps  *stepCounter
}

func (j *jsonSchema) compile() (run *schemaRun, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cannot be compiled: %v", p)
		}
	}()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(draftNamed(j.opts.draft))
	if j.opts.format {
		c.AssertFormat()
	}
	c.UseRegexpEngine(regexpEngine)
	c.UseLoader(j)
	steps := &stepCounter{}
	c.RegisterVocabulary(&jsonschema.Vocabulary{URL: "urn:newel:steps", Compile: steps.compile})
	c.AssertVocabs()
	if err := c.AddResource(j.base(), j.doc); err != nil {
		return nil, schemaError(err)
	}
	schema, err := c.Compile(j.base())
	if err != nil {
		return nil, schemaError(err)
	}
	return &schemaRun{schema, steps}, nil
}

func regexpEngine(pattern string) (jsonschema.Regexp, error) {
	re, err := compileECMA(pattern)
	if err != nil {
		return nil, err
	}
	return ecmaRegexp{re, pattern}, nil
}

// ecmaRegexp shows itself as the schema wrote it.
type ecmaRegexp struct {
	*regexp.Regexp
	pattern string
}

func (r ecmaRegexp) String() string { return r.pattern }

// Load returns the document that a reference leads to, for the library. It
// never fetches.
func (j *jsonSchema) Load(uri string) (any, error) {
	if doc, ok := j.docs[uri]; ok {
		return doc, nil
	}
	doc, err := j.load(uri)
	if err != nil {
		return nil, err
	}
	if err := boundJSON("the document", doc); err != nil {
		return nil, err
	}
	j.docs[uri] = doc
	return doc, nil
}

func (j *jsonSchema) load(uri string) (any, error) {
	if path, ok := strings.CutPrefix(uri, suiteBase); ok {
		folder, _ := j.opts.refs.(string)
		if j.opts.ofCase && (folder == "" || !strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")) {
			return nil, errors.New("a schema that a case brings reaches no files but those of refs")
		}
		return j.readDoc(path)
	}
	refs, _ := j.opts.refs.(map[string]any)
	if doc, ok := refs[uri]; ok {
		return j.target(doc, "")
	}
	best := ""
	for prefix := range refs {
		if strings.HasSuffix(prefix, "/") && strings.HasPrefix(uri, prefix) && len(prefix) > len(best) {
			best = prefix
		}
	}
	if best == "" {
		return nil, fmt.Errorf("nothing is fetched: say under refs where it stands")
	}
	return j.target(refs[best], uri[len(best):])
}

// target returns what an entry of refs stands for; rest is what follows a
// folder's URI.
func (j *jsonSchema) target(entry any, rest string) (any, error) {
	file, ok := entry.(string)
	if !ok {
		return entry, nil
	}
	if rest != "" {
		file = strings.TrimSuffix(file, "/") + "/" + rest
	}
	return j.readDoc(file)
}

func (j *jsonSchema) readDoc(path string) (any, error) {
	if j.opts.read == nil {
		return nil, errors.New("what a case brings reads no files")
	}
	return jsonFile(j.opts.read, path)
}

// validate returns what is wrong with v, nil when nothing is.
func (j *jsonSchema) validate(ctx context.Context, v any) (failed *jsonschema.ValidationError, err error) {
	run, err := j.take()
	if err != nil {
		return nil, err
	}
	defer j.giveBack(run)
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *stopped:
			failed, err = nil, p.err
		default:
			failed, err = nil, fmt.Errorf("validate: %v", p)
		}
	}()
	run.steps.start(ctx)
	err = run.schema.Validate(v)
	if errors.As(err, &failed) {
		return failed, nil
	}
	return nil, err
}

func (j *jsonSchema) take() (*schemaRun, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if n := len(j.idle); n > 0 {
		run := j.idle[n-1]
		j.idle = j.idle[:n-1]
		return run, nil
	}
	return j.compile()
}

func (j *jsonSchema) giveBack(run *schemaRun) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.idle = append(j.idle, run)
}

// stepCounter counts the steps of one validation and stops it at the bound. It
// is not safe for use by two at once.
type stepCounter struct {
	ctx  context.Context // of the validation under way only
	left int
	seen int
}

// stopped unwinds the library, which has no other way out.
type stopped struct{ err error }

func (c *stepCounter) start(ctx context.Context) { c.ctx, c.left, c.seen = ctx, maxSchemaSteps, 0 }

func (c *stepCounter) spend(n int) {
	c.left -= n
	if c.left < 0 {
		panic(&stopped{&LimitError{fmt.Sprintf("validation takes more than %d steps", maxSchemaSteps)}})
	}
	if c.seen++; c.seen%1024 == 0 && c.ctx.Err() != nil {
		panic(&stopped{context.Cause(c.ctx)})
	}
}

// compile makes the counter part of one schema object, as a keyword of a
// vocabulary of its own.
func (c *stepCounter) compile(_ *jsonschema.CompilerContext, obj map[string]any) (jsonschema.SchemaExt, error) {
	w := &stepWeight{counter: c, fixed: 1}
	for name, v := range obj {
		switch v := v.(type) {
		case []any:
			w.fixed += len(v)
		case map[string]any:
			if name == "patternProperties" {
				w.each = len(v)
			}
			if name == "dependentSchemas" || name == "dependencies" {
				w.fixed += len(v)
			}
		}
	}
	return w, nil
}

// stepWeight is what evaluating one schema object costs, in steps.
type stepWeight struct {
	counter *stepCounter
	fixed   int
	each    int // for each member of an object
}

// Validate counts; it finds nothing wrong.
func (w *stepWeight) Validate(_ *jsonschema.ValidatorContext, v any) {
	n := w.fixed
	switch v := v.(type) {
	case map[string]any:
		n += len(v) * (1 + w.each)
	case []any:
		n += len(v)
	}
	w.counter.spend(n)
}
