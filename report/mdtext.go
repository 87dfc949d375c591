package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// codeSpan writes text from data as a code span, the one place where neither
// Markdown nor HTML, mentions, issue numbers nor links mean anything. It stays
// on one line and is cut to mdCell characters.
func codeSpan(text string) string {
	text = clip(Visible(text), mdCell)
	if strings.TrimSpace(text) == "" {
		return nothing
	}
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	if text[0] == '`' || text[len(text)-1] == '`' || text[0] == ' ' {
		text = " " + text + " "
	}
	return fence + text + fence
}

// codeCell is codeSpan for a table: a pipe ends a cell even within code, unless
// a backslash stands before it. A backslash of the data's own in that place
// would free the pipe again, so it is shown as \x5c.
func codeCell(text string) string {
	text = clip(Visible(text), mdCell)
	text = strings.ReplaceAll(text, `\|`, `\x5c|`)
	return strings.ReplaceAll(codeSpan(text), "|", `\|`)
}

// longestRun returns the length of the longest run of c in text.
func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if run++; text[i] != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// marker is a comment that nobody sees, by which a bot finds the comment that it
// wrote for the same suite before.
func marker(suite string) string {
	var b strings.Builder
	for i := range len(suite) {
		c := suite[i]
		word := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.'
		if word || c == '-' && i > 0 && suite[i-1] != '-' {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return "<!-- newel report: " + clip(b.String(), 200) + " -->"
}

// mdPage gathers sections up to a limit in bytes. What ends the page is set
// aside first, so that it always fits.
type mdPage struct {
	b       strings.Builder
	room    int      // bytes left for sections
	dropped []string // sections that did not fit at all
}

// mdTable is a section.
type mdTable struct {
	title  string
	short  string // where it is named as left out; empty: title
	head   []string
	right  int // the first column of numbers; 0: none
	rows   [][]string
	more   int    // rows that are not in rows to begin with
	hint   string // where to see the rest
	folded bool   // behind a line to click on
}

func (p *mdPage) write(text string) bool {
	if len(text) > p.room {
		return false
	}
	p.room -= len(text)
	p.b.WriteString(text)
	return true
}

// table writes as many rows as fit, and says how many do not.
func (p *mdPage) table(t mdTable) {
	if len(t.rows) == 0 {
		return
	}
	open, end := "\n### "+t.title+"\n\n", ""
	if t.folded {
		open = "\n<details><summary>" + t.title + "</summary>\n\n"
		end = "\n</details>\n"
	}
	more := func(n int) string { return "\nand " + count(n) + " more" + t.hint + "\n" }
	tail := len(end) + len(more(len(t.rows)+t.more))
	open += tableHead(t)
	if len(open)+tail+len(mdRow(t.rows[0])) > p.room {
		if name := cmp.Or(t.short, t.title); !slices.Contains(p.dropped, name) {
			p.dropped = append(p.dropped, name)
		}
		return
	}
	p.room -= tail
	p.write(open)
	shown := 0
	for shown < len(t.rows) && p.write(mdRow(t.rows[shown])) {
		shown++
	}
	p.room += tail
	if left := len(t.rows) - shown + t.more; left > 0 {
		p.write(more(left))
	}
	p.write(end)
}

func tableHead(t mdTable) string {
	rule := make([]string, len(t.head))
	for i := range rule {
		rule[i] = "---"
		if t.right > 0 && i >= t.right {
			rule[i] = "---:"
		}
	}
	return mdRow(t.head) + mdRow(rule)
}

func mdRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
