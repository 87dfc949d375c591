package newel

// ChoiceSummary says what the judge of a rubric chose, whether or not people did.
type ChoiceSummary struct {
	N      int           `json:"n"`      // rows with a choice of the judge, those in quarantine left out
	Counts []ChoiceCount `json:"counts"` // in the suite's order; of a pair its two names, then a tie
	// Orders says how often a pair that was shown in both orders was judged alike;
	// nil: there is none.
	Orders *OrderSummary `json:"orders,omitempty"`
}

// ChoiceCount is how often a choice was made.
type ChoiceCount struct {
	Choice string `json:"choice"`
	N      int    `json:"n"`
}

// OrderSummary counts votes on pairs that were shown in both orders.
type OrderSummary struct {
	Orders
	// Consistency is the share of them with the same choice in both orders.
	Consistency *float64 `json:"consistency"`
}
