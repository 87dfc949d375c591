package paid

import (
	"context"
	"sync"
	"time"

	"newel"
)

// late asks for costs that were unknown when the reply came: gateways know some
// only a moment later.
type late struct {
	o       Options
	counted *counters
	ctx     context.Context
	stop    context.CancelFunc
	slots   chan struct{} // look-ups at the same time
	group   sync.WaitGroup
}

// Bounds of look-ups.
const (
	lateAtOnce  = 16
	lateWaiting = 20_000 // more costs stay unknown
	lateCall    = 10 * time.Second
	lateClose   = time.Minute
)

// lateWaits returns how long after the reply, and after each other, a gateway
// is asked.
func lateWaits() []time.Duration {
	return []time.Duration{500 * time.Millisecond, 2 * time.Second, 8 * time.Second, 30 * time.Second}
}

func newLate(o Options, counted *counters) *late {
	l := &late{o: o, counted: counted, slots: make(chan struct{}, lateAtOnce)}
	l.ctx, l.stop = context.WithCancel(context.Background())
	return l
}

// want has a cost looked up; earlier is what earlier attempts cost.
func (l *late) want(e newel.Entry, call newel.Call, earlier bill) {
	if l.o.LookUp == nil || call.Generation == "" || l.counted.lookUps.Load() >= lateWaiting {
		return
	}
	e.Reply = nil // not needed, and there may be many
	l.counted.lookUps.Add(1)
	l.group.Go(func() {
		defer l.counted.lookUps.Add(-1)
		for _, d := range lateWaits() {
			if l.o.Wait(l.ctx, d) != nil {
				return
			}
			if told, ok := l.ask(call); ok {
				l.supplement(e, told, earlier)
				return
			}
		}
	})
}

func (l *late) ask(call newel.Call) (newel.Call, bool) {
	select {
	case l.slots <- struct{}{}:
	case <-l.ctx.Done():
		return call, false
	}
	defer func() { <-l.slots }()
	ctx, cancel := context.WithTimeout(l.ctx, lateCall)
	defer cancel()
	told, ok, err := l.o.LookUp(ctx, call)
	return told, ok && err == nil && told.Cost.Exact()
}

// supplement writes down a cost. Where the journal does not take it, it stays
// unknown: the reply is kept all the same.
func (l *late) supplement(e newel.Entry, call newel.Call, earlier bill) {
	before := e.Held
	e.Cost, e.Held = earlier.close(&call.Cost, amount{cost: call.Cost.USD, status: call.Cost.Status})
	var err error
	if e.Call, err = encode(call); err != nil {
		return
	}
	if l.o.Journal.Supplement(l.ctx, e) != nil {
		return
	}
	l.counted.spent.Add(int64(*e.Cost))
	l.counted.held.Add(int64(e.Held - before))
	if e.Held == 0 {
		l.counted.unknown.Add(-1)
	}
}

// close waits for what is being asked, then ends it.
func (l *late) close(ctx context.Context) error {
	done := make(chan struct{})
	go func() { // ends with the group, which is waited for below
		l.group.Wait()
		close(done)
	}()
	limit, cancel := context.WithTimeout(ctx, lateClose)
	defer cancel()
	select {
	case <-done:
	case <-limit.Done():
	}
	l.stop()
	<-done
	return context.Cause(ctx)
}
