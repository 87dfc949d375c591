package main

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
)

// format asks gofmt for the files that it would change.
func (s *session) format(ctx context.Context) (tally, error) {
	files, err := s.sources()
	if err != nil {
		return tally{}, err
	}
	printed, err := s.output(ctx, nil, "gofmt", append([]string{"-l"}, files...)...)
	return clean("gofmt", printed, err), nil
}

// sources lists the module's own files of Go, with nested modules.
func (s *session) sources() ([]string, error) {
	var files []string
	err := filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != s.root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.Type().IsRegular() && filepath.Ext(path) == ".go":
			rel, err := filepath.Rel(s.root, path)
			files = append(files, rel)
			return err
		}
		return nil
	})
	return files, err
}

func (s *session) vet(ctx context.Context) (tally, error) {
	printed, err := s.output(ctx, nil, "go", "vet", "./...")
	return clean("go vet", printed, err), nil
}

// lint runs golangci-lint as .golangci.yml says. The import table is a test,
// in internal/lint.
func (s *session) lint(ctx context.Context) (tally, error) {
	bin, err := s.tools(ctx)
	if err != nil {
		return tally{}, err
	}
	env := []string{"GOLANGCI_LINT_CACHE=" + filepath.Join(s.cache, "golangci-lint")}
	printed, err := s.output(ctx, env, filepath.Join(bin, "golangci-lint"), "run", "--show-stats=false", "--allow-parallel-runners", "./...")
	return clean("golangci-lint", printed, err), nil
}
