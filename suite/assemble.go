package suite

import (
	"slices"
	"time"

	"newel"
	"newel/eval"
	"newel/gate"
	"newel/target"
)

// targets reads the system under test.
func (s *Suite) targets(d *decoder, env Env) {
	one, many := s.root.Field("target"), s.root.Field("targets")
	te := target.Env{Dir: s.Dir, AllowCommands: env.AllowCommands, Elsewhere: env.Idle, Lookup: env.Lookup, Now: env.Now}
	switch {
	case one != nil && many != nil:
		d.wrong(many.Pos, "a suite has target or targets, not both")
	case one != nil:
		if t := target.Parse(one, te, d.m); t != nil {
			s.Targets = target.NewSet(t)
		}
	case many != nil:
		if list := target.ParseMany(many, te, d.m); len(list) > 0 {
			s.Targets = target.NewSet(list...)
		}
	}
	if s.Targets != nil {
		s.Variables = s.Targets.Variables()
	}
	s.readCommands(one)
	if many != nil {
		for _, f := range many.Fields {
			s.readCommands(f.Node)
		}
	}
	if len(s.Matrix) > 0 && one == nil && many == nil {
		d.wrong(s.root.Field("matrix").Pos, "a matrix needs a target: over recorded outputs its combinations would all be the same")
	}
}

// readCommands takes the files of the suite's folder that a command names into
// the definition, so that another program is another suite. What is no file
// there, such as an interpreter, stays out.
func (s *Suite) readCommands(t *newel.Node) {
	if t == nil || !t.IsMap() || t.Field("command") == nil || !t.Field("command").IsMap() {
		return
	}
	run := t.Field("command").Field("run")
	if run == nil {
		return
	}
	for _, argument := range run.List {
		if name, ok := argument.Text(); ok && name != "" {
			_, _ = s.files.Read(name)
		}
	}
}

// Axes returns the dimensions of the plan's matrix: the suite's, and the
// target where there are several.
func (s *Suite) Axes() []eval.Axis {
	var out []eval.Axis
	for _, a := range s.Matrix {
		out = append(out, eval.Axis{Name: a.Name, Values: a.Values})
	}
	if s.Targets != nil && s.root.Field("targets") != nil {
		out = append(out, eval.Axis{Name: "target", Values: s.Targets.Names()})
	}
	return out
}

// Commands reports whether a target is a command, which runs only where that is
// allowed.
func (s *Suite) Commands() bool {
	one, many := s.root.Field("target"), s.root.Field("targets")
	if one != nil && one.Field("command") != nil {
		return true
	}
	if many == nil {
		return false
	}
	return slices.ContainsFunc(many.Fields, func(f *newel.Field) bool { return f.Node != nil && f.Node.Field("command") != nil })
}

// Quarantined returns whether a case is counted apart at an instant.
func (s *Suite) Quarantined(now time.Time) func(caseID string) bool {
	apart := map[string]bool{}
	for _, q := range s.Quarantine {
		if now.Before(q.Until) {
			apart[q.ID] = true
		}
	}
	return func(id string) bool { return apart[id] }
}

// gate reads the gate's rules.
func (s *Suite) gate(d *decoder) {
	if n := s.root.Field("gate"); n != nil {
		s.Gate = gate.ParseRules(n, s.GateInfo(), d.m)
	}
}

// GateInfo is what rules may speak of.
func (s *Suite) GateInfo() gate.Info {
	info := gate.Info{}
	for i, r := range s.Rubrics {
		one := gate.RubricInfo{Name: r.Name, Measure: r.Measure, Scorers: s.Scorers()[i]}
		for _, c := range r.Floor {
			one.Open = one.Open || c.Expands()
		}
		info.Rubrics = append(info.Rubrics, one)
	}
	return info
}
