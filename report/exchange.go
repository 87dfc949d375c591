package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"newel"
)

// PlannedRow is what a judge would be asked about an item.
type PlannedRow struct {
	Item   string        `json:"item"` // as people read it
	Rubric string        `json:"rubric"`
	Asked  bool          `json:"asked"` // as far as is known before the run
	Why    string        `json:"why"`   // it is, or is not
	Calls  []PlannedCall `json:"calls"`
}

// PlannedCall is one call with its prompt.
type PlannedCall struct {
	Key     string       `json:"call_key"`
	Gateway string       `json:"gateway"`
	Model   string       `json:"model"`
	Worst   *newel.Money `json:"usd_at_most"` // of one attempt; null: no price is known
	Prompt  []newel.Turn `json:"prompt"`
}

// PlannedText writes what judges would be asked, each prompt as it would be sent.
func PlannedText(w io.Writer, rows []PlannedRow, opt TextOptions) error {
	p := newPage(w, opt)
	for i, r := range rows {
		if i > 0 {
			p.line("")
		}
		item := fitName(Visible(r.Item), p.width/2)
		p.line(p.tint(bold, item) + "  " + fit(Visible(r.Rubric), p.width-uniseg.StringWidth(item)-2))
		said := "asked: "
		if !r.Asked {
			said = "not asked: "
		}
		p.data(2, plainTone, said+r.Why, 0)
		for _, c := range r.Calls {
			price := "no price is known"
			if c.Worst != nil {
				price = "at most " + c.Worst.AtMost() + " an attempt"
			}
			p.line("")
			p.item("call", dim, Visible(fmt.Sprintf("%s · %s · %s · %s", c.Key, c.Gateway, c.Model, price)), 0)
			p.prompt(c.Prompt)
		}
	}
	return p.close()
}

// prompt writes the messages of a call.
func (p *page) prompt(turns []newel.Turn) {
	for _, t := range turns {
		p.verbatim(t.Role, t.Text)
		for _, f := range t.Files {
			p.data(6, dim, "with "+f, 0)
		}
	}
}

// verbatim writes a text from data line by line, its blanks kept, each line
// behind a bar, so that none can be taken for a line of the report.
func (p *page) verbatim(label, text string) {
	p.line("    " + p.tint(bold, fit(Visible(label), p.width-4)))
	const lead = "    │ "
	for _, line := range linesOf(strings.ReplaceAll(text, "\t", "    "), true) {
		for {
			head, rest := broken(line, p.width-uniseg.StringWidth(lead))
			p.line(lead + head)
			if line = rest; rest == "" {
				break
			}
		}
	}
}

// broken splits a line that is too wide behind its last blank that fits, or where
// it must. The blank is what the line end stands for.
func broken(line string, width int) (head, rest string) {
	head, rest = cutWidth(line, width)
	if rest == "" {
		return head, rest
	}
	if rest[0] == ' ' {
		return head, rest[1:]
	}
	if at := strings.LastIndexByte(head, ' '); at >= 0 && strings.TrimSpace(head[:at]) != "" {
		return line[:at+1], line[at+1:]
	}
	return head, rest
}

// exchange shows what was asked and what came back, as far as the call tells.
func (p *page) exchange(c *newel.ToldCall) {
	if c.PromptMissing != "" {
		p.data(4, unsure, "its prompt cannot be written again: "+c.PromptMissing, 0)
	}
	p.prompt(c.Prompt)
	switch r := c.Reply; {
	case r == nil && c.Prompt == nil && c.PromptMissing == "":
	case r == nil:
		text := "there was no reply"
		if c.Error != nil {
			text += ": " + c.Error.Error()
		}
		p.data(4, unsure, text, 0)
	default:
		label := "reply"
		if r.Finish != "" {
			label += ", ended by " + r.Finish
		}
		if r.Refused {
			label += ", refused"
		}
		p.verbatim(label, r.Text)
	}
}
