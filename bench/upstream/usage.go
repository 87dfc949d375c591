package upstream

import "newel"

// Usage is what an answer used, in tokens. In holds Cached and Written, Out
// holds Reasoning.
type Usage struct {
	In, Cached, Written, Out, Reasoning int64
}

// Price is what one token costs. Written tokens cost like others where it is
// 0.
type Price struct {
	In, Cached, Written, Out newel.Money
}

// Cost is what a provider bills: cached tokens at their own rate.
func (p Price) Cost(u Usage) newel.Money {
	return p.in(u) + p.cached(u) + p.Out*newel.Money(u.Out)
}

func (p Price) in(u Usage) newel.Money {
	written := p.Written
	if written == 0 {
		written = p.In
	}
	return p.In*newel.Money(u.In-u.Cached-u.Written) + written*newel.Money(u.Written)
}

func (p Price) cached(u Usage) newel.Money { return p.Cached * newel.Money(u.Cached) }

// flat is what a gateway computes that knows of no cached tokens.
func (p Price) flat(u Usage) newel.Money {
	return p.In*newel.Money(u.In) + p.Out*newel.Money(u.Out)
}

// used is the usage of an answer.
func (s *Server) used(c *Call, a *Act) Usage {
	if a.Usage != nil {
		return *a.Usage
	}
	if s.script.Usage != nil {
		return *s.script.Usage
	}
	return Usage{In: max(1, int64(len(c.Body))/4), Out: max(1, int64(len(a.Text)+len(a.Refusal))/4)}
}
