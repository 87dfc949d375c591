package gateway

// Prices is a table of what models cost.
type Prices struct{}
