package suite

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"newel"
)

// TestFilesTravelWithTheDefinition scores from the stored definition alone
// what needs a folder of schemas, once the folder is gone.
func TestFilesTravelWithTheDefinition(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"suite.yaml": `newel: v1
name: refs
data: {cases: [{id: a, output: '{"n": 1}', vars: {schema: {"$ref": "https://example.com/n.json"}, draft: "7"}}]}
rubrics:
  - name: from-the-case
    floor: [{json-schema: {schema: {from: vars.schema}, refs: {"https://example.com/": schemas/}}}]
  - name: draft-from-the-case
    floor: [{json-schema: {schema: schemas/n.json, draft: {from: vars.draft}}}]
`,
		"schemas/n.json": `{"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}`,
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Load(filepath.Join(dir, "suite.yaml"), Env{})
	if err != nil {
		t.Fatal(err)
	}
	definition, err := s.Marshal(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	again, err := Restore(definition, Env{})
	if err != nil {
		t.Fatal(err)
	}
	if again.Digest != s.Digest {
		t.Errorf("restored digest %s, want %s", again.Digest, s.Digest)
	}
	program, err := again.Program(nil, Means{})
	if err != nil {
		t.Fatal(err)
	}
	c := &newel.Case{ID: "a", Output: newel.Raw(`"{\"n\": 1}"`), Vars: []newel.Named{
		{Name: "draft", Value: newel.Raw(`"7"`)}, {Name: "schema", Value: newel.Raw(`{"$ref": "https://example.com/n.json"}`)}}}
	for _, r := range program.Rubrics {
		got := r.Climb(context.Background(), newel.NewSubject(&newel.Item{Case: c, Trial: 1}))
		if got.Verdict != newel.Pass {
			t.Errorf("%s: got %s, %v, %+v", r.Name, got.Verdict, got.Err, got.Scores)
		}
	}
}
