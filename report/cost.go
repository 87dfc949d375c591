package report

import (
	"io"
	"slices"

	"newel"
)

// CostTable says where money and time went, by one criterion.
type CostTable struct {
	By    string     `json:"by"` // suite, rubric, runner, model, layer or dims.X
	Lines []CostLine `json:"lines"`
	Total CostLine   `json:"total"`
	Notes []string   `json:"notes,omitempty"` // such as settlements after the seal
}

// CostLine is one group. Where UnknownCalls, PartlyKnown or Lost is not zero, USD
// is a lower end.
type CostLine struct {
	Key          string      `json:"key"`
	Rows         int         `json:"rows"`
	Calls        int         `json:"calls"`  // that were paid for
	Cached       int         `json:"cached"` // replies that were there, Shared of them those of other rows
	Shared       int         `json:"shared"`
	UnknownCalls int         `json:"unknown_calls"`
	PartlyKnown  int         `json:"partly_known_calls"` // whose earlier attempts may have been billed too
	Lost         int         `json:"lost_attempts"`      // under way, or lost with their process
	USD          newel.Money `json:"usd"`
	// HeldUSD is what is not known comes to at most, as far as prices are known, and
	// AtMostUSD the whole; nil where some of it has no bound.
	HeldUSD   newel.Money  `json:"held_usd"`
	AtMostUSD *newel.Money `json:"at_most_usd"`
	Unbounded bool         `json:"unbounded,omitempty"`
	TimeMS    int64        `json:"time_ms"`   // within calls, added up
	QueuedMS  int64        `json:"queued_ms"` // before calls: the queue for a slot and pauses, added up
}

// Add adds another line's figures to the line.
func (l *CostLine) Add(o *CostLine) (err error) {
	l.Rows += o.Rows
	l.Calls += o.Calls
	l.Cached += o.Cached
	l.Shared += o.Shared
	l.UnknownCalls += o.UnknownCalls
	l.PartlyKnown += o.PartlyKnown
	l.Lost += o.Lost
	l.Unbounded = l.Unbounded || o.Unbounded
	l.TimeMS += o.TimeMS
	l.QueuedMS += o.QueuedMS
	if l.USD, err = l.USD.Add(o.USD); err == nil {
		l.HeldUSD, err = l.HeldUSD.Add(o.HeldUSD)
	}
	return err
}

// Close fills in AtMostUSD.
func (l *CostLine) Close() {
	if sum, err := l.USD.Add(l.HeldUSD); err == nil && !l.Unbounded {
		l.AtMostUSD = &sum
	}
}

func (l *CostLine) outlay() outlay {
	return outlay{usd: l.USD, calls: l.Calls, unknown: l.UnknownCalls, partly: l.PartlyKnown, lost: l.Lost, held: l.HeldUSD, open: l.Unbounded}
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
	total := c.Total
	p.line(p.tint(bold, total.outlay().String()+"; "+counted(total.Rows, "row", "rows")))
	p.para(0, plainTone, callsText(total.Calls, total.Cached-total.Shared, total.Shared), 0)
	p.line("")
	p.table(costTable(c))
	for _, n := range c.Notes {
		p.para(2, dim, Visible(n), 0)
	}
	return p.close()
}

// costTable leaves out columns in which nothing stands.
func costTable(c *CostTable) *table {
	t := &table{columns: []column{names(Visible(c.By))}}
	rows := make([]tableRow, len(c.Lines)+1)
	lines := append(slices.Clone(c.Lines), c.Total)
	lines[len(c.Lines)].Key = "total"
	for i := range lines {
		rows[i] = cells(Visible(lines[i].Key))
	}
	for _, col := range costColumns() {
		if !col.always && !col.has(&c.Total) {
			continue
		}
		t.columns = append(t.columns, col.column)
		for i := range lines {
			l := &lines[i]
			rows[i].cells = append(rows[i].cells, cell{text: col.text(l), tone: toneIf(col.unsure && col.has(l), unsure)})
		}
	}
	t.rows = rows
	return t
}

// costColumn is a column that stands where the total has something in it.
type costColumn struct {
	column
	always, unsure bool
	has            func(*CostLine) bool
	text           func(*CostLine) string
}

func costColumns() []costColumn {
	counts := func(col column, unsure bool, n func(*CostLine) int) costColumn {
		return costColumn{col, false, unsure, func(l *CostLine) bool { return n(l) > 0 }, func(l *CostLine) string { return count(n(l)) }}
	}
	times := func(title string, ms func(*CostLine) int64) costColumn {
		return costColumn{spare(title), false, false, func(l *CostLine) bool { return ms(l) > 0 }, func(l *CostLine) string { return span(ms(l)) }}
	}
	always := func(c costColumn) costColumn { c.always = true; return c }
	return []costColumn{
		always(costColumn{column: right("cost"), text: func(l *CostLine) string { return l.outlay().amount() }}),
		{right("at most more"), false, true, func(l *CostLine) bool { return l.HeldUSD > 0 }, heldCell},
		counts(right("unknown"), true, func(l *CostLine) int { return l.UnknownCalls }),
		counts(right("in part"), true, func(l *CostLine) int { return l.PartlyKnown }),
		always(counts(right("paid"), false, func(l *CostLine) int { return l.Calls })),
		always(counts(right("rows"), false, func(l *CostLine) int { return l.Rows })),
		counts(spare("earlier"), false, func(l *CostLine) int { return l.Cached - l.Shared }),
		counts(spare("shared"), false, func(l *CostLine) int { return l.Shared }),
		times("in calls", func(l *CostLine) int64 { return l.TimeMS }),
		times("queued", func(l *CostLine) int64 { return l.QueuedMS }),
	}
}

// heldCell is what is not known comes to at most.
func heldCell(l *CostLine) string {
	switch {
	case l.Unbounded:
		return "no bound"
	case l.HeldUSD == 0:
		return nothing
	}
	return l.HeldUSD.AtMost()
}
