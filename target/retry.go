package target

import (
	"context"
	"errors"
	"fmt"
	"time"

	"newel"
)

const (
	firstPause = 500 * time.Millisecond
	maxPause   = 30 * time.Second
	// maxAfter is how long a target may ask to be left alone. Beyond it the
	// item is left for the run's last pass.
	maxAfter = 2 * time.Minute
)

var errTimeout = errors.New("the attempt took too long")

// insist makes attempts until one is answered, none may help, the retries are
// used up or ctx is done. It is the only place that retries.
func (c *conversation) insist(ctx context.Context, sc *scope) (*reply, *fault) {
	t := c.target
	for attempt := 1; ; attempt++ {
		r, f := c.once(ctx, sc)
		switch {
		case f == nil:
			return r, nil
		case !f.again:
			return nil, f
		case ctx.Err() != nil:
			return nil, stopped(ctx)
		case f.after > maxAfter:
			f.text += fmt.Sprintf(" (it wants to be left alone for %v)", f.after)
			return nil, f
		case attempt > t.retries:
			return nil, counted(f, attempt)
		}
		if err := t.env.Wait(ctx, pause(attempt, f.after, t.env.Random())); err != nil {
			return nil, stopped(ctx)
		}
	}
}

func counted(f *fault, attempts int) *fault {
	if attempts > 1 {
		f.text = fmt.Sprintf("%s (after %d attempts)", f.text, attempts)
	}
	return f
}

// once makes one attempt within the target's timeout. It is finished also when
// ctx is done meanwhile: it may have been paid for.
func (c *conversation) once(ctx context.Context, sc *scope) (*reply, *fault) {
	t := c.target
	c.attempts++
	limited, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), t.timeout, errTimeout)
	defer cancel()
	start := t.env.Now()
	r, f := t.kind.ask(limited, sc)
	if f != nil {
		if f.again && errors.Is(context.Cause(limited), errTimeout) {
			f = &fault{kind: newel.KindTimeout, text: fmt.Sprintf("no answer within %v", t.timeout), detail: f.detail, again: true}
		}
		return nil, f
	}
	c.latency += t.env.Now().Sub(start)
	return r, nil
}

// pause doubles with each attempt, half of it by chance so that items which
// failed together do not come back together. A wait that the target asked for
// is kept and spread by up to a tenth.
func pause(attempt int, after time.Duration, random float64) time.Duration {
	if after > 0 {
		return after + time.Duration(random*float64(after)/10)
	}
	d := maxPause
	if attempt < 7 {
		d = min(firstPause<<(attempt-1), maxPause)
	}
	return d/2 + time.Duration(random*float64(d)/2)
}
