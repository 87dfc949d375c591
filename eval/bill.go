package eval

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/go-json-experiment/json"

	"newel"
)

// noRow is what calls stand under that no row was read from: replies that came
// second, and attempts that failed before another brought the reply.
const noRow = "(no row)"

// calls tells a run's calls apart while rows go by, and which rubric each belongs
// to: that of the first row, in plan order, that was read from it.
type calls struct {
	owner  map[uint64]int32
	reused int // what rows were read from without paying
	shared int // of them, what another row had brought
}

// shortKey is enough of a call key to tell a run's calls apart, and those that
// another run paid for from its own.
func shortKey(ref newel.CallRef) uint64 {
	key := binary.BigEndian.Uint64(ref.Key[:8]) + uint64(ref.Seq)
	for i := range len(ref.Run) {
		key = key*31 + uint64(ref.Run[i])
	}
	return key
}

func (c *calls) add(it *newel.ItemRows) {
	it.EachCall(func(res *newel.Result, ref newel.CallRef) {
		if c.owner == nil {
			c.owner = map[uint64]int32{}
		}
		if _, shared := c.owner[shortKey(ref)]; shared {
			c.reused++
			c.shared++
			return
		}
		c.owner[shortKey(ref)] = int32(res.Rubric)
		if ref.Reused() {
			c.reused++
		}
	})
}

// Bill adds what the run paid for its calls, as the journal has it. It comes
// after the last item.
func (f *Fold) Bill(ctx context.Context, journal newel.Journal) error {
	f.cost.Cached, f.cost.Shared = f.calls.reused, f.calls.shared
	spending, err := journal.Spending(ctx, f.run.ID)
	if err != nil {
		return err
	}
	f.cost.PaidTwiceAtMost = spending.Open + spending.Surplus
	f.cost.Lost = spending.Open
	f.cost.Unbounded = f.cost.Unbounded || spending.Open > 0 && spending.Reserved == 0
	if f.cost.UnknownAtMost, err = spending.Held.Add(spending.Reserved); err != nil {
		return err
	}
	for e, err := range journal.Paid(ctx, f.run.ID) {
		if err != nil {
			return err
		}
		if err := f.entry(&e); err != nil {
			return fmt.Errorf("call %s: %w", e.Key, err)
		}
	}
	return nil
}

// callCost is what a bill reads of a call.
type callCost struct {
	Asked string          `json:"model_requested"`
	Used  string          `json:"model_used"`
	Cost  newel.Charge    `json:"cost"`
	Tries []newel.Attempt `json:"failed_attempts"`
}

func (c *callCost) partlyKnown() bool {
	return (&newel.Call{Cost: c.Cost, Tries: c.Tries}).PartlyKnown()
}

func (f *Fold) entry(e *newel.Entry) error {
	f.cost.Calls++
	if e.Cost == nil {
		f.cost.UnknownCalls++
		f.cost.Unbounded = f.cost.Unbounded || e.Held == 0
		return nil
	}
	var call callCost
	if err := json.Unmarshal(e.Call, &call); err != nil {
		return err
	}
	if call.partlyKnown() {
		f.cost.PartlyKnown++
		f.cost.Unbounded = f.cost.Unbounded || e.Held == 0
	}
	if *e.Cost == 0 {
		return nil
	}
	rubric := noRow
	if i, ok := f.calls.owner[shortKey(newel.CallRef{Key: e.Key, Seq: e.Seq})]; ok {
		rubric = f.run.Plan.Rubrics[i]
	}
	model := call.Used
	if model == "" {
		model = call.Asked
	}
	var err error
	if f.cost.USD, err = f.cost.USD.Add(*e.Cost); err != nil {
		return err
	}
	f.cost.ByRubric[rubric], _ = f.cost.ByRubric[rubric].Add(*e.Cost) // below the total, which held
	f.cost.ByModel[model], _ = f.cost.ByModel[model].Add(*e.Cost)
	return nil
}
