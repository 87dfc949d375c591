package suite

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"newel"
)

// small is a suite that would run.
const small = `newel: v1
name: refunds
data: {cases: [{id: a, output: x, dims: {language: de}}]}
rubrics:
  - name: right
    floor: [{contains: x}]
`

// testEnv has a clock and no variables.
var testEnv = Env{
	Lookup: func(string) (string, bool) { return "", false },
	Now:    func() time.Time { return time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC) },
}

// load reads a suite from a folder of its own, with further files: names and
// texts in turn.
func load(t testing.TB, text string, files ...string) (*Suite, error) {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i+1 < len(files); i += 2 {
		writeFile(t, filepath.Join(dir, files[i]), files[i+1])
	}
	file := filepath.Join(dir, "suite.yaml")
	writeFile(t, file, text)
	s, err := Load(file, testEnv)
	if err == nil {
		t.Cleanup(func() { ok(t, s.Close()) })
	}
	return s, err
}

// good is load for a suite without mistakes.
func good(t testing.TB, text string, files ...string) *Suite {
	t.Helper()
	s, err := load(t, text, files...)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	ok(t, os.MkdirAll(filepath.Dir(path), 0o755))
	ok(t, os.WriteFile(path, []byte(text), 0o644))
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// parse reads a document and returns its mistakes as text.
func parse(text string) (*newel.Node, string) {
	var m newel.Mistakes
	n := ParseYAML("s.yaml", []byte(text), &m)
	return n, m.Error()
}
