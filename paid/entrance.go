package paid

import "context"

// ahead is how many calls of a lane may have money reserved beside those that
// have a slot, at most; at least half as many are kept there while others wait.
// That is enough for no slot to be empty while the journal writes (at 50 calls
// of half a second, eight last for 80 ms), and few, because after a kill each of
// them holds its worst price until the run goes on.
func ahead(limit int) int { return max(16, limit/4) }

// letIn waits until a call may reserve money, and returns it as a waiter for
// take. out must follow.
func (l *lanes) letIn(ctx context.Context, name string, tokens int64) (*waiter, error) {
	l.mu.Lock()
	ln := l.lane(name)
	l.tickets++
	w := &waiter{lane: ln, ticket: l.tickets, tokens: tokens, turn: make(chan struct{}, 1)}
	ln.wanted++
	ln.outside = append(ln.outside, w)
	l.admit(ln)
	l.mu.Unlock()
	select {
	case <-w.turn:
		return w, nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if w.gone = !w.let; w.gone {
		ln.wanted--
	} else {
		l.leave(ln)
	}
	return nil, stopped(ctx)
}

// out says that a call is over.
func (l *lanes) out(w *waiter) {
	l.mu.Lock()
	l.leave(w.lane)
	l.mu.Unlock()
}

func (l *lanes) leave(ln *lane) {
	ln.wanted--
	ln.open--
	l.admit(ln)
}

// admit lets in as many as have room. It waits until half of those ahead are
// used up, so that they reserve together and not one by one.
func (l *lanes) admit(ln *lane) {
	limit := min(ln.control.limit, l.bound)
	spare := ahead(limit)
	if ln.open > limit+spare/2 {
		return
	}
	for len(ln.outside) > 0 && (ln.outside[0].gone || ln.open < limit+spare) {
		w := ln.outside[0]
		ln.outside[0], ln.outside = nil, ln.outside[1:]
		if !w.gone {
			ln.open++
			w.let = true
			w.turn <- struct{}{}
		}
	}
}
