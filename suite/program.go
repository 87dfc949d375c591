package suite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"newel"
	"newel/check"
	"newel/eval"
	"newel/expr"
	"newel/gateway"
	"newel/judge"
	"newel/ladder"
	"newel/paid"
)

// Means is how the judges of a program reach the world, for one run. The zero
// value serves a suite whose judges read recorded replies.
type Means struct {
	// Ask pays for a call, or finds its reply.
	Ask func(ctx context.Context, q paid.Question) (paid.Answer, error)
	// Client returns the client of a gateway by its name in call keys.
	Client func(name string) judge.Client
	// File returns a file that a case brought, by its content.
	File func(sha256 newel.Hash) ([]byte, error)
	Tags gateway.Tags
}

// Program compiles the rubrics that take part, all where only is empty, for
// Work. Those whose layers this binary does not have are an error that names
// them.
func (s *Suite) Program(only []string, means Means) (*ladder.Program, error) {
	if missing := s.Unready(only); len(missing) > 0 {
		return nil, fmt.Errorf("suite %q: %s", s.Name, strings.Join(missing, "; "))
	}
	p := &ladder.Program{}
	for i, r := range s.Rubrics {
		if !takesPart(r, only) {
			continue
		}
		rubric := r.ladder(i, s.Seed)
		if r.Judge != nil {
			if err := r.judge(rubric, means); err != nil {
				return nil, fmt.Errorf("suite %q: rubric %q: %w", s.Name, r.Name, err)
			}
		}
		p.Rubrics = append(p.Rubrics, rubric)
	}
	if s.Targets != nil {
		p.Ask = s.Targets.Ask
	}
	return p, nil
}

// judge puts the rubric's judge on top of its ladder. How much of what settled
// below is audited the plan says, where the suite does not.
func (r *Rubric) judge(out *ladder.Rubric, means Means) error {
	def, env := r.Judge.Def, judge.Env{Ask: means.Ask, Tags: means.Tags, Media: means.File}
	def.Rubric = r.Name
	if g := r.gateway(); g != nil && means.Client != nil {
		env.Client = means.Client(g.Called())
	}
	j, err := judge.New(def, env)
	if err != nil {
		return err
	}
	out.Judge, out.Sample, out.Audit = j, r.Judge.Sample, r.Judge.Audit
	return nil
}

func takesPart(r *Rubric, only []string) bool { return len(only) == 0 || contains(only, r.Name) }

// Unready lists what the rubrics that take part ask for and this binary cannot
// run yet.
func (s *Suite) Unready(only []string) []string {
	var out []string
	for _, r := range s.Rubrics {
		if !takesPart(r, only) {
			continue
		}
		if len(r.Classifiers) > 0 {
			out = append(out, fmt.Sprintf("rubric %q has a classifier, which this version plans but does not run (--rubric runs others)", r.Name))
		}
	}
	return out
}

func (r *Rubric) ladder(index int, seed int64) *ladder.Rubric {
	out := &ladder.Rubric{Name: r.Name, Index: index, Seed: seed, Measure: r.Measure}
	if r.When != nil {
		out.When = r.When.Bool
	}
	for _, c := range r.Floor {
		out.Floor = append(out.Floor, step(c))
	}
	return out
}

func step(c *check.Check) ladder.Step {
	out := ladder.Step{Scorer: c, Settles: c.Settles()}
	if c.Expands() {
		out.Expand = func(s *newel.Subject) ([]ladder.Step, error) {
			list, _, err := c.Expand(s)
			if err != nil {
				return nil, err
			}
			steps := make([]ladder.Step, len(list))
			for i, one := range list {
				steps[i] = step(one)
			}
			return steps, nil
		}
	}
	return out
}

// Scorers lists the names of each rubric's scorers that are known beforehand.
func (s *Suite) Scorers() [][]string {
	out := make([][]string, len(s.Rubrics))
	for i, r := range s.Rubrics {
		out[i] = []string{}
		for _, c := range r.Floor {
			if !c.Expands() {
				out[i] = append(out[i], c.Name())
			}
		}
		if r.Judge != nil {
			out[i] = append(out[i], r.Judge.Def.ScorerName())
		}
	}
	return out
}

// Applies returns the rubrics that have a row of an item. Notes what is wrong
// with the case under the suite: a when that cannot be answered, checks of its
// own that do not build.
func (s *Suite) Applies(ctx context.Context, it *newel.Item, pos newel.Pos, m *newel.Mistakes) newel.Bitmap {
	applies := newel.NewBitmap(len(s.Rubrics))
	subject := newel.NewSubject(it)
	for i, r := range s.Rubrics {
		if r.When != nil {
			ok, err := r.When.Bool(ctx, subject)
			if err != nil {
				m.Add(pos, "case %q: rubric %q: when (%s): %v%s", it.Case.ID, r.Name, r.WhenPos, err, expr.AskFirst(err))
				continue
			}
			if !ok {
				continue
			}
		}
		applies.Set(i)
	}
	return applies
}

// CheckCase notes what is wrong with a case's files and its own checks. It
// serves one goroutine at a time.
func (s *Suite) CheckCase(at *eval.CaseAt, m *newel.Mistakes) {
	s.checkMedia(at, m)
	c := at.Case
	if c.Checks == nil {
		return
	}
	above := s.aboveOwn()
	_, err := check.ParseCaseChecks(c.Checks, at.Pos, above)
	if err == nil {
		return
	}
	// Only now it matters where in the case each check stands.
	if n := at.Node("checks"); n != nil {
		_, err = check.BuildCaseChecks(n, above)
	} else {
		_, err = check.ParseCaseChecks(c.Checks, at.Place("checks"), above)
	}
	var list *newel.Mistakes
	if errors.As(err, &list) {
		m.Merge(list)
	} else if err != nil {
		m.Add(at.Place("checks"), "case %q: checks: %v", c.ID, err)
	}
}

// aboveOwn reports whether a layer stands above the checks of cases.
func (s *Suite) aboveOwn() bool {
	for _, r := range s.Rubrics {
		for _, f := range r.Floor {
			if f.Expands() && (len(r.Classifiers) > 0 || r.Judge != nil) {
				return true
			}
		}
	}
	return false
}

// Floor compiles one rubric by itself.
func (s *Suite) Floor(index int) *ladder.Rubric { return s.Rubrics[index].ladder(index, s.Seed) }
