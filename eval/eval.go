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
	Check   func(c *newel.Case, pos newel.Pos, checks *newel.Node, m *newel.Mistakes)
	// Quarantined says whether a case is counted apart at plan time.
	Quarantined func(caseID string) bool
	// Select narrows a run to some cases; nil takes all. Limit, above zero,
	// takes the first so many of them.
	Select func(ctx context.Context, s *newel.Subject) (bool, error)
	Limit  int
}

// Axis is one dimension of the matrix.
type Axis struct {
	Name   string
	Values []string
}

// CaseAt is a case with its place in the data.
type CaseAt struct {
	Case   *newel.Case
	Pos    newel.Pos
	Checks *newel.Node // of inline cases, whose checks have places of their own
}

// Primer takes the decoded items of a chunk that was just stored.
type Primer interface {
	Prime(run string, chunk int, b *pack.Batch)
}

// Clock tells the time.
type Clock func() time.Time
