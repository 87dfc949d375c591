package paid

import (
	"math"

	"newel"
)

// bill adds up what the earlier attempts of a call cost.
type bill struct {
	known  newel.Money
	status string      // how known is known
	held   newel.Money // the most that attempts of unknown cost can have come to
	open   bool        // there are such
}

// amount is what one attempt cost: a known sum, or at most held.
type amount struct {
	cost   *newel.Money
	status string
	held   newel.Money
}

// free reports whether nothing was charged for certain.
func (m amount) free() bool { return m.cost != nil && *m.cost == 0 }

// amountOf reads the cost of an attempt.
func amountOf(q *Question, got Attempt) amount {
	c := got.Call.Cost
	switch {
	case c.Exact():
		return amount{cost: c.USD, status: c.Status}
	case got.Fault != nil && !got.Fault.MayCost:
		return amount{cost: new(newel.Money), status: newel.CostZero}
	case c.USD != nil && c.Status == newel.CostUpperBound:
		return amount{held: *c.USD}
	case c.USD != nil && c.Status == newel.CostLowerBound:
		return amount{held: max(*c.USD, q.Worst)}
	}
	return amount{held: q.Worst}
}

func (b *bill) add(m amount) {
	if m.cost != nil && *m.cost != 0 {
		b.status = m.status
		b.known = plus(b.known, *m.cost)
	}
	b.held = plus(b.held, m.held)
	b.open = b.open || m.cost == nil
}

// empty reports whether nothing was charged for certain.
func (b *bill) empty() bool { return b.known == 0 && !b.open }

// close completes the charge of a call whose last attempt cost m, and returns
// its entry's cost and what is held. The charge takes in what earlier attempts
// cost. While the last amount is unknown, that of earlier ones is held too.
func (b *bill) close(c *newel.Charge, m amount) (cost *newel.Money, held newel.Money) {
	held = plus(b.held, m.held)
	if m.cost == nil {
		held = plus(held, b.known)
	} else {
		sum := plus(b.known, *m.cost)
		cost, c.USD, c.Status = &sum, &sum, m.status
		if *m.cost == 0 && b.known != 0 {
			c.Status = b.status
		}
	}
	if c.Status == "" {
		c.Status = newel.CostUnknown
	}
	c.Held = held
	return cost, held
}

// plus adds amounts; beyond what money holds it stays at the most.
func plus(a, b newel.Money) newel.Money {
	sum, err := a.Add(b)
	if err != nil {
		return math.MaxInt64
	}
	return sum
}
