package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"newel"
	"newel/gateway"
	"newel/judge"
	"newel/ladder"
	"newel/paid"
	"newel/suite"
)

// judging is what the judges of one run reach: an account that pays, and a
// client for each gateway. It is closed after the last item and before the seal,
// so that costs which gateways tell late are known.
type judging struct {
	store   newel.Store
	run     string
	suite   *suite.Suite
	clients map[string]*gateway.Client
	account *paid.Account
	flight  int            // calls that may be under way
	secrets *newel.Secrets // nil: nothing is asked
}

// connect makes the clients of the gateways that the suite's judges ask. It
// opens no connection. Without send they write calls, for their keys, and need
// no variable.
func (a *app) connect(s *suite.Suite, only []string, send bool) (map[string]*gateway.Client, error) {
	lookup := a.env
	if !send {
		lookup = nil
	}
	var m newel.Mistakes
	clients := map[string]*gateway.Client{}
	for name, g := range s.Gateways(only) {
		c, err := g.Client(lookup, gateway.Options{Proxy: a.proxy, Conns: max(defaultInFlight, s.InFlight(only)), Now: a.now})
		var list *newel.Mistakes
		switch {
		case errors.As(err, &list):
			m.Merge(list)
		case err != nil:
			return nil, err
		}
		clients[name] = c
	}
	if m.Len() > 0 {
		return nil, &definitionError{&m}
	}
	if send {
		priced := func(gateway, model string) bool { return clients[gateway].Priced(model) }
		if err := s.Unpriced(only, priced); err != nil {
			errors.As(err, new(*newel.Mistakes))
			return nil, &exitError{exitUsage, err}
		}
	}
	return clients, nil
}

// judges opens the account of a run. Reuse is when others must have paid for a
// reply for it to be used again. Proven says that they have had replies before.
func (a *app) judges(store newel.Store, run string, reuse newel.Window, proven bool, s *suite.Suite, only []string, clients map[string]*gateway.Client) *judging {
	flight := a.flight(s, only)
	j := &judging{store: store, run: run, suite: s, clients: clients, flight: flight}
	j.secrets = secretsOf(s, only, a.env)
	rate := s.Rate(only)
	j.account = paid.New(paid.Options{
		Journal: store, Run: run, Reuse: reuse, InFlight: flight, Proven: proven, Clock: a.now, LookUp: j.lookUp,
		Rate: paid.Rate{RPM: int64(rate.Requests), TPM: int64(rate.Tokens)},
	})
	return j
}

// recorded is judges that read what the journal has and ask nobody.
func (a *app) recorded(store newel.Store, run *newel.Run, s *suite.Suite, only []string) (*judging, error) {
	clients, err := a.connect(s, only, false)
	if err != nil {
		return nil, err
	}
	j := &judging{store: store, run: run.ID, suite: s, clients: clients, flight: a.flight(s, only)}
	j.account = paid.New(paid.Options{Journal: store, Run: run.ID, Reuse: run.Plan.Reuse, Recorded: true, Clock: a.now})
	return j, nil
}

// program compiles the suite with these judges.
func (j *judging) program(only []string) (*ladder.Program, error) {
	p, err := j.suite.Program(only, suite.Means{
		Ask:    j.ask,
		Client: func(name string) judge.Client { return j.clients[name] },
		File:   func(h newel.Hash) ([]byte, error) { return j.store.File(context.Background(), h) },
		Tags:   gateway.Tags{Suite: j.suite.Name, Run: j.run, Runner: "local"},
	})
	if err == nil && p.Ask == nil {
		flight := cmp.Or(j.flight, defaultInFlight)
		p.AtOnce = flight + flight/2 + spareItems
	}
	return p, err
}

// spareItems are under way beside half as many again as calls may be: enough
// that no slot is ever empty while items are rendered, read and written.
const spareItems = 64

// flight is how many calls may be under way; 0: nobody says.
func (a *app) flight(s *suite.Suite, only []string) int {
	if a.inFlight > 0 {
		return a.inFlight
	}
	return s.InFlight(only)
}

// lookUp asks a gateway for a cost that it did not tell with the reply.
func (j *judging) lookUp(ctx context.Context, call newel.Call) (newel.Call, bool, error) {
	c := j.clients[call.Gateway]
	if c == nil {
		return call, false, errors.New("no client for gateway " + call.Gateway)
	}
	told, ok, err := c.LookUp(ctx, call)
	return j.cleanCall(told), ok, err
}

// close waits for costs that are told late.
func (j *judging) close(ctx context.Context) error {
	if j == nil {
		return nil
	}
	err := j.account.Close(ctx)
	for _, c := range j.clients {
		c.Close()
	}
	return err
}

// defaultInFlight is how many calls may be under way where nobody says.
const defaultInFlight = 100

// workersFor is how many chunks are worked on at a time, so that more items are
// offered than calls may be under way: nothing waits for a chunk's slowest.
func (a *app) workersFor(s *suite.Suite, only []string) int {
	workers := a.workers
	if workers == 0 {
		workers = defaultWorkers()
	}
	if !s.Pays(only) {
		return workers
	}
	flight := cmp.Or(a.flight(s, only), defaultInFlight)
	return max(workers, 2*flight/itemsOfSmallChunk+2)
}

// itemsOfSmallChunk is how many items a chunk of large cases has.
const itemsOfSmallChunk = 64

// reuseOf is when replies must have been paid for to be used again.
func (a *app) reuseOf(s *suite.Suite, noCache bool) newel.Window {
	if noCache || s.Cache == 0 {
		return newel.Window{}
	}
	now := a.now().UTC().Truncate(time.Millisecond)
	return newel.Window{From: now.Add(-s.Cache), To: now}
}
