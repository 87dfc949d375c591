package main

import (
	"strings"

	"github.com/spf13/cobra"

	"newel"
)

// completing gives the commands that take runs, suites or files what a shell
// needs to complete them.
func (a *app) completing(c *cobra.Command) {
	_, arguments, _ := strings.Cut(c.Use, " ")
	switch {
	case c.ValidArgsFunction != nil:
	case strings.HasPrefix(arguments, "RUN"), strings.HasPrefix(arguments, "A B"):
		c.ValidArgsFunction = a.completeRuns
	case strings.HasPrefix(arguments, "SUITE"):
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
		}
	}
	if c.Flags().Lookup("as") != nil {
		_ = c.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(reportForms, cobra.ShellCompDirectiveNoFileComp))
	}
}

// completeRuns offers the newest runs of the store at hand.
func (a *app) completeRuns(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	store, err := a.openStore(c.Context(), a.storeURL(""), false)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer store.Close()
	runs, err := store.ListRuns(c.Context(), newel.RunQuery{Limit: 50})
	if err != nil || len(runs) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list := []string{"last\tthe newest"}
	for _, r := range runs {
		if strings.HasPrefix(r.ID, begun) {
			list = append(list, r.ID+"\t"+r.Suite+", "+string(r.State))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
