package newel

import (
	"context"
	"iter"
)

// Journal keeps every reply from outside, by call key, and the money of a run.
// What it has acknowledged survives a kill of the process.
type Journal interface {
	// SetBudget says how much a run may spend; nil: there is no bound.
	SetBudget(ctx context.Context, run string, usd *Money) error
	// Reserve writes intents of a run, in order, as long as its budget holds
	// their worst prices beside what is spent, held and reserved, and returns how
	// many it took. Either all of a call to Reserve that it took are durable or
	// none. ErrSealed after the seal.
	Reserve(ctx context.Context, run string, intents []Intent) (taken int, err error)
	// Release takes back intents that were not sent. Those that are gone are no
	// error.
	Release(ctx context.Context, run string, ids [][16]byte) error
	// Settle commits a reply or a fault, e.Run being the run that pays, and closes
	// its intents, in one step. It returns the entry that decides: e itself, or
	// the one that was first, beside which e is kept as surplus. A fault never
	// decides; Settle returns it with its number.
	Settle(ctx context.Context, e Entry, intents [][16]byte) (decides Entry, err error)
	// Replies returns, for each key that has one, the deciding reply of the run,
	// else the newest good one of another run within the window.
	Replies(ctx context.Context, run string, keys []Hash, reuse Window) (map[Hash]Entry, error)
	// Entries returns the entries that a run's rows point to, in the order of refs;
	// ErrNotFound if one is missing.
	Entries(ctx context.Context, run string, refs []CallRef) ([]Entry, error)
	// Paid yields all entries that a run paid for, surplus and faults too, in
	// order of (key, seq).
	Paid(ctx context.Context, run string) iter.Seq2[Entry, error]
	// Spending returns a run's account.
	Spending(ctx context.Context, run string) (Spending, error)
	// Supplement turns an unknown cost into a known one, once: ErrConflict if it
	// is known. Entry.Call and Entry.Cost are taken. After the seal the sealed
	// entry stays as it is and the supplement is kept beside it.
	Supplement(ctx context.Context, e Entry) error
	// PutEntries stores entries of another store as they are. Those that are
	// there are left alone. It reserves and spends nothing.
	PutEntries(ctx context.Context, entries []Entry) error
}
