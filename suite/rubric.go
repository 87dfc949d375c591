package suite

import (
	"strings"

	"newel"
	"newel/check"
	"newel/expr"
)

// Rubric is one named thing to be right about, with its ladder.
type Rubric struct {
	Name        string
	Pos         newel.Pos
	When        *expr.Program // nil: each case has a row
	WhenPos     newel.Pos
	Floor       []*check.Check
	Classifiers []string // kinds of the classifiers, in order
	Judge       *Judge
	Measure     bool
	Ruler       newel.Hash // its digest, with the files it names
}

var rubricKeys = []string{"name", "description", "when", "floor", "classifier", "judge", "measure", "resources"}

func (s *Suite) rubrics(d *decoder) {
	n := s.root.Field("rubrics")
	if s.root.Lacks("rubrics", topKeys) {
		d.wrong(s.root.Pos, "a suite needs rubrics: at least one named thing to be right about")
	}
	if n == nil {
		return
	}
	var defaults Judge
	if j := s.root.Field("judge"); j != nil {
		defaults, _ = d.judgeValues(j)
	}
	seen := map[string]newel.Pos{}
	for _, e := range d.items(n, "rubrics") {
		r := s.rubric(d, e, defaults)
		if r == nil {
			continue
		}
		if first, twice := seen[r.Name]; twice && r.Name != "" {
			d.wrong(e.Field("name").Pos, "two rubrics are called %q, the first on line %d", r.Name, first.Line)
		} else {
			seen[r.Name] = r.Pos
		}
		s.Rubrics = append(s.Rubrics, r)
	}
}

func (s *Suite) rubric(d *decoder, n *newel.Node, defaults Judge) *Rubric {
	if !d.object(n, "a rubric", rubricKeys...) {
		return nil
	}
	r := &Rubric{Pos: n.Pos, Name: d.text(n.Field("name"), "name")}
	if n.Lacks("name", rubricKeys) {
		d.wrong(n.Pos, "a rubric needs a name")
	}
	if m := n.Field("measure"); m != nil {
		r.Measure = d.flag(m, "measure")
	}
	if when := n.Field("when"); when != nil {
		r.When, r.WhenPos = d.when(when), when.Pos
	}
	r.Classifiers = d.classifiers(n.Field("classifier"))
	s.files.used = map[string]bool{}
	if j := n.Field("judge"); j != nil {
		r.Judge = d.judge(j, s.root.Field("judge"), defaults)
	}
	s.floor(d, n, r)
	d.reachable(n, r)
	var err error
	if r.Ruler, err = s.ruler(n, s.files.used); err != nil {
		d.wrong(n.Pos, "%v", err)
	}
	s.files.used = nil
	return r
}

func (d *decoder) when(n *newel.Node) *expr.Program {
	text := d.text(n, "when")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	p, err := expr.Compile(text, expr.CaseScope)
	if err != nil {
		d.wrong(n.Pos, "when: %v", err)
		return nil
	}
	if !p.MayBeBool() {
		d.wrong(n.Pos, "when is true or false; this expression gives a value of type %s", p.Type())
	}
	return p
}

func (s *Suite) floor(d *decoder, n *newel.Node, r *Rubric) {
	floor := n.Field("floor")
	if floor == nil {
		return
	}
	env := &check.Env{ReadFile: s.files.Read, ReadFolder: s.files.ReadFolder, Above: len(r.Classifiers) > 0 || r.Judge != nil}
	r.Floor = check.BuildList(floor, env, d.m)
	if floor.IsList() && len(floor.List) == 0 {
		d.wrong(floor.Pos, "floor is an empty list: name a check, or remove it")
	}
}

// reachable notes ladders in which nothing decides, or a layer that nothing
// reaches.
func (d *decoder) reachable(n *newel.Node, r *Rubric) {
	floor, classifier, judge := n.Field("floor"), n.Field("classifier"), n.Field("judge")
	if floor == nil && classifier == nil && judge == nil {
		for _, layer := range []string{"floor", "classifier", "judge"} {
			if !n.Lacks(layer, rubricKeys) {
				return
			}
		}
		d.wrong(n.Pos, "rubric %q has no layer: give it a floor, a classifier or a judge", r.Name)
		return
	}
	if classifier != nil || judge != nil {
		d.above(n, r)
		return
	}
	if len(r.Floor) == 0 || len(r.Floor) < len(floor.List) {
		return // mistakes in the floor are noted already
	}
	decides := false
	for _, c := range r.Floor {
		decides = decides || !c.Reports()
	}
	if !decides && !r.Measure {
		d.wrong(floor.Pos, "rubric %q only measures: give a check min or max, or say measure: true", r.Name)
	}
	if decides && r.Measure {
		d.wrong(n.Field("measure").Pos, "rubric %q says measure: true and has a check that decides: remove one of them", r.Name)
	}
}

// above looks at a floor under a classifier or judge.
func (d *decoder) above(n *newel.Node, r *Rubric) {
	if r.Measure {
		d.wrong(n.Field("measure").Pos, "rubric %q: measure is for a floor of metrics alone", r.Name)
	}
	for _, c := range r.Floor {
		if c.Settles() == newel.SettlesBoth && !c.Reports() {
			d.wrong(n.Field("floor").Pos, "rubric %q: the check %q settles both ways, so no case ever reaches the layer above", r.Name, c.Name())
		}
	}
}
