package lint_test

import (
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"newel/internal/lint"
)

const root = "../.."

// repository is read once for all tests.
var repository = sync.OnceValues(func() (*lint.Repository, error) { return lint.Read(os.DirFS(root)) })

func read(t *testing.T) *lint.Repository {
	t.Helper()
	r, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Packages) < 20 {
		t.Fatalf("only %d packages were found: this is not the repository", len(r.Packages))
	}
	return r
}

func none(t *testing.T, found []string) {
	t.Helper()
	if len(found) > 0 {
		t.Errorf("%d found:\n%s", len(found), strings.Join(found, "\n"))
	}
}

func TestImportTable(t *testing.T) {
	t.Parallel()
	none(t, lint.Imports(read(t)))
}

func TestOnlyCommandsReadSurroundings(t *testing.T) {
	t.Parallel()
	none(t, lint.Surroundings(read(t)))
}

func TestNothingRunsBeforeMain(t *testing.T) {
	t.Parallel()
	none(t, lint.Inits(read(t)))
}

func TestPackageVariablesStay(t *testing.T) {
	t.Parallel()
	none(t, lint.Changing(read(t)))
}

func TestFilesSayWhatTheyAreForAndNotWhereTheyWereMade(t *testing.T) {
	t.Parallel()
	found, err := lint.Words(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	none(t, found)
}

// small builds a repository of files, each given by its path.
func small(t *testing.T, files map[string]string) (*lint.Repository, fstest.MapFS) {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	r, err := lint.Read(tree)
	if err != nil {
		t.Fatal(err)
	}
	return r, tree
}

func TestWhatDepartsFromTheTableIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path, text string
		want       []string
	}{
		"a part may use the words":              {"check/a.go", "package check\nimport _ \"newel\"", nil},
		"a part may not use its assembly":       {"check/a.go", "package check\nimport _ \"newel/suite\"", []string{"check/a.go:2: check may not import newel/suite"}},
		"a report knows no store":               {"report/a.go", "package report\nimport _ \"newel/store/sqlite\"", []string{"report/a.go:2: report may not import newel/store/sqlite"}},
		"a name that only begins alike":         {"gate/a.go", "package gate\nimport _ \"newel/statistics\"", []string{"gate/a.go:2: gate may not import newel/statistics"}},
		"below a folder written with dots":      {"check/x/a.go", "package x\nimport _ \"newel/check/textmetric\"", nil},
		"a store's test may use the suite":      {"store/sqlite/a_test.go", "package sqlite\nimport _ \"newel/store/storetest\"", nil},
		"a store itself may not":                {"store/sqlite/a.go", "package sqlite\nimport _ \"newel/store/storetest\"", []string{"store/sqlite/a.go:2: store/sqlite may not import newel/store/storetest"}},
		"a store's test may not use a runner":   {"store/sqlite/a_test.go", "package sqlite\nimport _ \"newel/runner/local\"", []string{"store/sqlite/a_test.go:2: store/sqlite may not import newel/runner/local, not even in tests"}},
		"an outer test imports its package":     {"pack/a_test.go", "package pack_test\nimport _ \"newel/pack\"", nil},
		"the words take one module":             {"a.go", "package newel\nimport _ \"github.com/go-json-experiment/json/jsontext\"", nil},
		"the words take no other":               {"a.go", "package newel\nimport _ \"github.com/go-json-experiment/jsonx\"", []string{"a.go:2: . may not import github.com/go-json-experiment/jsonx from outside the standard library"}},
		"the numbers take the standard library": {"stat/a.go", "package stat\nimport _ \"math/rand/v2\"", nil},
		"a command may use all":                 {"cmd/newel/a.go", "package main\nimport _ \"newel/store/sqlite\"", nil},
		"a folder that nobody thought of":       {"util/a.go", "package util", []string{"util: no row in the import table; say in internal/lint/table.go what it may import"}},
		"another module is left alone":          {"tools/a.go", "package tools\nimport _ \"newel/suite\"", nil},
		"data is not code":                      {"check/testdata/a.go", "package check\nimport _ \"newel/suite\"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := small(t, map[string]string{c.path: c.text, "tools/go.mod": "module tools"})
			if diff := cmp.Diff(c.want, lint.Imports(r)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatOnlyCommandsMayUseIsFound(t *testing.T) {
	t.Parallel()
	code := "package p\n\nimport (\n\tenv \"os\"\n\t\"flag\"\n)\n\nvar _ = flag.Args\n\nfunc f() string { return env.Getenv(\"A\") + env.TempDir() }\n"
	want := []string{"check/a.go:5: only a command may use flag", "check/a.go:10: only a command may use env.Getenv"}
	r, _ := small(t, map[string]string{"check/a.go": code})
	if diff := cmp.Diff(want, lint.Surroundings(r)); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"check/a_test.go", "store/storetest/a.go"} {
		if r, _ := small(t, map[string]string{name: code}); lint.Surroundings(r) != nil {
			t.Errorf("%s is a test and may read flags", name)
		}
	}
	if r, _ := small(t, map[string]string{"x/a.go": strings.Replace(code, "package p", "package main", 1)}); lint.Surroundings(r) != nil {
		t.Error("a command may read flags")
	}
}

func TestInitFunctionsAreFound(t *testing.T) {
	t.Parallel()
	r, _ := small(t, map[string]string{"p/a.go": "package p\n\ntype t int\n\nfunc (t) init() {}\n\nfunc init() {}\n"})
	want := []string{"p/a.go:7: no init functions: build it where it is used"}
	if diff := cmp.Diff(want, lint.Inits(r)); diff != "" {
		t.Error(diff)
	}
}

func TestChangesOfPackageVariablesAreFound(t *testing.T) {
	t.Parallel()
	r, _ := small(t, map[string]string{
		"p/a.go": "package p\n\nimport \"os\"\nimport \"sync\"\n\nvar made struct{ once sync.Once; n int }\nvar count int\nvar names = map[string]int{}\nvar box struct{ n int }\nvar file = os.Stdout\n",
		"p/b.go": `package p

func fine() int {
	count := 1
	count++
	names := map[string]int{}
	names["a"] = 1
	return count + box.n
}

func changes(other []int) {
	count++
	names["a"] = 2
	box.n, other[0] = 1, count
	for count = range other {
	}
	file = nil
	made.n = 1
}
`,
	})
	want := []string{
		"p/b.go:12: the package variable count changes", "p/b.go:13: the package variable names changes",
		"p/b.go:14: the package variable box changes", "p/b.go:15: the package variable count changes",
		"p/b.go:17: the package variable file changes",
	}
	if diff := cmp.Diff(want, lint.Changing(r)); diff != "" {
		t.Error(diff)
	}
}

func TestWordsThatNeverStandAreFound(t *testing.T) {
	t.Parallel()
	_, tree := small(t, map[string]string{
		"docs/a.md":            "one\nsee /wo" + "rk/main/x\n",
		"docs/b.md":            "fetched from proxy.gol" + "ang.org for iss" + "ue #12",
		"docs/c.md":            "a url: https://example.org/wo" + "rk/main, a package: newel/work",
		"examples/d.jsonl":     "an answer about py" + "pi.org",
		"docs/e.zst":           "/wo" + "rk/main",
		".github/skipped.yaml": "/wo" + "rk/main",
		".ci/run":              "cd /wo" + "rk/shared",
	})
	found, err := lint.Words(tree)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`.ci/run:1: "/wo` + `rk/shared": a folder of one machine`,
		`docs/a.md:2: "/wo` + `rk/main": a folder of one machine`,
		`docs/b.md:1: "proxy.gol` + `ang.org": a package registry's host`,
		`docs/b.md:1: "iss` + `ue #12": a number that only a tracker knows`,
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
}
