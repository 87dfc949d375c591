package report

import (
	"encoding/json"

	"newel"
)

// sum is what the calls of a row, or of several, come to.
type sum struct {
	outlay
	reused int // replies that were in the journal and cost these rows nothing
}

// add takes in the calls of a row. A record that is not understood is a call of
// unknown cost.
func (s *sum) add(r *newel.Row) {
	for _, raw := range r.Calls {
		var c newel.Call
		if err := json.Unmarshal(raw, &c); err != nil {
			c = newel.Call{}
		}
		s.call(&c)
	}
}

func (s *sum) call(c *newel.Call) {
	if c.Reused != nil {
		s.reused++
		return
	}
	s.calls++
	switch {
	case c.Cost.USD == nil || !c.Cost.Exact() && c.Cost.Status != newel.CostLowerBound:
		s.unknown++
	case c.PartlyKnown() || c.Cost.Status == newel.CostLowerBound:
		s.partly++
		s.usd, _ = s.usd.Add(*c.Cost.USD)
	default:
		s.usd, _ = s.usd.Add(*c.Cost.USD)
		return
	}
	s.held, _ = s.held.Add(c.Cost.Held)
	s.open = s.open || c.Cost.Held == 0
}

// none reports that there was no call.
func (s *sum) none() bool { return s.calls+s.reused == 0 }

// text is the sum in words.
func (s *sum) text() string {
	text := counted(s.calls, "paid call", "paid calls") + ", " + s.String()
	if s.reused > 0 {
		text += "; " + counted(s.reused, "reply that was there", "replies that were there")
	}
	return text
}

// rowCost is what a row's calls cost; nothing where there are none.
func rowCost(r *newel.Row) string {
	var s sum
	if s.add(r); s.none() {
		return ""
	}
	return s.text()
}

// itemCost writes what all rows of an item cost, where several had calls.
func (p *page) itemCost(rows []newel.Row) {
	var all sum
	asked := 0
	for i := range rows {
		all.add(&rows[i])
		asked += min(1, len(rows[i].Calls))
	}
	if asked > 1 {
		p.line("")
		p.item("cost of all rows", plainTone, all.text(), 0)
	}
}
