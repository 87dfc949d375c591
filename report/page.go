package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/rivo/uniseg"
)

// TextOptions says how text for a terminal is laid out.
type TextOptions struct {
	// Width is the number of columns. 0 means 80; less than 40 counts as 40.
	Width int
	// Color allows colour. Whether the terminal can show it, and whether the
	// person wants it (NO_COLOR), is the caller's to find out.
	Color bool
	// Verbose shows everything: all slices, each check, the figures behind each
	// gate rule, whole explanations.
	Verbose bool
	// Hint follows every newel command that the text tells people to type, such
	// as " --store sqlite:x"; it comes quoted for a shell.
	Hint string
	// Resume follows Hint where the command goes on with the run, such as
	// " --allow-commands suites"; it comes quoted for a shell.
	Resume string
}

// page writes lines for a terminal. What it is given is safe already: data goes
// through Visible on its way in. The first write error sticks and comes back
// from close.
type page struct {
	w       *bufio.Writer
	width   int
	color   bool
	verbose bool
	hint    string
	goOn    string // follows what goes on with a run, hint included
	// allRules is the command that lists all rules; empty: the report.
	allRules string
}

func newPage(w io.Writer, opt TextOptions) *page {
	width := opt.Width
	switch {
	case width <= 0:
		width = 80
	case width < 40:
		width = 40
	}
	return &page{w: bufio.NewWriter(w), width: width, color: opt.Color, verbose: opt.Verbose, hint: Visible(opt.Hint), goOn: Visible(opt.Hint + opt.Resume)}
}

func (p *page) close() error { return p.w.Flush() }

// tone is a meaning that colour repeats; the words alone say it too.
type tone string

const (
	plainTone tone = ""
	bold      tone = "1"
	dim       tone = "2"
	bad       tone = "31"
	good      tone = "32"
	unsure    tone = "33"
)

func (p *page) tint(t tone, text string) string {
	if !p.color || t == plainTone || text == "" {
		return text
	}
	return "\x1b[" + string(t) + "m" + text + "\x1b[0m"
}

// line writes one line without wrapping or trailing blanks.
func (p *page) line(text string) {
	p.w.WriteString(strings.TrimRight(text, " "))
	p.w.WriteByte('\n')
}

// title begins a section.
func (p *page) title(text string) {
	p.line("")
	p.line(p.tint(bold, fit(text, p.width)))
}

// para writes text wrapped to the page, each line indented, in at most max
// lines; 0 means all. Without text it writes nothing.
func (p *page) para(indent int, t tone, text string, max int) {
	if text == "" {
		return
	}
	for _, line := range wrap(text, p.width-indent, max) {
		p.line(strings.Repeat(" ", indent) + p.tint(t, line))
	}
}

// item writes a label and text that hangs to the right of it.
func (p *page) item(label string, t tone, text string, max int) {
	lead := "  " + label + strings.Repeat(" ", 2)
	hang := uniseg.StringWidth(lead)
	for i, line := range wrap(text, p.width-hang, max) {
		if i > 0 {
			lead = strings.Repeat(" ", hang)
		}
		p.line(lead + p.tint(t, line))
	}
}

// wrap breaks text at blanks into lines of at most width columns. A word that is
// wider is broken where it must. With max > 0 the last allowed line ends in an
// ellipsis when there was more.
func wrap(text string, width, max int) []string {
	var lines []string
	line, used := "", 0
	flush := func() { lines, line, used = append(lines, line), "", 0 }
	for _, word := range strings.Fields(text) {
		size := uniseg.StringWidth(word)
		if used > 0 && used+1+size > width {
			flush()
		}
		for size > width {
			head, rest := cutWidth(word, width)
			line, word, size = head, rest, uniseg.StringWidth(rest)
			flush()
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+size
	}
	if used > 0 || len(lines) == 0 {
		flush()
	}
	if max > 0 && len(lines) > max {
		last, _ := cutWidth(lines[max-1], width-1)
		lines = append(lines[:max-1], last+"…")
	}
	return lines
}

// cutWidth splits text after at most width columns, never within what a reader
// sees as one character. It takes at least one character.
func cutWidth(text string, width int) (head, rest string) {
	used, at, state := 0, 0, -1
	for rest = text; rest != ""; {
		var cluster string
		var size int
		cluster, rest, size, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+size > width && at > 0 {
			break
		}
		used, at = used+size, at+len(cluster)
	}
	return text[:at], text[at:]
}

// fit returns text cut to width columns, with an ellipsis where it was cut.
func fit(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	head, _ := cutWidth(text, width-1)
	return head + "…"
}

// fitName is fit for names: it cuts out of the middle, since names in one column
// often begin alike and differ at the end.
func fitName(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	head, rest := cutWidth(text, width/2)
	for spare := width - 1 - uniseg.StringWidth(head); uniseg.StringWidth(rest) > spare && rest != ""; {
		_, rest = cutWidth(rest, 1)
	}
	return head + "…" + rest
}
