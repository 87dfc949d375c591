package paid

import (
	"context"
	"slices"
	"sync"
	"time"
)

// lanes say when a call may go. A call is let in first, which bounds how many
// have money reserved; it takes a slot of its lane when it is ready to be sent,
// and gives it back with what the far end made of it. Both queues are in order
// of arrival; a call that was refused keeps its place.
type lanes struct {
	now      func() time.Time
	wait     func(context.Context, time.Duration) error
	random   func() float64
	log      func(Change)
	bound    int // of calls under way, over all lanes
	start    int // of a lane; below bound it is doubled until the first refusal
	patience time.Duration

	mu       sync.Mutex
	named    map[string]*lane
	order    []*lane
	tickets  uint64
	underWay int
	calls    *bucket
	tokens   *bucket

	told   []Change  // for log, once the lock is given back
	wake   time.Time // when the next call may go that waits for time alone; zero: none does
	stop   context.CancelFunc
	closed bool
	alarms sync.WaitGroup
}

// lane is what the calls to one model through one gateway share.
type lane struct {
	name     string
	control  control
	underWay int
	sent     uint64
	full     uint64    // so many were sent when it was at its limit last
	wanted   int       // calls in any queue or slot
	open     int       // calls let in
	outside  []*waiter // that want to be let in; some may be gone
	ready    []*waiter // for a slot, by ticket
	gate     time.Time // nothing is sent before
	latency  time.Duration
	paced    int // how many of the next calls are spread over the time of one
	next     time.Time
	refused  time.Time // since when there was no reply but only refusals; zero: there is none
}

// waiter is a call in a queue.
type waiter struct {
	lane   *lane
	ticket uint64
	tokens int64
	no     uint64        // in the order of sending
	turn   chan struct{} // gets its turn
	let    bool          // it has got it
	gone   bool
}

// Change tells that a lane pauses, or that its limit changed. How far refusals
// lower the limit is told when the pause is over.
type Change struct {
	Lane     string
	From, To int           // calls that may be under way
	Pause    time.Duration // nothing is sent for so long; 0: no pause
	Why      string
}

func newLanes(o Options) *lanes {
	l := &lanes{now: o.Clock, wait: o.Wait, random: o.Random, log: o.Log, patience: o.Patience,
		bound: o.InFlight, start: o.InFlight, named: map[string]*lane{}}
	if l.bound == 0 {
		l.bound, l.start = 100, 20
	}
	l.calls, l.tokens = newBucket(o.Rate.RPM, l.now()), newBucket(o.Rate.TPM, l.now())
	return l
}

func (l *lanes) lane(name string) *lane {
	ln := l.named[name]
	if ln == nil {
		ln = &lane{name: name}
		ln.control = control{limit: l.start, bound: l.bound, doubling: l.start < l.bound, growth: growthMin}
		l.named[name] = ln
		l.order = append(l.order, ln)
	}
	return ln
}

// take waits for a slot. done must follow.
func (l *lanes) take(ctx context.Context, w *waiter) error {
	if ctx.Err() != nil {
		return stopped(ctx)
	}
	l.mu.Lock()
	w.let = false
	at, _ := slices.BinarySearchFunc(w.lane.ready, w.ticket, byTicket)
	w.lane.ready = slices.Insert(w.lane.ready, at, w)
	l.dispatch(l.now())
	l.unlock()
	select {
	case <-w.turn:
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.unlock()
	if !w.let {
		at, _ := slices.BinarySearchFunc(w.lane.ready, w.ticket, byTicket)
		w.lane.ready = slices.Delete(w.lane.ready, at, at+1)
		return stopped(ctx)
	}
	<-w.turn // its turn came at the same moment
	w.lane.underWay--
	l.underWay--
	l.calls.take(-1)
	l.tokens.take(-w.tokens)
	l.dispatch(l.now())
	return stopped(ctx)
}

func byTicket(w *waiter, ticket uint64) int {
	switch {
	case w.ticket < ticket:
		return -1
	case w.ticket > ticket:
		return 1
	}
	return 0
}

// dispatch gives turns to all that may go, and sees to it that the next one
// gets its turn when its time comes.
func (l *lanes) dispatch(now time.Time) {
	for {
		ln, at := l.head(now)
		if ln == nil {
			l.alarm(now, at)
			return
		}
		l.send(now, ln)
	}
}

// head returns the lane whose first call goes now: of those that may, the one
// that waits longest. Where only time is lacking it returns when one may go.
func (l *lanes) head(now time.Time) (best *lane, at time.Time) {
	if l.underWay >= l.bound {
		return nil, at
	}
	for _, ln := range l.order {
		if len(ln.ready) == 0 || ln.underWay >= ln.control.limit {
			continue
		}
		if from := l.from(ln, now); from.After(now) {
			at = sooner(at, from)
			continue
		}
		if best == nil || ln.ready[0].ticket < best.ready[0].ticket {
			best = ln
		}
	}
	if best == nil {
		return nil, at
	}
	short := max(l.calls.until(now, 1), l.tokens.until(now, best.ready[0].tokens))
	if short > 0 {
		return nil, sooner(at, now.Add(short))
	}
	return best, at
}

func sooner(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// from returns the time from when on a lane may send.
func (l *lanes) from(ln *lane, now time.Time) time.Time {
	if ln.gate.After(now) {
		return ln.gate
	}
	if !ln.gate.IsZero() {
		// The pause is over. Where most of the last rush was refused, the next
		// calls come one by one.
		l.tell(Change{Lane: ln.name, From: ln.control.was, To: ln.control.limit, Why: "calls were refused"})
		ln.gate, ln.paced, ln.next = time.Time{}, 0, now
		if ln.control.most() {
			ln.paced = ln.control.limit
		}
	}
	if ln.paced > 0 {
		return ln.next
	}
	return now
}

// send gives the first call of a lane its slot.
func (l *lanes) send(now time.Time, ln *lane) {
	w := ln.ready[0]
	ln.ready = slices.Delete(ln.ready, 0, 1)
	if ln.paced > 0 {
		ln.paced--
		ln.next = ln.next.Add(min(ln.latency, time.Second) / time.Duration(ln.control.limit))
	}
	l.calls.take(1)
	l.tokens.take(w.tokens)
	w.no, w.let = ln.sent, true
	ln.sent++
	ln.underWay++
	if ln.underWay >= ln.control.limit {
		ln.full = ln.sent
	}
	l.underWay++
	w.turn <- struct{}{}
}

// alarm has dispatch run again at a time; the zero time asks for nothing. An
// earlier alarm stays: it will ask for the later one.
func (l *lanes) alarm(now, at time.Time) {
	if at.IsZero() || l.closed || (!l.wake.IsZero() && !at.Before(l.wake)) {
		return
	}
	if l.stop != nil {
		l.stop()
	}
	ctx, stop := context.WithCancel(context.Background())
	l.wake, l.stop = at, stop
	l.alarms.Go(func() {
		defer stop()
		_ = l.wait(ctx, at.Sub(now)) // an error can only be that of ctx
		l.mu.Lock()
		if ctx.Err() == nil {
			l.wake, l.stop = time.Time{}, nil
			l.dispatch(l.now())
		}
		l.unlock()
	})
}

// tell keeps a change for the log.
func (l *lanes) tell(c Change) {
	if l.log != nil && (c.From != c.To || c.Pause > 0) {
		l.told = append(l.told, c)
	}
}

// unlock gives back the lock and then tells what changed.
func (l *lanes) unlock() {
	told := l.told
	l.told = nil
	l.mu.Unlock()
	for _, c := range told {
		l.log(c)
	}
}

// close ends the alarms.
func (l *lanes) close() {
	l.mu.Lock()
	l.closed = true
	if l.stop != nil {
		l.stop()
	}
	l.mu.Unlock()
	l.alarms.Wait()
}
