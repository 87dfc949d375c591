package report

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"newel"
)

// GateText writes a run's gate alone: its verdict, what each rule found, and what
// a reader of it has to know.
func GateText(w io.Writer, sum *newel.Summary, opt TextOptions) error {
	p := newPage(w, opt)
	p.allRules = "newel gate " + ShellWord(sum.Run) + " -v"
	v := verdictOf(sum)
	p.line(p.tint(v.tone, v.word) + "  " + v.text)
	p.line("")
	p.item("run", plainTone, Visible(sum.Run)+" of "+Visible(sum.Suite.Name), 0)
	p.gate(sum)
	p.warnings(sum)
	return p.close()
}

// gate lists the rules. Without Verbose those that were not passed come first,
// the defaults that were passed stand together on one line, and a long list is
// cut.
func (p *page) gate(sum *newel.Summary) {
	g := sum.Gate
	if g == nil {
		return
	}
	title := "Gate: " + named(string(g.State), nothing)
	if g.Baseline != "" {
		title += ", against " + Visible(g.Baseline)
	}
	p.title(title)
	if p.verbose {
		for _, r := range g.Rules {
			p.rule(r)
		}
		return
	}
	written, quiet := splitDefaults(g.Rules)
	shown := written
	if len(written) > textRules+1 {
		shown = written[:textRules]
	}
	for _, r := range shown {
		p.rule(r)
	}
	p.moreRules(written[len(shown):], sum.Run)
	for _, d := range quiet {
		p.line("  " + p.tint(good, string(newel.GatePassed)) + "  " + fit(d.text+" for "+counted(d.n, "rubric", "rubrics"), p.width-10))
	}
}

// defaults are the passed rules that nobody wrote and that ask the same of
// several rubrics.
type defaults struct {
	text string
	n    int
}

// splitDefaults returns the rules to show, those not passed first, and the
// defaults that were passed.
func splitDefaults(rules []newel.GateRule) (written []newel.GateRule, quiet []defaults) {
	for _, r := range rules {
		if !r.Default || r.State != newel.GatePassed {
			written = append(written, r)
			continue
		}
		text := Visible(strings.TrimPrefix(r.Rule, r.Rubric+": "))
		at := slices.IndexFunc(quiet, func(d defaults) bool { return d.text == text })
		if at < 0 {
			at, quiet = len(quiet), append(quiet, defaults{text: text})
		}
		quiet[at].n++
	}
	slices.SortStableFunc(written, func(a, b newel.GateRule) int { return cmp.Compare(ruleRank(a), ruleRank(b)) })
	return written, quiet
}

// ruleRank puts what stops a run first and what passed last.
func ruleRank(r newel.GateRule) int {
	switch {
	case r.State == newel.GatePassed:
		return 3
	case r.Advisory && r.State != newel.GateInvalid:
		return 2
	case r.State == newel.GateInconclusive:
		return 1
	}
	return 0
}

// moreRules counts the rules that are not shown.
func (p *page) moreRules(left []newel.GateRule, run string) {
	passed := 0
	for _, r := range left {
		if r.State == newel.GatePassed {
			passed++
		}
	}
	switch {
	case len(left) == 0:
		return
	case passed == len(left):
		p.para(2, dim, "and "+count(passed)+" more passed", 0)
		return
	}
	p.para(2, unsure, "and "+count(len(left)-passed)+" more not passed, "+count(passed)+" more passed; all of them: "+cmp.Or(p.allRules, "newel report "+ShellWord(run)+" -v")+p.hint, 0)
}

// rule writes one rule with what was found.
func (p *page) rule(r newel.GateRule) {
	state := Visible(string(r.State))
	if r.Advisory {
		state += " (advisory)"
	}
	p.line("  " + p.tint(gateTone(r.State), state) + "  " + fit(ruleName(r), max(minFlex, p.width-len(state)-4)))
	p.para(6, plainTone, Visible(found(r)), 0)
	if len(r.Cases) > 0 {
		p.para(6, plainTone, "cases "+firstCases(r.Cases, p.cases()), 0)
	}
	if p.verbose {
		p.para(6, dim, ruleFigures(r), 0)
	}
}

// cases is how many cases of a rule are named.
func (p *page) cases() int {
	if p.verbose {
		return 1000
	}
	return 5
}

// ruleFigures lists the numbers a rule was read from, in the rule's own unit.
func ruleFigures(r newel.GateRule) string {
	var out []string
	add := func(name string, shown bool, value string) {
		if shown {
			out = append(out, name+" "+value)
		}
	}
	if r.Point != nil {
		add("point", true, numberRange(*r.Point, r.Interval))
	}
	if r.Bounds != nil {
		add("bounds", true, number(r.Bounds[0])+" to "+number(r.Bounds[1]))
	}
	add("N", r.N > 0, count(r.N))
	add("missing", r.Missing > 0, count(r.Missing))
	add("clusters", r.Clusters > 0, count(r.Clusters))
	add("n*", r.NStar != nil, numberOf(r.NStar))
	add("p", r.P != nil, share(r.P))
	add("adjusted p", r.PAdjusted != nil, share(r.PAdjusted))
	add("smallest difference seen", r.MDE != nil, share(r.MDE))
	add("unpaired", r.Unpaired > 0, count(r.Unpaired))
	if r.McNemar != nil {
		add("McNemar (not decisive)", true, number(r.McNemar[0])+" one-sided, "+number(r.McNemar[1])+" two-sided")
	}
	add("looks", r.Looks > 1, count(r.Looks))
	return strings.Join(out, " · ")
}
