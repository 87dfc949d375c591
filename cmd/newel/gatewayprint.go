package main

import (
	"fmt"
	"strconv"
	"strings"

	"newel/gateway"
	"newel/report"
)

// printCoverage writes what a probe found out, as text or JSON.
func (a *app) printCoverage(c gateway.Coverage) error {
	if a.json {
		return writeJSON(a.out, c)
	}
	_, err := a.out.Write([]byte(coverageText(c, a.columns())))
	return err
}

// columns is how wide text may be.
func (a *app) columns() int {
	width := a.width
	if text, _ := a.env("COLUMNS"); width == 0 && text != "" {
		width, _ = strconv.Atoi(text)
	}
	if width <= 0 {
		return 100
	}
	return max(width, 60)
}

// coverageText lays a coverage out: facts, then calls, then the bill.
func coverageText(c gateway.Coverage, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, asked for %s\n\n", report.Visible(c.URL), report.Visible(c.Model))
	for _, f := range c.Facts {
		line(&b, fmt.Sprintf("  %-17s  %-8s  ", f.Name, f.Told), f.About, width)
	}
	b.WriteString("\n")
	for _, p := range c.Calls {
		about := p.Call.Outcome + ", " + chargeText(p)
		if p.Error != "" {
			about += ": " + p.Error
		}
		line(&b, fmt.Sprintf("  %-17s  ", p.Name), about, width)
	}
	for _, l := range c.Left {
		line(&b, fmt.Sprintf("  %-17s  ", l.Name), "not asked: "+l.Why, width)
	}
	b.WriteString("\n" + billText(c) + "\n")
	return b.String()
}

// chargeText is what one call cost.
func chargeText(p gateway.Probed) string {
	cost := p.Call.Cost
	if cost.USD == nil {
		return "cost unknown"
	}
	return "$" + cost.USD.String() + " " + strings.ReplaceAll(cost.Status, "_", " ")
}

// billText is what all of them cost.
func billText(c gateway.Coverage) string {
	n := len(c.Calls)
	text := fmt.Sprintf("This probe cost $%s in %s", c.Cost.Known, counted(n, "call"))
	switch {
	case c.Cost.Unknown == n:
		text = fmt.Sprintf("What this probe cost is unknown: no gateway and no price told it of any of its %s", counted(n, "call"))
	case c.Cost.Unknown > 0:
		text = fmt.Sprintf("This probe cost $%s in %s, and an unknown amount in %d more", c.Cost.Known, counted(n-c.Cost.Unknown, "call"), c.Cost.Unknown)
	}
	if c.Cost.Bounds > 0 {
		text += fmt.Sprintf(", %d of them by a bound only", c.Cost.Bounds)
	}
	if c.Worst == nil {
		return text + "; there is no price to bound it by."
	}
	return text + fmt.Sprintf("; at worst it might have been $%s.", c.Worst)
}

// line writes a text of the far end after a head, broken to fit below itself.
func line(b *strings.Builder, head, text string, width int) {
	used := 0
	b.WriteString(head)
	for i, word := range strings.Fields(report.Visible(text)) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case len(head)+used+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", len(head)))
			used = 0
		default:
			b.WriteString(" ")
			used++
		}
		b.WriteString(word)
		used += n
	}
	b.WriteString("\n")
}
