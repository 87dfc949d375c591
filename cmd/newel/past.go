package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"newel"
)

// past is what earlier runs left: replies, and what calls cost.
type past struct {
	store newel.Store
	runs  []string // the two newest, for lookups
}

// openPast opens a store to look back; nil where there is none, or no run in
// it.
func (a *app) openPast(ctx context.Context, url string) (*past, error) {
	file, err := storeFile(url)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	store, err := a.openStore(ctx, url, false)
	if err != nil {
		return nil, err
	}
	list, err := store.ListRuns(ctx, newel.RunQuery{Limit: 2})
	if err != nil || len(list) == 0 {
		return nil, errors.Join(err, store.Close())
	}
	p := &past{store: store}
	for _, r := range list {
		p.runs = append(p.runs, r.ID)
	}
	return p, nil
}

func (p *past) close() {
	if p != nil {
		p.store.Close()
	}
}

// lookedUp is how many keys are looked up at a time.
const lookedUp = 1000

// replies finds which keys have a good reply within a window, whoever paid for
// it. A journal is asked as a run, whose own entries come first, good or not:
// what such an entry hides is asked for as another run.
func (p *past) replies(ctx context.Context, keys []newel.Hash, w newel.Window) (map[newel.Hash]bool, error) {
	found := map[newel.Hash]bool{}
	for _, run := range p.runs {
		var hidden []newel.Hash
		for len(keys) > 0 {
			n := min(lookedUp, len(keys))
			got, err := p.store.Replies(ctx, run, keys[:n], w)
			if err != nil {
				return nil, err
			}
			for key, e := range got {
				if e.Good && !e.At.Before(w.From) && !e.At.After(w.To) {
					found[key] = true
				} else {
					hidden = append(hidden, key)
				}
			}
			keys = keys[n:]
		}
		keys = hidden
	}
	return found, nil
}

// mean is what a call of a model cost in a run, over n calls.
type mean struct {
	usd newel.Money
	run string
	n   int
}

const (
	meanRuns  = 20     // how many sealed runs are looked at
	meanCalls = 10_000 // of one run, by key and so at random
)

// means finds what calls of models cost, each in the last sealed run of the suite
// that paid for one.
func (p *past) means(ctx context.Context, suite string, wanted map[callModel]*modelBill) (map[callModel]mean, error) {
	out := map[callModel]mean{}
	if p == nil || len(wanted) == 0 {
		return out, nil
	}
	runs, err := p.store.ListRuns(ctx, newel.RunQuery{Suite: suite, State: newel.Sealed, Limit: meanRuns})
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		got, err := p.meansOf(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		for key, m := range got {
			if _, known := out[key]; !known && wanted[key] != nil {
				out[key] = m
			}
		}
		if len(out) == len(wanted) {
			break
		}
	}
	return out, nil
}

// meansOf reads what a run paid: calls with a reply whose cost is known, with all
// their attempts.
func (p *past) meansOf(ctx context.Context, run string) (map[callModel]mean, error) {
	sums, seen := map[callModel]mean{}, 0
	for e, err := range p.store.Paid(ctx, run) {
		if err != nil {
			return nil, err
		}
		if seen++; seen > meanCalls {
			break
		}
		if e.Fault || e.Cost == nil {
			continue
		}
		var call struct {
			Gateway string `json:"gateway"`
			Model   string `json:"model_requested"`
		}
		if err := json.Unmarshal(e.Call, &call); err != nil {
			return nil, err
		}
		key := callModel{call.Gateway, call.Model}
		m := sums[key]
		m.run, m.n, m.usd = run, m.n+1, saturated(m.usd, *e.Cost, 1)
		sums[key] = m
	}
	for key, m := range sums {
		m.usd /= newel.Money(m.n)
		sums[key] = m
	}
	return sums, nil
}
