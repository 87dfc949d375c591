// Package eval runs suites: it plans, offers what the ledger lacks to a runner,
// follows, and seals, once and alike for every engine, so that runners stay
// thin. It reads runs back, sums them up and computes their digest.
//
// It knows definitions through a few functions and runners and stores through
// their interfaces; scoring is behind Work, verdicts on runs are the gate's.
package eval

import (
	"context"
	"time"

	"newel"
	"newel/pack"
)

// Definition is what planning needs of a suite.
type Definition struct {
	Name       string
	Dir        string
	Digest     newel.Hash
	Bytes      []byte // as Work compiles it
	Rubrics    []string
	Rulers     []newel.Hash // the digest of each rubric
	Scorers    [][]string
	Measures   []bool
	Judged     []bool
	Classified []bool
	Trials     int
	Seed       int64
	Axes       []Axis // of the matrix, sorted by name
	// Asks says that a target is asked for outputs.
	Asks bool
	// Complete says that the plan must stand whole before the first offer,
	// because a layer can pay, execute or call out.
	Complete bool
	// Read streams the cases.
	Read func(ctx context.Context, yield func([]CaseAt) error) error
	// Applies returns the rubrics that have a row of an item, and Check notes
	// what is wrong with a case under the suite.
	Applies func(ctx context.Context, it *newel.Item, pos newel.Pos, m *newel.Mistakes) newel.Bitmap
	Check   func(at *CaseAt, m *newel.Mistakes)
	// Quarantined says whether a case is counted apart at plan time.
	Quarantined func(caseID string) bool
	// Select narrows a run to some cases; nil takes all. Limit, above zero,
	// takes the first so many of them.
	Select func(ctx context.Context, s *newel.Subject) (bool, error)
	Limit  int
	// Audits are the shares of settled rows that judges see, by rubric; below 0 the
	// plan fixes one.
	Audits []float64
	// Files, where set, puts the files of cases into the store, once the data is
	// read and before anything is offered.
	Files func(put func(content []byte) error) error
	// Planned is told of the plan once it is complete, before anything that waits
	// for it is offered.
	Planned func(plan *newel.Plan)
	// Reuse is when another run must have paid for a reply for it to be used again.
	Reuse newel.Window
	// Budget is how much the run may spend; nil: there is no bound.
	Budget *newel.Money
}

// Axis is one dimension of the matrix.
type Axis struct {
	Name   string
	Values []string
}

// CaseAt is a case with its place in the data.
type CaseAt struct {
	Case    *newel.Case
	Pos     newel.Pos
	Written Written // nil: no more is known than Pos
}

// Written knows where the parts of a case were written. It is asked only for
// messages.
type Written interface {
	// Place is where a field stands, or the part of it that steps lead to.
	Place(field string, steps ...string) newel.Pos
	// Node is a field with the places of all that is in it, nil where that is
	// not known.
	Node(field string) *newel.Node
}

// Place is where a field of the case stands, as far as that is known.
func (c *CaseAt) Place(field string, steps ...string) newel.Pos {
	if c.Written == nil {
		return c.Pos
	}
	return c.Written.Place(field, steps...)
}

// Node is a field of the case with its places, nil where they are not known.
func (c *CaseAt) Node(field string) *newel.Node {
	if c.Written == nil {
		return nil
	}
	return c.Written.Node(field)
}

// Primer takes the decoded items of a chunk that was just stored.
type Primer interface {
	Prime(run string, chunk int, b *pack.Batch)
}

// Clock tells the time.
type Clock func() time.Time
