package check

import (
	"context"
	"fmt"
	"strings"

	"newel"
)

// notSpec negates a verdict, never an error.
func notSpec() *Spec {
	return &Spec{
		Name: "not", Family: "group", Main: "check",
		About:   "Turns the verdict of one check round. A fail says what was found. An error stays an error, and a metric that only reports stays undecided.",
		Params:  []Param{{Name: "check", Type: "map of one check", About: "the check to negate", Required: true}},
		Example: `not: {contains: "as an AI"}`,
		Build: func(a *Args) Func {
			inner := buildNegated(a)
			if inner == nil {
				return nil
			}
			a.check.reports = inner.reports
			return func(ctx context.Context, s *newel.Subject) newel.Score {
				score := inner.Score(ctx, s)
				score.Verdict = score.Verdict.Not()
				switch score.Verdict {
				case newel.Fail:
					score.Explanation = "holds, and must not: " + inner.name + foundBy(score)
				case newel.Pass: // what was missing is as it should be
					score.Explanation, score.Evidence = "", nil
				}
				return score
			}
		},
	}
}

// foundBy is what a check that passed says of its pass.
func foundBy(score newel.Score) string {
	switch {
	case score.Explanation != "":
		return ": " + score.Explanation
	case score.HasValue:
		return " (value " + score.Value.String() + ")"
	}
	return ""
}

// buildNegated is buildOne for a check whose pass will be a fail.
func buildNegated(a *Args) *Check {
	env := *a.env
	env.negated = true
	b := *a
	b.env = &env
	return buildOne(&b)
}

// buildOne builds the single check under the main parameter.
func buildOne(a *Args) *Check {
	n := a.Node("check")
	if n == nil {
		return nil
	}
	c := Build(n, a.inner(), a.Mistakes())
	if c != nil && c.expand != nil {
		a.Wrong(n.Pos, "%s cannot hold %s: it stands for a list", a.spec.Name, c.name)
	}
	return c
}

// inner is the environment of checks within a group: what they settle is the
// group's to say.
func (a *Args) inner() *Env {
	env := *a.env
	env.outerAbove = env.Above || env.outerAbove
	env.Above = false
	if env.outer == nil {
		env.outer = a.check
	}
	return &env
}

func anySpec() *Spec { return groupSpec("any", "Passes when one of its checks passes.", newel.Pass) }
func allSpec() *Spec { return groupSpec("all", "Passes when all of its checks pass.", newel.Fail) }

// groupSpec is a list of checks in which one verdict, decides, is enough. A
// list without it that holds an error is an error; all members of no opinion
// leave the group undecided.
func groupSpec(name, about string, decides newel.Verdict) *Spec {
	return &Spec{
		Name: name, Family: "group", Main: "checks", About: about + " A member that cannot answer makes the group an error, unless another member decides it.",
		Params:  []Param{{Name: "checks", Type: "list of checks", About: "the members", Required: true}},
		Example: name + `: [{contains: "refund"}, {contains: "credit"}]`,
		Build: func(a *Args) Func {
			n := a.Node("checks")
			if n == nil {
				return nil
			}
			if n.IsList() && len(n.List) == 0 {
				a.Wrong(n.Pos, "%s needs at least one check", name)
			}
			members := BuildList(n, a.inner(), a.Mistakes())
			a.check.reports = true
			for _, c := range members {
				a.check.reports = a.check.reports && c.reports
				if c.expand != nil {
					a.Wrong(n.Pos, "%s cannot hold %s: it stands for a list", name, c.name)
				}
			}
			return func(ctx context.Context, s *newel.Subject) newel.Score {
				return fold(ctx, s, members, decides)
			}
		},
	}
}

func fold(ctx context.Context, s *newel.Subject, members []*Check, decides newel.Verdict) newel.Score {
	var broken *newel.Score
	var reasons []string
	var evidence []newel.Evidence
	settled := false
	for _, c := range members {
		score := c.Score(ctx, s)
		switch {
		case score.Verdict == decides:
			return newel.Score{Verdict: decides, Explanation: prefixed(c, score), Evidence: score.Evidence}
		case score.Verdict == newel.Failed && broken == nil:
			broken = &score
		case score.Verdict.Settled():
			settled = true
		}
		if score.Verdict == newel.Fail {
			reasons = append(reasons, prefixed(c, score))
			evidence = append(evidence, score.Evidence...)
		}
	}
	switch {
	case broken != nil:
		return brokenBy(broken)
	case !settled:
		return newel.Score{}
	}
	return newel.Score{Verdict: decides.Not(), Explanation: strings.Join(reasons, "; "), Evidence: evidence}
}

// brokenBy returns a member's error as its group's.
func brokenBy(member *newel.Score) newel.Score {
	return newel.Broken(member.Err.Kind, fmt.Sprintf("%s: %s", member.Scorer, member.Err.Message))
}

func prefixed(c *Check, score newel.Score) string {
	if score.Explanation == "" {
		return ""
	}
	return c.name + ": " + score.Explanation
}
