package eval

import (
	"encoding/json"
	"fmt"

	"newel"
)

// charge adds what the target's answer cost. A cost that was not reported is
// unknown, never 0.
func (f *Fold) charge(it *newel.ItemRows) error {
	f.cost.TargetCalls++
	usd, known, err := CostOf(it.Run)
	if err != nil {
		return fmt.Errorf("item %d: cost of the target: %w", it.N, err)
	}
	if !known {
		f.cost.UnknownCalls, f.cost.Unbounded = f.cost.UnknownCalls+1, true
		return nil
	}
	f.cost.USD, err = f.cost.USD.Add(usd)
	return err
}

// CostOf reads cost_usd of a run field.
func CostOf(run newel.Raw) (usd newel.Money, known bool, err error) {
	if run == nil {
		return 0, false, nil
	}
	var told struct {
		Cost newel.Raw `json:"cost_usd"`
	}
	if err := json.Unmarshal(run, &told); err != nil {
		return 0, false, err
	}
	if told.Cost == nil || told.Cost.Kind() == 'n' {
		return 0, false, nil
	}
	usd, err = newel.ReportedMoney(string(told.Cost))
	return usd, err == nil, err
}

// Cost returns what the items so far cost.
func (f *Fold) Cost() newel.Cost { return f.cost }
