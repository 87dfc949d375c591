package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"newel"
	"newel/eval"
	"newel/report"
	"newel/suite"
)

const planLong = `Read a suite and its data, check both completely, and print what a run would
do: items, rubrics with their layers and cases, what each gate rule can show
with so many cases, and which rubrics an empty answer would pass.

Where judges take part, every case climbs the free layers below them, so that
the calls are counted and not guessed: how many, which of them an earlier run
has paid for already, what the others are likely to cost (by what calls of the
suite's last sealed run cost, else by the price table), what they cost at most,
and whether the budget holds that. Of suites with more than some 200,000 calls
the rest is estimated, and that is said.

With --show CASE the prompts are printed that judges would be sent about the
case, in full, each with its call key, gateway, model and worst price.

Nothing is asked, paid or stored, and no gateway is reached: its variables need
not be set.`

func (a *app) planCommand() *cobra.Command {
	var sel selection
	var bill billFlags
	show := ""
	c := &cobra.Command{
		Use: "plan SUITE", Short: "check a suite and say what a run would do", Long: planLong, Args: exact("a suite"),
		Example: "  newel plan suite.yaml\n  newel plan suite.yaml --no-cache --budget 2.50\n  newel plan suite.yaml --json\n  newel plan suite.yaml --show q-17",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.plan(cmd.Context(), args[0], sel, bill, show) },
	}
	a.workerFlags(c)
	c.Flags().StringVar(&sel.Where, "where", "", "only cases for which this CEL expression holds")
	c.Flags().Var(&wholeFlag{to: &sel.Limit, least: 1, unset: "leave it out for all cases"}, "limit", "only the first so many cases")
	c.Flags().StringArrayVar(&sel.Rubrics, "rubric", nil, "only this rubric; may be repeated")
	a.judgeFlags(c, &bill.noCache)
	c.Flags().StringVar(&bill.budget, "budget", "", "what the run may spend, in US dollars (default: as the suite says)")
	c.Flags().StringVar(&show, "show", "", "print the prompts that judges would be sent about this case, and ask nobody")
	return c
}

// billFlags are those that a bill hangs on, as run has them.
type billFlags struct {
	noCache bool
	budget  string
}

// planView is what plan prints.
type planView struct {
	Suite     newel.SuiteRef `json:"suite"`
	Plan      newel.PlanRef  `json:"plan"`
	Rubrics   []planRubric   `json:"rubrics"`
	Gate      []planRule     `json:"gate"`
	Variables []string       `json:"variables"`
	Unset     []string       `json:"variables_unset"`          // of them, those that are not set here
	Allow     string         `json:"allow_commands,omitempty"` // the folder whose commands are yet to be allowed
	Target    bool           `json:"target"`
	Warnings  []string       `json:"warnings"`
	Unready   []string       `json:"unready"`
	Apart     int            `json:"quarantined"` // cases
	Calls     planCalls      `json:"calls"`
	Bill      *report.Bill   `json:"bill,omitempty"` // where judges ask a gateway
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

func (a *app) plan(ctx context.Context, path string, sel selection, f billFlags, show string) error {
	usd, err := parseBudget(f.budget)
	if err == nil {
		err = sel.check()
	}
	if err != nil {
		return err
	}
	s, forbidden, err := a.loadIdle(path)
	if err != nil {
		return err
	}
	defer s.Close()
	if usd != nil {
		s.Budget = *usd
	}
	if sel.Suite, err = filepath.Abs(s.File()); err != nil {
		return err
	}
	def, err := a.define(s, sel)
	if err != nil {
		return err
	}
	asking, err := a.newAsking(s, sel.Rubrics)
	if err != nil {
		return err
	}
	p := &planning{show: showing{name: show, asking: asking, trials: s.Trials}, suite: s, count: newPlanCount(s), sel: &sel, now: a.now(), asking: asking, apart: newQuarantine(s.Quarantine), view: &planView{Unready: []string{}, Unset: []string{}, Warnings: []string{}, Gate: []planRule{}}}
	p.prepare()
	plan, counts, err := eval.MakePlan(ctx, def, p.chunk, idsOf(def))
	if err != nil {
		return err
	}
	if show != "" {
		return a.printShown(&p.show, p.ids)
	}
	view, err := p.finish(plan, counts)
	if err != nil {
		return err
	}
	if view.Bill, err = a.billOf(ctx, asking, &plan, f.noCache); err != nil {
		return err
	}
	view.Unset = a.unset(s.Variables)
	if forbidden {
		view.Allow = relative(filepath.Dir(sel.Suite))
	}
	if a.json {
		return writeJSON(a.out, view)
	}
	return a.printPlan(a.out, view)
}

// billOf is what the judges of a plan would ask; nil where they ask nobody. It
// looks into the store beside the suite, if there is one.
func (a *app) billOf(ctx context.Context, k *asking, plan *newel.Plan, noCache bool) (*report.Bill, error) {
	if k == nil {
		return nil, nil
	}
	p, err := a.openPast(ctx, a.storeURL(k.suite.Dir))
	if err != nil {
		return nil, err
	}
	defer p.close()
	out, err := k.bill(ctx, plan, p, a.reuseOf(k.suite, noCache))
	if out != nil {
		out.Anew = noCache
	}
	return out, err
}

// unset lists the variables that have no value here.
func (a *app) unset(names []string) []string {
	out := []string{}
	for _, name := range names {
		if v, _ := a.env(name); v == "" {
			out = append(out, name)
		}
	}
	return out
}

// loadIdle reads a suite whose target nobody asks: that its command may not run
// is no mistake, but told.
func (a *app) loadIdle(path string) (s *suite.Suite, forbidden bool, err error) {
	if s, err = a.loadSuite(path); err == nil {
		return s, false, nil
	}
	env := a.suiteEnv()
	env.Idle = true
	if s, again := a.loadSuiteIn(path, env); again == nil {
		return s, true, nil
	}
	return nil, false, err
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// probes is how many cases of a rubric an empty answer is tried on.
const probes = 200

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
	sel    *selection
	now    time.Time
	apart  *quarantine
	ids    []string // where there is a quarantine, or a case is sought: those of the first cases
	count  *planCount
	asking *asking // nil: no judge asks
	empty  []*emptyProbe
	locked chan struct{}
	target int
	show   showing
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
	if err := p.asking.chunk(ctx, c); err != nil {
		return err
	}
	p.show.chunk(ctx, c)
	p.locked <- struct{}{}
	defer func() { <-p.locked }()
	single := len(p.suite.Axes()) == 0 && p.suite.Trials == 1
	for i, it := range b.Items {
		p.note(it)
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

// note remembers what a quarantine is compared with.
func (p *planning) note(it *newel.Item) {
	if len(p.suite.Quarantine) == 0 && p.show.name == "" {
		return
	}
	p.apart.see(it.Case.ID)
	if len(p.ids) < maxNear {
		p.ids = append(p.ids, it.Case.ID)
	}
}

func (p *planning) finish(plan newel.Plan, counts *eval.Counts) (*planView, error) {
	v, s := p.view, p.suite
	v.Suite = newel.SuiteRef{Name: s.Name, Digest: s.Digest.String()}
	v.Plan = newel.PlanRef{Digest: plan.Digest.String(), Items: plan.Items, Cases: plan.Cases, Rubrics: len(plan.Rubrics), Trials: plan.Trials}
	v.Unready, v.Variables, v.Target = append(v.Unready, s.Unready(p.sel.Rubrics)...), s.Variables, s.Targets != nil
	v.Unready = append(v.Unready, p.asking.unpriced(p.sel.Rubrics)...)
	v.Apart = plan.Quarantined
	for i, r := range s.Rubrics {
		one := planRubric{Name: r.Name, Rows: p.count.rows(i), Classifier: r.Classifiers, Floor: []string{}, EmptyPass: p.empty[i].passed, EmptyTried: p.empty[i].tried}
		for _, c := range r.Floor {
			one.Floor = append(one.Floor, c.Name())
		}
		if j := r.Judge; j != nil {
			one.Judge = fmt.Sprintf("%s, sample %g", orWord(j.Model, "recorded replies"), j.Sample)
			v.Calls.Judge += one.Rows * j.Calls
		}
		if one.Rows == 0 && (len(p.sel.Rubrics) == 0 || slices.Contains(p.sel.Rubrics, r.Name)) {
			v.Warnings = append(v.Warnings, fmt.Sprintf("rubric %q has no row: its when holds for no case", r.Name))
		}
		v.Rubrics = append(v.Rubrics, one)
	}
	rules, out := rulesOf(s.Gate, p.sel.Rubrics)
	for _, rule := range rules {
		v.Gate = append(v.Gate, planRule{Rule: rule.String(), Can: p.count.can(rule)})
	}
	if len(out) > 0 {
		v.Warnings = append(v.Warnings, narrowedRules(len(out), p.sel.Rubrics))
	}
	if s.Targets != nil {
		v.Calls.Target = p.target
	}
	warnings, err := p.warnings(counts)
	v.Warnings = append(v.Warnings, warnings...)
	return v, err
}

// warnings are about the data as a whole.
func (p *planning) warnings(counts *eval.Counts) ([]string, error) {
	var out []string
	if p.suite.Targets == nil && counts.Silent > 0 {
		out = append(out, fmt.Sprintf("%s neither an output nor a target to ask: checks of the output fail there", counted(counts.Silent, "case")+" with"))
	}
	if p.suite.Trials > 1 && counts.Recorded > 0 {
		out = append(out, fmt.Sprintf("trials: the %d rows of a recorded output are the same and show no more than one; %s one", p.suite.Trials, bring(counts.Recorded)))
	}
	out = append(out, counts.Labels.Warnings()...)
	lines := p.apart.lines(p.now, p.sel.everyCase())
	stale, err := quarantineWarnings(lines, func(id string) (string, error) { return newel.DidYouMean(id, p.ids), nil })
	return append(out, stale...), err
}

func bring(n int) string { return counted(n, "case") + plural(n, " brings", " bring") }

func orWord(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
