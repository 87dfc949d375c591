package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// badRoot holds a folder for each broken input: the suite and its data, args.txt
// with further arguments, one a line, and want.txt, what is to be said.
const badRoot = "testdata/bad"

func TestBrokenInputIsRefusedWithAllItsMistakes(t *testing.T) {
	t.Parallel()
	names := badNames(t)
	if len(names) < 60 {
		t.Fatalf("%d folders in %s", len(names), badRoot)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBadInput(t, name)
			before := b.files(t)
			b.compare(t, b.run(t))
			if diff := gocmp.Diff(before, b.files(t)); diff != "" {
				t.Errorf("files changed (-before +after)\n%s", diff)
			}
			b.storesNothing(t)
		})
	}
}

// badNames lists the folders, and the inputs that a test makes, which have one
// for want.txt.
func badNames(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(badRoot)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	for name := range madeInputs() {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// badInput is one broken input, copied to where it may be run.
type badInput struct {
	name string
	dir  string   // of the copy
	args []string // besides the suite
	path string   // of the suite
}

func newBadInput(t *testing.T, name string) *badInput {
	t.Helper()
	b := &badInput{name: name, dir: filepath.Join(t.TempDir(), "suite")}
	ok(t, os.MkdirAll(filepath.Join(badRoot, name), 0o755))
	ok(t, os.CopyFS(b.dir, os.DirFS(filepath.Join(badRoot, name))))
	if err := os.Remove(filepath.Join(b.dir, "want.txt")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if args, err := os.ReadFile(filepath.Join(b.dir, "args.txt")); err == nil {
		b.args = strings.Split(strings.TrimSpace(string(args)), "\n")
	}
	b.path = filepath.Join(b.dir, "suite.yaml")
	if make := madeInputs()[name]; make != nil {
		make(t, b)
	}
	return b
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (b *badInput) run(t *testing.T) call {
	t.Helper()
	return runApp(t, nil, append([]string{"run", "-q", b.path}, b.args...)...)
}

// compare looks at the exit code and holds what was said against want.txt.
func (b *badInput) compare(t *testing.T, got call) {
	t.Helper()
	if got.code != exitUsage || got.out != "" {
		t.Errorf("exit code %d, standard output %q", got.code, got.out)
	}
	said := b.relative(got.err)
	golden := filepath.Join(badRoot, b.name, "want.txt")
	if *update {
		ok(t, os.WriteFile(golden, []byte(said), 0o644))
	}
	want, err := os.ReadFile(golden)
	ok(t, err)
	if diff := gocmp.Diff(string(want), said); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// relative takes the test's own folder out of a text.
func (b *badInput) relative(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, b.dir+"/", ""), b.dir, ".")
}

// files lists everything in the folder, and beside it, but the store's own.
func (b *badInput) files(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(b.dir), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() == ".newel" {
			return cmp.Or(err, fs.SkipDir)
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if !e.IsDir() {
			found[path] = info.Mode().String() + " " + info.ModTime().String()
		}
		return nil
	})
	ok(t, err)
	return found
}

// storesNothing asks that there is no store, or one without a run.
func (b *badInput) storesNothing(t *testing.T) {
	t.Helper()
	file := filepath.Join(b.dir, ".newel", "newel.db")
	if _, err := os.Stat(file); err != nil {
		return
	}
	runs := runApp(t, nil, "runs", "--json", "--store", "sqlite:"+file)
	if runs.code != 0 || strings.TrimSpace(runs.out) != "[]" {
		t.Errorf("the store is not empty: %+v", runs)
	}
}

// Plan refuses what run refuses, in the same words. The inputs that a test makes
// would only take longer.
func TestPlanFindsTheMistakesThatRunFinds(t *testing.T) {
	t.Parallel()
	runs := []string{"flag-baseline", "flag-id", "flag-label", "flag-label-twice", "flag-outputs-from", "flag-runner", "flag-store", "flag-store-without-file",
		"flag-limit-word", "flag-unknown", "judge-not-run-yet", "command-not-allowed"} // of run alone, or with its name
	for _, name := range badNames(t) {
		if strings.HasPrefix(name, "made-") || slices.Contains(runs, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBadInput(t, name)
			got := runApp(t, nil, append([]string{"plan", "-q", b.path}, b.args...)...)
			want, err := os.ReadFile(filepath.Join(badRoot, name, "want.txt"))
			ok(t, err)
			if diff := gocmp.Diff(call{exitUsage, "", string(want)}, call{got.code, got.out, b.relative(got.err)}, gocmp.AllowUnexported(call{})); diff != "" {
				t.Errorf("(-run +plan)\n%s", diff)
			}
			if _, err := os.Stat(filepath.Join(b.dir, ".newel")); err == nil {
				t.Error("plan made a store")
			}
		})
	}
}

func TestVariablesForFlagsAreLookedAtLikeFlags(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]string{
		"NEWEL_LIMIT=ten":     "newel: NEWEL_LIMIT: \"ten\" is not a whole number\n",
		"NEWEL_JSON=perhaps":  "newel: NEWEL_JSON: \"perhaps\" is not true or false\n",
		"NEWEL_RUNNER=celery": "newel: --runner \"celery\": this version has local\n",
		"NEWEL_WHERE=id ==":   "newel: --where: column 6: not an expression: it ends where more was expected\n",
	} {
		if got := runApp(t, []string{variable}, "run", "nowhere.yaml"); got != (call{exitUsage, "", want}) {
			t.Errorf("%s: %+v", variable, got)
		}
	}
}

func TestAByteOrderMarkAndWindowsLineEndsAreNoMistake(t *testing.T) {
	t.Parallel()
	windows := strings.NewReplacer("\n", "\r\n")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"suite.yaml":  "newel: v1\nname: windows\ndata:\n  - file: a.jsonl\n  - file: b.csv\n  - file: c.json\nrubrics:\n  - name: right\n    floor:\n      - equals: |\n          two\n          lines\n",
		"a.jsonl":     "{\"id\": \"a\", \"output\": \"two\\nlines\\n\"}\n",
		"b.csv":       "id,output\nb,\"two\nlines\n\"\n",
		"c.json":      "[\n  {\"id\": \"c\", \"output\": \"two\\nlines\\n\"}\n]\n",
		"nothing.txt": "",
	} {
		ok(t, os.WriteFile(filepath.Join(dir, name), []byte("\ufeff"+windows.Replace(text)), 0o644))
	}
	got := runApp(t, nil, "run", filepath.Join(dir, "suite.yaml"), "--json")
	if got.code != exitPassed || !strings.Contains(got.out, `"pass": 3`) {
		t.Errorf("%+v", got)
	}
}

// Not parallel: it measures what the whole process allocates.
func TestBombsTakeBoundedMemory(t *testing.T) {
	for name, most := range map[string]uint64{
		"made-line-of-a-gigabyte":  500 << 20,
		"made-gzip-bomb":           500 << 20,
		"made-alias-bomb":          100 << 20,
		"made-deep-nesting":        100 << 20,
		"made-suite-of-a-gigabyte": 20 << 20,
	} {
		b := newBadInput(t, name)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := b.run(t)
		runtime.ReadMemStats(&after)
		if all := after.TotalAlloc - before.TotalAlloc; all > most {
			t.Errorf("%s: %d MiB were allocated", name, all>>20)
		}
		if got.code != exitUsage {
			t.Errorf("%s: exit code %d", name, got.code)
		}
	}
}
