package paid

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"newel"
)

// faults are the calls of a recorded run that ended without a reply. They are
// read when one is asked for.
type faults struct {
	mu    sync.Mutex
	byKey map[newel.Hash]Answer // nil: not read yet
}

func (f *faults) of(ctx context.Context, j newel.Journal, run string) (map[newel.Hash]Answer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byKey != nil {
		return f.byKey, nil
	}
	byKey := map[newel.Hash]Answer{}
	for e, err := range j.Paid(ctx, run) {
		if err != nil {
			return nil, fmt.Errorf("look for recorded faults: %w", err)
		}
		if !e.Fault {
			continue
		}
		var call newel.Call
		if err := json.Unmarshal(e.Call, &call); err != nil {
			return nil, fmt.Errorf("recorded fault %d of call %s: %w", e.Seq, e.Key, err)
		}
		if call.Error != nil { // nil: it was given up, and is no answer. The last one stands
			byKey[e.Key] = Answer{Fault: call.Error, Ref: newel.CallRef{Key: e.Key, Seq: e.Seq}}
		}
	}
	f.byKey = byKey
	return byKey, nil
}

// fault answers a recorded question that has no reply with the fault that is
// recorded, if there is one.
func (a *Account) fault(ctx context.Context, key newel.Hash) (Answer, error) {
	faults, err := a.faults.of(ctx, a.o.Journal, a.o.Run)
	if err != nil {
		return Answer{}, err
	}
	f, ok := faults[key]
	if !ok {
		return Answer{}, fmt.Errorf("%w to call %s of run %s", ErrUnrecorded, key, a.o.Run)
	}
	return f, nil
}
