package eval

import (
	"maps"
	"slices"
	"strings"

	"newel"
)

// maxChosen is how many different choices of one rubric are counted; a suite
// names far fewer.
const maxChosen = 1000

// chosenFold counts what a rubric's judge chose.
type chosenFold struct {
	n      int
	counts map[string]int
	orders newel.Orders
}

func (c *chosenFold) add(res *newel.Result) {
	for i := range res.Scores {
		s := &res.Scores[i]
		if s.Layer != newel.Judge {
			continue
		}
		c.orders.Plus(s.Orders)
		if _, known := c.counts[s.Choice]; s.Choice == "" || !known && len(c.counts) >= maxChosen {
			continue
		}
		if c.counts == nil {
			c.counts = map[string]int{}
		}
		c.n++
		c.counts[strings.Clone(s.Choice)]++
	}
}

// summary lists the choices in the order of names, those that nobody made too,
// and behind them others by name. It is nil where nothing was chosen.
func (c *chosenFold) summary(names []string) *newel.ChoiceSummary {
	if c.n == 0 && c.orders.Asked == 0 {
		return nil
	}
	out := &newel.ChoiceSummary{N: c.n, Counts: []newel.ChoiceCount{}}
	left := maps.Clone(c.counts)
	for _, name := range names {
		out.Counts = append(out.Counts, newel.ChoiceCount{Choice: name, N: left[name]})
		delete(left, name)
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		out.Counts = append(out.Counts, newel.ChoiceCount{Choice: name, N: left[name]})
	}
	if o := c.orders; o.Asked > 0 {
		consistency := float64(o.Same) / float64(o.Asked)
		out.Orders = &newel.OrderSummary{Orders: o, Consistency: &consistency}
	}
	return out
}

// turns reports that a judge went by the order more often than not.
func turns(c *newel.ChoiceSummary) bool {
	return c != nil && c.Orders != nil && 2*(c.Orders.First+c.Orders.Second) > c.Orders.Asked
}
