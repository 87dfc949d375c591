package paid

import (
	"sync/atomic"
	"time"

	"newel"
)

// Counts is where an account stands, for a line of progress. They are of this
// process; the run's own account is newel.Journal.Spending.
type Counts struct {
	Asked  int64 // questions
	Had    int64 // answered by a reply that the run had already
	Reused int64 // answered by a reply of another run
	Shared int64 // answered by a call that another question had under way
	Calls  int64 // replies paid for
	Faults int64 // calls that ended without a reply

	Attempts  int64 // sent
	Throttled int64 // of them, refused because of a limit
	Retried   int64 // of them, failed otherwise and made again

	Spent   newel.Money // known costs, with those looked up afterwards
	Held    newel.Money // the most that unknown costs can come to
	Unknown int64       // calls of unknown cost, or with an attempt of unknown cost
	LookUps int64       // costs being asked for afterwards

	InFlight int // calls under way
	Waiting  int // calls that wait for a slot, for money or to be let in
	Lanes    []LaneCount
}

// LaneCount is where a lane stands.
type LaneCount struct {
	Lane     string
	Limit    int // calls that may be under way
	InFlight int
	Waiting  int
	Paused   time.Duration // nothing is sent for so long
}

// counters are counted as calls go along.
type counters struct {
	asked, had, reused, shared, calls, faults atomic.Int64
	attempts, throttled, retried              atomic.Int64
	spent, held, unknown, lookUps             atomic.Int64
}

// Counts returns where the account stands.
func (a *Account) Counts() Counts {
	n := &a.counted
	c := Counts{
		Asked: n.asked.Load(), Had: n.had.Load(), Reused: n.reused.Load(), Shared: n.shared.Load(),
		Calls: n.calls.Load(), Faults: n.faults.Load(),
		Attempts: n.attempts.Load(), Throttled: n.throttled.Load(), Retried: n.retried.Load(),
		Spent: newel.Money(n.spent.Load()), Held: newel.Money(n.held.Load()),
		Unknown: n.unknown.Load(), LookUps: n.lookUps.Load(),
	}
	c.Lanes = a.lanes.counts()
	for _, l := range c.Lanes {
		c.InFlight += l.InFlight
		c.Waiting += l.Waiting
	}
	return c
}

func (l *lanes) counts() []LaneCount {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	out := make([]LaneCount, 0, len(l.order))
	for _, ln := range l.order {
		c := LaneCount{Lane: ln.name, Limit: ln.control.limit, InFlight: ln.underWay}
		c.Waiting = ln.wanted - ln.underWay
		if d := ln.gate.Sub(now); d > 0 {
			c.Paused = d
		}
		out = append(out, c)
	}
	return out
}

// bill counts what a settled entry says of money.
func (n *counters) bill(e newel.Entry) {
	if e.Cost != nil {
		n.spent.Add(int64(*e.Cost))
	}
	n.held.Add(int64(e.Held))
	if e.Cost == nil || e.Held != 0 {
		n.unknown.Add(1)
	}
}
