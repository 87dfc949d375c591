package newel

import (
	"context"
	"strconv"
	"time"
)

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// Scorer gives a verdict about one item. It is safe for use by several
// goroutines, and pure unless its package says otherwise: the same subject
// gives the same score.
type Scorer interface {
	// Name is unique within its rubric and stands in rows and digests.
	Name() string
	Score(ctx context.Context, s *Subject) Score
}

// Score is one scorer's answer. A wrong output is a Score with verdict Fail; a
// scorer that could not answer is a Score with verdict Failed and an Err.
type Score struct {
	Scorer      string
	Layer       Layer
	Verdict     Verdict
	Value       Value // meaningful only with HasValue
	HasValue    bool
	Choice      string
	Explanation string // why not pass, for people; not in any digest
	Evidence    []Evidence
	Err         *ScoreError
	Calls       []CallRef // the replies it was read from, in the order of the questions
	Orders      Orders    // of a pair that was shown in both orders
}

// Orders counts the votes on a pair that was shown in both orders, as far as both
// replies could be read: those that chose alike, and of the others those that
// chose what was shown first both times, or second. What is left turned between a
// tie and one of the two.
type Orders struct {
	Asked  int `json:"asked"`
	Same   int `json:"same"`
	First  int `json:"first"`
	Second int `json:"second"`
}

// Plus adds others.
func (o *Orders) Plus(p Orders) {
	o.Asked += p.Asked
	o.Same += p.Same
	o.First += p.First
	o.Second += p.Second
}

// Evidence is one thing a scorer looked at: where, what was wanted, what was
// found.
type Evidence struct {
	Path string `json:"path,omitempty"`
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
}

// ScoreError says why a score or row is missing.
type ScoreError struct {
	Kind    ErrorKind `json:"kind"`
	Message string    `json:"message"`
}

func (e *ScoreError) Error() string { return string(e.Kind) + ": " + e.Message }

// Passed returns a score that passes.
func Passed() Score { return Score{Verdict: Pass} }

// Missed returns a score that fails, with its reason.
func Missed(explanation string) Score { return Score{Verdict: Fail, Explanation: explanation} }

// Broken returns a score that could not be made.
func Broken(kind ErrorKind, message string) Score {
	return Score{Verdict: Failed, Err: &ScoreError{kind, message}}
}

// Result is the outcome of one rubric of one item.
type Result struct {
	Rubric    int // index in the suite
	Verdict   Verdict
	Layer     Layer  // the layer that decided
	Reason    string // of an unjudged row
	Err       *ScoreError
	Value     Value // the deciding score's, meaningful only with HasValue
	HasValue  bool
	Choice    string
	Scores    []Score
	Inclusion float64 // probability of the judge's draw; 0 where no judge stands
	Audit     *Audit
}

// Audit is the verdict that did not decide a row: the lower layer's, or for a
// floor's fail the judge's.
type Audit struct {
	Layer    Layer
	Verdict  Verdict
	Value    Value
	HasValue bool
}

// Fetched is what a target answered for one item, stored once a run.
type Fetched struct {
	Output  Raw           `json:"output,omitempty"`
	Context Raw           `json:"context,omitempty"`
	Run     Raw           `json:"run,omitempty"` // latency_ms, cost_usd, usage, as the case field run
	Err     *ScoreError   `json:"error,omitempty"`
	Asked   time.Time     `json:"asked"`
	Latency time.Duration `json:"latency_ns"`
}
