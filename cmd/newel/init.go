package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"newel/report"
)

//go:embed starter
var starter embed.FS

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use: "init [DIR]", Short: "write a starter suite that runs at once, offline", Args: cobra.MaximumNArgs(1),
		Long: `Write a small suite with real cases into DIR (default: the current folder): a
few answers with their sources, checked for form, citations and gold answers.
It runs at once, without a key or a service. Files that exist are not touched.`,
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return a.init(dir)
		},
	}
}

// init writes all files or none.
func (a *app) init(dir string) error {
	files, err := fs.Sub(starter, "starter")
	if err != nil {
		return err
	}
	names, err := fs.Glob(files, "*")
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return usage("%s exists already; nothing was written", filepath.Join(dir, name))
		} else if !errors.Is(err, fs.ErrNotExist) {
			return &exitError{exitUsage, err}
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &exitError{exitUsage, err}
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
		}
		if err != nil {
			return &exitError{exitUsage, err}
		}
	}
	if a.json {
		for i, name := range names {
			names[i] = filepath.Join(dir, name)
		}
		return writeJSON(a.out, map[string]any{"wrote": names, "suite": filepath.Join(dir, "suite.yaml")})
	}
	if !a.quiet {
		fmt.Fprintf(a.out, "wrote %s\nnext: newel run %s\n", counted(len(names), "file"), report.ShellWord(filepath.Join(dir, "suite.yaml")))
	}
	return nil
}
