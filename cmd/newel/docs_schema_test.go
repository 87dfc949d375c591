package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"newel"
	"newel/check"
	"newel/suite"
)

const schemaFile = "../../docs/suite.schema.json"

// TestTheSchemaOfTheDocsTakesEverySuite holds the schema for editors against
// all suites that are shown or shipped.
func TestTheSchemaOfTheDocsTakesEverySuite(t *testing.T) {
	t.Parallel()
	schema := suiteSchema(t)
	suites := shippedSuites(t)
	for _, page := range []string{"suite.md", "gate.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range suiteBlock.FindAllSubmatch(text, -1) {
			suites[page+": "+strings.SplitN(string(b[1]), "\n", 3)[1]] = b[1]
		}
	}
	if len(suites) < 25 {
		t.Errorf("found %d suites", len(suites))
	}
	for name, text := range suites {
		if err := schema.Validate(suiteValue(t, name, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// shippedSuites returns the suites of examples, docs and the starter.
func shippedSuites(t *testing.T) map[string][]byte {
	t.Helper()
	suites := map[string][]byte{}
	for _, dir := range []string{"../../examples", "../../docs/testdata/faq", "../../suite/testdata/guide", "starter"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			text, err := os.ReadFile(path)
			if bytes.Contains(text, []byte("newel: v1\n")) {
				suites[path] = text
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return suites
}

func TestTheSchemaOfTheDocsRefusesMistakes(t *testing.T) {
	t.Parallel()
	schema := suiteSchema(t)
	const begin = "newel: v1\nname: a\ndata: {cases: [{id: a, output: x}]}\n"
	for name, text := range map[string]string{
		"a misspelt key":           begin + "rubrics: [{name: r, flor: [json]}]\n",
		"an unknown check":         begin + "rubrics: [{name: r, floor: [lenght]}]\n",
		"a rubric without a layer": begin + "rubrics: [{name: r}]\n",
		"no rubrics":               begin,
		"a rule of two kinds":      begin + "rubrics: [{name: r, floor: [json]}]\ngate: [{rubric: r, min: 0.5, fails: {max: 0}}]\n",
		"a plain number as a span": begin + "rubrics: [{name: r, floor: [json]}]\ncache: 3\n",
		"half a trial":             begin + "rubrics: [{name: r, floor: [json]}]\ntrials: 1.5\n",
		"a source with both":       "newel: v1\nname: a\ndata: {file: a.jsonl, cases: [{id: a}]}\nrubrics: [{name: r, floor: [json]}]\n",
		"target and targets":       begin + "rubrics: [{name: r, floor: [json]}]\ntarget: {command: {run: [a]}}\ntargets: {b: {command: {run: [a]}}}\n",
		"a map to no field":        "newel: v1\nname: a\ndata: {file: a.jsonl, map: {inputs: q}}\nrubrics: [{name: r, floor: [json]}]\n",
	} {
		if schema.Validate(suiteValue(t, name, []byte(text))) == nil {
			t.Errorf("%s is taken:\n%s", name, text)
		}
	}
}

// schemaKeys says which lists of keys a definition of the schema repeats.
var schemaKeys = map[string][]string{
	"": {"topKeys"}, "rubric": {"rubricKeys"}, "judge": {"judgeKeys"}, "source": {"sourceKeys"}, "join": {"joinKeys"},
	"target": {"kindKeys", "commonKeys"}, "openai": {"openAIKeys"}, "http": {"plainKeys"}, "command": {"commandKeys"},
	"rule": {"kinds", "options"}, "case": {"fieldNames"},
}

// TestTheSchemaOfTheDocsHasTheReadersKeys compares the schema's keys with those
// that the readers know, both ways.
func TestTheSchemaOfTheDocsHasTheReadersKeys(t *testing.T) {
	t.Parallel()
	type definition struct {
		Properties map[string]any
		AnyOf      []struct{ Enum []string }
		Defs       map[string]definition `json:"$defs"`
	}
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var schema definition
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	known := map[string][]string{}
	for _, pkg := range []string{"suite", "data", "target", "gate"} {
		for name, list := range stringLists(t, filepath.Join("..", "..", pkg)) {
			known[name] = append(known[name], list...)
		}
	}
	for name, lists := range schemaKeys {
		have, want := schema.Defs[name], []string(nil)
		if name == "" {
			have = schema
		}
		for _, list := range lists {
			want = append(want, known[list]...)
		}
		got := []string{}
		for key := range have.Properties {
			got = append(got, key)
		}
		if diff := cmp.Diff(set(want), set(got)); diff != "" {
			t.Errorf("%q (-readers +schema)\n%s", name, diff)
		}
	}
	if diff := cmp.Diff(set(check.Names()), set(schema.Defs["check"].AnyOf[0].Enum)); diff != "" {
		t.Errorf("checks (-table +schema)\n%s", diff)
	}
}

// set sorts a list and leaves out the empty and what stands twice.
func set(list []string) []string {
	out := slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
	slices.Sort(out)
	return slices.Compact(out)
}

func suiteSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// suiteValue reads a suite as newel does, as a JSON value.
func suiteValue(t *testing.T, name string, text []byte) any {
	t.Helper()
	var m newel.Mistakes
	root := suite.ParseYAML(name, text, &m)
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
