package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"newel"
	"newel/report"
)

const rootLong = `newel scores LLM outputs at scale and gates on the result.

A suite names data, rubrics and a gate. Each rubric is a ladder: checks that
are free and exact come first, small classifiers next, and an LLM judge sees
only what they leave open. The same suite gives the same report on every
runner, and a crash changes nothing in it.

Begin with:
  newel init my-suite && newel run my-suite/suite.yaml

Exit codes: 0 passed (or no gate), 1 failed, 2 usage or definition,
3 incomplete or invalid, 4 inconclusive, 130 interrupted.

Each flag can be set by a variable: --no-color is NEWEL_NO_COLOR.`

// root builds the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use: "newel COMMAND", Short: "score LLM outputs at scale, and gate on the result", Long: rootLong,
		SilenceErrors: true, SilenceUsage: true, Version: version(),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.begun = true
			if err := noEmptyFlags(cmd.Flags()); err != nil {
				return err
			}
			return a.fromEnv(cmd.Flags())
		},
		Args: cobra.ArbitraryArgs, RunE: noCommand,
	}
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetIn(a.in)
	root.SetVersionTemplate("newel {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = false
	f := root.PersistentFlags()
	f.StringVar(&a.store, "store", "", "where runs are kept: sqlite:FILE (default: .newel/newel.db beside the suite, or here and above)")
	f.BoolVar(&a.json, "json", false, "print JSON instead of text")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "no progress and no hints")
	f.BoolVar(&a.noColor, "no-color", false, "no colour (NO_COLOR works too)")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var value *pflag.InvalidValueError
		var bounds *boundsError
		if errors.As(err, &bounds) && errors.As(err, &value) {
			return usage("--%s %v", value.GetFlag().Name, bounds)
		}
		return usage("%s; see %s --help", flagTrouble(cmd, err), cmd.CommandPath())
	})
	for _, group := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"run", "Run a suite:", []*cobra.Command{a.initCommand(), a.planCommand(), a.runCommand(), a.followCommand(), a.resumeCommand(), a.cancelCommand()}},
		{"look", "Look at runs:", []*cobra.Command{a.runsCommand(), a.showCommand(), a.explainCommand(), a.reportCommand(), a.costCommand()}},
		{"decide", "Decide and prove:", []*cobra.Command{a.gateCommand(), a.diffCommand(), a.abCommand(), a.replayCommand(), a.exportCommand(), a.importCommand()}},
		{"learn", "Learn:", []*cobra.Command{a.checksCommand(), a.gatewayCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.id
			a.completing(c)
			root.AddCommand(c)
		}
	}
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .HasAvailableSubCommands}}", "{{if and .HasAvailableSubCommands (not .Runnable)}}", 1))
	root.SetHelpCommandGroupID("learn")
	root.SetCompletionCommandGroupID("learn")
	return root
}

// noCommand is what happens where no command of a group is named: without
// arguments it is the help.
func noCommand(of *cobra.Command, args []string) error {
	if len(args) == 0 {
		return of.Help()
	}
	var names []string
	for _, c := range of.Commands() {
		names = append(names, c.Name())
	}
	return usage("there is no command %q%s; see %s --help", args[0], newel.DidYouMean(args[0], names), of.CommandPath())
}

// flagTrouble says what is wrong with a flag.
func flagTrouble(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1:
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		return "unknown flag --" + unknown.GetSpecifiedName() + newel.DidYouMean(unknown.GetSpecifiedName(), names)
	case errors.As(err, &value):
		return fmt.Sprintf("--%s %q is not %s", value.GetFlag().Name, cut(value.GetValue()), flagKind(value.GetFlag()))
	}
	return err.Error()
}

// flagKind names what a flag takes.
func flagKind(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time span such as 30s"
	}
	return "a " + f.Value.Type()
}

// fromEnv sets flags that were not given from NEWEL_… variables.
func (a *app) fromEnv(flags *pflag.FlagSet) error {
	var wrong error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "NEWEL_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, ok := a.env(name)
		if f.Changed || !ok || value == "" || f.Name == "help" {
			return
		}
		var bounds *boundsError
		switch err := flags.Set(f.Name, value); {
		case err == nil || wrong != nil:
		case errors.As(err, &bounds):
			wrong = usage("%s: %v", name, bounds)
		default:
			wrong = usage("%s: %q is not %s", name, value, flagKind(f))
		}
	})
	if v, _ := a.env("NO_COLOR"); v != "" {
		a.noColor = true
	}
	return wrong
}

// exact asks for so many arguments, named in the message.
func exact(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		return usage("%s takes %s; got %d arguments. See newel %s --help", cmd.Name(), strings.Join(names, " and "), len(args), cmd.Name())
	}
}

// textOptions lays text about a store's runs out for standard output.
func (a *app) textOptions(store newel.Store) report.TextOptions {
	opt := a.layout()
	opt.Hint = a.storeHint(store)
	return opt
}

// layout is how text is laid out for standard output.
func (a *app) layout() report.TextOptions {
	opt := report.TextOptions{Width: a.width, Color: a.outTTY && !a.noColor}
	if opt.Width == 0 { // no terminal
		if columns, _ := a.env("COLUMNS"); columns != "" {
			opt.Width, _ = strconv.Atoi(columns)
		}
	}
	if kind, _ := a.env("TERM"); kind == "dumb" {
		opt.Color = false
	}
	return opt
}

func defaultWorkers() int { return runtime.GOMAXPROCS(0) }

// storeURL returns the store to use: the flag's, else the suite's own, else
// the nearest one here or above.
func (a *app) storeURL(suiteDir string) string {
	if a.store != "" {
		return a.store
	}
	if suiteDir != "" {
		return "sqlite:" + filepath.Join(suiteDir, ".newel", "newel.db")
	}
	dir, err := os.Getwd()
	if err != nil {
		return "sqlite:" + filepath.Join(".newel", "newel.db")
	}
	for at := dir; ; at = filepath.Dir(at) {
		file := filepath.Join(at, ".newel", "newel.db")
		if _, err := os.Stat(file); err == nil {
			return "sqlite:" + file
		}
		if filepath.Dir(at) == at {
			return "sqlite:" + filepath.Join(dir, ".newel", "newel.db")
		}
	}
}
