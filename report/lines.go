package report

import (
	"strings"

	"github.com/rivo/uniseg"
)

// linesOf splits a text from data into its lines, each made safe to show. Lines
// with nothing on them are left out unless whole.
func linesOf(text string, whole bool) []string {
	var out []string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if whole || strings.TrimSpace(line) != "" {
			out = append(out, Visible(line))
		}
	}
	return out
}

// further leads the lines of a text behind its first, so that none can be taken
// for a line of the report.
const further = "  "

// wrapLines wraps each line of a text from data by itself, in at most max lines
// in all; 0 means all.
func wrapLines(text string, width, max int) []string {
	var out []string
	for i, line := range linesOf(text, false) {
		if i == 0 {
			out = wrap(line, width, 0)
			continue
		}
		for _, part := range wrap(line, width-len(further), 0) {
			out = append(out, further+part)
		}
	}
	if max > 0 && len(out) > max {
		last, _ := cutWidth(out[max-1], width-1)
		out = append(out[:max-1], last+"…")
	}
	return out
}

// data writes a text from data with its line ends kept.
func (p *page) data(indent int, t tone, text string, max int) {
	for _, line := range wrapLines(text, p.width-indent, max) {
		p.line(strings.Repeat(" ", indent) + p.tint(t, line))
	}
}

// dataItem is item for a text from data: its lines hang to the right of the label.
func (p *page) dataItem(label string, t tone, text string, max int) {
	lead := "  " + label + "  "
	hang := uniseg.StringWidth(lead)
	for _, line := range wrapLines(text, p.width-hang, max) {
		p.line(lead + p.tint(t, line))
		lead = strings.Repeat(" ", hang)
	}
}

// linesCell is codeCell with a span for each line of the text.
func linesCell(text string) string {
	lines := linesOf(clip(text, mdCell), false)
	if len(lines) < 2 {
		return codeCell(strings.TrimSpace(text))
	}
	for i, line := range lines {
		lines[i] = codeCell(line)
	}
	return strings.Join(lines, "<br>")
}
