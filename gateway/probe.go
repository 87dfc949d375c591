package gateway

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"newel"
)

// ProbeOptions say how a self-test goes.
type ProbeOptions struct {
	Model     string        // required
	MaxTokens int           // of each answer; 0: 256
	Timeout   time.Duration // of each call; 0: a minute
	// Most bounds what all calls may cost; 0: no bound. For a model that the table
	// prices, the worst is held against it before the first call; else what the
	// calls so far have cost, before each.
	Most newel.Money
	// Nonce makes the prompts unlike those of other self-tests, which some cache
	// may still hold; empty: none.
	Nonce string
	// Wait lets the time before a look-up pass; nil: by the clock.
	Wait func(context.Context, time.Duration) error
}

// Coverage is what a self-test found out.
type Coverage struct {
	URL     string       `json:"url"` // of the route, without query and password
	Model   string       `json:"model"`
	Dialect string       `json:"dialect"`
	Version string       `json:"version,omitempty"` // of the gateway, where it says so
	Facts   []Fact       `json:"facts"`
	Calls   []Probed     `json:"calls"`
	Left    []Unasked    `json:"not_asked,omitempty"`
	Cost    ProbeCost    `json:"cost"`
	Prices  string       `json:"price_table"`
	Worst   *newel.Money `json:"worst_usd"` // of all calls by the table; nil: it has no price
}

// Fact is one thing that a gateway may tell.
type Fact struct {
	Name  string `json:"fact"`
	Told  string `json:"told"` // yes, partly, no, untested
	About string `json:"about"`
}

// Probed is one call of a self-test.
type Probed struct {
	Name  string     `json:"call"`
	Error string     `json:"error,omitempty"` // why it brought no answer
	Call  newel.Call `json:"record"`

	reply Reply // as it came, with whatever the far end says of a secret
}

// Unasked is a call that was not made.
type Unasked struct {
	Name string `json:"call"`
	Why  string `json:"why"`
}

// ProbeCost is what the calls came to.
type ProbeCost struct {
	Known   newel.Money `json:"known_usd"` // of calls whose cost is known, bounds included
	Unknown int         `json:"unknown_calls"`
	Bounds  int         `json:"bounded_calls"` // among the known, those of which only a bound is
}

// ProbeError is why no call of a self-test brought an answer.
type ProbeError struct {
	Fault Fault
	Call  newel.Call // Status 0: nothing came back
	Asked int        // calls, all in vain
}

// Error is the message of the first call.
func (e *ProbeError) Error() string {
	if e.Asked > 1 {
		return fmt.Sprintf("all %d calls failed; the first: %s", e.Asked, e.Fault.Message)
	}
	return e.Fault.Message
}

// DearError is why a self-test was not begun.
type DearError struct {
	Worst, Most newel.Money
	Model       string
}

// Error tells both amounts.
func (e *DearError) Error() string {
	return fmt.Sprintf("the self-test of %s may cost $%s by the price table, and at most $%s is allowed", e.Model, e.Worst, e.Most)
}

// Probe makes one call of each kind that a run makes, and a wrong one, and says
// which facts came back. It is a self-test ahead of a big run, and costs money.
//
// Where nothing answers, or all answers are errors, the error is a *ProbeError,
// and the coverage holds what those told; where it might cost too much, a
// *DearError. Once ctx ends no further call begins: the one under way is
// finished, as it is paid for, and the error is ctx's cause.
func Probe(ctx context.Context, c *Client, o ProbeOptions) (Coverage, error) {
	o.MaxTokens = cmp.Or(o.MaxTokens, 256)
	o.Timeout = cmp.Or(o.Timeout, time.Minute)
	if o.Wait == nil {
		o.Wait = pause
	}
	p := &probe{client: c, o: o, Coverage: Coverage{
		URL: c.mask.Mask(c.to.Scheme + "://" + c.to.Host + c.to.Path), Model: o.Model, Prices: c.prices.Version()}}
	if err := p.plan(); err != nil {
		return Coverage{}, err
	}
	if p.Worst != nil && o.Most > 0 && *p.Worst > o.Most {
		return Coverage{}, &DearError{Worst: *p.Worst, Most: o.Most, Model: o.Model}
	}
	for _, t := range p.trials {
		p.try(ctx, t)
	}
	p.later(ctx)
	p.Cost = p.sum()
	p.told()
	return p.Coverage, p.verdict(ctx)
}

// probe is a self-test on its way.
type probe struct {
	client *Client
	o      ProbeOptions
	trials []trial
	failed string // why the look-up of a cost did; empty: it did not
	Coverage
}

// try makes a call, unless there is a reason not to.
func (p *probe) try(ctx context.Context, t trial) {
	why := ""
	switch spent := p.sum(); {
	case ctx.Err() != nil:
		why = "stopped"
	case p.hopeless():
		why = "the first call failed in a way that the others would too"
	case p.o.Most > 0 && spent.Known >= p.o.Most:
		why = fmt.Sprintf("the calls before have cost $%s of $%s", spent.Known, p.o.Most)
	}
	if why != "" {
		p.Left = append(p.Left, Unasked{t.name, why})
		return
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), p.o.Timeout)
	defer stop()
	tags := Tags{Suite: "newel-self-test", Key: newel.HashOf([]byte("self-test\x00" + p.o.Nonce + "\x00" + t.name))}
	reply := p.client.Send(ctx, t.body, tags)
	made := Probed{Name: t.name, Call: hidden(reply.Call, p.client.mask), reply: reply}
	if reply.Fault != nil {
		made.Error = reply.Fault.Message
	}
	p.Calls = append(p.Calls, made)
}

// hopeless reports whether the plain call failed so that no other can do better:
// nothing came back, or what came is no passing trouble.
func (p *probe) hopeless() bool {
	if len(p.Calls) == 0 {
		return false
	}
	f := p.Calls[0].reply.Fault
	return f != nil && (!f.Again || p.Calls[0].Call.Status == 0)
}

// pauses are how long to wait before each look-up of costs that are told late.
func pauses() []time.Duration {
	return []time.Duration{time.Second / 2, 2 * time.Second, 8 * time.Second}
}

// later asks for costs that are told after the call, until all are there or
// asking fails.
func (p *probe) later(ctx context.Context) {
	for _, wait := range pauses() {
		if p.failed != "" || !p.lacking() || p.o.Wait(ctx, wait) != nil {
			return
		}
		for i := range p.Calls {
			if c := &p.Calls[i]; c.late() {
				p.lookUp(ctx, c)
			}
		}
	}
}

func (p *probe) lacking() bool {
	for i := range p.Calls {
		if p.Calls[i].late() {
			return true
		}
	}
	return false
}

// late reports whether a cost may still be told.
func (c *Probed) late() bool {
	d, ok := dialectNamed(c.Call.Dialect)
	return ok && d.lookup != nil && c.reply.Fault == nil && c.Call.Cost.Gateway == nil && c.Call.Cost.Status != newel.CostZero
}

func (p *probe) lookUp(ctx context.Context, c *Probed) {
	ctx, stop := context.WithTimeout(ctx, p.o.Timeout)
	defer stop()
	later, ok, err := p.client.LookUp(ctx, c.reply.Call)
	switch {
	case err != nil:
		p.failed = err.Error()
	case ok:
		c.reply.Call, c.Call = later, hidden(later, p.client.mask)
	}
}

// sum adds up what is known of the calls so far.
func (p *probe) sum() (s ProbeCost) {
	for i := range p.Calls {
		c := p.Calls[i].Call.Cost
		if c.USD == nil {
			s.Unknown++
			continue
		}
		if !c.Exact() {
			s.Bounds++
		}
		if sum, err := s.Known.Add(*c.USD); err == nil {
			s.Known = sum
		}
	}
	return s
}

// verdict is the error of a self-test in which no call was answered.
func (p *probe) verdict(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for i := range p.Calls {
		if p.Calls[i].reply.Fault == nil {
			return nil
		}
	}
	first := p.Calls[0]
	return &ProbeError{Fault: *first.reply.Fault, Call: first.Call, Asked: len(p.Calls)}
}

// pause lets time pass.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
