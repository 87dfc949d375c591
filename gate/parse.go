package gate

import (
	"slices"
	"strings"

	"newel"
)

// Info is what rules may name.
type Info struct{ Rubrics []RubricInfo }

// RubricInfo is one rubric of a suite.
type RubricInfo struct {
	Name    string
	Measure bool // only reports numbers
	// Scorers are the names that a mean may ask for. Open says that cases bring
	// scorers of their own, so that others may turn up.
	Scorers []string
	Open    bool
}

// InfoOf returns what a plan says of its rubrics, for rules that arrive after
// it was made. Any scorer may be named.
func InfoOf(plan *newel.Plan) Info {
	var info Info
	for i, name := range plan.Rubrics {
		r := RubricInfo{Name: name, Measure: at(plan.Measures, i), Open: true}
		r.Scorers = at(plan.Scorers, i)
		info.Rubrics = append(info.Rubrics, r)
	}
	return info
}

func (info Info) find(name string) *RubricInfo {
	for i := range info.Rubrics {
		if info.Rubrics[i].Name == name {
			return &info.Rubrics[i]
		}
	}
	return nil
}

func (info Info) names() []string {
	var out []string
	for _, r := range info.Rubrics {
		out = append(out, r.Name)
	}
	return out
}

// ParseRules reads a list of rules, the gate of a suite or a file of its own,
// and notes everything wrong with it. A nil node is no rules.
func ParseRules(n *newel.Node, info Info, m *newel.Mistakes) []Rule {
	switch {
	case n == nil:
		return nil
	case !n.IsList():
		m.Add(n.Pos, "gate is a list of rules; this is %s", n.Kind())
		return nil
	case len(n.List) == 0:
		m.Add(n.Pos, "gate is an empty list: write a rule, or remove it")
	}
	var rules []Rule
	for _, e := range n.List {
		p := parser{node: e, info: info, m: m}
		if rule, ok := p.rule(); ok {
			rules = append(rules, rule)
		}
	}
	return rules
}

// parser reads one rule.
type parser struct {
	node  *newel.Node
	info  Info
	m     *newel.Mistakes
	out   Rule
	wrong bool
}

func (p *parser) add(pos newel.Pos, format string, args ...any) {
	p.wrong = true
	p.m.Add(pos, format, args...)
}

// kinds lists what a rule can decide by the key that says so. min alone is a
// rate; beside mean it belongs to the mean.
var kinds = [...]struct {
	key  string
	kind Kind
	own  []string // further keys
}{
	{"min", MinRate, []string{"rubric"}},
	{"fails", MaxFails, []string{"rubric"}},
	{"no_worse_than", NoWorse, []string{"rubric", "margin"}},
	{"errors", MaxErrors, []string{"rubric"}},
	{"cost", MaxCost, nil},
	{"mean", MinMean, []string{"min"}},
}

// options are the keys that any rule takes.
var options = [...]string{"by", "confidence", "of", "looks", "advisory", "read"}

// ruleKeys lists every key of a rule.
func ruleKeys() []string {
	keys := []string{"rubric", "margin"}
	for _, k := range kinds {
		keys = append(keys, k.key)
	}
	return append(keys, options[:]...)
}

func (p *parser) rule() (Rule, bool) {
	if !p.node.IsMap() {
		p.add(p.node.Pos, "a rule is a map such as {rubric: NAME, min: 0.99}; this is %s", p.node.Kind())
		return Rule{}, false
	}
	p.out.Pos = p.node.Pos
	known := p.keys()
	own, ok := p.kind(known)
	if !ok {
		return Rule{}, false
	}
	p.surplus(own)
	p.options()
	p.subject(known)
	p.bar()
	return p.out, !p.wrong
}

// keys notes unknown keys and says whether there were none.
func (p *parser) keys() bool {
	all := ruleKeys()
	for _, f := range p.node.Fields {
		if !slices.Contains(all, f.Name) && !strings.HasPrefix(f.Name, "x-") {
			p.add(f.Pos, "a rule has no key %q%s", f.Name, newel.DidYouMean(f.Name, all))
		}
	}
	return !p.wrong
}

// kind finds what the rule decides.
func (p *parser) kind(known bool) (own []string, ok bool) {
	var keys []string
	for _, k := range kinds {
		if p.node.Field(k.key) == nil || k.kind == MinRate && p.node.Field("mean") != nil {
			continue
		}
		keys = append(keys, k.key)
		p.out.Kind, own = k.kind, append([]string{k.key}, k.own...)
	}
	switch {
	case len(keys) == 1:
		return own, true
	case len(keys) > 1:
		p.add(p.node.Pos, "a rule decides one thing; this one has %s: write a rule for each", strings.Join(keys, " and "))
	case p.node.Field("margin") != nil:
		p.add(p.node.Pos, "a margin belongs to a comparison: add no_worse_than: baseline")
	case known:
		p.add(p.node.Pos, "a rule with nothing to decide: it needs min, fails, no_worse_than, errors, cost or mean")
	}
	return nil, false
}

// surplus notes keys that belong to other kinds of rule.
func (p *parser) surplus(own []string) {
	for _, f := range p.node.Fields {
		if slices.Contains(own, f.Name) || slices.Contains(options[:], f.Name) || !slices.Contains(ruleKeys(), f.Name) {
			continue
		}
		switch {
		case p.out.Kind == MinMean && f.Name == "rubric":
			p.add(f.Pos, "a mean names its rubric itself, as mean: RUBRIC.SCORER: remove rubric")
		case p.out.Kind == MaxCost:
			p.add(f.Pos, "cost is of the whole run: %s has no meaning here", f.Name)
		default:
			p.add(f.Pos, "%s has no meaning in a rule with %s", f.Name, own[0])
		}
	}
}

// subject finds the rubric that the rule is about.
func (p *parser) subject(known bool) {
	switch p.out.Kind {
	case MaxCost:
		return
	case MinMean:
		p.mean()
		return
	}
	n := p.node.Field("rubric")
	if n == nil {
		if known && p.out.Kind != MaxErrors {
			p.add(p.node.Pos, "a rule with %s needs rubric: the name of one", kinds[p.out.Kind].key)
		}
		return
	}
	p.out.Rubric = p.text(n, "rubric")
	if p.out.Rubric == "" {
		return
	}
	r := p.info.find(p.out.Rubric)
	switch {
	case r == nil:
		p.add(n.Pos, "there is no rubric %q%s", p.out.Rubric, newel.DidYouMean(p.out.Rubric, p.info.names()))
	case r.Measure && p.out.Kind != MaxErrors:
		p.add(n.Pos, "rubric %q only measures, so that nothing in it passes or fails: gate its value with mean: %s.SCORER", r.Name, r.Name)
	}
}

// mean reads RUBRIC.SCORER; either name may hold dots.
func (p *parser) mean() {
	n := p.node.Field("mean")
	text := p.text(n, "mean")
	if text == "" {
		return
	}
	var near *RubricInfo
	for i := range p.info.Rubrics {
		r := &p.info.Rubrics[i]
		scorer, ok := strings.CutPrefix(text, r.Name+".")
		if !ok {
			continue
		}
		p.out.Rubric, p.out.Scorer, near = r.Name, scorer, r
		if slices.Contains(r.Scorers, scorer) {
			return
		}
	}
	rubric, scorer, dotted := strings.Cut(text, ".")
	switch {
	case near != nil && near.Open && p.out.Scorer != "":
	case near != nil:
		p.add(n.Pos, "rubric %q has no scorer %q%s%s", near.Name, p.out.Scorer, newel.DidYouMean(p.out.Scorer, near.Scorers), listed(near.Scorers))
	case !dotted || scorer == "":
		p.add(n.Pos, "mean is the name of a scorer with its rubric's: RUBRIC.SCORER")
	default:
		p.add(n.Pos, "there is no rubric %q%s", rubric, newel.DidYouMean(rubric, p.info.names()))
	}
}

func listed(names []string) string {
	if len(names) == 0 || len(names) > 20 {
		return ""
	}
	return "; it has " + strings.Join(names, ", ")
}
