package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestHelpOfEveryCommand(t *testing.T) {
	t.Parallel()
	var all bytes.Buffer
	for _, path := range commandPaths((&app{}).root()) {
		args := append(path, "--help")
		got := runApp(t, nil, args...)
		wantCode(t, got, exitPassed, args...)
		all.WriteString("$ newel " + strings.Join(args, " ") + "\n" + got.out + "\n")
	}
	text := strings.ReplaceAll(all.String(), " \n", "\n")
	golden := filepath.Join("testdata", "help.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("help changed; read it and run with -update (-want +got):\n%s", diff)
	}
}

// commandPaths lists all commands, each as the words after newel.
func commandPaths(c *cobra.Command) [][]string {
	paths := [][]string{strings.Fields(c.CommandPath())[1:]}
	for _, below := range c.Commands() {
		paths = append(paths, commandPaths(below)...)
	}
	return paths
}

func TestCompletionForEveryShell(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		got := runApp(t, nil, "completion", shell)
		wantCode(t, got, exitPassed, shell)
		if len(got.out) < 1000 || got.err != "" {
			t.Errorf("%s: %d bytes, errors %q", shell, len(got.out), got.err)
		}
	}
	got := runApp(t, nil, "__complete", "checks", "conta")
	holds(t, got.out, "contains")
	holds(t, runApp(t, nil, "__complete", "re").out, "resume", "report", "replay")
}

func TestVersionNamesTheScoringRevision(t *testing.T) {
	t.Parallel()
	got := runApp(t, nil, "--version")
	wantCode(t, got, exitPassed)
	holds(t, got.out, "newel ", "scoring revision 1")
}

func TestRunsAreCompleted(t *testing.T) {
	t.Parallel()
	s := newShop(t, 3, "")
	s.words(exitPassed, "run SUITE --id first-run")
	complete := func(args ...string) string {
		line := append([]string{"__complete", args[0], storeIn(s.dir)}, args[1:]...)
		return runApp(t, nil, line...).out
	}
	for _, args := range [][]string{{"show", "f"}, {"diff", "last", "f"}, {"report", ""}} {
		holds(t, complete(args...), "last\tthe newest", "first-run\t")
	}
	if got := complete("show", "other"); strings.Contains(got, "first-run") {
		t.Errorf("a run that does not begin so is offered: %s", got)
	}
	holds(t, complete("report", "first-run", "--as", "j"), "json", "junit")
}
