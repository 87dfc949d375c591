// Package gate decides whether a finished run may pass: it reads rules from
// nodes, gathers what they need while a run's rows go by, once for the baseline
// and once for the candidate, and says of each rule passed, failed,
// inconclusive or invalid, and why.
//
// The arithmetic is package stat's. Reading runs from a store, finding the
// baseline, adding up cost and printing are left to others.
package gate

import (
	"fmt"
	"strings"

	"newel"
	"newel/stat"
)

// Kind is what a rule asks about.
type Kind uint8

const (
	MinRate   Kind = iota // {rubric: R, min: 0.99}
	MaxFails              // {rubric: R, fails: {max: 0}}
	NoWorse               // {rubric: R, no_worse_than: baseline, margin: 0.02}
	MaxErrors             // {errors: {max: 0.005}}
	MaxCost               // {cost: {max_usd: 5.00}}
	MinMean               // {mean: rubric.scorer, min: 0.7}
)

// Rule is one line of a gate. Only the fields of its kind mean anything.
type Rule struct {
	Kind    Kind
	Rubric  string // empty: MaxErrors of each rubric by itself, and MaxCost
	Scorer  string // of MinMean
	Min     float64
	Fails   int64
	Margin  float64
	Errors  float64 // share of the planned rows
	USD     newel.Money
	By      string // dimension each value of which has a rule of its own
	Level   stat.Level
	Of      stat.Basis
	Read    stat.Read
	Default bool // not written: what holds where no rule says so
	// Advisory rules are printed, and decide only when invalid.
	Advisory bool
	Pos      newel.Pos
}

// String returns the rule as people read it.
func (r Rule) String() string { return r.text(", by " + show(r.By)) }

// text returns the rule with by, where it has slices, for what tells them
// apart.
func (r Rule) text(by string) string {
	var b strings.Builder
	b.WriteString(r.asks())
	if r.By != "" {
		b.WriteString(by)
	}
	if r.statistical() {
		if r.Of == stat.Suite {
			b.WriteString(", of exactly these cases")
		}
		if r.Read == stat.ReadEstimate {
			b.WriteString(", as estimated")
		}
		if c := r.Level.Confidence; c != 0 && c != defaultConfidence {
			b.WriteString(", at " + percent(c) + " %")
		}
		if r.Level.Looks > 1 {
			fmt.Fprintf(&b, ", %d looks", r.Level.Looks)
		}
	}
	if r.Default {
		b.WriteString(" (default)")
	}
	return b.String()
}

const defaultConfidence = 0.95

// statistical says that the rule reads an estimate.
func (r Rule) statistical() bool {
	return r.Kind == MinRate || r.Kind == NoWorse || r.Kind == MinMean
}

func (r Rule) asks() string {
	name := show(r.Rubric)
	switch r.Kind {
	case MinRate:
		return name + " ≥ " + plain(r.Min)
	case MaxFails:
		if r.Fails == 0 {
			return name + ": no fail"
		}
		return name + ": at most " + counted(r.Fails, "fail", "fails")
	case NoWorse:
		return name + " no worse than baseline by more than " + plain(r.Margin)
	case MaxErrors:
		if r.Rubric == "" {
			return "errors ≤ " + plain(r.Errors) + " per rubric"
		}
		return name + ": errors ≤ " + plain(r.Errors)
	case MaxCost:
		return "cost ≤ $" + r.USD.String()
	case MinMean:
		return "mean of " + name + "." + show(r.Scorer) + " ≥ " + plain(r.Min)
	}
	return "unknown rule"
}

// ExitCode is the exit code of a gate: 0 passed, 1 failed, 4 inconclusive, and
// 3 for invalid or anything else.
func ExitCode(state newel.GateState) int { return stat.State(state).Exit() }
