package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/rivo/uniseg"

	"newel"
)

// How much of an input, output or reference is shown unless all of it is asked
// for: characters, and lines.
const (
	subjectLength = 600
	subjectLines  = 20
)

// Subject is what an item's checks and judges had before them.
type Subject struct {
	Input, Output, Reference newel.Raw     // nil: absent
	Outputs                  []newel.Named // of a pair, or others that were recorded
	Context                  []newel.Passage
	Fetched                  bool // a target gave the output
	Err                      *newel.ScoreError
	// Whole shows everything, however long.
	Whole bool
}

// SeenRow is a row with its output.
type SeenRow struct {
	Row     newel.Row
	Subject *Subject
}

// OutputText is RowText with the output of each row's item below the row.
func OutputText(w io.Writer, rows iter.Seq2[SeenRow, error], opt TextOptions) error {
	p := newPage(w, opt)
	n := 0
	for seen, err := range rows {
		if err != nil {
			return fmt.Errorf("render rows: %w", err)
		}
		if n > 0 {
			p.line("")
		}
		n++
		p.row(&seen.Row)
		if seen.Subject != nil {
			p.output("    output", seen.Subject)
		}
	}
	if n == 0 {
		p.line("no such rows")
	}
	return p.close()
}

// subject shows what an item's scorers had before them.
func (p *page) subject(s *Subject) {
	if s.Input != nil {
		p.block("input    ", plainText(s.Input), s.Whole)
	}
	p.output("output   ", s)
	if s.Reference != nil {
		p.block("reference", plainText(s.Reference), s.Whole)
	}
	if len(s.Context) > 0 {
		p.item("context  ", plainTone, counted(len(s.Context), "passage", "passages"), 0)
	}
	if !s.Whole {
		return
	}
	for i, one := range s.Context {
		label := "passage " + count(i+1)
		if one.ID != "" {
			label += ", " + one.ID
		}
		p.verbatim(label, one.Text)
	}
}

// output shows an item's output, or why a target gave none.
func (p *page) output(label string, s *Subject) {
	switch {
	case s.Err != nil:
		p.item(label, unsure, "none, the target did not answer: "+Visible(s.Err.Error()), 0)
	case s.Output == nil && len(s.Outputs) > 0:
		for _, o := range s.Outputs {
			p.block(label[:len(label)-len(strings.TrimLeft(label, " "))]+"output "+fit(Visible(o.Name), p.width/3), plainText(o.Value), s.Whole)
		}
	case s.Output == nil:
		p.item(label, dim, "none", 0)
	default:
		p.block(label, plainText(s.Output), s.Whole)
	}
}

// plainText is a JSON text's text, and any other JSON as it stands, on one line.
func plainText(raw newel.Raw) string {
	var text string
	if err := json.Unmarshal(raw, &text); err == nil {
		return text
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return string(raw)
	}
	return b.String()
}

// block writes a text from data with its lines kept, all of them to the right
// of the label, so that none can be taken for a line of the report.
func (p *page) block(label, text string, whole bool) {
	shown := text
	if !whole {
		shown = clip(text, subjectLength)
	}
	lines := strings.Split(strings.ReplaceAll(shown, "\r\n", "\n"), "\n")
	left := 0
	if !whole && len(lines) > subjectLines {
		left, lines = len(lines)-subjectLines, lines[:subjectLines]
	}
	for _, line := range lines {
		p.item(label, plainTone, Visible(line), 0)
		label = strings.Repeat(" ", uniseg.StringWidth(label))
	}
	switch {
	case left > 0:
		p.item(label, dim, "and more lines; -v shows all", 0)
	case shown != text:
		p.item(label, dim, counted(len([]rune(text)), "character", "characters")+"; -v shows all", 0)
	}
}
