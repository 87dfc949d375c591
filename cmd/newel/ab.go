package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
	"newel/report"
	"newel/suite"
)

const abLong = `Run one suite with two judges, or through two gateways, and hold what they say
and what they cost side by side: dollars per rubric, per verdict that agrees with
people, per failure that people see too, agreement of each with people's labels
and of the two with each other, and what was paid for rows on which they differ.

--a and --b set keys of the suite's judge, and of each rubric's own judge that
writes the key; both may be repeated, and one may be left out for the suite as it
is. Keys: model, prompt, votes, params.NAME, gateway.url, gateway.name,
gateway.key_env, gateway.dialect. A gateway's name is part of every call's key: two
gateways need two names, so that no reply of one serves the other.

It makes two runs, ID-a and ID-b, with the labels ab=ID and side=a or b. They are
stored like any other: newel show, explain, diff and report work on them. The
same command with --id ID goes on where it was stopped and asks for nothing twice.
Where a target is asked, the second run judges the outputs of the first. The
suite's budget holds for each side by itself; its gate is not applied.

What a reply cost counts, whoever paid for it: a reply that an earlier run paid
for is compared like a new one, and beside it stands what these runs paid. Dollars
are not compared where the cost of fewer than 95 % of a side's calls is known to
the end: a call whose earlier attempts may have been billed is not, nor one that
was lost with a process.

Exit codes: 0 compared, 2 usage or definition, 3 a run is incomplete or dollars
could not be compared.`

const abExample = `  newel ab suite.yaml --a model=gpt-5-mini --b model=claude-haiku-4-5
  newel ab suite.yaml --b gateway.url='${OTHER}' --b gateway.name=other --b gateway.key_env=OTHER_KEY
  newel ab suite.yaml --a prompt=file:old.md --b prompt=file:new.md --limit 200 --as markdown`

// abFlags are those of ab.
type abFlags struct {
	selection
	set     [2][]string // --a and --b
	id      string
	labels  []string
	noCache bool
	budget  string
	usd     *newel.Money // what budget says; nil: as the suite says
	as      string
}

// abSides are the names of both sides.
var abSides = [2]string{"a", "b"}

func (a *app) abCommand() *cobra.Command {
	var f abFlags
	c := &cobra.Command{
		Use: "ab SUITE", Short: "one suite with two judges or gateways: dollars and agreement", Long: abLong, Example: abExample, Args: exact("a suite"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.ab(cmd.Context(), args[0], &f) },
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.set[0], "a", nil, "set a key of the judge for side a, KEY=VALUE; may be repeated")
	flags.StringArrayVar(&f.set[1], "b", nil, "set a key of the judge for side b, KEY=VALUE; may be repeated")
	flags.StringVar(&f.id, "id", "", "the id of both runs without their -a and -b (default: made from the time); one that exists goes on")
	flags.StringArrayVar(&f.labels, "label", nil, "label both runs, key=value; may be repeated")
	flags.StringVar(&f.as, "as", "text", "text, json or markdown")
	flags.StringVar(&f.Where, "where", "", "only cases for which this CEL expression holds")
	flags.Var(&wholeFlag{to: &f.Limit, least: 1, unset: "leave it out for all cases"}, "limit", "only the first so many cases")
	flags.StringArrayVar(&f.Rubrics, "rubric", nil, "only this rubric; may be repeated")
	a.judgeFlags(c, &f.noCache)
	flags.StringVar(&f.budget, "budget", "", "what each side may spend, in US dollars (default: as the suite says)")
	a.workerFlags(c)
	a.flightFlag(c)
	return c
}

var abForms = []string{"text", "json", "markdown"}

// loadSide reads the suite as one side has it, and looks whether its gateways
// can be asked. A suite comes back also with an error, to be closed.
func (a *app) loadSide(path string, f *abFlags, side int) (*suite.Suite, error) {
	s, err := a.loadSuiteWith(path, overridesOf("--"+abSides[side], f.set[side]))
	if err != nil {
		return nil, err
	}
	if f.usd != nil {
		s.Budget = *f.usd
	}
	_, err = a.connect(s, f.Rubrics, true)
	return s, err
}

// ab runs both sides and compares them.
func (a *app) ab(ctx context.Context, path string, f *abFlags) error {
	labels, err := f.check(a)
	if err != nil {
		return err
	}
	var sides [2]*suite.Suite
	defer func() {
		for _, s := range sides {
			if s != nil {
				s.Close()
			}
		}
	}()
	for i := range sides {
		if sides[i], err = a.loadSide(path, f, i); err != nil {
			return err
		}
	}
	if err := comparable(sides, f); err != nil {
		return err
	}
	for i, s := range sides {
		if err := a.abRun(ctx, s, f, i, labels); err != nil {
			return err
		}
	}
	store, err := a.openStore(ctx, a.storeURL(sides[0].Dir), false)
	if err != nil {
		return err
	}
	defer store.Close()
	out, err := compareSides(ctx, store, f)
	if err != nil {
		return err
	}
	if err := a.printAB(out, f.as, a.textOptions(store)); err != nil {
		return err
	}
	if out.Refused != "" {
		return &exitError{exitIncomplete, nil}
	}
	return nil
}

// check looks at what can be told from the flags alone, and gives the runs their
// id.
func (f *abFlags) check(a *app) (map[string]string, error) {
	if a.json {
		f.as = "json"
	}
	if !slices.Contains(abForms, f.as) {
		return nil, usage("--as %q: one of %v%s", f.as, abForms, newel.DidYouMean(f.as, abForms))
	}
	if len(f.set[0])+len(f.set[1]) == 0 {
		return nil, usage("ab compares two judges: say what differs, such as --a model=gpt-5-mini --b model=claude-haiku-4-5")
	}
	for i, list := range f.set {
		seen := map[string]bool{}
		for _, one := range list {
			key, _, ok := strings.Cut(one, "=")
			if !ok || key == "" {
				return nil, usage("--%s %q: write KEY=VALUE", abSides[i], cut(one))
			}
			if seen[key] {
				return nil, usage("--%s: %s is set twice", abSides[i], cut(key))
			}
			seen[key] = true
		}
	}
	var err error
	if f.id == "" {
		f.id, err = a.newRunID()
	} else if !runID.MatchString(f.id + "-a") {
		err = usage("--id %q: an id is made of letters, digits, dots, dashes and underscores, begins with a letter or digit and has at most 98", cut(f.id))
	}
	if err == nil {
		err = reservedID(f.id)
	}
	if err == nil {
		err = f.selection.check()
	}
	if err == nil {
		f.usd, err = parseBudget(f.budget)
	}
	if err != nil {
		return nil, err
	}
	labels, err := parseLabels(f.labels)
	if err != nil {
		return nil, err
	}
	for _, own := range []string{"ab", "side"} {
		if _, taken := labels[own]; taken {
			return nil, usage("--label %s: ab sets it itself", own)
		}
	}
	return labels, nil
}

// overridesOf turns KEY=VALUE into overrides, as they were given by a flag.
func overridesOf(flag string, list []string) []suite.Override {
	var out []suite.Override
	for _, one := range list {
		key, value, _ := strings.Cut(one, "=")
		from := flag + " " + cut(one)
		if key == "gateway.url" && strings.Contains(value, "@") {
			from = flag + " " + key // it may hold a password
		}
		out = append(out, suite.Override{Key: key, Value: value, From: from})
	}
	return out
}

// comparable reports whether two sides ask, and ask different things.
func comparable(sides [2]*suite.Suite, f *abFlags) error {
	for i, s := range sides {
		if !s.Pays(f.Rubrics) {
			return usage("side %s asks no judge: there is nothing to compare", abSides[i])
		}
	}
	a, b := sides[0].Gateways(f.Rubrics), sides[1].Gateways(f.Rubrics)
	for name, g := range b {
		if other := a[name]; other != nil && other.URL != g.URL {
			return usage("both sides call their gateway %q, though its url differs: replies of one would serve the other. Name one of them: --b gateway.name=other", name)
		}
	}
	if sides[0].Digest == sides[1].Digest && maps.EqualFunc(a, b, func(x, y *suite.Gateway) bool { return x.Called() == y.Called() }) {
		return usage("both sides ask the very same: the replies of one would serve the other. Let model, prompt, votes, a parameter or gateway.name differ")
	}
	return nil
}

// abRun makes one side's run, or goes on with it. Its report is not printed and
// the code of its gate does not count.
func (a *app) abRun(ctx context.Context, s *suite.Suite, f *abFlags, side int, labels map[string]string) error {
	quiet := *a
	quiet.out, quiet.json = io.Discard, false
	run := runFlags{selection: f.selection, runner: "local", id: f.run(side), noCache: f.noCache, usd: f.usd}
	run.Overrides = f.set[side]
	if side == 1 && s.Targets != nil {
		run.Outputs = f.run(0)
	}
	all := map[string]string{"ab": f.id, "side": abSides[side]}
	maps.Copy(all, labels)
	if !a.quiet {
		fmt.Fprintf(a.err, "newel: side %s is run %s\n", abSides[side], run.id)
	}
	err := quiet.runSuite(ctx, s, run, all)
	var exit *exitError
	if errors.As(err, &exit) && exit.err == nil && exit.code != exitInterrupted {
		err = nil // the gate's
	}
	if err != nil {
		return err
	}
	return a.sealedSide(ctx, a.storeURL(s.Dir), run.id)
}

// run is the id of a side's run.
func (f *abFlags) run(side int) string { return f.id + "-" + abSides[side] }

// sealedSide is an error for a run that is not complete.
func (a *app) sealedSide(ctx context.Context, url, id string) error {
	store, err := a.openStore(ctx, url, false)
	if err != nil {
		return err
	}
	defer store.Close()
	run, err := store.Run(ctx, id)
	if err == nil && run.State != newel.Sealed {
		err = &exitError{exitIncomplete, fmt.Errorf("run %s is %s: go on with newel resume %s%s, then with the same newel ab", id, run.State, id, a.storeHint(store))}
	}
	return err
}

// compareSides reads both runs.
func compareSides(ctx context.Context, store newel.Store, f *abFlags) (*report.AB, error) {
	c := newComparison()
	out := &report.AB{ID: f.id}
	for i := range abSides {
		run, err := store.Run(ctx, f.run(i))
		if err != nil {
			return nil, err
		}
		if err := intact(ctx, store, run); err != nil {
			return nil, err
		}
		side := c.side(i)
		item := func(it *newel.ItemRows) error { side.item(run, it); return nil }
		if err := eval.Calls(ctx, store, run, item, func(b eval.Bought) error { return side.call(run, b) }); err != nil {
			return nil, err
		}
		now, err := store.Spending(ctx, run.ID)
		if err == nil {
			err = side.lose(now)
		}
		if err != nil {
			return nil, err
		}
		out.Suite = run.Suite
		out.Sides[i] = report.ABSide{Side: abSides[i], Run: run.ID, Digest: run.Digest.String(), Set: append([]string{}, f.set[i]...)}
	}
	c.finish(out)
	return out, nil
}

func (a *app) printAB(out *report.AB, as string, opt report.TextOptions) error {
	switch as {
	case "json":
		return writeJSON(a.out, out)
	case "markdown":
		return report.ABMarkdown(a.out, out)
	}
	return report.ABText(a.out, out, opt)
}
