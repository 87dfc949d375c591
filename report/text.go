package report

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"newel"
)

// How much of long lists the terminal report shows without Verbose.
const (
	textSlices  = 20
	textFailing = 10
	textChecks  = 20
	textRules   = 20
)

// Text writes the terminal report. Its first line is the Headline, on one line
// whatever the width, so that "head -1" is enough; its last is the report
// digest. The wording may change between versions: programs read JSON.
func Text(w io.Writer, sum *newel.Summary, opt TextOptions) error {
	p := newPage(w, opt)
	v := verdictOf(sum)
	p.line(p.tint(v.tone, v.word) + "  " + v.text)
	p.incomplete(sum)
	p.identity(sum)
	p.ledger(sum)
	p.rubrics(sum)
	p.strata(sum)
	p.checks(sum)
	p.values(sum)
	p.slices(sum)
	p.chosen(sum)
	p.agreement(sum)
	p.choices(sum)
	p.people(sum)
	p.gate(sum)
	p.cost(sum)
	p.times(sum)
	p.failing(sum)
	p.quarantine(sum)
	p.warnings(sum)
	p.digest(sum)
	return p.close()
}

// incomplete says loudly that there is no verdict, and how to get one.
func (p *page) incomplete(sum *newel.Summary) {
	if !incomplete(sum) {
		return
	}
	p.line("")
	p.para(2, unsure, "This run is NOT complete: it has no verdict and cannot pass a gate. What follows covers only the rows that are there.", 0)
	if sum.State == newel.Sealed {
		p.para(2, bad, "It is sealed although its ledger does not add up: its store is damaged or was changed.", 0)
		return
	}
	if kept := KeptText(sum.Unfinished); kept != "" {
		p.item("kept:", plainTone, kept, 0)
	}
	if short := ShortText(sum.Unfinished); short != "" {
		p.item("budget:", unsure, short, 0)
	}
	p.item("go on with what is missing:", bold, resume(sum)+p.goOn, 0)
	if sum.State == newel.Running {
		p.item("watch it, if it still runs:", bold, "newel follow "+ShellWord(sum.Run)+p.goOn, 0)
	}
}

func (p *page) identity(sum *newel.Summary) {
	p.line("")
	p.item("suite", plainTone, Visible(sum.Suite.Name)+" "+short(sum.Suite.Digest), 0)
	run := Visible(sum.Run) + ", " + named(string(sum.State), nothing)
	if sum.Runner != "" {
		run += ", runner " + Visible(sum.Runner)
	}
	p.item("run  ", plainTone, run, 0)
	p.item("plan ", plainTone, planned(sum.Plan)+" "+short(sum.Plan.Digest), 0)
	if only := narrowed(sum.Selection); only != "" {
		p.item("only ", unsure, Visible(only), 0)
	}
	if len(sum.Labels) > 0 {
		p.item("label", plainTone, pairs(sum.Labels), 0)
	}
}

// planned says how much a run scores.
func planned(pl newel.PlanRef) string {
	plan := counted(pl.Items, "item", "items") + " of " + counted(pl.Cases, "case", "cases") + ", " +
		counted(pl.Rubrics, "rubric", "rubrics")
	if pl.Trials > 1 {
		plan += ", " + count(pl.Trials) + " trials"
	}
	return plan
}

// narrowed says which part of a suite a run was narrowed to; nothing for the
// whole. It is not yet safe to show.
func narrowed(s *newel.Selection) string {
	var parts []string
	if s == nil {
		return ""
	}
	if s.Where != "" {
		parts = append(parts, "cases where "+s.Where)
	}
	if s.Limit > 0 {
		parts = append(parts, "the first "+counted(s.Limit, "case", "cases"))
	}
	if len(s.Rubrics) > 0 {
		parts = append(parts, "of rubrics "+strings.Join(s.Rubrics, ", "))
	}
	return strings.Join(parts, "; ")
}

// short returns the beginning of a digest in brackets.
func short(digest string) string {
	if digest == "" {
		return ""
	}
	return "(" + fit(Visible(digest), 13) + ")"
}

// pairs writes a map as "k=v, k=v", sorted by key.
func pairs(m map[string]string) string {
	out := make([]string, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Visible(k)+"="+Visible(m[k]))
	}
	return strings.Join(out, ", ")
}

func (p *page) ledger(sum *newel.Summary) {
	t := &table{columns: []column{fixed(""), right("planned"), right("pass"), right("fail"), right("unjudged"), right("error"), right("not done")}}
	add := func(name string, l newel.Ledger) {
		row := cells(name, count(l.Planned), count(l.Pass), count(l.Fail), count(l.Unjudged), count(l.Error), count(l.Planned-l.Done()))
		row.cells[3].tone = toneIf(l.Fail > 0, bad)
		row.cells[5].tone = toneIf(l.Error > 0, unsure)
		row.cells[6].tone = toneIf(!l.Full(), unsure)
		t.add(row)
	}
	add("cases", sum.Cases)
	add("rows", sum.Ledger)
	p.title("Ledger")
	p.table(t)
}

func toneIf(when bool, t tone) tone {
	if when {
		return t
	}
	return plainTone
}

func (p *page) rubrics(sum *newel.Summary) {
	if len(sum.Rubrics) == 0 {
		return
	}
	p.title("Rubrics")
	t := &table{columns: []column{names("rubric"), fixed("pass rate" + confidence(sum)), right("n"), right("pass"), right("fail"), right("unjudged"), right("error")}}
	for _, r := range sum.Rubrics {
		l := r.Ledger
		row := cells(Visible(r.Name), rubricRate(r), count(l.Done()), count(l.Pass), count(l.Fail), count(l.Unjudged), count(l.Error))
		row.cells[0].tone = bold
		row.cells[4].tone = toneIf(l.Fail > 0, bad)
		row.cells[6].tone = toneIf(l.Error > 0, unsure)
		row.under = []string{rubricNotes(r, p.verbose)}
		t.add(row)
	}
	p.table(t)
}

func rubricRate(r newel.RubricSummary) string {
	if r.MeasureOnly {
		return "measured only"
	}
	return rate(r.Rate, r.Interval)
}

// confidence is the confidence of all intervals where they share one.
func confidence(sum *newel.Summary) string {
	common := 0.0
	for _, r := range sum.Rubrics {
		switch {
		case r.Interval == nil:
		case common == 0:
			common = r.Confidence
		case common != r.Confidence:
			return ""
		}
	}
	if common == 0 {
		return ""
	}
	return " [" + strconv.FormatFloat(100*common, 'g', 6, 64) + " %]"
}

// rubricNotes is the line under a rubric: the layers that decided and whatever
// is out of the ordinary.
func rubricNotes(r newel.RubricSummary, verbose bool) string {
	notes := []string{"decided by " + layers(r.Layers)}
	if r.Bounds != nil {
		notes = append(notes, "with the missing rows all failed or all passed: "+hundredths(r.Bounds[0])+" to "+hundredths(r.Bounds[1])+" %")
	}
	if len(r.Errors) > 0 {
		notes = append(notes, "errors: "+tally(r.Errors))
	}
	if r.Quarantined > 0 {
		notes = append(notes, count(r.Quarantined)+" in quarantine, not in the rate")
	}
	if r.Clusters > 0 && (verbose || r.Clusters < r.Ledger.Done()) {
		notes = append(notes, counted(r.Clusters, "cluster", "clusters"))
	}
	if verbose && r.Method != "" {
		notes = append(notes, "interval: "+Visible(r.Method))
	}
	return strings.Join(notes, " · ")
}

func layers(l newel.LayerCounts) string {
	var out []string
	for _, part := range []struct {
		name string
		n    int
	}{{"floor", l.Floor}, {"classifier", l.Classifier}, {"judge", l.Judge}} {
		if part.n > 0 {
			out = append(out, part.name+" "+count(part.n))
		}
	}
	if out == nil {
		return "no layer"
	}
	return strings.Join(out, ", ")
}

// tally writes counts by name, sorted by name.
func tally(m map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Visible(k)+" "+count(m[k]))
	}
	return strings.Join(out, ", ")
}
