package report

import (
	"encoding/json"
	"io"
	"strconv"

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
	name := ""
	for i := range rows {
		r := &rows[i]
		if i == 0 || shownAs(r) != name {
			if i > 0 {
				p.line("")
			}
			name = shownAs(r)
			p.itemHead(r)
			if s := seen[r.Item]; s != nil {
				p.subject(s)
			}
		}
		p.climb(r)
	}
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
		if s.Error != nil {
			text += ", " + Visible(s.Error.Error())
		}
		if s.Explanation != "" {
			text += ", " + Visible(s.Explanation)
		}
		lines := 3
		if p.verbose {
			lines = 0
		}
		p.item("  "+label+pad(label, 10), verdictTone(s.Verdict), text, lines)
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
	if r.Inclusion != nil {
		text += "; drawn for the judge with probability " + strconv.FormatFloat(*r.Inclusion, 'g', -1, 64)
	}
	if a := r.Audit; a != nil {
		text += "; audit: the " + Visible(a.Layer) + " said " + Visible(a.Verdict)
		if a.Value != nil {
			text += " (" + a.Value.String() + ")"
		}
	}
	return text
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

// callRecord is what a climb shows of the record of a call. Fields that are not
// there are not known.
type callRecord struct {
	Key       string   `json:"call_key"`
	Gateway   string   `json:"gateway"`
	Requested string   `json:"model_requested"`
	Used      string   `json:"model_used"`
	Outcome   string   `json:"outcome"`
	Pico      *int64   `json:"cost_pusd"`
	Status    string   `json:"cost_status"`
	Latency   *float64 `json:"latency_client_ms"`
	Attempts  *int     `json:"upstream_attempts"`
	Cache     string   `json:"gateway_cache"`
}

// call shows one call; a record that is not understood is shown as it is.
func (p *page) call(raw newel.Raw) {
	var c callRecord
	if err := json.Unmarshal(raw, &c); err != nil || c.Key == "" {
		p.item("  call"+pad("call", 10), dim, Visible(clip(string(raw), rowEvidenceLength)), 0)
		return
	}
	p.item("  call"+pad("call", 10), dim, Visible(c.Key)+callFacts(&c), 0)
}

func callFacts(c *callRecord) string {
	text := ""
	for _, part := range [...]string{c.Gateway, c.Requested} {
		if part != "" {
			text += " · " + Visible(part)
		}
	}
	if c.Used != "" && c.Used != c.Requested {
		text += " · answered by " + Visible(c.Used)
	}
	if c.Outcome != "" {
		text += " · " + Visible(c.Outcome)
	}
	if c.Pico != nil {
		text += " · " + dollars(newel.Money(*c.Pico))
	} else {
		text += " · cost unknown"
	}
	if c.Latency != nil {
		text += " · " + span(int64(*c.Latency))
	}
	if c.Attempts != nil {
		text += " · " + counted(*c.Attempts, "attempt", "attempts")
	}
	if c.Cache != "" {
		text += " · cache " + Visible(c.Cache)
	}
	return text
}
