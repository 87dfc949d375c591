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

// of reads them. Where only final ones count, others are no answers.
func (f *faults) of(ctx context.Context, j newel.Journal, run string, final bool) (map[newel.Hash]Answer, error) {
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
		if call.Error != nil && (call.Final || !final) { // nil: it was given up, and is no answer. The last one stands
			byKey[e.Key] = Answer{Fault: call.Error, Ref: newel.CallRef{Key: e.Key, Seq: e.Seq}}
		}
	}
	f.byKey = byKey
	return byKey, nil
}

// fault answers a recorded question that has no reply with the fault that is
// recorded, if there is one.
func (a *Account) fault(ctx context.Context, key newel.Hash) (Answer, error) {
	faults, err := a.faults.of(ctx, a.o.Journal, a.o.Run, false)
	if err != nil {
		return Answer{}, err
	}
	f, ok := faults[key]
	if !ok {
		return Answer{}, fmt.Errorf("%w to call %s of run %s", ErrUnrecorded, key, a.o.Run)
	}
	return f, nil
}

// final are the faults that decide: as the first reply to a call decides for all
// who ask it, so does the fault after which the run did not try again. Else rows
// that asked the same would differ by when they asked.
type final struct {
	earlier faults // of the processes before this one
	mu      sync.Mutex
	byKey   map[newel.Hash]Answer
	read    bool // whether there were any before
}

func (f *final) keep(a Answer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byKey == nil {
		f.byKey = map[newel.Hash]Answer{}
	}
	f.byKey[a.Ref.Key] = a
}

// of returns the fault that decides a call, if one does.
func (f *final) of(ctx context.Context, j newel.Journal, run string, key newel.Hash) (Answer, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.read {
		if err := f.begin(ctx, j, run); err != nil {
			return Answer{}, false, err
		}
		f.read = true
	}
	a, ok := f.byKey[key]
	return a, ok, nil
}

// begin takes over what processes before this one left.
func (f *final) begin(ctx context.Context, j newel.Journal, run string) error {
	s, err := j.Spending(ctx, run)
	if err != nil || s.Faults == 0 {
		return err
	}
	before, err := f.earlier.of(ctx, j, run, true)
	for key, a := range before {
		if f.byKey == nil {
			f.byKey = map[newel.Hash]Answer{}
		}
		if _, ok := f.byKey[key]; !ok {
			f.byKey[key] = a
		}
	}
	return err
}
