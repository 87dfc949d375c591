// Package check holds the deterministic scorers of the floor, one file each,
// and the table that names them. A check is built from what a suite or a case
// wrote, and then gives a score for each subject: free, pure, bounded in time.
//
// What a check's verdict decides for its rubric is the ladder's business; where
// cases come from is the suite's.
package check

import (
	"context"
	"errors"

	"newel"
)

// Func gives a check's verdict on a subject. It fills Verdict, Value,
// Explanation, Evidence and Err of the score; the check adds the rest.
type Func func(ctx context.Context, s *newel.Subject) newel.Score

// Check is one compiled check. It is a newel.Scorer.
type Check struct {
	name    string
	settles newel.Settles
	given   bool // settles was written
	allow   float64
	reports bool
	spec    *Spec
	run     Func
	expand  func(s *newel.Subject) ([]*Check, error)
}

// Name returns the name in rows and reports, unique within its list.
func (c *Check) Name() string { return c.name }

// Settles returns what the check's verdict decides under a higher layer.
func (c *Check) Settles() newel.Settles { return c.settles }

// Allow returns the share of wrong passes that the audit may show where the
// check settles pass.
func (c *Check) Allow() float64 { return c.allow }

// Expand returns the checks that stand in this one's place for subject s, for
// a check like case-checks that is a list; ok is false for any other.
func (c *Check) Expand(s *newel.Subject) (list []*Check, ok bool, err error) {
	if c.expand == nil {
		return nil, false, nil
	}
	list, err = c.expand(s)
	return list, true, err
}

// Reports reports whether the check is a metric without bounds, which gives a
// number and no verdict.
func (c *Check) Reports() bool { return c.reports }

// Expands reports whether the check stands for a list that each case brings.
func (c *Check) Expands() bool { return c.expand != nil }

// Score gives the check's verdict.
func (c *Check) Score(ctx context.Context, s *newel.Subject) newel.Score {
	score := c.run(ctx, s)
	score.Scorer, score.Layer = c.name, newel.Floor
	return score
}

// ParamError says that a parameter taken from a case has the wrong form. For a
// check that is an error of kind definition.
type ParamError struct{ Msg string }

func (e *ParamError) Error() string { return e.Msg }

// LimitError says that a check passed one of its bounds. It is an error of
// kind limit, never a fail.
type LimitError struct{ Msg string }

func (e *LimitError) Error() string { return e.Msg }

// Because returns the score that err amounts to: a fail for an output that
// cannot be read as asked, an error for all else.
func Because(err error) newel.Score {
	var output *newel.OutputError
	var missing *newel.MissingError
	var param *ParamError
	var limit *LimitError
	switch {
	case errors.As(err, &output):
		return newel.Missed(err.Error())
	case errors.As(err, &missing):
		return newel.Broken(newel.KindCase, err.Error())
	case errors.As(err, &param):
		return newel.Broken(newel.KindDefinition, err.Error())
	case errors.As(err, &limit):
		return newel.Broken(newel.KindLimit, err.Error())
	case errors.Is(err, context.DeadlineExceeded):
		return newel.Broken(newel.KindTimeout, err.Error())
	}
	return newel.Broken(newel.KindInternal, err.Error())
}
