package report

import "newel"

// KeptText says what a run that is not complete has paid its judges for; empty:
// nothing yet.
func KeptText(u *newel.Unfinished) string {
	if u == nil || u.Replies == 0 {
		return ""
	}
	all := outlay{usd: u.USD, unknown: u.UnknownCalls, held: u.HeldUSD}
	cost := dollars(u.USD)
	if !all.exact() {
		cost = "≥ " + atLeast(u.USD)
	}
	if u.UnknownCalls > 0 {
		cost += ", unknown for " + counted(u.UnknownCalls, "call", "calls")
	}
	cost += all.most()
	return counted(u.Replies, "reply of a judge is", "replies of judges are") + " paid for and kept (" + cost +
		"), also where no row is there yet; going on pays for none of them again"
}

// ShortText says why a budget has to be raised before a run goes on; empty: it
// has not.
func ShortText(u *newel.Unfinished) string {
	if u == nil || !u.Short || u.Budget == nil {
		return ""
	}
	text := "too little is left of the budget of " + dollars(*u.Budget) + ": " + dollars(u.USD) + " is spent"
	if u.HeldUSD > 0 {
		text += ", and what is not known comes to at most " + u.HeldUSD.AtMost()
	}
	if u.Enough == nil || u.ItemUSD == nil {
		return text
	}
	return text + ". " + dollars(*u.Enough) + " is an estimate of what it takes in all: " + counted(u.Items, "item is", "items are") + " left, at about " +
		dollars(*u.ItemUSD) + " an item, and the last call has to be held at its worst price"
}

// keptLines is both as lines of their own.
func keptLines(sum *newel.Summary) string {
	out := ""
	for _, text := range []string{KeptText(sum.Unfinished), ShortText(sum.Unfinished)} {
		if text != "" {
			out += "\n" + text
		}
	}
	return out
}
