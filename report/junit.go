package report

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"newel"
)

// Lengths in characters to which JUnit text is cut.
const (
	junitMessage  = 300
	junitEvidence = 2000
	junitEntries  = 20
)

// JUnit writes one testsuite for each rubric and one testcase for each of its
// rows, in the dialect that Jenkins' xUnit schema (junit-10.xsd) describes and
// GitLab and the GitHub reporters read. A fail is a failure, an error an error,
// an unjudged row is skipped with its reason. A fail or error of a case in
// quarantine is skipped too, since it is in no rate and no rule: a viewer must
// not turn red over it. So tests is the ledger's count of rows, and failures and
// errors are the ledger's without those in quarantine.
//
// An incomplete run has one more testsuite, SUITE.run, whose only testcase is an
// error: a viewer must not show such a run as green.
//
// The numbers of a testsuite stand in front of its testcases, and rows come by
// item with all rubrics mixed; so rows is read once for each rubric, once more
// where there is a quarantine, and nothing is held. Rows that do not add up to
// the summary are an error.
func JUnit(w io.Writer, sum *newel.Summary, rows func() iter.Seq2[newel.Row, error]) error {
	j := &junit{x: newXML(w), sum: sum, name: suiteName(sum), known: map[string]bool{}, quiet: map[string]newel.Ledger{}}
	quarantine := false
	for _, r := range sum.Rubrics {
		j.known[r.Name] = true
		quarantine = quarantine || r.Quarantined > 0
	}
	if quarantine {
		if err := j.countQuiet(rows()); err != nil {
			return fmt.Errorf("render junit: %w", err)
		}
	}
	j.head()
	for i := range sum.Rubrics {
		if err := j.rubric(&sum.Rubrics[i], rows()); err != nil {
			return fmt.Errorf("render junit: %w", err)
		}
	}
	if incomplete(sum) {
		j.unfinished()
	}
	j.x.end(0, "testsuites")
	return j.x.w.Flush()
}

type junit struct {
	x    *xmlPage
	sum  *newel.Summary
	name string

	known map[string]bool         // the rubrics of the summary
	quiet map[string]newel.Ledger // of each rubric: fails and errors in quarantine
}

// countQuiet counts what is skipped for its quarantine.
func (j *junit) countQuiet(rows Rows) error {
	for row, err := range rows {
		if err != nil {
			return err
		}
		if quiet(&row) {
			l := j.quiet[row.Rubric]
			v, _ := newel.ParseVerdict(row.Verdict)
			l.Count(v)
			j.quiet[row.Rubric] = l
		}
	}
	return nil
}

// quiet reports whether a row is a fail or error that nobody should be stopped
// by.
func quiet(row *newel.Row) bool {
	return row.Quarantined && (row.Verdict == "fail" || row.Verdict == "error")
}

// shown is a rubric's ledger as its testcases say it.
func (j *junit) shown(r *newel.RubricSummary) newel.Ledger {
	l, quiet := r.Ledger, j.quiet[r.Name]
	l.Fail -= quiet.Fail
	l.Error -= quiet.Error
	l.Unjudged += quiet.Fail + quiet.Error
	return l
}

func suiteName(sum *newel.Summary) string {
	if sum.Suite.Name == "" {
		return "newel"
	}
	return sum.Suite.Name
}

func (j *junit) head() {
	var total newel.Ledger
	for i := range j.sum.Rubrics {
		l := j.shown(&j.sum.Rubrics[i])
		total.Pass += l.Pass
		total.Fail += l.Fail
		total.Unjudged += l.Unjudged
		total.Error += l.Error
	}
	if incomplete(j.sum) {
		total.Error++
	}
	j.x.w.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	j.x.start(0, "testsuites", attr{"name", j.name},
		number64("tests", total.Done()), number64("failures", total.Fail), number64("errors", total.Error),
		attr{"time", seconds(j.sum.Times.WallMS)})
}

// seconds writes milliseconds as the schema wants them.
func seconds(ms int64) string {
	return strconv.FormatFloat(float64(max(ms, 0))/1000, 'f', 3, 64)
}

// suite opens a testsuite with its counts and properties.
func (j *junit) suite(name string, l newel.Ledger, properties ...attr) {
	attrs := []attr{{"name", name}, number64("tests", l.Done()), number64("failures", l.Fail),
		number64("errors", l.Error), number64("skipped", l.Unjudged), {"time", "0"}}
	if t := j.sum.Times.Started; !t.IsZero() {
		attrs = append(attrs, attr{"timestamp", t.UTC().Format("2006-01-02T15:04:05")})
	}
	j.x.start(1, "testsuite", attrs...)
	j.x.start(2, "properties")
	for _, p := range properties {
		if p.value != "" {
			j.x.empty(3, "property", attr{"name", p.name}, attr{"value", p.value})
		}
	}
	j.x.end(2, "properties")
}

func (j *junit) rubric(r *newel.RubricSummary, rows Rows) error {
	s := j.sum
	class := j.name + "." + r.Name
	properties := []attr{{"newel.run", s.Run}, {"newel.state", string(s.State)}, {"newel.runner", s.Runner},
		{"newel.suite.digest", s.Suite.Digest}, {"newel.report.digest", s.Digest}, {"newel.rate", rate(r.Rate, r.Interval)}}
	if s.Cost.Calls+s.Cost.TargetCalls+s.Cost.Lost > 0 {
		cost := outlayOf(&s.Cost)
		properties = append(properties, attr{"newel.cost", cost.String()}, attr{"newel.cost.known", knownPart(cost)(s.Cost.ByRubric[r.Name])})
	}
	if s.Gate != nil {
		properties = append(properties, attr{"newel.gate", string(s.Gate.State)})
	}
	j.suite(class, j.shown(r), properties...)
	seen := newel.Ledger{Planned: r.Ledger.Planned}
	for row, err := range rows {
		if err != nil {
			return err
		}
		if !j.known[row.Rubric] {
			return fmt.Errorf("case %q: rubric %q is not in the summary", row.Case, row.Rubric)
		}
		if row.Rubric != r.Name {
			continue
		}
		v, ok := newel.ParseVerdict(row.Verdict)
		if !ok {
			return fmt.Errorf("case %q: unknown verdict %q", row.Case, row.Verdict)
		}
		seen.Count(v)
		j.testcase(class, &row)
	}
	j.x.end(1, "testsuite")
	if seen != r.Ledger {
		return fmt.Errorf("rubric %q: the summary counts %+v, its rows are %+v", r.Name, r.Ledger, seen)
	}
	return nil
}

// testcase writes one row. Its time is 0: newel does not attribute time to rows,
// and some viewers need a number.
func (j *junit) testcase(class string, row *newel.Row) {
	attrs := []attr{{"name", shownAs(row)}, {"classname", class}, {"time", "0"}}
	if row.Verdict == "pass" {
		j.x.empty(2, "testcase", attrs...)
		return
	}
	j.x.start(2, "testcase", attrs...)
	check, why := decider(row)
	message := clip(Visible(why), junitMessage)
	switch {
	case quiet(row):
		j.x.empty(3, "skipped", attr{"message", clip("in quarantine, not counted: "+row.Verdict+": "+message, junitMessage)})
	case row.Verdict == "fail":
		j.x.body(3, "failure", evidenceText(row), attr{"message", message}, attr{"type", named(check, "fail")})
	case row.Verdict == "error":
		j.x.body(3, "error", evidenceText(row), attr{"message", message}, attr{"type", named(errorKind(row), "error")})
	default:
		j.x.empty(3, "skipped", attr{"message", named(row.Reason, "unjudged")})
	}
	j.x.end(2, "testcase")
}

// shownAs names a row's item: no two items of a run are named alike.
func shownAs(row *newel.Row) string {
	if row.Shown == "" {
		return row.Case
	}
	return row.Shown
}

func errorKind(row *newel.Row) string {
	if row.Error == nil {
		return ""
	}
	return string(row.Error.Kind)
}

// decider returns the scorer that decided a row and the reason to show.
func decider(row *newel.Row) (check, why string) {
	why = row.Explanation
	if row.Error != nil {
		why = row.Error.Message
	}
	for _, s := range row.Scores {
		if s.Verdict != row.Verdict || (row.Layer != "" && s.Layer != row.Layer) {
			continue
		}
		if why == "" {
			why = s.Explanation
		}
		if why == "" && s.Error != nil {
			why = s.Error.Message
		}
		return s.Scorer, why
	}
	return row.Layer, why
}

// evidenceText is the body of a failure: the reason, each score that is not a
// pass, and what was looked at, all cut to a length that a viewer can show.
func evidenceText(row *newel.Row) string {
	var b strings.Builder
	_, why := decider(row)
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if why != "" {
		add("%s", clip(why, junitEvidence))
	}
	for i, s := range row.Scores {
		if s.Verdict == "pass" || i >= junitEntries {
			continue
		}
		add("%s", clip(scoreLine(s), junitEvidence))
	}
	for i, e := range row.Evidence {
		if i == junitEntries {
			add("and %d more", len(row.Evidence)-i)
			break
		}
		add("%s", evidenceLine(e, junitEvidence))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// scoreLine is one scorer's answer on a line.
func scoreLine(s newel.RowScore) string {
	text := s.Scorer + " (" + s.Layer + "): " + s.Verdict
	if s.Value != nil {
		text += " " + s.Value.String()
	}
	if s.Explanation != "" {
		text += ": " + s.Explanation
	}
	if s.Error != nil {
		text += ": " + s.Error.Error()
	}
	return text
}

// evidenceLine is one thing that a scorer looked at, each part cut to n
// characters.
func evidenceLine(e newel.Evidence, n int) string {
	var parts []string
	if e.Path != "" {
		parts = append(parts, "at "+clip(e.Path, n))
	}
	if e.Want != "" {
		parts = append(parts, "want "+clip(e.Want, n))
	}
	if e.Got != "" {
		parts = append(parts, "got "+clip(e.Got, n))
	}
	return strings.Join(parts, ", ")
}

// unfinished writes the testsuite of a run that is not complete.
func (j *junit) unfinished() {
	class := j.name + ".run"
	j.suite(class, newel.Ledger{Error: 1}, attr{"newel.run", j.sum.Run}, attr{"newel.state", string(j.sum.State)})
	j.x.start(2, "testcase", attr{"name", "the run is complete"}, attr{"classname", class}, attr{"time", "0"})
	j.x.body(3, "error", "go on with what is missing: "+resume(j.sum)+keptLines(j.sum), attr{"message", missingRows(j.sum)}, attr{"type", "incomplete"})
	j.x.end(2, "testcase")
	j.x.end(1, "testsuite")
}
