package eval

import (
	"context"
	"encoding/json"
	"fmt"

	"newel"
)

// rowCalls adds the records of calls to rows. It is shown all items of a run in
// plan order, so that a reply which several rows were read from costs the first
// of them alone.
type rowCalls struct {
	store newel.Store
	run   *newel.Run
	seen  map[uint64]bool
}

// share is what a row has of a call.
type share int

const (
	pays    share = iota // it is the first row that was read from it, and pays
	earlier              // another run paid; it is the first row that was read from it
	shared               // another row of the run was read from it before
)

func newRowCalls(store newel.Store, run *newel.Run) *rowCalls {
	return &rowCalls{store, run, map[uint64]bool{}}
}

// pass goes over an item whose rows nobody wants to see.
func (c *rowCalls) pass(it *newel.ItemRows) {
	for i := range it.Results {
		c.passOver(&it.Results[i])
	}
}

func (c *rowCalls) passOver(res *newel.Result) {
	res.EachCall(func(ref newel.CallRef) { c.note(ref) })
}

// note says what the next row has of a call.
func (c *rowCalls) note(ref newel.CallRef) share {
	key := shortKey(ref)
	if c.seen[key] {
		return shared
	}
	c.seen[key] = true
	if ref.Reused() {
		return earlier
	}
	return pays
}

// entries returns what the journal has of a result's calls, and what it has of
// them.
func (c *rowCalls) entries(ctx context.Context, res *newel.Result) (list []newel.Entry, shares []share, err error) {
	var refs []newel.CallRef
	res.EachCall(func(ref newel.CallRef) {
		refs, shares = append(refs, ref), append(shares, c.note(ref))
	})
	if refs == nil {
		return nil, nil, nil
	}
	if list, err = c.store.Entries(ctx, c.run.ID, refs); err != nil {
		return nil, nil, fmt.Errorf("calls of a row: %w", err)
	}
	return list, shares, nil
}

// of returns the records of a result's calls as JSON.
func (c *rowCalls) of(ctx context.Context, res *newel.Result) ([]newel.Raw, error) {
	entries, shares, err := c.entries(ctx, res)
	out := make([]newel.Raw, len(entries))
	for i := range entries {
		if out[i], err = record(&entries[i], shares[i] == pays); err != nil {
			return nil, fmt.Errorf("record of call %s: %w", entries[i].Key, err)
		}
	}
	return out, err
}

// record is a call as a row shows it. Where it was paid for elsewhere, the row's
// own cost is nothing and it took no time: what it cost and took then stands
// beside.
func record(e *newel.Entry, own bool) (newel.Raw, error) {
	if own {
		return newel.Raw(e.Call), nil
	}
	var call newel.Call
	if err := json.Unmarshal(e.Call, &call); err != nil {
		return nil, err
	}
	zero := newel.Money(0)
	call.Reused = &newel.Reused{Run: e.Run, At: e.At, Cost: call.Cost, ClientMS: call.ClientMS, WaitedMS: call.WaitedMS,
		GatewayMS: call.GatewayMS, UpstreamMS: call.UpstreamMS, FirstTokenMS: call.FirstTokenMS}
	call.ClientMS, call.WaitedMS, call.GatewayMS, call.UpstreamMS, call.FirstTokenMS = 0, 0, nil, nil, nil
	call.Cost = newel.Charge{USD: &zero, Status: newel.CostZero, Source: "journal", Excludes: "no"}
	return json.Marshal(&call)
}

// Bought is one call of a run, as its costs are folded.
type Bought struct {
	Item   *newel.ItemRows // nil: no row was read from it
	Result *newel.Result
	Call   newel.Call
	Cost   *newel.Money // nil: unknown
	// Held is what is not known of the cost comes to at most; Open says that some of
	// it is not known and has no bound.
	Held newel.Money
	Open bool
	// Own says that the call is paid for here. Otherwise its reply was there
	// already, and Cost is what it cost then; Shared says that another row of the
	// run was read from it before.
	Own, Shared bool
}

// Exact reports whether all of the cost is known.
func (b *Bought) Exact() bool { return b.Cost != nil && !b.Call.PartlyKnown() }

// Calls shows every item of a run to item, each followed by its calls, which go
// to call; in the end come the calls that no row was read from.
func Calls(ctx context.Context, store newel.Store, run *newel.Run, item func(*newel.ItemRows) error, call func(Bought) error) error {
	calls := newRowCalls(store, run)
	err := Scan(ctx, store, run, false, func(it *newel.ItemRows) error {
		if err := item(it); err != nil {
			return err
		}
		for i := range it.Results {
			res := &it.Results[i]
			entries, shares, err := calls.entries(ctx, res)
			if err != nil {
				return err
			}
			for k := range entries {
				if err := bought(&entries[k], Bought{Item: it, Result: res, Own: shares[k] == pays, Shared: shares[k] == shared}, call); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for e, err := range store.Paid(ctx, run.ID) {
		if err != nil {
			return err
		}
		if calls.seen[shortKey(newel.CallRef{Key: e.Key, Seq: e.Seq})] {
			continue
		}
		if err := bought(&e, Bought{Own: true}, call); err != nil {
			return err
		}
	}
	return nil
}

func bought(e *newel.Entry, b Bought, call func(Bought) error) error {
	if err := json.Unmarshal(e.Call, &b.Call); err != nil {
		return fmt.Errorf("record of call %s: %w", e.Key, err)
	}
	b.Cost, b.Held = e.Cost, e.Held
	b.Open = e.Held == 0 && !b.Exact()
	return call(b)
}
