package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"newel/bench/upstream"
)

// level is a number of calls that an upstream lets in at a time, and what
// became of it: how much of it was used, and which share of the calls was
// refused, once the run had settled.
type level struct {
	room              int
	settles, measured time.Duration
	used, refused     float64
}

// levels are let in one after another.
func levels() []level {
	return []level{
		{room: 20, settles: 4 * time.Second, measured: 4 * time.Second},
		{room: 60, settles: 10 * time.Second, measured: 5 * time.Second},
		{room: 10, settles: 10 * time.Second, measured: 5 * time.Second},
	}
}

// capacityLatency is what each call takes.
const capacityLatency = 250 * time.Millisecond

// measureCapacity runs a suite that names no number in flight, over an upstream
// whose room changes. The run is stopped when all levels are seen.
func (p programs) measureCapacity(ctx context.Context, o options) ([]level, error) {
	j := judged{cases: 10_000}
	data, err := judgedCases(o, j)
	if err != nil {
		return nil, err
	}
	all := levels()
	far, err := p.listen(ctx, capacityLatency, "-retry-after=0", "-capacity="+capacityOf(all))
	if err != nil {
		return nil, err
	}
	defer far.close()
	c := exec.CommandContext(ctx, p.newel, "run", filepath.Join(data, j.suiteFile()), "--json", "--quiet", "--store=sqlite:"+filepath.Join(p.dir, "capacity.db"))
	c.Env = append(os.Environ(), gatewayVariable+"="+far.url)
	if err := c.Start(); err != nil {
		return nil, err
	}
	err = far.watch(ctx, all)
	_ = c.Process.Signal(os.Interrupt) // fails where it has ended, which watch has noticed
	_ = c.Wait()
	return all, err
}

// capacityOf writes levels as the upstream takes them.
func capacityOf(all []level) string {
	var parts []string
	for _, l := range all {
		parts = append(parts, fmt.Sprintf("%d:%s", l.room, l.settles+l.measured))
	}
	return strings.Join(parts, ",")
}

// watch counts level by level, from the first call on.
func (f *farEnd) watch(ctx context.Context, all []level) error {
	begun := time.Now()
	for first := (upstream.Counts{}); first.Requests == 0; {
		if time.Since(begun) > time.Minute {
			return fmt.Errorf("capacity: nobody has asked in a minute")
		}
		if err := sleep(ctx, 5*time.Millisecond); err != nil {
			return err
		}
		var err error
		if first, err = f.counts(); err != nil {
			return err
		}
	}
	next := time.Now()
	for i := range all {
		l := &all[i]
		from, err := f.countsAt(ctx, next.Add(l.settles))
		if err != nil {
			return err
		}
		next = next.Add(l.settles + l.measured)
		to, err := f.countsAt(ctx, next)
		if err != nil {
			return err
		}
		asked := to.Requests - from.Requests
		if asked == 0 {
			return fmt.Errorf("capacity: nobody asks when %d calls at a time are let in", l.room)
		}
		l.used = float64(to.Paid-from.Paid) * capacityLatency.Seconds() / (float64(l.room) * l.measured.Seconds())
		l.refused = float64(to.Full-from.Full) / float64(asked)
	}
	return nil
}

// countsAt waits for a moment and counts.
func (f *farEnd) countsAt(ctx context.Context, at time.Time) (upstream.Counts, error) {
	if err := sleep(ctx, time.Until(at)); err != nil {
		return upstream.Counts{}, err
	}
	return f.counts()
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
