package report

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"newel"
)

// ClimbText writes the climb of one case: for each of its rows every layer in
// turn with its scorers, who decided, the audit, and the calls with their keys.
// Each trial and combination of the matrix has a head of its own, with what was
// scored where seen has it by Row.Item; seen may be nil.
func ClimbText(w io.Writer, rows []newel.Row, seen map[string]*Subject, opt TextOptions) error {
	p := newPage(w, opt)
	if len(rows) == 0 {
		p.line("no such case in this run")
	}
	first := 0 // row of the item
	for i := range rows {
		r := &rows[i]
		if i == 0 || shownAs(r) != shownAs(&rows[first]) {
			if i > 0 {
				p.itemCost(rows[first:i])
				p.line("")
			}
			first = i
			p.itemHead(r)
			if s := seen[r.Item]; s != nil {
				p.subject(s)
			}
		}
		p.climb(r)
	}
	p.itemCost(rows[first:])
	return p.close()
}

// itemHead names the item that the rows below belong to.
func (p *page) itemHead(r *newel.Row) {
	p.para(0, bold, Visible(shownAs(r)), 0)
	p.item("item", plainTone, Visible(r.Item), 0)
	if len(r.Dims) > 0 {
		p.item("dims", plainTone, pairs(r.Dims), 0)
	}
	if r.Quarantined {
		p.item("note", unsure, "in quarantine: counted apart, in no rate and no rule", 0)
	}
}

func (p *page) climb(r *newel.Row) {
	p.line("")
	p.line("  " + p.tint(bold, fit(Visible(r.Rubric), p.width-16)) + "  " + p.tint(verdictTone(r.Verdict), fit(Visible(r.Verdict), 12)))
	for _, layer := range [...]newel.Layer{newel.Floor, newel.Classifier, newel.Judge} {
		p.rung(r, layer.String())
	}
	p.rung(r, "")
	p.para(4, plainTone, "→ "+decision(r), 0)
	if r.Explanation != "" {
		p.why(r.Explanation)
	}
	p.evidence(r.Evidence)
	for _, call := range r.Calls {
		p.call(call)
	}
	if cost := rowCost(r); cost != "" {
		p.item("  cost"+pad("cost", 10), plainTone, cost, 0)
	}
}

// rung shows the scorers of one layer.
func (p *page) rung(r *newel.Row, layer string) {
	label := layer
	if layer == "" {
		label = "other"
	}
	for _, s := range r.Scores {
		if s.Layer != layer {
			continue
		}
		text := Visible(s.Scorer) + ": " + Visible(s.Verdict)
		if s.Value != nil {
			text += ", value " + s.Value.String()
		}
		if s.Choice != "" {
			text += ", choice " + Visible(s.Choice)
		}
		if s.Error != nil {
			text += ", " + s.Error.Error()
		}
		if s.Explanation != "" {
			text += ", " + s.Explanation
		}
		lines := 3
		if p.verbose {
			lines = 0
		}
		p.dataItem("  "+label+pad(label, 10), verdictTone(s.Verdict), text, lines)
	}
}

// pad returns the blanks that bring an ASCII label to width.
func pad(label string, width int) string {
	return "            "[:max(0, min(12, width-len(label)))]
}

// decision says who decided and how the judge came to see the row.
func decision(r *newel.Row) string {
	text := Visible(r.Verdict)
	switch {
	case r.Error != nil:
		text += ": " + Visible(r.Error.Error())
	case r.Reason == newel.Undrawn:
		text += ": the sample left it out"
	case r.Reason == newel.NoLayerReason:
		text += ": no layer could decide"
	case r.Reason != "":
		text += ": " + Visible(r.Reason)
	case r.Layer != "":
		text += ", decided by the " + Visible(r.Layer)
	}
	text += valueFacts(r)
	text += drawn(r)
	if a := r.Audit; a != nil {
		text += "; audit: the " + Visible(a.Layer) + " said " + Visible(a.Verdict)
		if a.Value != nil {
			text += " (" + a.Value.String() + ")"
		}
	}
	return text
}

// drawn says how a row of a rubric with a judge came to be seen by it, or not.
func drawn(r *newel.Row) string {
	if r.Inclusion == nil || *r.Inclusion == 0 && r.Error != nil {
		return "" // a layer below broke, or there is no judge
	}
	chance := " (probability " + strconv.FormatFloat(*r.Inclusion, 'g', -1, 64) + ")"
	judged := slices.ContainsFunc(r.Scores, func(s newel.RowScore) bool { return s.Layer == newel.Judge.String() })
	switch {
	case judged && r.Audit != nil:
		return "; audited" + chance
	case judged && *r.Inclusion < 1:
		return "; judged" + chance
	case judged:
		return "; judged"
	case r.Reason == newel.Undrawn:
		return "; not drawn" + chance
	}
	return "; not drawn for the audit" + chance
}

func valueFacts(r *newel.Row) string {
	text := ""
	if r.Value != nil {
		text += ", value " + r.Value.String()
	}
	if r.Choice != "" {
		text += ", choice " + Visible(r.Choice)
	}
	return text
}

// call shows one call; a record that is not understood is shown as it is.
func (p *page) call(raw newel.Raw) {
	var c newel.ToldCall
	if err := json.Unmarshal(raw, &c); err != nil || c.Key.IsZero() {
		p.item("  call"+pad("call", 10), dim, Visible(clip(string(raw), rowEvidenceLength)), 0)
		return
	}
	p.item("  call"+pad("call", 10), dim, c.Key.String()+callFacts(&c.Call), 0)
	p.item("  "+pad("", 10), dim, payer(&c.Call), 0)
	p.exchange(&c)
}

// payer says who paid for a call, and why it was paid for again.
func payer(c *newel.Call) string {
	if c.Reused != nil {
		return "the reply was in the journal: " + Visible(c.Reused.Run) + " paid " + charge(&c.Reused.Cost) + " for it on " +
			c.Reused.At.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	text := "paid for by this run"
	if a := c.Anew; a != nil {
		text += ", though " + Visible(a.Run) + " judged the same: " + Visible(strings.Join(a.Why, "; "))
	}
	return text
}

func callFacts(c *newel.Call) string {
	facts := []string{Visible(c.Gateway), Visible(c.ModelAsked)}
	if c.ModelUsed != "" && c.ModelUsed != c.ModelAsked {
		facts = append(facts, "answered by "+Visible(c.ModelUsed))
	}
	facts = append(facts, Visible(c.Outcome), callCost(c))
	if c.Reused == nil {
		facts = append(facts, span(int64(c.ClientMS)))
	}
	if c.Attempts > 1 {
		facts = append(facts, counted(c.Attempts, "attempt", "attempts"))
	}
	if c.Fallback == "yes" {
		facts = append(facts, "fallback")
	}
	if c.Guardrail != "" && c.Guardrail != "none" && c.Guardrail != "unknown" {
		facts = append(facts, "guardrail "+Visible(c.Guardrail))
	}
	if c.Cache != "" && c.Cache != "unknown" && c.Cache != "miss" {
		facts = append(facts, "gateway's cache: "+Visible(c.Cache))
	}
	text := ""
	for _, fact := range facts {
		if fact != "" {
			text += " · " + fact
		}
	}
	return text
}

// callCost is what a call cost.
func callCost(c *newel.Call) string {
	if c.PartlyKnown() && c.Cost.Held == 0 {
		return "≥ " + atLeast(*c.Cost.USD) + ", unknown for earlier attempts"
	}
	return charge(&c.Cost)
}

// charge is a call's cost with how it is known.
func charge(c *newel.Charge) string {
	switch {
	case c.USD == nil:
		if c.Held > 0 {
			return "cost unknown, at most " + c.Held.AtMost()
		}
		return "cost unknown"
	case c.Status == newel.CostLowerBound:
		return "≥ " + atLeast(*c.USD)
	case c.Status == newel.CostUpperBound:
		return "≤ " + dollars(*c.USD)
	}
	how := " (" + Visible(strings.ReplaceAll(c.Status, "_", " ")) + ")"
	if c.Held > 0 {
		return "≥ " + atLeast(*c.USD) + how + ", at most " + c.Held.AtMost() + " more"
	}
	return dollars(*c.USD) + how
}
