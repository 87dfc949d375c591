package report

import (
	"strings"

	"github.com/rivo/uniseg"
)

// table is aligned columns. Where the page is too narrow, columns of names give
// way down to minFlex, then spare columns are left out from the right; where
// that is not enough, each row is written as a short list.
type table struct {
	columns []column
	rows    []tableRow
}

type column struct {
	title string
	right bool // numbers
	flex  bool // names that may be cut
	spare bool // may be left out
}

type tableRow struct {
	cells []cell
	under []string // lines below the row, wrapped
}

type cell struct {
	text string
	tone tone
}

// minFlex is the narrowest a column of names becomes; gap the blanks between
// columns; indent those before the first.
const (
	minFlex = 10
	gap     = 2
	indent  = 2
)

func names(title string) column { return column{title: title, flex: true} }
func fixed(title string) column { return column{title: title} }
func right(title string) column { return column{title: title, right: true} }

// spare is a column of numbers that may be left out.
func spare(title string) column { return column{title: title, right: true, spare: true} }

// cells makes a row of plain text.
func cells(texts ...string) tableRow {
	row := tableRow{cells: make([]cell, len(texts))}
	for i, t := range texts {
		row.cells[i].text = t
	}
	return row
}

// add appends a row.
func (t *table) add(row tableRow) { t.rows = append(t.rows, row) }

// table writes t; nothing if it has no rows.
func (p *page) table(t *table) {
	if len(t.rows) == 0 {
		return
	}
	whole := t
	widths, ok := t.widths(p.width - indent)
	for ; !ok && t.columns[len(t.columns)-1].spare; widths, ok = t.widths(p.width - indent) {
		t = t.withoutLast()
	}
	if !ok {
		p.stack(whole)
		return
	}
	head := make([]cell, len(t.columns))
	for i, c := range t.columns {
		head[i] = cell{c.title, dim}
	}
	p.tableLine(t, widths, head)
	for _, row := range t.rows {
		p.tableLine(t, widths, row.cells)
		for _, under := range row.under {
			p.para(2*indent, dim, under, 0)
		}
	}
}

func (p *page) tableLine(t *table, widths []int, row []cell) {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", indent))
	for i, c := range row {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		shown := fitName(c.text, widths[i])
		pad := strings.Repeat(" ", max(0, widths[i]-uniseg.StringWidth(shown)))
		if t.columns[i].right {
			b.WriteString(pad + p.tint(c.tone, shown))
			continue
		}
		b.WriteString(p.tint(c.tone, shown) + pad)
	}
	p.line(b.String())
}

// withoutLast returns t without its last column.
func (t *table) withoutLast() *table {
	last := len(t.columns) - 1
	out := &table{columns: t.columns[:last]}
	for _, row := range t.rows {
		out.add(tableRow{row.cells[:last], row.under})
	}
	return out
}

// widths returns the width of each column within room, false if they do not
// fit.
func (t *table) widths(room int) ([]int, bool) {
	out := make([]int, len(t.columns))
	total := gap * (len(out) - 1)
	for i, c := range t.columns {
		out[i] = uniseg.StringWidth(c.title)
		for _, row := range t.rows {
			out[i] = max(out[i], uniseg.StringWidth(row.cells[i].text))
		}
		total += out[i]
	}
	for total > room {
		widest := t.widestFlex(out)
		if widest < 0 {
			return nil, false
		}
		out[widest]--
		total--
	}
	return out, true
}

// widestFlex returns the column that can best give a little, -1 if none can.
func (t *table) widestFlex(widths []int) int {
	widest := -1
	for i, c := range t.columns {
		if c.flex && widths[i] > minFlex && (widest < 0 || widths[i] > widths[widest]) {
			widest = i
		}
	}
	return widest
}

// stack writes each row as its first cell with the others below it.
func (p *page) stack(t *table) {
	label := 0
	for _, c := range t.columns[1:] {
		label = max(label, uniseg.StringWidth(c.title))
	}
	for _, row := range t.rows {
		p.para(indent, row.cells[0].tone, row.cells[0].text, 0)
		for i, c := range row.cells[1:] {
			title := t.columns[i+1].title
			title += strings.Repeat(" ", label-uniseg.StringWidth(title))
			p.item("  "+title, c.tone, c.text, 0)
		}
		for _, under := range row.under {
			p.para(2*indent, dim, under, 0)
		}
	}
}
