package upstream

import (
	"sync"
	"time"
)

// Counts say what an upstream was asked and what it did.
type Counts struct {
	Requests  int         `json:"requests"`
	Statuses  map[int]int `json:"statuses"`     // 0: no answer was begun
	Paid      int         `json:"paid_answers"` // that a provider bills: read, cut or garbled, it is all the same
	Calls     int         `json:"calls"`        // different ones
	CallsPaid int         `json:"calls_paid"`
	Again     int         `json:"paid_again"`      // paid answers beyond a call's first
	Refused   int         `json:"refused"`         // with a status of 400 and above
	Full      int         `json:"beyond_capacity"` // of them, those beyond the capacity
	Hung      int         `json:"hung"`
	Cut       int         `json:"cut"`
	Gone      int         `json:"caller_gone"` // before the answer was there
	InFlight  int         `json:"in_flight"`
	Most      int         `json:"max_in_flight"`
	MostAsked int         `json:"max_requests_per_call"`
	SpanMS    int64       `json:"span_ms"` // from the first request to the last answer
}

// ledger counts. Calls are told apart by their ID.
type ledger struct {
	mu          sync.Mutex
	counts      Counts
	asked, paid map[string]int
	first, last time.Time
	kept        []Call
	limit       *int // set by hand; nil: the script's levels
}

func newLedger() *ledger {
	return &ledger{counts: Counts{Statuses: map[int]int{}}, asked: map[string]int{}, paid: map[string]int{}}
}

// enter numbers a call and reports whether it is let in.
func (l *ledger) enter(c *Call, levels []Level, keep int, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first.IsZero() {
		l.first = now
	}
	l.counts.Requests++
	l.asked[c.ID]++
	c.N, c.Nth = l.counts.Requests, l.asked[c.ID]
	l.keep(c, keep)
	if most := l.allowed(levels, now); most >= 0 && l.counts.InFlight >= most {
		l.counts.Full++
		return false
	}
	l.counts.InFlight++
	l.counts.Most = max(l.counts.Most, l.counts.InFlight)
	return true
}

func (l *ledger) keep(c *Call, keep int) {
	if keep <= 0 {
		return
	}
	copied := *c
	copied.Header, copied.Body = c.Header.Clone(), append([]byte(nil), c.Body...)
	l.kept = append(l.kept, copied)
	l.kept = l.kept[max(0, len(l.kept)-keep):]
}

// allowed is how many calls may be under way; -1: any number.
func (l *ledger) allowed(levels []Level, now time.Time) int {
	if l.limit != nil {
		return *l.limit
	}
	at := now.Sub(l.first)
	for i, level := range levels {
		if level.For == 0 || i == len(levels)-1 || at < level.For {
			return level.InFlight
		}
		at -= level.For
	}
	return -1
}

// outcome is how a call ended.
type outcome struct {
	status          int
	let, paid       bool // let in, billed
	hung, cut, gone bool
}

func (l *ledger) leave(c *Call, o outcome, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = now
	l.counts.Statuses[o.status]++
	if o.let {
		l.counts.InFlight--
	}
	if o.paid {
		l.counts.Paid++
		l.paid[c.ID]++
	}
	if o.status >= 400 {
		l.counts.Refused++
	}
	l.counts.Hung += one(o.hung)
	l.counts.Cut += one(o.cut)
	l.counts.Gone += one(o.gone)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Counts returns the counters as they stand.
func (s *Server) Counts() Counts {
	l := s.ledger.Load()
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.counts
	c.Statuses = make(map[int]int, len(l.counts.Statuses))
	for k, v := range l.counts.Statuses {
		c.Statuses[k] = v
	}
	c.Calls, c.CallsPaid = len(l.asked), len(l.paid)
	c.Again = c.Paid - c.CallsPaid
	for _, n := range l.asked {
		c.MostAsked = max(c.MostAsked, n)
	}
	if !l.last.IsZero() {
		c.SpanMS = l.last.Sub(l.first).Milliseconds()
	}
	return c
}

// Paid returns how many answers were billed for each call, by its ID.
func (s *Server) Paid() map[string]int {
	l := s.ledger.Load()
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make(map[string]int, len(l.paid))
	for id, n := range l.paid {
		all[id] = n
	}
	return all
}

// Seen returns the last requests, oldest first: as many as the script keeps.
func (s *Server) Seen() []Call {
	l := s.ledger.Load()
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Call(nil), l.kept...)
}

// Limit lets n calls in at a time from now on, whatever the script's levels
// say; below 0: any number.
func (s *Server) Limit(n int) {
	l := s.ledger.Load()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limit = &n
}
