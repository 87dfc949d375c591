// Package paid is the one place where money is spent: it finds a call's reply
// in the journal, or reserves its worst price, announces it, sends it, retries
// it and settles it.
//
// What is asked and how a reply is read is for its callers to know; how a call
// travels is the gateway's.
//
// A call goes through these in turn: found (is there a reply?), the entrance
// (few reserve money ahead), the desk (reserve), its lane (a slot), Send, and
// the journal. A refusal because of a limit holds the lane and uses up no retry;
// control.go says how a lane's limit follows what the far end takes.
package paid
