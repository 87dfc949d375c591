package paid

import (
	"context"
	"errors"
	"time"

	"newel"
)

// Reasons for which a call was not made; no row is written. Where the run's
// budget does not hold it, that is newel.ErrSpent.
var (
	// ErrStopped says that the run was stopped before the call was sent.
	ErrStopped = errors.New("stopped before the call was sent")
	// ErrUnrecorded says that only recorded replies were to be used and there is
	// none.
	ErrUnrecorded = errors.New("no reply is recorded")
)

// Question is one call to be paid for.
type Question struct {
	Key  newel.Hash
	Kind string // judge, http or command
	// Lane names what shares a limit of concurrency: a gateway and a model.
	Lane string
	// Worst is the most that one attempt can cost; 0: it is free, or no price is
	// known and no budget is set.
	Worst newel.Money
	// Tokens is an estimate of what one attempt uses, for a limit of tokens.
	Tokens  int64
	Retries int           // after the first attempt; being throttled uses up none
	Timeout time.Duration // of one attempt; 0: a minute
	// Send makes one attempt. It must come back soon after ctx is done.
	Send func(ctx context.Context) Attempt
	// Reads reports whether a reply can be read; later runs use only such. Nil:
	// every reply can.
	Reads func(reply []byte) bool
}

// Attempt is what came of sending once.
type Attempt struct {
	Reply []byte // nil with Fault
	Call  newel.Call
	Fault *Fault
}

// Fault says why an attempt brought no reply.
type Fault struct {
	Kind    newel.ErrorKind
	Message string // without secrets
	Again   bool   // another attempt may help
	// Throttled says that the far end asked for fewer calls at a time; After how
	// long it wants to be left alone.
	Throttled bool
	After     time.Duration
	// MayCost says that the attempt may have been billed.
	MayCost bool
	// Never says that no call of the lane can work before somebody changes the
	// suite or the far end, as far as this answer tells.
	Never bool
}

// Answer is a reply, or the fault that is left after all attempts.
type Answer struct {
	Reply []byte
	Ref   newel.CallRef
	Fault *newel.ScoreError
}
