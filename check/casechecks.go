package check

import (
	"fmt"

	"newel"
)

// caseChecksSpec stands for the list that each case brings.
func caseChecksSpec() *Spec {
	return &Spec{
		Name: "case-checks", Family: "structural",
		About:   "Stands for the checks that each case brings under checks. They are validated when the run is planned; a case without any passes nothing and fails nothing: under it the rubric's row is an error of kind case.",
		Example: "case-checks",
		Build: func(a *Args) Func {
			if a.env.OfCase {
				a.Wrong(a.pos, "case-checks stands in a suite, not among a case's own checks")
			}
			above := a.env.Above
			lists := newCache[[]*Check](cacheSize)
			a.check.expand = func(s *newel.Subject) ([]*Check, error) {
				if s.Case.Checks == nil {
					return nil, &newel.MissingError{Path: "checks"}
				}
				return lists.get(string(s.Case.Checks), func(text string) ([]*Check, error) {
					return ParseCaseChecks(newel.Raw(text), newel.Pos{File: "checks of case " + s.Case.ID}, above)
				})
			}
			return nil
		},
	}
}

// ParseCaseChecks compiles the checks that a case brings. The error lists all
// mistakes, each at pos. Above says that a higher layer stands over them.
func ParseCaseChecks(raw newel.Raw, pos newel.Pos, above bool) ([]*Check, error) {
	v, err := newel.ParseJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: checks: %w", pos, err)
	}
	return BuildCaseChecks(newel.NodeOf(v, pos), above)
}

// BuildCaseChecks is ParseCaseChecks for checks whose places are known.
func BuildCaseChecks(n *newel.Node, above bool) ([]*Check, error) {
	var m newel.Mistakes
	list := BuildList(n, &Env{OfCase: true, Above: above}, &m)
	if len(list) == 0 && m.Len() == 0 {
		m.Add(n.Pos, "checks is an empty list: leave it out, or name at least one")
	}
	return list, m.Err()
}
