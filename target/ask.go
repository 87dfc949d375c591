package target

import (
	"context"
	"fmt"
	"time"

	"newel"
)

// ask gets an item's output, in as many requests as its case has turns.
// Latency counts from the first attempt and holds retries and their waits, not
// the wait for a free slot; run.latency_ms is that of the attempts that were
// answered.
func (t *Target) ask(ctx context.Context, it *newel.Item) newel.Fetched {
	select {
	case t.slots <- struct{}{}:
		defer func() { <-t.slots }()
	case <-ctx.Done():
	}
	if ctx.Err() != nil { // also where a slot was free
		return newel.Fetched{Err: t.scrubbed(stopped(ctx))}
	}
	start := t.env.Now()
	c := &conversation{target: t, run: map[string]any{}}
	f := c.hold(ctx, it)
	if ctx.Err() != nil {
		t.kind.cancelled()
	}
	answer := newel.Fetched{Asked: start, Latency: t.env.Now().Sub(start), Err: t.scrubbed(f)}
	if c.attempts > 0 {
		answer.Run = c.runJSON()
	}
	if f == nil {
		answer.Output, answer.Context = c.output, c.contextJSON()
	}
	return answer
}

func stopped(ctx context.Context) *fault {
	return &fault{kind: newel.KindTarget, text: fmt.Sprintf("stopped: %v", context.Cause(ctx))}
}

// scrubbed turns a fault into an error without secrets, nil for nil.
func (t *Target) scrubbed(f *fault) *newel.ScoreError {
	if f == nil {
		return nil
	}
	return &newel.ScoreError{Kind: f.kind, Message: clip(t.secrets.Mask(f.text + f.detail))}
}

// conversation is one item's exchange with its target.
type conversation struct {
	target   *Target
	attempts int           // requests sent
	answered int           // requests answered
	latency  time.Duration // of those
	history  []any
	output   newel.Raw
	context  []any
	run      map[string]any
}

// hold sends the opening, then each turn. Without turns the output is the
// reply, with turns all messages.
func (c *conversation) hold(ctx context.Context, it *newel.Item) *fault {
	sc := &scope{subject: newel.NewSubject(it)}
	var f *fault
	if c.history, f = c.target.kind.opening(sc); f != nil {
		return f
	}
	turns := it.Case.Turns
	if len(turns) == 0 {
		return c.exchange(ctx, sc)
	}
	total := len(turns)
	if lastRole(c.history) == "user" {
		total++
		if f := c.exchange(ctx, sc); f != nil {
			return f.in("turn 1 of %d", total)
		}
	}
	for i, text := range turns {
		n := total - len(turns) + i + 1
		if n > 1 && len(callsIn(c.history)) > 0 {
			return &fault{kind: newel.KindProtocol, text: fmt.Sprintf(
				"turn %d of %d was answered with tool calls, and nobody here runs them: let the target do so, or ask for one turn", n-1, total)}
		}
		c.history = append(c.history, message("user", text))
		if f := c.exchange(ctx, sc); f != nil {
			return f.in("turn %d of %d", n, total)
		}
	}
	var err error
	if c.output, err = newel.CanonicalOf(c.history); err != nil {
		return &fault{kind: newel.KindProtocol, text: err.Error()}
	}
	return nil
}

func (f *fault) in(format string, args ...any) *fault {
	f.text = fmt.Sprintf(format, args...) + ": " + f.text
	return f
}

// exchange sends what was said so far and adds the reply.
func (c *conversation) exchange(ctx context.Context, sc *scope) *fault {
	sc.messages, sc.turn = c.history, lastUserText(c.history)
	r, f := c.insist(ctx, sc)
	if f == nil {
		f = c.target.secrets.mask(r)
	}
	if f != nil {
		return f
	}
	c.output = r.output
	if r.context != nil && c.context == nil {
		c.context = []any{}
	}
	c.context = append(c.context, r.context...)
	addRun(c.run, r.run, c.answered == 0)
	c.answered++
	answer, err := assistantMessage(r.output)
	if err != nil {
		return &fault{kind: newel.KindProtocol, text: err.Error()}
	}
	c.history = append(c.history, answer)
	return nil
}

func (c *conversation) contextJSON() newel.Raw {
	if c.context == nil {
		return nil
	}
	raw, _ := newel.CanonicalOf(c.context) // decoded JSON always encodes
	return raw
}

// runJSON describes the calls: what the target told, and our own latency where
// it told none.
func (c *conversation) runJSON() newel.Raw {
	if _, told := c.run["latency_ms"]; !told {
		c.run["latency_ms"] = float64(c.latency.Microseconds()) / 1000
	}
	c.run["attempts"] = c.attempts
	raw, _ := newel.CanonicalOf(c.run)
	return raw
}
