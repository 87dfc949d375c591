package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"newel"
)

// How often progress is shown, on a terminal and elsewhere.
const (
	progressTerminal = 200 * time.Millisecond
	progressPlain    = 10 * time.Second
)

// progress shows how a run gets on until the returned function is called: a
// line that is written over on a terminal, plain lines elsewhere. It reads the
// store's tallies, never rows.
func (a *app) progress(ctx context.Context, store newel.Store, id string) (stop func()) {
	if a.quiet {
		return func() {}
	}
	every := progressPlain
	if a.errTTY {
		every = progressTerminal
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p := &progressLine{app: a, begin: a.now()}
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				p.clear()
				return
			case <-tick.C:
				p.show(ctx, store, id)
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

type progressLine struct {
	app   *app
	begin time.Time
	first int // items done when watching began
	seen  bool
	wrote int
}

func (p *progressLine) show(ctx context.Context, store newel.Store, id string) {
	run, err := store.Run(ctx, id)
	if err != nil {
		return
	}
	chunks, err := store.Chunks(ctx, id)
	if err != nil {
		return
	}
	var tally newel.Tally
	items := 0
	for _, c := range chunks {
		tally.Plus(c.Tally)
		items += c.Items
	}
	if !p.seen {
		p.first, p.seen = tally.Done, true
	}
	line := p.line(tally, items, !run.Plan.Digest.IsZero())
	if slices.Contains(run.Plan.Judged, true) {
		if money, err := store.Spending(ctx, id); err == nil {
			line += paidSoFar(money)
		}
	}
	p.print(line)
}

// paidSoFar says what a run has spent.
func paidSoFar(s newel.Spending) string {
	if s.Calls+s.Faults == 0 {
		return ""
	}
	amount := "$" + cents(s.Spent)
	if s.Unknown > 0 {
		amount = "≥ " + amount
	}
	if s.Budget != nil {
		amount += " of $" + s.Budget.String()
	}
	return ", " + amount
}

// cents is an amount to a hundredth of a cent, rounded down.
func cents(m newel.Money) string {
	return fmt.Sprintf("%d.%04d", m/newel.Dollar, m%newel.Dollar/(newel.Dollar/10_000))
}

// line is the progress in words.
func (p *progressLine) line(t newel.Tally, items int, planned bool) string {
	elapsed := p.app.now().Sub(p.begin)
	rate := float64(t.Done-p.first) / max(elapsed.Seconds(), 0.001)
	var b strings.Builder
	if planned && items > 0 {
		fmt.Fprintf(&b, "%d of %d (%d %%)", t.Done, items, 100*t.Done/items)
	} else {
		fmt.Fprintf(&b, "%d of %d so far, reading", t.Done, items)
	}
	fmt.Fprintf(&b, ", %.0f/s, %d failing", rate, t.Fail)
	if t.Error > 0 {
		fmt.Fprintf(&b, ", %d errors", t.Error)
	}
	if planned && rate > 0 && t.Done < items {
		left := time.Duration(float64(items-t.Done) / rate * float64(time.Second))
		fmt.Fprintf(&b, ", %s left", left.Round(time.Second))
	}
	return b.String()
}

func (p *progressLine) print(line string) {
	if !p.app.errTTY {
		fmt.Fprintln(p.app.err, "newel: "+line)
		return
	}
	fmt.Fprintf(p.app.err, "\r%s%s", line, strings.Repeat(" ", max(0, p.wrote-len(line))))
	p.wrote = len(line)
}

func (p *progressLine) clear() {
	if p.app.errTTY && p.wrote > 0 {
		fmt.Fprintf(p.app.err, "\r%s\r", strings.Repeat(" ", p.wrote))
	}
}
