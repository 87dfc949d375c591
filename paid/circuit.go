package paid

import (
	"context"
	"fmt"
	"sync"
	"time"

	"newel"
)

// When a lane is given up: after so many calls in a row that ended without a
// reply, all their attempts included.
const (
	// For reasons that hold for every call of the lane: a wrong key, a certificate
	// that is not trusted, a host that is not there. Where the run has had replies,
	// more are waited for.
	givesUpAfter = 3
	turnsAfter   = 10
	// For any reason, in a run that has had no reply at all.
	deadAfter = 20
	// A host that was there before is waited for so long.
	awayFor = 2 * time.Minute
)

// RefusedError says that a lane is not asked any more, because what it answers
// would be answered to every call. It is the cause of an ErrStopped.
type RefusedError struct {
	Lane    string
	Calls   int // in a row, without a reply
	Status  int // of the last one; 0: there was no answer
	Message string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%d calls to %s in a row were in vain, the last because: %s", e.Calls, e.Lane, e.Message)
}

// circuit stops the run's calls when a lane can bring no reply: better no rows
// than thousands of errors. It judges calls, not attempts.
type circuit struct {
	o    Options
	ctx  context.Context // done when a lane is given up
	stop context.CancelCauseFunc

	mu    sync.Mutex
	rows  map[string]*row
	given *RefusedError
}

// row is what a lane met with since its last reply.
type row struct {
	replied bool // there was one in this process
	since   time.Time
	calls   int // all
	closed  int // of them, for reasons that hold for every call
	turned  int // of them, for reasons that hold even after replies
}

func newCircuit(o Options) *circuit {
	c := &circuit{o: o, rows: map[string]*row{}}
	c.ctx, c.stop = context.WithCancelCause(context.Background())
	return c
}

// bind returns ctx that ends too when a lane is given up.
func (c *circuit) bind(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancelCause(ctx)
	unbind := context.AfterFunc(c.ctx, func() { stop(context.Cause(c.ctx)) })
	return ctx, func() {
		unbind()
		stop(nil)
	}
}

// pass is pay while the lanes are worth it.
func (c *circuit) pass(ctx context.Context, q Question, pay func(context.Context, Question) (Answer, error)) (Answer, error) {
	ctx, unbind := c.bind(ctx)
	defer unbind()
	var last Attempt
	send := q.Send
	q.Send = func(ctx context.Context) Attempt {
		last = send(ctx)
		if f := last.Fault; f != nil && last.Call.Outcome == "budget" {
			f.Kind = newel.KindGateway // more credit may be there by the last pass, or on resume
		}
		return last
	}
	answer, err := pay(ctx, q)
	if err != nil {
		return answer, err
	}
	if err := c.met(ctx, q.Lane, last, answer.Fault); err != nil {
		return Answer{}, err
	}
	return answer, nil
}

// met takes note of a call that is over, with the fault that is left; nil: it
// has its reply. The error says that its lane is given up: no row is to be
// written for what another attempt may mend.
func (c *circuit) met(ctx context.Context, lane string, last Attempt, left *newel.ScoreError) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.rows[lane]
	if r == nil {
		r = &row{}
		c.rows[lane] = r
	}
	if left == nil || last.Fault == nil || ofTheCall(last) {
		*r = row{replied: r.replied || left == nil}
		return nil
	}
	if r.calls == 0 {
		r.since = c.o.Clock()
	}
	r.calls++
	if closes(last) {
		r.closed++
	}
	if turns(last) {
		r.turned++
	}
	ok, err := c.over(ctx, r, last)
	if !ok || err != nil {
		return err
	}
	if c.given == nil {
		c.given = &RefusedError{Lane: lane, Calls: r.calls, Status: last.Call.Status, Message: left.Message}
		c.stop(c.given)
	}
	return fmt.Errorf("%w: %w", ErrStopped, c.given)
}

// over reports whether a lane is to be given up.
func (c *circuit) over(ctx context.Context, r *row, last Attempt) (bool, error) {
	if r.turned == r.calls && r.calls >= turnsAfter {
		return !unreachable(last) || !last.Fault.Again || c.o.Clock().Sub(r.since) >= awayFor, nil
	}
	if r.replied || c.o.Proven || !(r.closed == r.calls && r.calls >= givesUpAfter || r.calls >= deadAfter) {
		return false, nil
	}
	spending, err := c.o.Journal.Spending(context.WithoutCancel(ctx), c.o.Run)
	if err != nil {
		return false, fmt.Errorf("look for replies of the run: %w", err)
	}
	r.replied = spending.Calls > 0 // to an earlier process
	return !r.replied, nil
}

// ofTheCall reports whether a fault is one of this call alone: the far end is
// well.
func ofTheCall(got Attempt) bool {
	switch got.Call.Outcome {
	case "blocked", "flagged", "refused", "truncated":
		return true
	}
	return got.Fault.Kind == newel.KindTooLarge || got.Fault.Kind == newel.KindInternal || got.Fault.Kind == newel.KindWorker
}

// closes reports whether every call would meet with this fault, as long as none
// has had a reply.
func closes(got Attempt) bool {
	if got.Fault.Never {
		return true
	}
	switch got.Call.Status {
	case 403, 404, 405, 410:
		return true
	}
	return turns(got)
}

// turns reports whether every call would meet with this fault, also after
// replies.
func turns(got Attempt) bool {
	switch got.Call.Status {
	case 401, 407:
		return true
	}
	return got.Call.Outcome == "budget" || got.Fault.Throttled || unreachable(got)
}

// unreachable reports whether a call did not even leave: no host, no
// connection, no trust, or a way that leads elsewhere.
func unreachable(got Attempt) bool {
	return got.Call.Status == 0 && got.Fault.Kind == newel.KindGateway && !got.Fault.MayCost
}

// Refused returns why the account stopped the run's calls; nil: it did not.
func (a *Account) Refused() *RefusedError {
	a.circuit.mu.Lock()
	defer a.circuit.mu.Unlock()
	return a.circuit.given
}
