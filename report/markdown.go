package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"newel"
)

// Limits of the places that Markdown goes to, in bytes, and the least that
// Markdown takes. GitHub allows a comment 65,536 characters; counting bytes
// stays under that, however it counts.
const (
	CommentLimit     = 65_536
	StepSummaryLimit = 1_048_576
	MarkdownLeast    = 8_192
)

// Characters of data in a cell and in the headline, and how many failing cases
// are named.
const (
	mdCell     = 240
	mdHeadline = 700
	mdFailing  = 50
)

// Markdown writes a report for a pull request or a job summary, in at most limit
// bytes; 0 means CommentLimit. Long tables end in "and n more"; a section that
// does not fit at all is named at the end. The first line is a comment by which
// a bot finds its earlier comment on the same suite.
//
// All text from data stands in code spans, where it can neither mention people,
// link, nor bring HTML.
func Markdown(w io.Writer, sum *newel.Summary, limit int) error {
	if limit == 0 {
		limit = CommentLimit
	}
	if limit < MarkdownLeast {
		return fmt.Errorf("render markdown: a limit of %d bytes is too small: want %d at least", limit, MarkdownLeast)
	}
	foot := mdFoot(sum)
	p := &mdPage{room: limit - len(foot) - mdDroppedRoom}
	p.write(mdHead(sum))
	p.table(mdGate(sum))
	p.table(mdRubrics(sum))
	p.table(mdStrata(sum))
	p.table(mdFailingCases(sum))
	p.table(mdQuarantine(sum))
	p.table(mdWarnings(sum))
	p.table(mdBills("rubric", &sum.Cost, sum.Cost.ByRubric))
	p.table(mdBills("model", &sum.Cost, sum.Cost.ByModel))
	p.table(mdChosen(sum))
	p.table(mdOrders(sum))
	p.table(mdAgreement(sum))
	for _, a := range sum.Agreement {
		p.table(mdChoices(a))
	}
	p.table(mdPeople(sum))
	p.table(mdSlices(sum))
	p.table(mdValues(sum))
	p.table(mdErrors(sum))
	if len(p.dropped) > 0 {
		p.b.WriteString("\nLeft out for length: " + strings.Join(p.dropped, ", ") + ".\n")
	}
	_, err := io.WriteString(w, p.b.String()+foot)
	return err
}

// mdDroppedRoom is kept for the line that names the sections left out.
const mdDroppedRoom = 300

func mdHead(sum *newel.Summary) string {
	v := verdictOf(sum)
	var b strings.Builder
	b.WriteString(marker(sum.Suite.Name) + "\n")
	b.WriteString("## " + mdMark(v.tone) + " newel: " + v.word + "\n\n")
	b.WriteString(mdLong(v.text) + "\n\n")
	if incomplete(sum) {
		b.WriteString("> **This run is not complete: it has no verdict and cannot pass a gate.** Go on with what is missing: " + codeSpan(resume(sum)) + "\n\n")
		for _, text := range []string{KeptText(sum.Unfinished), ShortText(sum.Unfinished)} {
			if text != "" {
				b.WriteString("> " + text + "\n\n")
			}
		}
	}
	b.WriteString("**Plan** " + planned(sum.Plan) + "  \n")
	if only := narrowed(sum.Selection); only != "" {
		b.WriteString("**Only** " + codeSpan(only) + "  \n")
	}
	b.WriteString("**Cases** " + outcome(sum.Cases) + "  \n")
	b.WriteString("**Rows** " + mdLedger(sum.Ledger) + "  \n")
	c := sum.Cost
	b.WriteString("**Cost** " + outlayOf(&c).String() + " · " + runCalls(&c) + "  \n")
	b.WriteString("**Time** " + wall(sum.Times) + "\n")
	return b.String()
}

// mdLong is a code span for a headline, which may be longer than a cell.
func mdLong(text string) string {
	text = clip(text, mdHeadline)
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	return fence + " " + text + " " + fence
}

func mdMark(t tone) string {
	switch t {
	case good:
		return "✅"
	case bad:
		return "❌"
	case unsure:
		return "⚠️"
	}
	return "ℹ️"
}

func mdLedger(l newel.Ledger) string {
	text := count(l.Planned) + " planned = " + count(l.Pass) + " pass + " + count(l.Fail) + " fail + " +
		count(l.Unjudged) + " unjudged + " + count(l.Error) + " error"
	if !l.Full() {
		text += " + " + count(l.Planned-l.Done()) + " **not done**"
	}
	return text
}

// mdFoot says which run this was. It names the report digest, or that there is
// none.
func mdFoot(sum *newel.Summary) string {
	digest := "none: the run is not complete"
	if !incomplete(sum) && sum.Digest != "" {
		digest = brief(sum.Digest)
	}
	run := brief(sum.Run)
	if sum.Runner != "" {
		run += " on " + brief(sum.Runner)
	}
	return "\n---\n\nRun " + run + " · suite " + brief(sum.Suite.Name) + " " + brief(sum.Suite.Digest) + "  \nReport digest " + digest + "\n"
}

// brief is codeSpan for what stands at the end: a digest of 64 digits fits.
func brief(text string) string { return codeSpan(clip(Visible(text), 72)) }

func mdGate(sum *newel.Summary) mdTable {
	if sum.Gate == nil {
		return mdTable{}
	}
	title := "Gate"
	if sum.Gate.Baseline != "" {
		title += ", against " + codeSpan(sum.Gate.Baseline)
	}
	t := mdTable{title: title, head: []string{"state", "rule", "why", "cases"}}
	for _, r := range sum.Gate.Rules {
		state := mdMark(gateTone(r.State)) + " " + codeCell(string(r.State))
		if r.Advisory {
			state += " (advisory)"
		}
		t.rows = append(t.rows, []string{state, codeCell(ruleName(r)), codeCell(found(r)), codeCell(firstCases(r.Cases, 5))})
	}
	return t
}

func mdRubrics(sum *newel.Summary) mdTable {
	t := mdTable{title: "Rubrics", head: []string{"rubric", "pass rate" + confidence(sum), "decided by", "n", "pass", "fail", "unjudged", "error"}, right: 3}
	for _, r := range sum.Rubrics {
		l := r.Ledger
		t.rows = append(t.rows, []string{codeCell(r.Name), rubricRate(r), mdNotes(r),
			count(l.Done()), count(l.Pass), count(l.Fail), count(l.Unjudged), count(l.Error)})
	}
	return t
}

// mdNotes says which layers decided a rubric and what is out of the ordinary, as
// the text report does; errors have a section of their own.
func mdNotes(r newel.RubricSummary) string {
	r.Errors = nil
	return strings.TrimPrefix(rubricNotes(r, false), "decided by ")
}

// mdBills lists known amounts by name, the largest first, where money was spent.
func mdBills(by string, c *newel.Cost, m map[string]newel.Money) mdTable {
	t := mdTable{title: "Cost by " + by, head: []string{by, "known"}, right: 1}
	known := knownPart(outlayOf(c))
	for _, k := range dearest(m) {
		if m[k] != 0 {
			t.rows = append(t.rows, []string{codeCell(k), known(m[k])})
		}
	}
	return t
}

func mdFailingCases(sum *newel.Summary) mdTable {
	shown := sum.Failing[:min(mdFailing, len(sum.Failing))]
	t := mdTable{title: "Failing cases", head: []string{"case", "rubric", "check", "why"}}
	t.more = max(0, sum.Ledger.Fail-len(shown))
	t.hint = ": " + codeSpan("newel show "+ShellWord(sum.Run)+" --failing")
	for _, f := range shown {
		t.rows = append(t.rows, []string{codeCell(f.Case), codeCell(f.Rubric), codeCell(f.Check), linesCell(f.Why)})
	}
	return t
}

func mdQuarantine(sum *newel.Summary) mdTable {
	t := mdTable{title: "Quarantine: counted apart, in no rate and no rule", head: []string{"case", "until", "state", "why"}}
	for _, q := range sum.Quarantine {
		t.rows = append(t.rows, []string{codeCell(q.ID), codeCell(q.Until), codeCell(q.State), codeCell(q.Why)})
	}
	return t
}

func mdWarnings(sum *newel.Summary) mdTable {
	t := mdTable{title: "Warnings", head: []string{"warning"}}
	for _, w := range sum.Warnings {
		t.rows = append(t.rows, []string{codeCell(w)})
	}
	return t
}

// mdSlices shows the lowest rates first, since what is cut off is at the end.
func mdSlices(sum *newel.Summary) mdTable {
	t := mdTable{title: "Slices, the lowest rates first", head: []string{"slice", "rubric", "pass rate", "n", "fail", "unjudged", "error"}, right: 3, folded: true}
	t.hint = ": " + codeSpan("newel report "+ShellWord(sum.Run)+" --as json")
	shown := decided(sum)
	for _, s := range lowest(shown, len(shown)) {
		l := s.Ledger
		t.rows = append(t.rows, []string{codeCell(pairs(s.Dims)), codeCell(s.Rubric), sliceRate(s),
			count(l.Done()), count(l.Fail), count(l.Unjudged), count(l.Error)})
	}
	return t
}

func mdValues(sum *newel.Summary) mdTable {
	t := mdTable{title: "Values", head: []string{"value", "mean", "n", "p50", "min", "max"}, right: 2, folded: true}
	for _, r := range sum.Rubrics {
		for _, v := range r.Values {
			t.rows = append(t.rows, []string{codeCell(r.Name + "." + v.Scorer), meanOf(v, r.Clusters), count(v.N), number(v.P50), number(v.Min), number(v.Max)})
		}
	}
	return t
}

func mdErrors(sum *newel.Summary) mdTable {
	t := mdTable{title: "Errors", head: []string{"rubric", "kind", "n"}, right: 2}
	for _, r := range sum.Rubrics {
		for _, kind := range slices.Sorted(maps.Keys(r.Errors)) {
			t.rows = append(t.rows, []string{codeCell(r.Name), codeCell(kind), count(r.Errors[kind])})
		}
	}
	return t
}
