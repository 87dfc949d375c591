package report

import (
	"io"

	"newel"
)

// CostTable says where money and time went, by one criterion.
type CostTable struct {
	By    string     `json:"by"` // suite, rubric, runner, model, layer or dims.X
	Lines []CostLine `json:"lines"`
	Total CostLine   `json:"total"`
	Notes []string   `json:"notes,omitempty"` // such as settlements after the seal
}

// CostLine is one group. Where UnknownCalls is not zero, USD is a lower end.
type CostLine struct {
	Key          string      `json:"key"`
	Rows         int         `json:"rows"`
	Calls        int         `json:"calls"`
	Cached       int         `json:"cached"`
	UnknownCalls int         `json:"unknown_calls"`
	USD          newel.Money `json:"usd"`
	TimeMS       int64       `json:"time_ms"` // waiting for calls, added up
}

// CostJSON writes c as indented JSON.
func CostJSON(w io.Writer, c *CostTable) error {
	out := *c
	out.Lines = listed(out.Lines)
	return indented(w, out)
}

// CostText writes c for people; its first line is the total.
func CostText(w io.Writer, c *CostTable, opt TextOptions) error {
	p := newPage(w, opt)
	p.line(p.tint(bold, spent(c.Total.USD, c.Total.UnknownCalls, c.Total.Calls)) + "; " + counted(c.Total.Rows, "row", "rows"))
	p.line("")
	t := &table{columns: []column{names(Visible(c.By)), right("cost"), right("unknown"), right("calls"), right("cached"), right("rows"), right("waited")}}
	for _, l := range c.Lines {
		t.add(costRow(Visible(l.Key), l))
	}
	t.add(costRow("total", c.Total))
	p.table(t)
	for _, n := range c.Notes {
		p.para(2, dim, Visible(n), 0)
	}
	return p.close()
}

func costRow(name string, l CostLine) tableRow {
	row := cells(name, lineCost(l), count(l.UnknownCalls), count(l.Calls), count(l.Cached), count(l.Rows), span(l.TimeMS))
	row.cells[2].tone = toneIf(l.UnknownCalls > 0, unsure)
	return row
}

// lineCost is spent for a cell, whose row has the counts.
func lineCost(l CostLine) string {
	switch {
	case l.UnknownCalls == 0:
		return dollars(l.USD)
	case l.USD == 0:
		return "unknown"
	}
	return "≥ " + atLeast(l.USD)
}
