package report

import (
	"strings"

	"newel"
)

// outlay is what a group of calls cost, and what of it is not known. Every report
// says it in these words.
type outlay struct {
	usd     newel.Money
	calls   int
	unknown int // of calls: those whose cost nobody told
	partly  int // of calls: those of which earlier attempts may have been billed too
	lost    int // attempts that are under way, or were lost with their process
	// held is what is not known comes to at most, as far as that is bounded; open
	// says that some of it is not.
	held newel.Money
	open bool
}

// exact reports whether all is known.
func (o outlay) exact() bool {
	return o.unknown+o.partly+o.lost == 0 && o.held == 0 && !o.open
}

// amount is the known part: exact, a lower end, or unknown.
func (o outlay) amount() string {
	switch {
	case o.exact():
		return dollars(o.usd)
	case o.usd == 0 && o.unknown > 0:
		return "unknown"
	}
	return "≥ " + atLeast(o.usd)
}

// String is the amount, of how much it is not known, and what that comes to at
// most.
func (o outlay) String() string {
	amount := o.amount()
	if amount == "unknown" {
		return strings.TrimPrefix(o.rest(), ", ")
	}
	return amount + o.rest()
}

// rest says what is not known; nothing where all is.
func (o outlay) rest() string {
	text := o.gaps()
	if o.lost > 0 {
		text += ", " + counted(o.lost, "attempt", "attempts") + " under way or lost"
	}
	return text + o.most()
}

// gaps says of how many calls the cost is not known.
func (o outlay) gaps() string {
	var parts []string
	if o.unknown > 0 {
		parts = append(parts, "for "+count(o.unknown))
	}
	if o.partly > 0 {
		parts = append(parts, "in part for "+count(o.partly))
	}
	if parts == nil {
		return ""
	}
	return ", unknown " + strings.Join(parts, " and ") + " of " + counted(o.calls, "call", "calls")
}

// most says what is not known comes to at most.
func (o outlay) most() string {
	switch {
	case o.held == 0:
		return ""
	case o.open:
		return ", at most " + o.held.AtMost() + " more where the price is known"
	}
	return ", at most " + o.held.AtMost() + " more"
}

// outlayOf is what a run cost.
func outlayOf(c *newel.Cost) outlay {
	return outlay{usd: c.USD, calls: c.Calls + c.TargetCalls, unknown: c.UnknownCalls, partly: c.PartlyKnown, lost: c.Lost, held: c.UnknownAtMost, open: c.Unbounded}
}

// callsText counts calls as every report does: those that were paid for, and the
// replies that were there without.
func callsText(paid, earlier, shared int) string {
	return counted(paid, "paid call", "paid calls") + thereText(earlier, shared)
}

// thereText counts the replies that were there already; nothing where there were
// none.
func thereText(earlier, shared int) string {
	if earlier+shared == 0 {
		return ""
	}
	return "; " + count(earlier+shared) + " more answered by replies that were there (" + count(earlier) + " of earlier runs, " + count(shared) + " of other rows)"
}
