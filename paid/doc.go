// Package paid is the one place where money is spent: it finds a call's reply
// in the journal, or reserves its worst price, announces it, sends it, retries
// it and settles it.
//
// What is asked and how a reply is read is for its callers to know; how a call
// travels is the gateway's.
package paid
