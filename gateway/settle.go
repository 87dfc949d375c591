package gateway

import (
	"slices"
	"strings"

	"newel"
)

// settle decides what a call cost and how that is known, for all dialects alike.
// It takes Cost.Gateway as the dialect read it, the usage, and the table; it
// sets Cost.USD and Cost.Status. What is not known stays nil: never 0. MayCost is
// what the fault says, of an answer that is none.
func settle(c *newel.Call, r *response, t traits, p *Prices, mayCost bool) {
	s := settlement{c: c, r: r, traits: t, entry: priceOf(c, p)}
	c.Cost.Prices = p.version
	c.Cost.USD, c.Cost.Status, c.Cost.Table = nil, newel.CostUnknown, nil
	if t.step > 0 && c.Cost.Gateway != nil && c.Cost.Step == nil && c.Cost.Source == "gateway_header" {
		step := t.step
		c.Cost.Step = &step
	}
	s.attempts()
	if !r.ok() || r.failed() {
		s.refused(mayCost)
		return
	}
	s.table()
	if r.cut {
		s.partial()
		return
	}
	s.choose()
	s.onTop()
	s.failedAttempts()
}

// settlement is one call on its way.
type settlement struct {
	c      *newel.Call
	r      *response
	traits traits
	entry  *price // nil: the table does not know the model
	bound  string // status of the table's figure; empty: it has none
}

// priceOf finds the entry of the model that answered, or, where nobody said
// which, of the one that was asked.
func priceOf(c *newel.Call, p *Prices) *price {
	if c.ModelUsed != "" {
		return p.find(c.ModelUsed)
	}
	return p.find(c.ModelAsked)
}

// attempts says whether the amount leaves failed attempts out.
func (s *settlement) attempts() {
	c := s.c
	switch {
	case c.Cost.Excludes != "":
	case s.traits.billed && c.Cost.Gateway != nil && *c.Cost.Gateway > 0, s.r.harmless:
		c.Cost.Excludes = "no"
	case s.traits.hidesRetries, !c.AttemptsExact, c.Fallback != "no", count64(c.UpstreamAttempts) > 1:
		c.Cost.Excludes = "unknown"
	default:
		c.Cost.Excludes = "no"
	}
}

func count64(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// refused settles a call that brought no answer. One that was refused before a
// model was at work cost nothing, and that is known; of any other it is not known
// what was billed, whatever the gateway's header says.
func (s *settlement) refused(mayCost bool) {
	c := s.c
	if s.traits.zeroOnErrors || (c.Cost.Gateway != nil && *c.Cost.Gateway == 0) {
		c.Cost.Gateway, c.Cost.Step, c.Cost.Source = nil, nil, ""
	}
	switch {
	case c.Cost.Gateway != nil:
		s.gateway()
	case !mayCost:
		nothing := newel.Money(0)
		s.take(&nothing, newel.CostZero, "")
	}
}

// table computes the figure of newel's own table.
func (s *settlement) table() {
	if s.entry == nil {
		return
	}
	m, status := s.entry.cost(&s.c.Usage, s.c.Tier, s.c.Batch, s.r.text("usage", "inference_geo"))
	if status == newel.CostTable && s.r.extra {
		status = newel.CostLowerBound
	}
	if status == newel.CostUnknown || (m == 0 && !s.entry.free) {
		return
	}
	s.c.Cost.Table, s.bound = &m, status
}

// partial settles a stream that broke off: what it had told by then is the least
// that it came to.
func (s *settlement) partial() {
	if s.c.Cost.Table != nil && s.bound == newel.CostTable {
		s.take(s.c.Cost.Table, newel.CostLowerBound, "table")
	}
}

// choose takes the gateway's amount, the table's, or a zero that is confirmed.
func (s *settlement) choose() {
	c := s.c
	cached := strings.HasPrefix(c.Cache, "hit")
	zero := c.Cost.Gateway != nil && *c.Cost.Gateway == 0
	switch {
	case cached && c.Cache == "hit_semantic" && c.Cost.Gateway != nil && !zero && !s.traits.billed:
		// Charged in the gateway's books, though no model was asked.
		s.take(c.Cost.Gateway, newel.CostUpperBound, c.Cost.Source)
	case cached && (c.Cost.Gateway == nil || zero || !s.traits.billed):
		nothing := newel.Money(0)
		s.take(&nothing, newel.CostZero, c.Cost.Source)
	case zero && s.free():
		s.take(c.Cost.Gateway, newel.CostZero, c.Cost.Source)
	case zero && s.r.byok:
		s.gateway() // no fee; the rest comes on top
	case zero, c.Cost.Gateway == nil:
		s.unpriced()
	default:
		s.gateway()
	}
}

// free reports whether a zero is to be believed: the table says so, or the
// gateway bills and the model is one of those it gives away.
func (s *settlement) free() bool {
	if s.entry != nil {
		return s.entry.free
	}
	return s.traits.billed && strings.HasSuffix(s.c.ModelUsed, ":free")
}

// unpriced settles a call for which the gateway told no amount, or a zero that
// may mean anything.
func (s *settlement) unpriced() {
	c := s.c
	if c.Cost.Step == nil {
		c.Cost.Gateway = nil // a zero that is not rounding is no amount
	}
	c.Cost.Source = ""
	if s.bound != "" {
		s.takeTable()
	}
}

// gateway takes the gateway's amount, unless it is a computation that is known
// to go wrong where the table's does not.
func (s *settlement) gateway() {
	c := s.c
	if s.traits.billed {
		s.take(c.Cost.Gateway, newel.CostBilled, c.Cost.Source)
		return
	}
	if s.bound == newel.CostTable && !near(*c.Cost.Gateway, *c.Cost.Table, c.Cost.Step) {
		note(c, "cost_mismatch")
		if s.traits.fullPriceForCached && count(c.Usage.CacheRead) > 0 {
			s.takeTable()
			return
		}
	}
	s.take(c.Cost.Gateway, newel.CostGateway, c.Cost.Source)
}

// near reports whether two amounts differ by no more than 2 % of the second, or
// by the step in which the first is told.
func near(a, b newel.Money, step *newel.Money) bool {
	apart := max(a, b) - min(a, b)
	return apart <= b/50 || step != nil && apart <= *step
}

// onTop adds what the provider charges besides the gateway's fee, where the
// provider's key is the caller's own. The sum is no longer the gateway's bill.
func (s *settlement) onTop() {
	c := s.c
	switch {
	case !s.r.byok, c.Cost.USD == nil, strings.HasPrefix(c.Cache, "hit"):
		return
	case c.Cost.Gateway == nil, c.Cost.Upstream == nil: // one of the two is missing
		c.Cost.Status = newel.CostLowerBound
		if *c.Cost.USD == 0 {
			s.take(nil, newel.CostUnknown, "") // at least nothing says nothing
		}
		return
	}
	sum, err := c.Cost.USD.Add(*c.Cost.Upstream)
	if err != nil || sum == 0 && c.Cost.Status != newel.CostZero {
		s.take(nil, newel.CostUnknown, "")
		return
	}
	c.Cost.USD = &sum
	if c.Cost.Status == newel.CostBilled {
		c.Cost.Status = newel.CostGateway
	}
}

// failedAttempts makes an exact amount a bound where attempts are known to have
// failed inside the gateway that may have cost something.
func (s *settlement) failedAttempts() {
	c := s.c
	failed := count64(c.UpstreamAttempts) > 1 || c.Fallback == "yes"
	switch {
	case !failed, c.Cost.Excludes == "no", !c.Cost.Exact(), strings.HasPrefix(c.Cache, "hit"):
	case *c.Cost.USD == 0:
		s.take(nil, newel.CostUnknown, "") // at least nothing says nothing
	default:
		c.Cost.Status = newel.CostLowerBound
	}
}

// takeTable takes the table's figure; nothing, where it says so, is confirmed.
func (s *settlement) takeTable() {
	s.take(s.c.Cost.Table, s.bound, "table")
	if *s.c.Cost.Table == 0 && s.entry.free {
		s.c.Cost.Status = newel.CostZero
	}
}

func (s *settlement) take(m *newel.Money, status, source string) {
	if m != nil {
		v := *m
		m = &v
	}
	s.c.Cost.USD, s.c.Cost.Status, s.c.Cost.Source = m, status, source
}

func note(c *newel.Call, text string) {
	if !slices.Contains(c.Notes, text) {
		c.Notes = append(c.Notes, text)
	}
}
