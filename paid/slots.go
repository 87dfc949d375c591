package paid

import (
	"time"
)

// met is what a call met with at the far end.
type met uint8

const (
	replied     met = iota // to a first attempt
	repliedLate            // to a later one: it says nothing of the limit
	stumbled               // a fault of another kind
	refused                // asked for fewer calls
)

// outcome is what is learnt of a lane when a call gives back its slot.
type outcome struct {
	met   met
	after time.Duration // the pause that was asked for
	used  int64         // tokens; below 0: unknown
	took  time.Duration // from sending to the reply
}

// done gives back a slot. It returns since when the lane had no reply but
// only refusals; the zero time where it has.
func (l *lanes) done(w *waiter, o outcome) (since time.Time) {
	l.mu.Lock()
	defer l.unlock()
	now, ln := l.now(), w.lane
	switch o.met {
	case replied, repliedLate:
		l.replied(now, w, o)
	case stumbled:
		ln.control.stumble()
	case refused:
		l.refused(now, w, o.after)
	}
	if o.used >= 0 {
		l.tokens.take(o.used - w.tokens)
	}
	ln.underWay--
	l.underWay--
	l.dispatch(now)
	return ln.refused
}

func (l *lanes) replied(now time.Time, w *waiter, o outcome) {
	ln := w.lane
	ln.refused = time.Time{}
	ln.saw(o.took)
	from := ln.control.limit
	ln.control.take(now, w.no, ln.sent, o.met == replied, w.no < ln.full)
	if ln.control.limit > from {
		l.tell(Change{Lane: ln.name, From: from, To: ln.control.limit, Why: "calls came back well"})
		l.admit(ln)
	}
}

// refused holds the lane.
func (l *lanes) refused(now time.Time, w *waiter, after time.Duration) {
	ln := w.lane
	if ln.refused.IsZero() {
		ln.refused = now
	}
	pause := ln.control.refuse(now, w.no, ln.sent, ln.underWay, min(after, l.patience))
	if pause <= 0 {
		return // it is one of several that were refused together
	}
	// Other processes were told the same: they are not to come back together.
	pause += time.Duration(l.random() * float64(min(pause/10, time.Second)))
	gate := now.Add(pause)
	if ln.gate.IsZero() {
		l.tell(Change{Lane: ln.name, From: ln.control.was, To: ln.control.was, Pause: pause, Why: "a call was refused"})
	}
	ln.gate = later(ln.gate, gate)
}

// saw keeps a smoothed time of one call.
func (ln *lane) saw(d time.Duration) {
	if ln.latency == 0 {
		ln.latency = d
		return
	}
	ln.latency += (d - ln.latency) / 16
}
