package paid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"newel"
)

// Waits before another attempt.
const (
	backoffLeast = 500 * time.Millisecond
	backoffMost  = 30 * time.Second
	timeoutWhen  = time.Minute // where a question has none
)

// mostTries is how many failed attempts are told one by one.
const mostTries = 100

// call is a question on its way: attempts, and what they cost.
type call struct {
	a       *Account
	q       *Question
	w       *waiter
	wanted  time.Time
	sent    time.Time // the last attempt
	took    time.Duration
	good    bool // its reply could be read
	intents [][16]byte
	covered bool     // the last intent is of an attempt that was not made, or cost nothing
	failed  *Attempt // the last one, while it is not known whether another follows
	bill    bill     // of the attempts before it, as tries are
	tries   []newel.Attempt
	made    int // attempts
	retried int
	refused time.Time // since when it meets only refusals; zero: it does not
}

// pay makes a call: reserve, take a slot, send, and again where that may help.
func (a *Account) pay(ctx context.Context, q Question) (Answer, error) {
	c := &call{a: a, q: &q, wanted: a.o.Clock()}
	var err error
	if c.w, err = a.lanes.letIn(ctx, q.Lane, q.Tokens); err != nil {
		return Answer{}, err
	}
	defer a.lanes.out(c.w)
	for {
		got, err := c.attempt(ctx)
		if err != nil {
			return Answer{}, c.give(ctx, err)
		}
		if got.Fault == nil {
			// No slot is held while the journal writes. What a kill may lose is
			// bounded by letIn: calls that have a slot and those ahead of it.
			a.lanes.done(c.w, c.met(got))
			return c.settle(ctx, got)
		}
		since := a.lanes.done(c.w, c.met(got))
		pause, again := c.again(got.Fault, since)
		if !again {
			return c.fail(ctx, got)
		}
		c.hold(got)
		if pause > 0 && a.o.Wait(ctx, pause) != nil {
			return Answer{}, c.give(ctx, stopped(ctx))
		}
	}
}

// attempt sends once, when there is money and a slot for it.
func (c *call) attempt(ctx context.Context) (got Attempt, err error) {
	if err := c.cover(ctx); err != nil {
		return got, err
	}
	if err := c.a.lanes.take(ctx, c.w); err != nil {
		return got, err
	}
	c.note()
	return c.send(ctx), nil
}

// cover sees to it that there is an intent for the next attempt.
func (c *call) cover(ctx context.Context) error {
	if c.covered {
		return nil
	}
	in := c.a.intent(c.q)
	if err := c.a.desk.reserve(ctx, in, len(c.intents) > 0); err != nil {
		return err
	}
	c.intents = append(c.intents, in.ID)
	c.covered = true
	return nil
}

func (c *call) send(ctx context.Context) Attempt {
	timeout := c.q.Timeout
	if timeout <= 0 {
		timeout = timeoutWhen
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	c.a.counted.attempts.Add(1)
	c.made++
	c.sent = c.a.o.Clock()
	got := c.ask(ctx)
	c.took = c.a.o.Clock().Sub(c.sent)
	if got.Fault == nil && got.Reply == nil {
		got.Fault = &Fault{Kind: newel.KindInternal, Message: "there is neither a reply nor a fault", MayCost: true}
	}
	if got.Fault != nil {
		got.Reply = nil
	}
	return got
}

// ask calls what its asker brought along. Above, a panic ends one row and not
// the run: here it must not take slot and money with it.
func (c *call) ask(ctx context.Context) (got Attempt) {
	defer func() {
		if cause := recover(); cause != nil {
			got.Reply, got.Fault = nil, &Fault{Kind: newel.KindInternal, Message: fmt.Sprintf("panic: %v", cause), MayCost: true}
		}
	}()
	got = c.q.Send(ctx)
	c.good = got.Reply != nil && (c.q.Reads == nil || c.q.Reads(got.Reply))
	return got
}

// met says what the lane is to learn from an attempt.
func (c *call) met(got Attempt) outcome {
	o := outcome{met: replied, used: used(got.Call.Usage), took: c.took}
	switch f := got.Fault; {
	case f == nil && c.made > 1:
		o.met = repliedLate
	case f == nil:
	case f.Throttled:
		o.met, o.after = refused, f.After
		if o.used < 0 && !f.MayCost {
			o.used = 0
		}
	case f.Again:
		o.met = stumbled
	default:
		o.met = repliedLate // the far end is well; it is the call that is not
	}
	return o
}

// used returns the tokens that an attempt used; -1: unknown.
func used(u newel.Usage) int64 {
	if u.Input == nil || u.Output == nil {
		return -1
	}
	return *u.Input + *u.Output
}

// again decides whether there is another attempt, and how long it waits besides
// the lane's own pause.
func (c *call) again(f *Fault, since time.Time) (time.Duration, bool) {
	patience := c.a.o.Patience
	if !f.Throttled {
		c.refused = time.Time{}
		if !f.Again || c.retried >= c.q.Retries || f.After > patience {
			return 0, false
		}
		return c.backoff(f.After), true
	}
	now := c.a.o.Clock()
	if c.refused.IsZero() {
		c.refused = now
	}
	if since.IsZero() || c.refused.Before(since) {
		since = c.refused
	}
	return 0, f.After <= patience && now.Sub(since) < patience
}

// backoff doubles from half a second; a part of it is chance, so that calls
// that failed together do not come back together.
func (c *call) backoff(after time.Duration) time.Duration {
	d := min(backoffLeast<<min(c.retried, 10), backoffMost)
	d = d/2 + time.Duration(c.a.o.Random()*float64(d)/2)
	return max(d, after)
}

// hold keeps an attempt that is to be followed by another.
func (c *call) hold(got Attempt) {
	if got.Fault.Throttled {
		c.a.counted.throttled.Add(1)
	} else {
		c.retried++
		c.a.counted.retried.Add(1)
	}
	if got.Call.ClientMS == 0 {
		got.Call.ClientMS = milliseconds(c.took)
	}
	c.failed = &got
	c.covered = amountOf(c.q, got).free()
}

// note adds the attempt that failed to those before the one that is made now.
func (c *call) note() {
	if c.failed == nil {
		return
	}
	got, amount := *c.failed, amountOf(c.q, *c.failed)
	c.failed = nil
	c.bill.add(amount)
	if len(c.tries) >= mostTries && amount.free() {
		return // one that is refused for many minutes would tell nothing else
	}
	c.tries = append(c.tries, newel.Attempt{Status: got.Call.Status, Outcome: outcomeOf(got),
		ClientMS: got.Call.ClientMS, MayCost: amount.cost == nil})
}

// settle commits a reply.
func (c *call) settle(ctx context.Context, got Attempt) (Answer, error) {
	decides, err := c.commit(ctx, got, newel.Entry{Reply: got.Reply, Good: c.good})
	if err != nil {
		return Answer{}, err
	}
	c.a.counted.calls.Add(1)
	return c.a.answerOf(decides), nil
}

// fail commits the fault that is left.
func (c *call) fail(ctx context.Context, got Attempt) (Answer, error) {
	f := got.Fault
	if f.Throttled {
		c.a.counted.throttled.Add(1)
	}
	text := f.Message
	if f.Throttled {
		text = fmt.Sprintf("%s: refused because of a limit for %s in %d attempts", text,
			c.a.o.Clock().Sub(c.refused).Round(time.Second), c.made)
		if f.After > 0 {
			text += fmt.Sprintf("; it wants to be left alone for %s more", f.After.Round(time.Second))
		}
	}
	fault := &newel.ScoreError{Kind: f.Kind, Message: text}
	got.Call.Error, got.Call.Final = fault, newel.IsLastPass(ctx) || !f.Kind.Retryable()
	e, err := c.commit(ctx, got, newel.Entry{Fault: true})
	if err != nil {
		return Answer{}, err
	}
	c.a.counted.faults.Add(1)
	answer := Answer{Fault: fault, Ref: newel.CallRef{Key: c.q.Key, Seq: e.Seq}}
	if got.Call.Final {
		c.a.final.keep(answer)
	}
	return answer, nil
}

// commit settles the call with all its attempts, and has an unknown cost asked
// for later.
func (c *call) commit(ctx context.Context, last Attempt, e newel.Entry) (newel.Entry, error) {
	b := c.bill
	amount := amountOf(c.q, last)
	record := c.record(last)
	e.Key, e.Run, e.At = c.q.Key, c.a.o.Run, c.a.o.Clock()
	e.Cost, e.Held = b.close(&record.Cost, amount)
	var err error
	if e.Call, err = encode(record); err != nil {
		return e, err
	}
	decides, err := c.a.o.Journal.Settle(context.WithoutCancel(ctx), e, c.intents)
	c.a.desk.over()
	if err != nil {
		return e, fmt.Errorf("keep what was paid for: %w", err)
	}
	c.a.counted.bill(e)
	if e.Cost == nil && bytes.Equal(decides.Call, e.Call) { // of a surplus the number is not known
		c.a.late.want(e, record, b)
	}
	return decides, nil
}

// give ends a call before its next attempt: for lack of money, or because the
// run stops. What earlier attempts may have cost is kept.
func (c *call) give(ctx context.Context, why error) error {
	if len(c.intents) == 0 {
		return why
	}
	if c.failed == nil || c.bill.empty() && amountOf(c.q, *c.failed).free() {
		err := c.a.o.Journal.Release(context.WithoutCancel(ctx), c.a.o.Run, c.intents)
		c.a.desk.over()
		if err != nil {
			return errors.Join(why, fmt.Errorf("release what was reserved: %w", err))
		}
		return why
	}
	last := *c.failed
	last.Call.Notes = append(slices.Clip(last.Call.Notes), "given up: "+why.Error())
	if _, err := c.commit(ctx, last, newel.Entry{Fault: true}); err != nil {
		return errors.Join(why, err)
	}
	return why
}
