// Package gateway asks chat models through whatever LLM gateway a team runs,
// and says of each call what it cost, how long it took, which model answered and
// what the gateway did on the way, as far as that gateway tells: one file for
// each dialect.
//
// It sends once. Retries, budgets and the journal are paid's; what is asked and
// how a reply is read is the judge's.
package gateway
