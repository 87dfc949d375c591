package paid

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"newel"
)

// Options make an Account. Journal and Run are required.
type Options struct {
	Journal newel.Journal
	Run     string // that pays
	// Reuse is when a reply of another run must have been committed to be used;
	// zero: none is.
	Reuse newel.Window
	// InFlight is the most calls under way, and where a lane begins. 0: at most
	// 100, a lane begins with 20 and doubles until the first refusal.
	InFlight int
	Rate     Rate
	// Recorded has replies come from the journal alone: nothing is sent.
	Recorded bool
	// Proven says that the run's lanes have brought replies before: fewer faults are
	// taken for such that every call would meet with.
	Proven bool
	// Patience is for how long a call may be refused because of a limit before
	// that is a fault, and the longest pause of a lane; 0: 15 minutes.
	Patience time.Duration
	// LookUp asks a gateway afterwards for a cost that was unknown with the reply
	// of a call that has a Generation. It returns the call with what it has learnt;
	// after false or an error it is asked again, four times in 40 s. Nil: nobody is
	// asked.
	LookUp func(ctx context.Context, call newel.Call) (newel.Call, bool, error)
	// Log is told when a lane's limit changes or a lane pauses. It must not call
	// the Account. Nil: nobody is told.
	Log func(Change)

	Clock  func() time.Time                           // nil: time.Now
	Wait   func(context.Context, time.Duration) error // nil: by the clock
	Random func() float64                             // in [0, 1), to spread waits; nil: any
}

// Account pays for the calls of one run in one process. It is safe for use by
// several goroutines.
type Account struct {
	o       Options
	found   *found
	faults  faults
	final   final
	lanes   *lanes
	desk    *desk
	late    *late
	circuit *circuit
	counted counters
	id      [8]byte // of this account, in the ids of intents
	ids     atomic.Uint64

	mu      sync.Mutex
	flights map[newel.Hash]*flight
}

// flight is a key that is being looked for or paid for.
type flight struct {
	over   chan struct{}
	answer Answer
	err    error
}

// New returns the account of a run. Close ends it.
func New(o Options) *Account {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Wait == nil {
		o.Wait = sleep
	}
	if o.Random == nil {
		o.Random = mathrand.Float64
	}
	if o.Patience == 0 {
		o.Patience = 15 * time.Minute
	}
	a := &Account{o: o, flights: map[newel.Hash]*flight{}}
	a.found = newFound(o)
	a.lanes = newLanes(o)
	a.desk = &desk{journal: o.Journal, run: o.Run}
	a.late = newLate(o, &a.counted)
	a.circuit = newCircuit(o)
	_, _ = rand.Read(a.id[:]) // never fails
	return a
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// stopped is ErrStopped with the reason.
func stopped(ctx context.Context) error {
	return fmt.Errorf("%w: %w", ErrStopped, context.Cause(ctx))
}

// Ask returns the reply to a question: the run's own, else one of another run
// that may be used again, else a new one, which it pays for. Questions with the
// same key that are asked at the same time are one call.
//
// newel.ErrSpent and ErrStopped say that the call was not made, the latter also where
// a lane answers all calls alike that it brings none a reply (RefusedError); ErrUnrecorded, of a
// recorded account, that there is no reply. Any other error is the journal's. A
// call that failed is an Answer with a Fault. When ctx is done, waiting stops at
// once, but a call that is under way is finished and its reply kept.
func (a *Account) Ask(ctx context.Context, q Question) (Answer, error) {
	a.counted.asked.Add(1)
	for {
		f, first := a.flight(q.Key)
		if first {
			a.lead(ctx, q, f)
			return f.answer, f.err
		}
		select {
		case <-f.over:
		case <-ctx.Done():
			return Answer{}, stopped(ctx)
		}
		if !errors.Is(f.err, ErrStopped) {
			a.counted.shared.Add(1)
			return f.answer, f.err
		}
		// Whoever asked first was stopped; this one may go on.
	}
}

// flight returns the flight of a key; first: it is a new one, to be led.
func (a *Account) flight(key newel.Hash) (f *flight, first bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f, ok := a.flights[key]
	if !ok {
		f = &flight{over: make(chan struct{})}
		a.flights[key] = f
	}
	return f, !ok
}

// lead answers for all who ask the same.
func (a *Account) lead(ctx context.Context, q Question, f *flight) {
	f.answer, f.err = a.answer(ctx, q)
	a.mu.Lock()
	delete(a.flights, q.Key)
	a.mu.Unlock()
	close(f.over)
}

// answer looks for a reply and else pays for one.
func (a *Account) answer(ctx context.Context, q Question) (Answer, error) {
	e, ok, err := a.found.find(ctx, q.Key)
	if err != nil {
		if ctx.Err() != nil {
			err = stopped(ctx)
		}
		return Answer{}, err
	}
	if ok {
		return a.kept(e), nil
	}
	if a.o.Recorded {
		return a.fault(ctx, q.Key)
	}
	decided, ok, err := a.final.of(ctx, a.o.Journal, a.o.Run, q.Key)
	if ok || err != nil {
		return decided, err
	}
	return a.circuit.pass(ctx, q, a.pay)
}

// kept makes an answer of an entry that was there.
func (a *Account) kept(e newel.Entry) Answer {
	if e.Run == a.o.Run {
		a.counted.had.Add(1)
	} else {
		a.counted.reused.Add(1)
	}
	return a.answerOf(e)
}

// answerOf makes an answer of a deciding entry.
func (a *Account) answerOf(e newel.Entry) Answer {
	ref := newel.CallRef{Key: e.Key, Reply: newel.HashOf(e.Reply), Run: e.Run, Seq: e.Seq}
	if e.Run == a.o.Run {
		ref.Run = ""
	}
	return Answer{Reply: e.Reply, Ref: ref}
}

// Close waits, up to a minute, for costs that are being asked for afterwards,
// and ends what the account does by itself. It follows the last Ask. Costs that
// are not known by then stay unknown, which is no error.
func (a *Account) Close(ctx context.Context) error {
	err := a.late.close(ctx)
	a.lanes.close()
	a.circuit.stop(nil)
	return err
}

// intent announces one attempt.
func (a *Account) intent(q *Question) newel.Intent {
	in := newel.Intent{Key: q.Key, Worst: q.Worst}
	copy(in.ID[:], a.id[:])
	binary.BigEndian.PutUint64(in.ID[8:], a.ids.Add(1))
	return in
}
