package paid

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"newel"
)

// desk reserves money. Calls that want some while the journal is being written
// wait and are written together in the next step: whoever comes first writes for
// all that are there, then hands over. No goroutine stands by.
//
// Where the budget does not hold what is next in the queue, the queue waits for
// calls of this process that are under way: they may cost less than their worst
// price. When none is, the budget is spent, for good.
type desk struct {
	journal newel.Journal
	run     string

	mu     sync.Mutex
	queue  []*booking
	busy   bool // somebody is at the journal, or was asked to go there
	at     int  // so many at the head of the queue are being written
	short  bool // the budget did not hold the head of the queue
	freed  bool // since the journal was asked last, money may have become free
	active int  // calls with money reserved that do not wait for more
	spent  bool
	round  chan struct{} // closed when what is being written has been
}

// atOnce bounds what one step writes.
const atOnce = 1024

// booking is a call's wish for money.
type booking struct {
	intent newel.Intent
	more   bool      // its call has money reserved already
	turn   chan bool // true: it is done; false: it goes to the journal for all
	err    error
}

// reserve writes an intent. It returns newel.ErrSpent or ErrStopped where that is not
// to be; anything else is the journal's fault. more: the call has money
// reserved already. Without, over must follow a nil error.
func (d *desk) reserve(ctx context.Context, intent newel.Intent, more bool) error {
	if ctx.Err() != nil {
		return stopped(ctx)
	}
	b := &booking{intent: intent, more: more, turn: make(chan bool, 1)}
	if err := d.join(b); err != nil {
		return err
	}
	var round chan struct{}
	for gone := ctx.Done(); ; {
		select {
		case done := <-b.turn:
			if done {
				return b.err
			}
			d.write(ctx)
		case <-gone:
			var back bool
			if back, round = d.withdraw(b); back {
				return stopped(ctx)
			}
			gone = nil // it is being written: the answer comes soon
		case <-round:
			gone, round = ctx.Done(), nil
		}
	}
}

// join puts a booking into the queue. One of a call that is on its way already
// goes first.
func (d *desk) join(b *booking) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.spent {
		return newel.ErrSpent
	}
	if b.more {
		d.active--
		d.freed = true // it has not been tried yet
		d.queue = slices.Insert(d.queue, d.at, b)
	} else {
		d.queue = append(d.queue, b)
	}
	if !d.short || d.active == 0 || b.more {
		d.call()
	}
	return nil
}

// call sends the head of the queue to the journal.
func (d *desk) call() {
	if !d.busy && len(d.queue) > 0 {
		d.busy = true
		d.queue[0].turn <- false
	}
}

// withdraw takes a booking back. One that is being written stays, until round is
// closed; so does one that has its answer.
func (d *desk) withdraw(b *booking) (back bool, round chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := slices.Index(d.queue, b)
	if at < d.at {
		return false, d.round
	}
	d.queue = slices.Delete(d.queue, at, at+1)
	if b.more {
		d.active++
	}
	select {
	case <-b.turn: // it was asked to write: somebody else is, then
		d.busy = false
		d.call()
	default:
		if d.short && at == 0 {
			d.call() // the next one may fit
		}
	}
	return true, nil
}

// write reserves for the head of the queue.
func (d *desk) write(ctx context.Context) {
	d.mu.Lock()
	d.at = min(len(d.queue), atOnce)
	if d.short {
		d.at = min(d.at, 16) // not more than may have become free
	}
	d.freed, d.round = false, make(chan struct{})
	group := slices.Clone(d.queue[:d.at])
	d.mu.Unlock()

	intents := make([]newel.Intent, len(group))
	for i, b := range group {
		intents[i] = b.intent
	}
	taken, err := d.journal.Reserve(context.WithoutCancel(ctx), d.run, intents)

	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.round)
	d.at, d.busy, d.round = 0, false, nil
	if err != nil {
		d.finish(len(group), fmt.Errorf("reserve: %w", err))
		d.call()
		return
	}
	d.active += taken
	d.finish(taken, nil)
	d.short = taken < len(group)
	switch {
	case !d.short || d.freed:
		d.call()
	case d.active == 0:
		d.spent = true
		d.finish(len(d.queue), newel.ErrSpent)
	}
}

// finish answers the first n of the queue.
func (d *desk) finish(n int, err error) {
	for _, b := range d.queue[:n] {
		b.err = err
		if err != nil && b.more {
			d.active++
		}
		b.turn <- true
	}
	d.queue = slices.Delete(d.queue, 0, n)
}

// over says that a call with money reserved has settled or released it all.
func (d *desk) over() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.active--
	d.freed = true
	if d.short {
		d.call()
	}
}
