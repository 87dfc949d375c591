package report_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"newel"
	"newel/report"
	"newel/report/reporttest"
)

func junitOf(t *testing.T, sum *newel.Summary) string {
	t.Helper()
	return string(rendered(t, func(b *bytes.Buffer) error { return report.JUnit(b, sum, reporttest.Rows(sum)) }))
}

func TestJUnitReadsAsTheGoldenFilesDo(t *testing.T) {
	t.Parallel()
	for name, sum := range map[string]*newel.Summary{
		"small.xml": reporttest.Small(), "incomplete.xml": reporttest.SmallIncomplete(),
		"empty.xml": reporttest.Empty(), "hostile.xml": reporttest.Hostile(),
	} {
		golden(t, "junit/"+name, []byte(junitOf(t, sum)))
	}
}

// What the schema junit-10.xsd of the Jenkins xUnit plugin asks: the attributes
// of each element (true: required) and what it may hold.
type element struct {
	attrs map[string]bool
	holds []string
	text  bool
}

func junitSchema() map[string]element {
	return map[string]element{
		"testsuites": {attrs: map[string]bool{"name": false, "time": false, "tests": false, "failures": false, "errors": false}, holds: []string{"testsuite"}},
		"testsuite": {attrs: map[string]bool{"name": true, "tests": true, "failures": true, "errors": true, "skipped": false, "time": false, "timestamp": false,
			"group": false, "hostname": false, "id": false, "package": false, "file": false, "log": false, "url": false},
			holds: []string{"testsuite", "properties", "testcase", "system-out", "system-err"}},
		"properties": {holds: []string{"property"}},
		"property":   {attrs: map[string]bool{"name": true, "value": true}},
		"testcase": {attrs: map[string]bool{"name": true, "classname": false, "time": false, "group": false},
			holds: []string{"skipped", "error", "failure", "system-out", "system-err"}},
		"failure": {attrs: map[string]bool{"type": false, "message": false}, text: true},
		"error":   {attrs: map[string]bool{"type": false, "message": false}, text: true},
		"skipped": {attrs: map[string]bool{"type": false, "message": false}, text: true},
	}
}

func TestJUnitKeepsToTheSchema(t *testing.T) {
	t.Parallel()
	for _, sum := range []*newel.Summary{reporttest.Small(), reporttest.SmallIncomplete(), reporttest.Empty(), reporttest.Hostile()} {
		for _, problem := range schemaProblems(junitOf(t, sum)) {
			t.Errorf("%q: %s", sum.Run, problem)
		}
	}
}

func TestTheSchemaCheckFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, doc := range map[string]string{
		"an attribute the schema lacks":   `<testsuites skipped="1"></testsuites>`,
		"a required attribute left out":   `<testsuites><testsuite name="a" tests="1" failures="0"></testsuite></testsuites>`,
		"an element in the wrong place":   `<testsuites><testcase name="a"></testcase></testsuites>`,
		"text where there must be none":   `<testsuites>hello</testsuites>`,
		"a time that is not a number":     `<testsuites time="1e-7"></testsuites>`,
		"a document that is not XML":      `<testsuites>`,
		"a root that is not testsuites":   `<testsuite name="a" tests="0" failures="0" errors="0"></testsuite>`,
		"a control character as a number": `<testsuites name="&#x1b;"></testsuites>`,
	} {
		if len(schemaProblems(doc)) == 0 {
			t.Errorf("%s: not found", name)
		}
	}
}

// schemaProblems checks a document against junitSchema.
func schemaProblems(doc string) (out []string) {
	schema := junitSchema()
	dec := xml.NewDecoder(strings.NewReader(doc))
	var path []string
	for {
		tok, err := dec.Token()
		if err == io.EOF && len(path) == 0 {
			return out
		}
		if err != nil {
			return append(out, err.Error())
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			parent := ""
			if len(path) > 0 {
				parent = path[len(path)-1]
			}
			out = append(out, elementProblems(schema, parent, tok)...)
			path = append(path, tok.Name.Local)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if len(path) > 0 && !schema[path[len(path)-1]].text && strings.TrimSpace(string(tok)) != "" {
				out = append(out, "text in "+path[len(path)-1])
			}
		}
	}
}

func elementProblems(schema map[string]element, parent string, tok xml.StartElement) (out []string) {
	name := tok.Name.Local
	def, known := schema[name]
	if !known {
		return []string{"unknown element " + name}
	}
	if parent == "" && name != "testsuites" {
		out = append(out, "root "+name)
	}
	if parent != "" && !contains(schema[parent].holds, name) {
		out = append(out, name+" within "+parent)
	}
	seen := map[string]bool{}
	time := regexp.MustCompile(`^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$`)
	for _, a := range tok.Attr {
		seen[a.Name.Local] = true
		if _, ok := def.attrs[a.Name.Local]; !ok {
			out = append(out, "attribute "+a.Name.Local+" of "+name)
		}
		if a.Name.Local == "time" && !time.MatchString(a.Value) {
			out = append(out, "time "+a.Value)
		}
	}
	for attr, required := range def.attrs {
		if required && !seen[attr] {
			out = append(out, name+" without "+attr)
		}
	}
	return out
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

type junitFile struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Suites   []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Cases    []struct {
			Name    string     `xml:"name,attr"`
			Class   string     `xml:"classname,attr"`
			Failure *junitNote `xml:"failure"`
			Error   *junitNote `xml:"error"`
			Skipped *junitNote `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

type junitNote struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Body    string `xml:",chardata"`
}

func TestJUnitTotalsAreThoseOfTheLedger(t *testing.T) {
	t.Parallel()
	for _, sum := range []*newel.Summary{reporttest.Small(), reporttest.Complete(), reporttest.Hostile(), reporttest.Empty()} {
		f := parseJUnit(t, junitOf(t, sum))
		if got, want := [3]int{f.Tests, f.Failures, f.Errors}, [3]int{sum.Ledger.Done(), sum.Ledger.Fail, sum.Ledger.Error}; got != want {
			t.Errorf("%q: the file counts %v, the ledger %v", sum.Run, got, want)
		}
		for i, s := range f.Suites {
			l := sum.Rubrics[i].Ledger
			if got, want := [4]int{s.Tests, s.Failures, s.Errors, s.Skipped}, [4]int{l.Done(), l.Fail, l.Error, l.Unjudged}; got != want {
				t.Errorf("%q: testsuite %q counts %v, its ledger %v", sum.Run, s.Name, got, want)
			}
			if got := marks(f, i); got != [4]int{l.Done(), l.Fail, l.Error, l.Unjudged} {
				t.Errorf("%q: testsuite %q holds %v, its ledger says %+v", sum.Run, s.Name, got, l)
			}
		}
	}
}

// marks counts what testcases say.
func marks(f *junitFile, suite int) (out [4]int) {
	for _, c := range f.Suites[suite].Cases {
		out[0]++
		for i, note := range []*junitNote{c.Failure, c.Error, c.Skipped} {
			if note != nil {
				out[i+1]++
			}
		}
	}
	return out
}

func parseJUnit(t *testing.T, doc string) *junitFile {
	t.Helper()
	var f junitFile
	if err := xml.Unmarshal([]byte(doc), &f); err != nil {
		t.Fatal(err)
	}
	return &f
}

func TestAnIncompleteRunIsAnErrorInJUnit(t *testing.T) {
	t.Parallel()
	sum := reporttest.SmallIncomplete()
	f := parseJUnit(t, junitOf(t, sum))
	last := f.Suites[len(f.Suites)-1]
	if last.Name != "refunds.run" || len(last.Cases) != 1 || last.Cases[0].Error == nil || !strings.Contains(last.Cases[0].Error.Body, "newel resume r-small") {
		t.Errorf("the last testsuite is %+v", last)
	}
	if f.Tests != sum.Ledger.Done()+1 || f.Errors != sum.Ledger.Error+1 {
		t.Errorf("the file counts %d tests and %d errors", f.Tests, f.Errors)
	}
}

func TestJUnitSaysWhatBecameOfARow(t *testing.T) {
	t.Parallel()
	sum := reporttest.Small()
	f := parseJUnit(t, junitOf(t, sum))
	fail := f.Suites[0].Cases[5]
	if fail.Class != "refunds.arguments" || fail.Name != "a-0005" {
		t.Errorf("the failing testcase is %s of %s", fail.Name, fail.Class)
	}
	want := junitNote{`amount: want number, got "12"`, "json-schema", `amount: want number, got "12"
json-schema (floor): fail 0.25: amount: want number, got "12"
at output_json.amount, want number, got "12"`}
	if *fail.Failure != want {
		t.Errorf("failure\n got %+v\nwant %+v", *fail.Failure, want)
	}
	grounded := f.Suites[1].Cases
	if got := *grounded[4].Skipped; got != (junitNote{Message: "undrawn"}) {
		t.Errorf("skipped: %+v", got)
	}
	if got := *grounded[7].Error; got.Type != "gateway" || got.Message != "503 after 4 attempts" {
		t.Errorf("error: %+v", got)
	}
}

func TestJUnitNamesEachItemByItself(t *testing.T) {
	t.Parallel()
	row := func(shown string) newel.Row { return newel.Row{Case: "a", Shown: shown, Rubric: "r", Verdict: "pass"} }
	rows := []newel.Row{row("a|lang=de|#1"), row("a|lang=de|#2"), row("a|lang=en|#1")}
	f := parseJUnit(t, junitOfRows(t, newel.Ledger{Planned: 3, Pass: 3}, 0, rows...))
	for i, c := range f.Suites[0].Cases {
		if c.Name != rows[i].Shown {
			t.Errorf("testcase %d is called %q, want %q", i, c.Name, rows[i].Shown)
		}
	}
}

func TestJUnitSkipsWhatFailsInQuarantine(t *testing.T) {
	t.Parallel()
	rows := []newel.Row{
		{Case: "a", Shown: "a", Rubric: "r", Verdict: "fail", Explanation: "one is wrong", Quarantined: true},
		{Case: "b", Shown: "b", Rubric: "r", Verdict: "error", Error: &newel.ScoreError{Kind: newel.KindTimeout, Message: "no answer"}, Quarantined: true},
		{Case: "c", Shown: "c", Rubric: "r", Verdict: "pass", Quarantined: true},
		{Case: "d", Shown: "d", Rubric: "r", Verdict: "fail", Explanation: "two"},
		{Case: "e", Shown: "e", Rubric: "r", Verdict: "unjudged", Reason: newel.Undrawn},
	}
	ledger := newel.Ledger{Planned: 5, Pass: 1, Fail: 2, Error: 1, Unjudged: 1}
	f := parseJUnit(t, junitOfRows(t, ledger, 3, rows...))
	s := f.Suites[0]
	if got, want := [7]int{f.Tests, f.Failures, f.Errors, s.Tests, s.Failures, s.Errors, s.Skipped}, [7]int{5, 1, 0, 5, 1, 0, 3}; got != want {
		t.Errorf("the file counts %v, want %v", got, want)
	}
	if got := marks(f, 0); got != [4]int{5, 1, 0, 3} {
		t.Errorf("the testsuite holds %v", got)
	}
	for i, want := range []string{"in quarantine, not counted: fail: one is wrong", "in quarantine, not counted: error: no answer"} {
		if got := s.Cases[i].Skipped; got == nil || got.Message != want {
			t.Errorf("testcase %d: skipped %+v, want %q", i, got, want)
		}
	}
}

// junitOfRows renders the rows of a suite of one rubric, r.
func junitOfRows(t *testing.T, ledger newel.Ledger, quarantined int, rows ...newel.Row) string {
	t.Helper()
	sum := &newel.Summary{State: newel.Sealed, Ledger: ledger, Rubrics: []newel.RubricSummary{{Name: "r", Ledger: ledger, Quarantined: quarantined}}}
	return string(rendered(t, func(b *bytes.Buffer) error {
		return report.JUnit(b, sum, func() iter.Seq2[newel.Row, error] { return rowsOf(rows...) })
	}))
}

func TestJUnitRefusesRowsThatDoNotAddUp(t *testing.T) {
	t.Parallel()
	row := func(rubric, verdict string) newel.Row { return newel.Row{Case: "a", Rubric: rubric, Verdict: verdict} }
	for name, c := range map[string]struct {
		rows []newel.Row
		want string
	}{
		"too few":                    {nil, "the summary counts"},
		"another verdict":            {[]newel.Row{row("r", "fail")}, "the summary counts"},
		"too many":                   {[]newel.Row{row("r", "pass"), row("r", "pass")}, "the summary counts"},
		"a rubric that nobody named": {[]newel.Row{row("r", "pass"), row("other", "pass")}, `rubric "other" is not in the summary`},
		"a verdict that is none":     {[]newel.Row{row("r", "maybe")}, `unknown verdict "maybe"`},
	} {
		sum := &newel.Summary{State: newel.Sealed, Rubrics: []newel.RubricSummary{{Name: "r", Ledger: newel.Ledger{Planned: 1, Pass: 1}}}}
		err := report.JUnit(io.Discard, sum, func() iter.Seq2[newel.Row, error] { return rowsOf(c.rows...) })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", name, err, c.want)
		}
	}
}

func TestJUnitHoldsNothingThatActs(t *testing.T) {
	t.Parallel()
	doc := junitOf(t, reporttest.Hostile())
	calm(t, strings.ReplaceAll(doc, "\t", ""))
	for _, raw := range []string{"<script", "<img", "<![CDATA["} {
		if strings.Contains(doc, raw) {
			t.Errorf("%q stands in the document", raw)
		}
	}
}

func TestJUnitCutsLongEvidence(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1_000_000)
	row := newel.Row{Case: "a", Rubric: "r", Verdict: "fail", Explanation: long}
	for i := range 100 {
		row.Evidence = append(row.Evidence, newel.Evidence{Path: strconv.Itoa(i), Got: long})
		row.Scores = append(row.Scores, newel.RowScore{Scorer: fmt.Sprint(i), Verdict: "fail", Explanation: long})
	}
	sum := &newel.Summary{State: newel.Sealed, Ledger: newel.Ledger{Planned: 1, Fail: 1}, Rubrics: []newel.RubricSummary{{Name: "r", Ledger: newel.Ledger{Planned: 1, Fail: 1}}}}
	doc := rendered(t, func(b *bytes.Buffer) error {
		return report.JUnit(b, sum, func() iter.Seq2[newel.Row, error] { return rowsOf(row) })
	})
	if len(doc) > 100_000 || !bytes.Contains(doc, []byte("and 80 more")) {
		t.Errorf("%d bytes", len(doc))
	}
}
