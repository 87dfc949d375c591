package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
	"newel/report"
	"newel/suite"
)

const planLong = `Read a suite and its data, check both completely, and print what a run would
do: items, rubrics with their layers and cases, what each gate rule can show
with so many cases, and which rubrics an empty answer would pass.

Nothing is scored, asked, paid or stored.`

func (a *app) planCommand() *cobra.Command {
	var sel selection
	c := &cobra.Command{
		Use: "plan SUITE", Short: "check a suite and say what a run would do", Long: planLong, Args: exact("a suite"),
		Example: "  newel plan suite.yaml\n  newel plan suite.yaml --json",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.plan(cmd.Context(), args[0], sel) },
	}
	a.workerFlags(c)
	c.Flags().StringVar(&sel.Where, "where", "", "only cases for which this CEL expression holds")
	c.Flags().IntVar(&sel.Limit, "limit", 0, "only the first so many cases")
	c.Flags().StringArrayVar(&sel.Rubrics, "rubric", nil, "only this rubric; may be repeated")
	return c
}

// planView is what plan prints.
type planView struct {
	Suite     newel.SuiteRef `json:"suite"`
	Plan      newel.PlanRef  `json:"plan"`
	Rubrics   []planRubric   `json:"rubrics"`
	Gate      []planRule     `json:"gate"`
	Variables []string       `json:"variables"`
	Commands  bool           `json:"-"`
	Target    bool           `json:"target"`
	Warnings  []string       `json:"warnings"`
	Unready   []string       `json:"unready"`
	Calls     planCalls      `json:"calls"`
}

type planRubric struct {
	Name       string   `json:"name"`
	Rows       int      `json:"rows"`
	Floor      []string `json:"floor"`
	Classifier []string `json:"classifier"`
	Judge      string   `json:"judge,omitempty"`
	EmptyPass  int      `json:"empty_pass"` // of the first cases tried
	EmptyTried int      `json:"empty_tried"`
}

type planRule struct {
	Rule string `json:"rule"`
	Can  string `json:"can"`
}

// planCalls says what a run would pay for.
type planCalls struct {
	Target int `json:"target"`
	Judge  int `json:"judge_at_most"`
}

func (a *app) plan(ctx context.Context, path string, sel selection) error {
	if err := sel.check(); err != nil {
		return err
	}
	s, err := a.loadSuite(path)
	if err != nil {
		return err
	}
	defer s.Close()
	if sel.Suite, err = filepath.Abs(s.File()); err != nil {
		return err
	}
	def, err := a.define(s, sel)
	if err != nil {
		return err
	}
	p := &planning{suite: s, count: newPlanCount(s), only: sel.Rubrics, view: &planView{Unready: []string{}, Warnings: []string{}, Gate: []planRule{}}}
	p.prepare()
	plan, counts, err := eval.MakePlan(ctx, def, p.chunk, idsOf(def))
	if err != nil {
		return err
	}
	view := p.finish(plan, counts)
	if a.json {
		return writeJSON(a.out, view)
	}
	return a.printPlan(a.out, view)
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// probes is how many cases of a rubric an empty answer is tried on.
const probes = 200

func (a *app) printPlan(w io.Writer, v *planView) error {
	var b strings.Builder
	fmt.Fprintf(&b, "suite  %s (%.12s)\nplan   %s of %s, %s (%.12s)\n", report.Visible(v.Suite.Name), v.Suite.Digest,
		counted(v.Plan.Items, "item"), counted(v.Plan.Cases, "case"), counted(v.Plan.Rubrics, "rubric"), v.Plan.Digest)
	fmt.Fprintf(&b, "cost   %s\n", v.Calls.text())
	if len(v.Variables) > 0 {
		fmt.Fprintf(&b, "needs  the variables %s\n", strings.Join(v.Variables, ", "))
	}
	b.WriteString("\nRubrics\n")
	for _, r := range v.Rubrics {
		r.print(&b)
	}
	if len(v.Gate) > 0 {
		b.WriteString("\nGate\n")
		for _, r := range v.Gate {
			fmt.Fprintf(&b, "  %s: %s\n", report.Visible(r.Rule), report.Visible(r.Can))
		}
	}
	for _, warning := range v.Warnings {
		fmt.Fprintf(&b, "\nwarning: %s\n", report.Visible(warning))
	}
	for _, u := range v.Unready {
		fmt.Fprintf(&b, "\nnot to be run yet: %s\n", report.Visible(u))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (c planCalls) text() string {
	if c.Target == 0 && c.Judge == 0 {
		return "$0: nothing is asked or called"
	}
	var parts []string
	if c.Target > 0 {
		parts = append(parts, counted(c.Target, "question")+" to the target, at the target's price")
	}
	if c.Judge > 0 {
		parts = append(parts, "at most "+counted(c.Judge, "judge call"))
	}
	return strings.Join(parts, "; ")
}

func (r *planRubric) print(b *strings.Builder) {
	fmt.Fprintf(b, "  %s: %s\n", report.Visible(r.Name), counted(r.Rows, "row"))
	if len(r.Floor) > 0 {
		fmt.Fprintf(b, "    floor      %s\n", report.Visible(strings.Join(r.Floor, ", ")))
	}
	if len(r.Classifier) > 0 {
		fmt.Fprintf(b, "    classifier %s\n", strings.Join(r.Classifier, ", "))
	}
	if r.Judge != "" {
		fmt.Fprintf(b, "    judge      %s\n", report.Visible(r.Judge))
	}
	if r.EmptyPass > 0 {
		fmt.Fprintf(b, "    careful: an empty answer passes %d of the %d cases tried\n", r.EmptyPass, r.EmptyTried)
	}
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + one + "s"
}

func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// planning gathers what plan prints while the data streams by.
type planning struct {
	suite  *suite.Suite
	view   *planView
	only   []string // the rubrics that take part; nil: all
	count  *planCount
	empty  []*emptyProbe
	locked chan struct{}
	target int
}

func (p *planning) prepare() {
	p.locked = make(chan struct{}, 1)
	for i := range p.suite.Rubrics {
		p.empty = append(p.empty, newEmptyProbe(p.suite, i))
	}
}

// chunk counts a chunk's rows.
func (p *planning) chunk(ctx context.Context, _ newel.ChunkInfo, c eval.Content) error {
	b := c.Batch
	p.locked <- struct{}{}
	defer func() { <-p.locked }()
	single := len(p.suite.Axes()) == 0 && p.suite.Trials == 1
	for i, it := range b.Items {
		if it.Case.Output == nil && it.Case.Outputs == nil {
			p.target++
		}
		for r := range p.suite.Rubrics {
			if b.Entries[i].Applies.Has(r) {
				p.count.add(r, it, single)
				p.empty[r].try(ctx, it)
			}
		}
	}
	return nil
}

func (p *planning) finish(plan newel.Plan, counts *eval.Counts) *planView {
	v, s := p.view, p.suite
	v.Suite = newel.SuiteRef{Name: s.Name, Digest: s.Digest.String()}
	v.Plan = newel.PlanRef{Digest: plan.Digest.String(), Items: plan.Items, Cases: plan.Cases, Rubrics: len(plan.Rubrics), Trials: plan.Trials}
	v.Unready, v.Variables, v.Target = append(v.Unready, s.Unready(p.only)...), s.Variables, s.Targets != nil
	for i, r := range s.Rubrics {
		one := planRubric{Name: r.Name, Rows: p.count.rows(i), Classifier: r.Classifiers, Floor: []string{}, EmptyPass: p.empty[i].passed, EmptyTried: p.empty[i].tried}
		for _, c := range r.Floor {
			one.Floor = append(one.Floor, c.Name())
		}
		if j := r.Judge; j != nil {
			one.Judge = fmt.Sprintf("%s, sample %g", orWord(j.Model, "recorded replies"), j.Sample)
			v.Calls.Judge += one.Rows * j.Calls
		}
		if one.Rows == 0 {
			v.Warnings = append(v.Warnings, fmt.Sprintf("rubric %q has no row: its when holds for no case", r.Name))
		}
		v.Rubrics = append(v.Rubrics, one)
	}
	for _, rule := range s.Gate {
		v.Gate = append(v.Gate, planRule{Rule: rule.String(), Can: p.count.can(rule)})
	}
	if s.Targets != nil {
		v.Calls.Target = p.target
	} else if counts.Silent > 0 {
		v.Warnings = append(v.Warnings, fmt.Sprintf("%s neither an output nor a target to ask: checks of the output fail there", counted(counts.Silent, "case")+" with"))
	}
	return v
}

func orWord(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
