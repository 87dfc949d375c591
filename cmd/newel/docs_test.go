package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// console finds the blocks of a page whose commands are run and whose output
// is compared.
var console = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// TestCommandsOfTheDocs runs the console blocks of README and docs in a copy
// of the tree's examples: "$ " begins a command, what follows is its output, a
// line … stands for any lines, "exit code N" for a code other than 0. A
// command that is "cd FOLDER" holds for the rest of its block.
func TestCommandsOfTheDocs(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks := console.FindAllSubmatch(text, -1)
		if len(blocks) == 0 {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			copyTree(t, filepath.Join(root, "examples"), filepath.Join(dir, "examples"))
			copyTree(t, filepath.Join(root, "docs", "testdata"), filepath.Join(dir, "docs", "testdata"))
			for _, b := range blocks {
				runBlock(t, dir, string(b[1]))
			}
		})
	}
}

// suiteBlock finds the suites that a page shows whole.
var suiteBlock = regexp.MustCompile("(?ms)^```yaml suite\n(.*?)^```$")

// TestSuitesOfTheDocsPlan plans each suite that a page shows whole, beside the
// files of docs/testdata/suite.
func TestSuitesOfTheDocsPlan(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "docs")
	pages, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir, ran := t.TempDir(), 0
	copyTree(t, filepath.Join(root, "testdata", "suite"), dir)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range suiteBlock.FindAllSubmatch(text, -1) {
			ran++
			if err := os.WriteFile(filepath.Join(dir, "suite.yaml"), b[1], 0o644); err != nil {
				t.Fatal(err)
			}
			got := runShell(t, dir, "newel plan suite.yaml")
			if strings.Contains(got, "exit code") || strings.Contains(got, "warning:") {
				t.Errorf("%s:\n%s\n%s", page, b[1], got)
			}
		}
	}
	if ran < 6 {
		t.Errorf("found %d suites", ran)
	}
}

// keyLists names the variables that list the keys of a suite, by package, each
// with the title of its section in docs/suite.md.
var keyLists = map[string]map[string]string{
	"suite":  {"topKeys": "Top", "rubricKeys": "Rubric", "judgeKeys": "Judge", "classifierKinds": "Classifier"},
	"data":   {"sourceKeys": "Data", "joinKeys": "Data"},
	"target": {"kindKeys": "Target", "commonKeys": "Target", "plainKeys": "Target", "openAIKeys": "Target", "commandKeys": "Target", "takeKeys": "Target"},
	"gate":   {"kinds": "Gate", "options": "Gate"},
}

// TestTheReferenceOfTheSuiteHasEveryKey reads from the sources which keys a
// suite may have: each stands in its section of docs/suite.md.
func TestTheReferenceOfTheSuiteHasEveryKey(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "suite.md"))
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, s := range strings.Split(string(text), "\n## ")[1:] {
		title, body, _ := strings.Cut(s, "\n")
		sections[title] = body
	}
	for pkg, lists := range keyLists {
		found := stringLists(t, filepath.Join("..", "..", pkg))
		for name, title := range lists {
			if len(found[name]) == 0 {
				t.Errorf("package %s has no list %s", pkg, name)
			}
			for _, key := range found[name] {
				if !keyCell(name, key).MatchString(sections[title]) {
					t.Errorf("section %s lacks %q, of %s.%s", title, key, pkg, name)
				}
			}
		}
	}
}

// keyCell finds a key in the first two cells of a row, where keys and the maps
// that they hold stand; two lists stand in a sentence.
func keyCell(list, key string) *regexp.Regexp {
	cells := `(?m)^\|([^|\n]*\|)?[^|\n]*`
	if list == "takeKeys" || list == "classifierKinds" {
		cells = "`"
	}
	return regexp.MustCompile(cells + `\b` + regexp.QuoteMeta(key) + `\b`)
}

// stringLists returns the texts in each package variable's value.
func stringLists(t *testing.T, dir string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != len(spec.Names) {
				return true
			}
			for i, name := range spec.Names {
				out[name.Name] = append(out[name.Name], texts(spec.Values[i])...)
			}
			return false
		})
	}
	return out
}

func texts(value ast.Expr) []string {
	var out []string
	ast.Inspect(value, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".newel" {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func runBlock(t *testing.T, dir, block string) {
	t.Helper()
	for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		if to, ok := strings.CutPrefix(command, "cd "); ok {
			dir = filepath.Join(dir, to)
			continue
		}
		got := runShell(t, dir, command)
		if line := firstUnlike(strings.TrimRight(want, "\n"), got); line != "" {
			t.Errorf("$ %s\n%s\ngot:\n%s", command, line, got)
		}
	}
}

// runShell runs one command with newel on its path and returns what it wrote.
func runShell(t *testing.T, dir, command string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	command = strings.ReplaceAll(command, "go run ./cmd/newel", "newel")
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+binaryDir(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		fmt.Fprintf(&out, "exit code %d\n", cmd.ProcessState.ExitCode())
	}
	return strings.TrimRight(out.String(), "\n")
}

// changing are the parts of output that differ from run to run.
var changing = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\d{8}-\d{6}-[0-9a-f]{6}`), "RUN"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?( UTC|Z)?`), "INSTANT"},
	{regexp.MustCompile(`\b[0-9a-f]{64}\b|\bDIGEST\b`), "DIGEST"},
	{regexp.MustCompile(`\([0-9a-f]{12}…?\)`), "(DIGEST)"},
	{regexp.MustCompile(`wall +[0-9.,]+ m?s`), "wall TIME"},
}

func settled(line string) string {
	for _, c := range changing {
		line = c.pattern.ReplaceAllString(line, c.instead)
	}
	return strings.TrimRight(line, " ")
}

// firstUnlike returns "" when got has want's lines, … standing for any, else
// what is missing.
func firstUnlike(want, got string) string {
	lines := strings.Split(got, "\n")
	skip := false
	for _, w := range strings.Split(want, "\n") {
		if w == "…" {
			skip = true
			continue
		}
		at := 0
		for at < len(lines) && settled(lines[at]) != settled(w) {
			if !skip {
				return fmt.Sprintf("want %q\ngot  %q", w, lines[at])
			}
			at++
		}
		if at == len(lines) {
			return fmt.Sprintf("the output lacks %q", w)
		}
		lines, skip = lines[at+1:], false
	}
	if !skip && len(lines) > 0 && strings.Join(lines, "") != "" {
		return fmt.Sprintf("more output than the page shows: %q", lines[0])
	}
	return ""
}

// built is the folder of a newel binary that is built once.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "newel-docs-*")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "newel"), ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return dir, nil
})

func binaryDir(t *testing.T) string {
	t.Helper()
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
