package report_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"newel"
	"newel/report"
	"newel/report/reporttest"
)

func markdownOf(t *testing.T, sum *newel.Summary, limit int) string {
	t.Helper()
	return string(rendered(t, func(b *bytes.Buffer) error { return report.Markdown(b, sum, limit) }))
}

func TestMarkdownReadsAsTheGoldenFilesDo(t *testing.T) {
	t.Parallel()
	for name, sum := range map[string]*newel.Summary{
		"complete.md": reporttest.Complete(), "failing.md": reporttest.Failing(), "incomplete.md": reporttest.Incomplete(),
		"unknown-cost.md": reporttest.UnknownCost(), "sampled.md": reporttest.Sampled(), "empty.md": reporttest.Empty(), "hostile.md": reporttest.Hostile(),
	} {
		golden(t, "markdown/"+name, []byte(markdownOf(t, sum, 0)))
	}
}

// huge is a summary in which every list is long and every text is.
func huge() *newel.Summary {
	s := reporttest.Hostile()
	long := strings.Repeat("👾", 5000)
	s.Suite.Name, s.Suite.Digest, s.Run, s.Runner, s.Digest = long, long, long, long, long
	s.Gate.Baseline = long
	for i := range 2000 {
		name := fmt.Sprintf("%d-%s", i, long[:400])
		s.Gate.Rules = append(s.Gate.Rules, newel.GateRule{Rule: name, Rubric: name, State: newel.GateFailed, Why: name, Cases: []string{name, name, name}})
		s.Failing = append(s.Failing, newel.FailingCase{Case: name, Rubric: name, Check: name, Why: name})
		s.Slices = append(s.Slices, newel.Slice{Dims: map[string]string{name: name}, Rubric: name})
		s.Warnings = append(s.Warnings, name)
		s.Quarantine = append(s.Quarantine, newel.QuarantineLine{ID: name})
	}
	s.Ledger.Planned, s.Ledger.Fail = s.Ledger.Planned+5000, s.Ledger.Fail+5000
	return s
}

func TestMarkdownKeepsToItsLimit(t *testing.T) {
	t.Parallel()
	incomplete := huge()
	incomplete.State = newel.Stopped
	for _, limit := range []int{0, report.MarkdownLeast, 20_000, report.CommentLimit, report.StepSummaryLimit} {
		for _, sum := range append(summaries(), huge(), incomplete) {
			got := markdownOf(t, sum, limit)
			most := limit
			if limit == 0 {
				most = report.CommentLimit
			}
			if len(got) > most {
				t.Errorf("%d bytes where %d are allowed", len(got), most)
			}
			for _, want := range []string{"<!-- newel report: ", "## ", "**Cost**", "Report digest "} {
				if !strings.Contains(got, want) {
					t.Errorf("limit %d: %q is missing", limit, want)
				}
			}
		}
	}
}

func TestMarkdownSaysWhatItLeftOut(t *testing.T) {
	t.Parallel()
	if got := markdownOf(t, huge(), report.MarkdownLeast); !strings.Contains(got, "Left out for length: ") {
		t.Error("it does not name the sections that are left out")
	}
	sum := reporttest.Complete()
	if got := markdownOf(t, sum, 0); !strings.Contains(got, "and 193 more: `newel show r-20260301-0042 --failing`") {
		t.Error("it does not count the failing rows that are left out")
	}
	if got := markdownOf(t, reporttest.Inconclusive(), 0); strings.Contains(got, "Left out") {
		t.Error("it claims to have left something out")
	}
	many := reporttest.ManySlices()
	for range 4 {
		many.Slices = append(many.Slices, many.Slices...)
	}
	got := markdownOf(t, many, report.CommentLimit)
	rows := regexp.MustCompile("(?m)^\\| `language=lang").FindAllString(got, -1)
	more := regexp.MustCompile(`and (\d+) more: .newel report`).FindStringSubmatch(got)
	if len(more) != 2 || fmt.Sprint(960-len(rows)) != more[1] {
		t.Errorf("%d slices shown, and %v more", len(rows), more)
	}
}

func TestMarkdownRefusesALimitBelowWhatItNeeds(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := report.Markdown(&b, reporttest.Complete(), report.MarkdownLeast-1); err == nil || b.Len() > 0 {
		t.Errorf("got %v and %d bytes", err, b.Len())
	}
}

func TestMarkdownMarkerNamesTheSuiteAndNothingElse(t *testing.T) {
	t.Parallel()
	for suite, want := range map[string]string{
		"refunds":    "<!-- newel report: refunds -->",
		"a-b_c.2":    "<!-- newel report: a-b_c.2 -->",
		"a--b":       "<!-- newel report: a-%2Db -->",
		"--> <b>x":   "<!-- newel report: %2D%2D%3E%20%3Cb%3Ex -->",
		"a b":        "<!-- newel report: a%20b -->",
		"two\nlines": "<!-- newel report: two%0Alines -->",
		"退":          "<!-- newel report: %E9%80%80 -->",
	} {
		sum := reporttest.Complete()
		sum.Suite.Name = suite
		if got, _, _ := strings.Cut(markdownOf(t, sum, 0), "\n"); got != want {
			t.Errorf("%q: got %q, want %q", suite, got, want)
		}
	}
}

// Outside code spans nothing of the data may be left: neither mentions nor
// links, HTML or table cells. The spans are taken out as GitHub reads them: a
// run of backticks up to the next run of the same length.
func TestMarkdownHoldsDataOnlyInCodeSpans(t *testing.T) {
	t.Parallel()
	doc := markdownOf(t, reporttest.Hostile(), report.StepSummaryLimit)
	calm(t, doc)
	for i, line := range strings.Split(doc, "\n")[1:] {
		bare := withoutSpans(t, line)
		for _, raw := range []string{"@", "http", "www", "<script", "<img", "<!--", "~~", "octocat", "heading", "`"} {
			if strings.Contains(bare, raw) {
				t.Errorf("line %d: %q outside code: %q", i+2, raw, line)
			}
		}
	}
}

func withoutSpans(t *testing.T, line string) string {
	t.Helper()
	ticks := regexp.MustCompile("`+")
	out := ""
	for {
		open := ticks.FindStringIndex(line)
		if open == nil {
			return out + line
		}
		fence := line[open[0]:open[1]]
		out += line[:open[0]]
		line = line[open[1]:]
		end := -1
		for _, at := range ticks.FindAllStringIndex(line, -1) {
			if line[at[0]:at[1]] == fence {
				end = at[1]
				break
			}
		}
		if end < 0 {
			t.Errorf("a code span that does not end: %q", line)
			return out
		}
		line = line[end:]
	}
}

// A pipe ends a cell unless one backslash stands before it, and a backslash may
// itself be escaped; so every row must have its header's number of pipes.
func TestMarkdownTablesKeepTheirColumns(t *testing.T) {
	t.Parallel()
	escaped := regexp.MustCompile(`\\[!-/:-@\[-` + "`" + `{-~]`)
	for _, sum := range summaries() {
		columns := 0
		for line := range strings.Lines(markdownOf(t, sum, 0)) {
			if !strings.HasPrefix(line, "| ") {
				columns = 0
				continue
			}
			n := strings.Count(escaped.ReplaceAllString(line, ""), "|")
			if columns == 0 {
				columns = n
			}
			if n != columns {
				t.Errorf("%d pipes in a table of %d: %q", n, columns, line)
			}
		}
	}
}
