package newel

import (
	"context"
	"errors"
)

// Errors of a store that callers branch on.
var (
	ErrNotFound = errors.New("not found")
	ErrExists   = errors.New("exists already")
	ErrHeld     = errors.New("held by another process")
	ErrConflict = errors.New("changed in the meantime")
	ErrSealed   = errors.New("sealed")
	ErrSpent    = errors.New("the budget is spent")
)

// Store keeps runs, plans, rows, the answers of targets and paid replies. All methods are
// safe for use by several goroutines and, where the store is shared, by several
// machines; what a method has acknowledged survives a kill of the process.
type Store interface {
	Runs
	Plans
	Rows
	Outputs
	Journal
	Files
	// URL names the store without secrets.
	URL() string
	Close() error
}

// Runs keeps run records and their state.
type Runs interface {
	// CreateRun stores a new run; ErrExists if the id is taken.
	CreateRun(ctx context.Context, r *Run) error
	// Run returns a run; ErrNotFound.
	Run(ctx context.Context, id string) (*Run, error)
	// ListRuns returns runs without their definition and summary, newest
	// first.
	ListRuns(ctx context.Context, q RunQuery) ([]*Run, error)
	// SetState moves a run on; ErrConflict if it is in none of from.
	SetState(ctx context.Context, id string, to State, from ...State) error
	// FinishPlan stores the complete plan, once.
	FinishPlan(ctx context.Context, id string, p Plan) error
	// SealRun ends a run: won is false when it was sealed before. It fails
	// with ErrConflict while the ledger lacks an item.
	SealRun(ctx context.Context, id string, digest Hash, summary []byte) (won bool, err error)
	// EraseRun removes an unsealed run with its rows and chunks that no other
	// run has.
	EraseRun(ctx context.Context, id string) error
	// HoldRun makes this process the only one that runs id, until release;
	// ErrHeld. A process that dies lets go.
	HoldRun(ctx context.Context, id string) (release func() error, err error)
}

// RunQuery selects runs. Zero fields select nothing out.
type RunQuery struct {
	Suite  string
	State  State
	Labels map[string]string
	Limit  int
}

// Plans keeps the chunks of plans, each once by its content.
type Plans interface {
	// PutChunk stores chunk info.N of a run: its index, which info.Hash names, and
	// the bodies of its cases, which info.Bodies names; without any both are empty.
	// Putting the same chunk again is no change; another one in its place is
	// ErrConflict.
	PutChunk(ctx context.Context, run string, info ChunkInfo, index, bodies []byte) error
	// Chunks returns what is known of a run's chunks, in order: the ledger's
	// progress. It reads no rows.
	Chunks(ctx context.Context, run string) ([]ChunkInfo, error)
	// Chunk returns a chunk with its index, checked against its hash.
	Chunk(ctx context.Context, run string, n int) (info ChunkInfo, index []byte, err error)
	// Bodies returns the bodies of a chunk's cases, checked against their hash.
	Bodies(ctx context.Context, run string, n int) ([]byte, error)
}

// Packed is one item's rows in packed form.
type Packed struct {
	Offset  int     // of the item within its chunk
	Verdict Verdict // of the item as a whole, for progress
	Data    []byte
}

// Rows keeps packed rows, one record an item, first writer wins.
type Rows interface {
	// Commit stores records of a chunk in one step, leaving out items that
	// have one, and returns how many it took. ErrSealed after the seal.
	Commit(ctx context.Context, run string, chunk int, records []Packed) (kept int, err error)
	// Records returns the records of a chunk in order of offset.
	Records(ctx context.Context, run string, chunk int) ([]Packed, error)
	// Done returns which items of a chunk have their record.
	Done(ctx context.Context, run string, chunk int) (Bitmap, error)
}

// Outputs keeps what targets answered, once for each item of a run.
type Outputs interface {
	// PutOutput stores an answer, first writer wins, and returns the one that
	// is stored.
	PutOutput(ctx context.Context, run string, item int, answer []byte) ([]byte, error)
	// OutputOf returns the stored answer; ErrNotFound.
	OutputOf(ctx context.Context, run string, item int) ([]byte, error)
}

// Files keeps files that cases bring along, such as pictures, by their content,
// so that whoever scores needs no folder of the suite.
type Files interface {
	// PutFile stores a file; again is no change.
	PutFile(ctx context.Context, content []byte) (Hash, error)
	// File returns a file, checked against its hash; ErrNotFound.
	File(ctx context.Context, hash Hash) ([]byte, error)
}

// Bitmap is a set of small numbers.
type Bitmap []byte

// NewBitmap returns an empty set for numbers below n.
func NewBitmap(n int) Bitmap { return make(Bitmap, (n+7)/8) }

// Has reports whether i is in the set.
func (b Bitmap) Has(i int) bool { return i/8 < len(b) && b[i/8]&(1<<(i%8)) != 0 }

// Set adds i.
func (b Bitmap) Set(i int) { b[i/8] |= 1 << (i % 8) }

// Missing returns the numbers below n that are not in the set.
func (b Bitmap) Missing(n int) []int {
	var out []int
	for i := range n {
		if !b.Has(i) {
			out = append(out, i)
		}
	}
	return out
}
