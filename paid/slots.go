package paid

import (
	"fmt"
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
}

// done gives back a slot. It returns since when the lane had no reply but
// only refusals; the zero time where it has.
func (l *lanes) done(w *waiter, o outcome) (since time.Time) {
	l.mu.Lock()
	now, ln := l.now(), w.lane
	full := ln.underWay >= min(ln.control.limit, l.bound)
	from := ln.control.limit
	var pause time.Duration
	switch o.met {
	case replied, repliedLate:
		ln.refused = time.Time{}
		ln.saw(now.Sub(w.sent))
		if o.met == replied {
			ln.control.take(now, w.no, ln.sent, full)
		}
	case stumbled:
		ln.control.stumble()
	case refused:
		pause = l.refuse(now, w, o.after)
	}
	if o.used >= 0 {
		l.tokens.take(o.used - w.tokens)
	}
	ln.underWay--
	l.underWay--
	change := Change{Lane: ln.name, From: from, To: ln.control.limit, Pause: pause}
	since = ln.refused
	if change.To > from {
		l.admit(ln)
	}
	l.dispatch(now)
	l.mu.Unlock()
	l.tell(change)
	return since
}

// refuse holds the lane. It returns by how much longer than before.
func (l *lanes) refuse(now time.Time, w *waiter, after time.Duration) time.Duration {
	ln := w.lane
	if ln.refused.IsZero() {
		ln.refused = now
	}
	pause := ln.control.refuse(now, w.no, ln.sent, ln.underWay, min(after, l.patience))
	// Other processes were told the same: they are not to come back together.
	pause += time.Duration(l.random() * float64(min(pause/10, time.Second)))
	gate := now.Add(pause)
	if pause <= 0 || !gate.After(ln.gate) {
		return 0
	}
	longer := ln.gate.IsZero() || gate.Sub(ln.gate) > pause/2
	ln.gate = gate
	if !longer {
		return 0
	}
	return pause
}

// saw keeps a smoothed time of one call.
func (ln *lane) saw(d time.Duration) {
	if ln.latency == 0 {
		ln.latency = d
		return
	}
	ln.latency += (d - ln.latency) / 16
}

func (l *lanes) tell(c Change) {
	if l.log == nil || (c.From == c.To && c.Pause == 0) {
		return
	}
	switch {
	case c.To > c.From:
		c.Why = "calls came back well"
	case c.To < c.From:
		c.Why = "calls were refused"
	default:
		c.Why = fmt.Sprintf("a call was refused; the limit stays at %d", c.To)
	}
	l.log(c)
}
