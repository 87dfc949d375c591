package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"newel"
	"newel/check"
)

func (a *app) checksCommand() *cobra.Command {
	return &cobra.Command{
		Use: "checks [NAME]", Short: "list the checks, or explain one", Args: cobra.MaximumNArgs(1),
		Long:    "List the deterministic checks by family, or explain one with its parameters,\nits source and an example.",
		Example: "  newel checks\n  newel checks citations",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return check.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				if a.json {
					return writeJSON(a.out, checkViews())
				}
				return check.ListWidth(a.out, cmp.Or(a.width, 88))
			}
			spec, ok := check.Find(args[0])
			if !ok {
				return usage("there is no check %q%s; newel checks lists them", args[0], newel.DidYouMean(args[0], check.Names()))
			}
			if a.json {
				return writeJSON(a.out, checkView(spec))
			}
			return check.ExplainWidth(a.out, args[0], cmp.Or(a.width, 88))
		},
	}
}
