package newel

// Unfinished is what a run that is not complete has of its judges, and what it
// lacks. Nothing of it is lost when the run goes on.
type Unfinished struct {
	Replies      int   `json:"replies"` // paid for by the run and kept, whether or not their rows are there
	USD          Money `json:"usd"`     // that they and failed calls cost, as far as it is known
	UnknownCalls int   `json:"unknown_calls"`
	// HeldUSD is what calls of unknown cost, and those that were lost with their
	// process, come to at most.
	HeldUSD Money `json:"held_usd"`
	Items   int   `json:"items_left"` // of the plan as far as it is made
	// Budget is the run's; nil: none. Short says that too little is left of it: for
	// the next call at its worst price, or for what the rest is likely to cost.
	Budget *Money `json:"budget_usd,omitempty"`
	Short  bool   `json:"budget_short,omitempty"`
	// ItemUSD is an estimate of what an item costs, and Enough of the budget that
	// holds the rest; nil: nobody can say.
	ItemUSD *Money `json:"usd_per_item,omitempty"`
	Enough  *Money `json:"enough_usd,omitempty"`
}

// Flag is what "newel resume" needs besides the run, with a blank before it;
// empty: nothing.
func (u *Unfinished) Flag() string {
	switch {
	case u == nil || !u.Short:
		return ""
	case u.Enough == nil:
		return " --budget USD"
	}
	return " --budget " + u.Enough.String()
}
