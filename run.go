package newel

import (
	"context"
	"time"
)

// Scoring is the scoring revision: raised whenever any verdict may change. A
// worker refuses a plan of another revision.
const Scoring = 1

// State is where a run stands: planned → running → sealed, running ⇄ stopped.
// All but sealed are incomplete.
type State string

const (
	Planned State = "planned"
	Running State = "running"
	Stopped State = "stopped"
	Sealed  State = "sealed"
)

// Run is one execution of a suite, as stored.
type Run struct {
	ID         string
	Suite      string // the suite's name
	Dir        string // where the suite stood, for the person who looks
	Labels     map[string]string
	Runner     string
	State      State
	Definition []byte // what Work compiles: the suite with the files it names
	Plan       Plan   // complete once Plan.Digest is set
	Parent     string // the run whose errors this one retries
	Version    string // of the binary that planned
	Created    time.Time
	Started    time.Time
	Sealed     time.Time
	Digest     Hash   // report digest, of a sealed run
	SealHash   Hash   // over every stored byte
	Summary    []byte // the sealed report as JSON
}

// Plan says what a run scores. Its digest is what every worker checks.
type Plan struct {
	Scoring     int      `json:"scoring"`
	SuiteDigest Hash     `json:"suite_digest"`
	Digest      Hash     `json:"digest"`
	Items       int      `json:"items"`
	Cases       int      `json:"cases"`
	Chunks      int      `json:"chunks"`
	Trials      int      `json:"trials"`
	Seed        int64    `json:"seed"`
	Rubrics     []string `json:"rubrics"`
	// Rulers are the digests of the rubrics, each with the files it names: two
	// runs measured a rubric alike where they are equal.
	Rulers []Hash `json:"rulers"`
	// Scorers lists each rubric's scorers; packed rows name them by number.
	Scorers [][]string `json:"scorers"`
	// Measures marks the rubrics that only report a number.
	Measures []bool `json:"measures"`
	// Judged marks the rubrics that have a judge, Classified a classifier.
	Judged      []bool `json:"judged"`
	Classified  []bool `json:"classified"`
	Quarantined int    `json:"quarantined,omitempty"` // cases counted apart
	Asks        bool   `json:"asks,omitempty"`        // a target is asked for outputs
	// Audits are the shares of what settled below a judge that it sees all the same,
	// by rubric; nil without judges.
	Audits []float64 `json:"audits,omitempty"`
	// Reuse is the time in which other runs must have paid for a reply to be used
	// again; its end is when the run was planned.
	Reuse Window `json:"reuse,omitzero"`
}

// ChunkInfo describes one chunk of a run's plan.
type ChunkInfo struct {
	N      int  // its number in the run
	Hash   Hash // of its index, before compression; the index names the bodies
	Bodies Hash // of its cases\' bodies; zero without any
	First  int  // number of its first item
	Items  int
	Tally  Tally // of the items done
}

// Tally counts finished items by the verdict of their case-level outcome.
type Tally struct {
	Done     int `json:"done"`
	Pass     int `json:"pass"`
	Fail     int `json:"fail"`
	Unjudged int `json:"unjudged"`
	Error    int `json:"error"`
}

// Add counts one item.
func (t *Tally) Add(v Verdict) {
	t.Done++
	switch v {
	case Pass:
		t.Pass++
	case Fail:
		t.Fail++
	case Unjudged:
		t.Unjudged++
	case Failed:
		t.Error++
	}
}

// Plus adds another tally.
func (t *Tally) Plus(o Tally) {
	t.Done += o.Done
	t.Pass += o.Pass
	t.Fail += o.Fail
	t.Unjudged += o.Unjudged
	t.Error += o.Error
}

// Worst folds rubric verdicts into a case's: fail if any fails, else error,
// else unjudged, else pass. A case without rubrics is a pass.
func Worst(a, b Verdict) Verdict {
	for _, v := range [...]Verdict{Fail, Failed, Unjudged} {
		if a == v || b == v {
			return v
		}
	}
	return Pass
}

// Stage is a part of the work on an item.
type Stage string

const (
	Fetch      Stage = "fetch"
	ScoreStage Stage = "score"
	Both       Stage = "both"
)

// Ref is what travels to a worker: items of one chunk of a run.
type Ref struct {
	Run   string
	Chunk int
	Items []int // offsets within the chunk; nil: all that are not done
	Stage Stage
	// Last says that errors of a retryable kind are to be written now; before,
	// such items are left for a later offer.
	Last bool
}

// Receipt comes back: what became of a Ref's items. Rows are in the store.
type Receipt struct {
	Ref  Ref
	Done int // items that have their rows now
	Held int // items that somebody else has
	Left int // items left for a last pass
	Err  error
}

// Runner carries references to workers on an engine. It knows nothing of
// scoring.
type Runner interface {
	Name() string
	// Carry gets each offered reference to a worker and hands every receipt
	// on, from one goroutine at a time. It returns when refs is closed and the
	// last receipt is in; when ctx is done it stops handing out, lets what is
	// under way finish and returns the cause.
	Carry(ctx context.Context, refs <-chan Ref, receipt func(Receipt)) error
}

// Work is the one way to a row: it returns at once where rows exist, climbs
// the ladder, and writes the rows once. It is safe to call twice, at the same
// time, from two machines, and after a kill at any instruction.
type Work func(ctx context.Context, ref Ref) Receipt

// ItemRows is one item of a run as read back from a store: what the plan says
// of it and the results it has. The memory of one that is handed to a callback
// is used again afterwards.
type ItemRows struct {
	N           int
	Case        string
	Matrix      []Dim
	Trial       int
	Dims        []Dim // the case's with the matrix's
	Tags        []string
	Labels      []Named
	Raters      []Named
	Cluster     string
	Run         Raw      // latency_ms, cost_usd, usage of the output
	Fetched     *Fetched // what the target answered in this run; nil where the case brings its output
	Quarantined bool
	Applies     Bitmap // rubrics that have a row of it
	Done        bool
	Scored      Hash
	Results     []Result
}

// EachCall calls visit with each reply that the item's results were read from,
// in order, but for those that came with the data.
func (it *ItemRows) EachCall(visit func(res *Result, ref CallRef)) {
	for i := range it.Results {
		it.Results[i].EachCall(func(ref CallRef) { visit(&it.Results[i], ref) })
	}
}

// EachCall calls visit with each reply that the result was read from, but for
// those that came with the data.
func (r *Result) EachCall(visit func(CallRef)) {
	for i := range r.Scores {
		for _, ref := range r.Scores[i].Calls {
			if !ref.Recorded {
				visit(ref)
			}
		}
	}
}

// Show returns how people read the item.
func (it *ItemRows) Show(trials int) string {
	return ShowItem(it.Case, it.Matrix, it.Trial, trials)
}
