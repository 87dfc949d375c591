package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
)

func (a *app) exportCommand() *cobra.Command {
	out := ""
	c := &cobra.Command{
		Use: "export RUN", Short: "write a sealed run into one file", Args: exact("a run"),
		Long: `Write a sealed run with everything that belongs to it into one file, for a
machine that has no store: a CI job takes it with --baseline FILE, and
newel import reads it into another store.`,
		Example: "  newel export last --out main.newel",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withRun(cmd.Context(), args[0], func(store newel.Store, run *newel.Run) error {
				return a.export(cmd.Context(), store, run, out)
			})
		},
	}
	c.Flags().StringVar(&out, "out", "", "the file to write (default: RUN.newel)")
	return c
}

func (a *app) export(ctx context.Context, store newel.Store, run *newel.Run, file string) error {
	if file == "" {
		file = run.ID + ".newel"
	}
	if _, err := os.Stat(file); err == nil {
		return usage("%s exists already; nothing was written", file)
	}
	p, err := newPart(file)
	if err != nil {
		return err
	}
	defer p.close()
	to, err := a.openStore(ctx, "sqlite:"+p.path(), true)
	if err != nil {
		return err
	}
	if err := errors.Join(eval.CopyRun(ctx, store, to, run), to.Close()); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := p.finish(); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, map[string]string{"run": run.ID, "file": file})
	}
	if !a.quiet {
		fmt.Fprintf(a.out, "wrote run %s to %s\n", run.ID, file)
	}
	return nil
}

func (a *app) importCommand() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "read an exported run into the store", Args: exact("a file"),
		Long: `Read a run that newel export wrote into the store, whole or not at all. A run
that is there already is left as it is.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.importRun(cmd.Context(), args[0]) },
	}
}

func (a *app) importRun(ctx context.Context, file string) error {
	b, err := a.exported(ctx, file)
	if err != nil {
		return err
	}
	defer b.close()
	if err := intact(ctx, b.store, b.run); err != nil {
		return err
	}
	store, err := a.openStore(ctx, a.storeURL(""), true)
	if err != nil {
		return err
	}
	defer store.Close()
	err = eval.CopyRun(ctx, b.store, inbound{store}, b.run)
	if errors.Is(err, newel.ErrExists) {
		return usage("run %s is in %s already", b.run.ID, store.URL())
	}
	if errors.Is(err, newel.ErrHeld) {
		return usage("run %s is held by another process, which imports or runs it at this moment", b.run.ID)
	}
	if err == nil && a.json {
		return writeJSON(a.out, map[string]string{"run": b.run.ID, "store": store.URL()})
	}
	if err == nil && !a.quiet {
		fmt.Fprintf(a.out, "run %s is in %s now\n", b.run.ID, store.URL())
	}
	return err
}
