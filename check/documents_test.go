package check

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"newel"
)

// verdictCase is one output and what a check says of it.
type verdictCase struct {
	name, check, output string
	want                newel.Verdict
	why                 string
}

func runVerdicts(t *testing.T, cases []verdictCase, with func(c *newel.Case)) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check := mustBuildJSON(t, c.check, nil)
			cs := &newel.Case{ID: "a", Output: newel.AppendString(nil, c.output)}
			if with != nil {
				with(cs)
			}
			score := check.Score(context.Background(), subjectWith(cs))
			why := score.Explanation
			if score.Err != nil {
				why = string(score.Err.Kind) + ": " + score.Err.Message
			}
			if score.Verdict != c.want || why != c.why {
				t.Errorf("got  %v: %s\nwant %v: %s", score.Verdict, why, c.want, c.why)
			}
		})
	}
}

// mistakeCase is one definition and the mistake in it.
type mistakeCase struct{ name, check, want string }

func runMistakes(t *testing.T, cases []mistakeCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := buildJSON(c.check, &Env{ReadFile: readFrom(nil)})
			if want := "suite.yaml:3:5: " + c.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

func TestJSONIsAskedFor(t *testing.T) {
	t.Parallel()
	runVerdicts(t, []verdictCase{
		{"an object", `"json"`, `{"a": 1}`, newel.Pass, ""},
		{"a bare number", `"json"`, ` 17 `, newel.Pass, ""},
		{"a text", `"json"`, `seventeen`, newel.Fail, `the output is not JSON: read JSON: jsontext: invalid character 's' at start of value`},
		{"two values", `"json"`, `{} {}`, newel.Fail, `the output is not JSON: read JSON: text after the JSON value`},
		{"a name used twice", `"json"`, `{"a": 1, "a": 2}`, newel.Fail, `the output is not JSON: read JSON: jsontext: duplicate object member name "a"`},
		{"JSON in a fenced block among words", `{"json": {"extract": "json"}}`, "Here you are:\n```json\n[1]\n```\n", newel.Pass, ""},
		{"the wanted type", `{"json": "object"}`, `{}`, newel.Pass, ""},
		{"another type", `{"json": {"type": "object"}}`, `[]`, newel.Fail, `the JSON is of type array, not object`},
		{"one of two types", `{"json": ["object", "array"]}`, `[]`, newel.Pass, ""},
		{"a whole number is an integer", `{"json": "integer"}`, `3.0`, newel.Pass, ""},
		{"an integer is a number", `{"json": "number"}`, `3`, newel.Pass, ""},
		{"a fraction is no integer", `{"json": "integer"}`, `3.5`, newel.Fail, `the JSON is of type number, not integer`},
		{"null is null", `{"json": "null"}`, `null`, newel.Pass, ""},
		{"a very long number is an integer", `{"json": "integer"}`, `123456789012345678901234567890`, newel.Pass, ""},
		{"a type of the case", `{"json": {"type": {"from": "id"}}}`, `1`, newel.Failed, `definition: id: is one of object, array, string, number, integer, boolean, null, not "a"`},
	}, nil)
	runMistakes(t, []mistakeCase{
		{"a type misspelt", `{"json": "objct"}`, `json: type is one of object, array, string, number, integer, boolean, null, not "objct" (did you mean "object"?)`},
	})
}

func TestXMLIsAskedFor(t *testing.T) {
	t.Parallel()
	runVerdicts(t, []verdictCase{
		{"a document with all its parts", `"xml"`, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE order>\n<!-- note -->\n<order id='1' x:id=\"2\"><item/>a &lt; b<![CDATA[<]]></order>\n", newel.Pass, ""},
		{"an element left open", `"xml"`, `<a><b></b>`, newel.Fail, `the text is not well-formed XML: <a> is never closed`},
		{"elements that cross", `"xml"`, "<a>\n<b></a></b>", newel.Fail, `the text is not well-formed XML: line 2, column 8: <b> is closed by </a>`},
		{"a second root", `"xml"`, `<a/><b/>`, newel.Fail, `the text is not well-formed XML: line 1, column 9: <b> is a second root element`},
		{"words around it", `"xml"`, `Here: <a/>`, newel.Fail, `the text is not well-formed XML: line 1, column 7: the text "Here:" stands outside the root element`},
		{"no element", `"xml"`, `<!-- a -->`, newel.Fail, `the text is not well-formed XML: there is no element`},
		{"an attribute twice", `"xml"`, `<a b="1" b="2"/>`, newel.Fail, `the text is not well-formed XML: line 1, column 17: <a> has the attribute b twice`},
		{"an attribute without quotes", `"xml"`, `<a b=1/>`, newel.Fail, `the text is not well-formed XML: line 1: unquoted or missing attribute value in element`},
		{"a bare ampersand", `"xml"`, `<a>b & c</a>`, newel.Fail, `the text is not well-formed XML: line 1: invalid character entity & (no semicolon)`},
		{"an entity of its own, which is not expanded", `"xml"`, `<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx">]><a>&x;</a>`, newel.Fail, `the text is not well-formed XML: line 1: invalid character entity &x;`},
		{"a late declaration", `"xml"`, ` <?xml version="1.0"?><a/>`, newel.Fail, `the text is not well-formed XML: line 1, column 23: an XML declaration stands at the very beginning or nowhere`},
		{"nested too deep", `"xml"`, strings.Repeat("<a>", 257), newel.Failed, `limit: the XML is nested deeper than 256 elements`},
		{"too long", `"xml"`, "<a>" + strings.Repeat("x", 1<<20) + "</a>", newel.Failed, `limit: output has 1048583 bytes, more than the 1048576 that this check reads`},
		{"the wanted root", `{"xml": "order"}`, `<order/>`, newel.Pass, ""},
		{"another root", `{"xml": "order"}`, `<invoice/>`, newel.Fail, `the root element is "invoice", not "order"`},
		{"elements by name and path", `{"xml": {"elements": ["sku", "order/item", "x:total"]}}`, `<order><item><sku/></item><x:total/></order>`, newel.Pass, ""},
		{"an element elsewhere than on its path", `{"xml": {"elements": ["order/sku", "price"]}}`, `<order><item><sku/></item></order>`, newel.Fail, `the XML has no element ["order/sku","price"]`},
	}, nil)
}

func TestATableIsAskedFor(t *testing.T) {
	t.Parallel()
	runVerdicts(t, []verdictCase{
		{"the columns, in any order", `{"csv-columns": ["b", "a"]}`, "a,b,c\n1,2,3\n", newel.Pass, ""},
		{"a missing column", `{"csv-columns": ["a", "amount"]}`, "a,b\n1,2\n", newel.Fail, `the header has no column "amount"`},
		{"a row too short", `{"csv-columns": "a"}`, "a,b\n1,2\n3\n", newel.Fail, `the text is no table: line 3 has not as many fields as the header, which has 2`},
		{"a quoted field with a line break", `{"csv-columns": "a"}`, "a,b\n\"1\n2\",3\n", newel.Pass, ""},
		{"a quote that never closes", `{"csv-columns": "a"}`, "a,b\n\"1,2\n", newel.Fail, `the text is no table: line 2, column 6: extraneous or missing " in quoted-field`},
		{"an empty text", `{"csv-columns": "a"}`, "\n\n", newel.Fail, `the text is no table: it is empty`},
		{"semicolons", `{"csv-columns": {"columns": "b", "separator": ";"}}`, "a;b\n1;2\n", newel.Pass, ""},
		{"tabs", `{"csv-columns": {"columns": "b", "separator": "tab"}}`, "a\tb\n1\t2\n", newel.Pass, ""},
		{"exactly the columns", `{"csv-columns": {"columns": ["a", "b"], "exact": true}}`, "a,b\n", newel.Pass, ""},
		{"the columns in another order", `{"csv-columns": {"columns": ["b", "a"], "exact": true}}`, "a,b\n", newel.Fail, `the header is ["a","b"], not ["b","a"]`},
		{"another case", `{"csv-columns": {"columns": "Amount", "ignore_case": true}}`, "AMOUNT\n1\n", newel.Pass, ""},
		{"enough rows", `{"csv-columns": {"min": 2, "max": 2}}`, "a\n1\n2\n", newel.Pass, ""},
		{"too few rows", `{"csv-columns": {"columns": "a", "min": 3}}`, "a\n1\n\n2\n", newel.Fail, `the number of rows is 2, below the minimum of 3`},
		{"too many rows", `{"csv-columns": {"columns": "a", "max": 1}}`, "a\r\n1\r\n2\r\n", newel.Fail, `the number of rows is 2, above the maximum of 1`},
	}, nil)
	runMistakes(t, []mistakeCase{
		{"a separator of two characters", `{"csv-columns": {"columns": "a", "separator": "||"}}`, `csv-columns: separator is one character, or tab, not "||"`},
		{"no row can be right", `{"csv-columns": {"min": 3, "max": 1}}`, `csv-columns: min 3 is above max 1: nothing can pass`},
	})
}

func TestSQLIsAskedFor(t *testing.T) {
	t.Parallel()
	runVerdicts(t, []verdictCase{
		{"a query", `"sql"`, "SELECT a FROM t WHERE b = 'c'", newel.Pass, ""},
		{"prose", `"sql"`, "You want to SELECT a FROM t", newel.Fail, `the text is no SQL that parses: line 1, column 1: "You" stands where a statement was expected`},
		{"a query of the dialect", `{"sql": "postgres"}`, "SELECT a::int FROM t", newel.Pass, ""},
		{"a query of another dialect", `{"sql": {"dialect": "postgres"}}`, "SELECT `a` FROM t", newel.Fail, `the text is no SQL that parses: line 1, column 8: a name in backticks is not of this dialect`},
		{"a query within a fence", `{"sql": {"extract": {"regex": "(?s)` + "```sql\\n(.*)```" + `"}}}`, "Here:\n```sql\nSELECT 1\n```", newel.Pass, ""},
		{"a query where only queries may be", `{"sql": {"statements": ["select"]}}`, "WITH a AS (SELECT 1) SELECT * FROM a", newel.Pass, ""},
		{"a change of data where only queries may be", `{"sql": {"statements": "select"}}`, "SELECT 1; DELETE FROM t", newel.Fail, `statement 2 does DELETE, and may do SELECT only`},
		{"a change of data within a query", `{"sql": {"statements": "select"}}`, "WITH gone AS (DELETE FROM t RETURNING a) SELECT a FROM gone", newel.Fail, `statement 1 does DELETE, and may do SELECT only`},
		{"a query that makes a table", `{"sql": {"statements": "select"}}`, "SELECT a INTO b FROM t", newel.Fail, `statement 1 does CREATE, and may do SELECT only`},
		{"two statements for one", `{"sql": {"single": true}}`, "SELECT 1; SELECT 2;", newel.Fail, `there are 2 statements, not one`},
		{"a table of the list", `{"sql": {"tables": ["Orders", "public.users"]}}`, "SELECT * FROM shop.orders JOIN PUBLIC.users USING (id)", newel.Pass, ""},
		{"a table of no list", `{"sql": {"tables": ["orders"]}}`, "SELECT * FROM orders WHERE a IN (SELECT a FROM salaries)", newel.Fail, `statement 1 names the table "salaries", which is none of "orders"`},
		{"a table forbidden", `{"sql": {"forbid_tables": "salaries"}}`, "SELECT * FROM hr.salaries", newel.Fail, `statement 1 names the table "hr.salaries", which it may not`},
		{"a statement whose tables are not known", `{"sql": {"forbid_tables": "salaries"}}`, "DROP TABLE salaries", newel.Fail, `statement 1 is DROP, whose tables are not known: statements must allow it`},
		{"nested too deep", `"sql"`, "SELECT " + strings.Repeat("(", 300), newel.Failed, `limit: the SQL is nested deeper than 200 levels`},
		{"too long", `"sql"`, "SELECT 1 --" + strings.Repeat("x", 256<<10), newel.Failed, `limit: the SQL has 262155 bytes; at most 262144 are read`},
	}, nil)
	runMistakes(t, []mistakeCase{
		{"a dialect that there is not", `{"sql": "postgresql"}`, `sql: dialect is one of any, postgres, mysql, sqlite, sqlserver (did you mean "postgres"?)`},
		{"a kind misspelt", `{"sql": {"statements": ["SELECT"]}}`, `sql: statements has "SELECT", which begins no statement (did you mean "select"?)`},
	})
}

// threePassages is a context of three passages with ids.
func threePassages(c *newel.Case) {
	c.Context = []newel.Passage{
		{ID: "doc-1", Text: "Order 17 ships  today,\nat noon, from Rome."},
		{ID: "doc-2", Text: "Refunds take “five working days”, weekends not counted."},
		{ID: "faq", Text: "Write to us – at any time."},
	}
}

func TestCitationsLeadToTheContext(t *testing.T) {
	t.Parallel()
	runVerdicts(t, []verdictCase{
		{"one number", `"citations"`, `It ships today [1].`, newel.Pass, ""},
		{"a list and a range", `{"citations": {"min": 5, "max": 5}}`, `It ships today [1, 2] and [1-3].`, newel.Pass, ""},
		{"a range written with a dash", `{"citations": {"min": 3}}`, `It ships [1–3].`, newel.Pass, ""},
		{"an id", `"citations"`, `It ships today [doc-1] [faq].`, newel.Pass, ""},
		{"other spellings", `{"citations": {"min": 4}}`, `It ships【1†source】, so [Source 2], [^3], [#1].`, newel.Pass, ""},
		{"nothing cited", `"citations"`, `It ships today [sic], see [ ] and [the site](https://example.com).`, newel.Fail, `the text cites nothing`},
		{"nothing cited where nothing need be", `{"citations": {"min": 0}}`, `It ships today.`, newel.Pass, ""},
		{"too few", `{"citations": {"min": 3}}`, `It ships today [1][2].`, newel.Fail, `the text has 2 citations, below the minimum of 3`},
		{"too many", `{"citations": {"max": 1}}`, `It ships today [1][2].`, newel.Fail, `the text has 2 citations, above the maximum of 1`},
		{"a number beyond the last passage", `"citations"`, `It ships today [4].`, newel.Fail, `"4" leads to no passage: the context has 3 passages, numbered from 1`},
		{"a range that runs beyond", `"citations"`, `It ships today [2-900000000].`, newel.Fail, `"2-900000000" leads to no passage: the context has 3 passages, numbered from 1`},
		{"numbers from nought", `{"citations": {"first": 0}}`, `It ships [0], it does [3].`, newel.Fail, `"3" leads to no passage: the context has 3 passages, numbered from 0`},
		{"an id that there is not", `"citations"`, `It ships today [doc-9].`, newel.Fail, `"doc-9" leads to no passage: the context has 3 passages, numbered from 1`},
		{"an id that there is not, where it does not matter", `{"citations": {"in_context": false}}`, `It ships today [doc-9].`, newel.Pass, ""},
		{"parentheses", `{"citations": "paren"}`, `It ships today (1, 2), in all likelihood (see below).`, newel.Pass, ""},
		{"a pattern", `{"citations": {"style": {"regex": "<cite>(.*?)</cite>"}}}`, `It ships today <cite>faq</cite>.`, newel.Pass, ""},
		{"a pattern that finds what is no passage", `{"citations": {"style": {"regex": "\\{(\\w+)\\}"}}}`, `It ships today {intro}.`, newel.Fail, `"intro" leads to no passage: the context has 3 passages, numbered from 1`},
		{"a quotation that stands there", `{"citations": {"quoted": true}}`, `We know that it "ships today, at noon" [1].`, newel.Pass, ""},
		{"a quotation that stands in another passage", `{"citations": {"quoted": true}}`, `We know that it "ships today, at noon" [2].`, newel.Fail, `"ships today, at noon" is quoted and does not stand in "2"`},
		{"a quotation in another case", `{"citations": {"quoted": true, "ignore_case": true}}`, `"SHIPS TODAY, AT NOON." [doc-1]`, newel.Pass, ""},
		{"a quotation with words left out", `{"citations": {"quoted": true}}`, `It “ships today … from Rome”. [1]`, newel.Pass, ""},
		{"a quotation with its parts the wrong way round", `{"citations": {"quoted": true}}`, `It “from Rome … ships today” [1].`, newel.Fail, `"from Rome … ships today" is quoted and does not stand in "1"`},
		{"marks of another kind in the passage", `{"citations": {"quoted": true}}`, `It says: «"five working days", weekends not counted» [2], and "to us - at any time" [3].`, newel.Pass, ""},
		{"a quotation without citation", `{"citations": {"quoted": true}}`, `Look at [1]. It "ships today, at noon".`, newel.Fail, `"ships today, at noon" is quoted and nothing is cited with it`},
		{"a quotation of two sentences", `{"citations": {"quoted": true}}`, `We read "It ships. It ships today." [1].`, newel.Fail, `"It ships. It ships today" is quoted and does not stand in "1"`},
		{"a word in quotation marks", `{"citations": {"quoted": true}}`, `The "refund" is on its way [1].`, newel.Pass, ""},
		{"all sentences cited", `{"citations": {"share": 1}}`, "It ships today [1]. It comes from Rome. [1] So it is (doc).\n\nThank you [2]!", newel.Fail, `3 of 4 sentences carry a citation, below the share of 1`},
		{"enough sentences cited", `{"citations": {"share": 0.75}}`, "It ships today [1]. It comes from Rome. [1] So it is.\n\nThank you [2]!", newel.Pass, ""},
		{"a citation at the head of its own line", `{"citations": {"share": 0.5}}`, "It ships today.\n[1] It does.", newel.Pass, ""},
		{"a minimum of the case", `{"citations": {"min": {"from": "vars.n"}}}`, `It ships [1].`, newel.Failed, `case: the case has no vars`},
	}, threePassages)
}

func TestCitationsAskForAContext(t *testing.T) {
	t.Parallel()
	runVerdicts(t, []verdictCase{
		{"a case without context", `"citations"`, `It ships [1].`, newel.Failed, `case: the case has no context`},
		{"a case without context, where none is asked", `{"citations": {"in_context": false}}`, `It ships [1].`, newel.Pass, ""},
	}, nil)
	runVerdicts(t, []verdictCase{
		{"an empty context", `"citations"`, `It ships [1].`, newel.Fail, `"1" leads to no passage: the context is empty`},
	}, func(c *newel.Case) { c.Context = []newel.Passage{} })
	runMistakes(t, []mistakeCase{
		{"a style that there is not", `{"citations": "brackets"}`, `citations: style is bracket, paren or {regex: PATTERN}, not "brackets" (did you mean "bracket"?)`},
		{"a pattern that is none", `{"citations": {"style": {"regex": "("}}}`, `citations: style "(" is not a regular expression (Go syntax): column 1: missing closing ): "("`},
		{"a share above one", `{"citations": {"share": 60}}`, `citations: share is a number from 0 to 1, not 60`},
		{"no number can be right", `{"citations": {"min": 3, "max": 1}}`, `citations: min 3 is above max 1: nothing can pass`},
	})
}

func TestCitationsGiveANumber(t *testing.T) {
	t.Parallel()
	for definition, want := range map[string]string{`"citations"`: "3", `{"citations": {"share": 0.1}}`: "0.5"} {
		s := subjectOf("It ships [1][2]. It comes from Rome. It does. So [3].")
		s.Context = make([]newel.Passage, 3)
		score := mustBuildJSON(t, definition, nil).Score(context.Background(), s)
		if !score.HasValue || score.Value.String() != want || score.Verdict != newel.Pass {
			t.Errorf("%s: got %v %s, want pass %s", definition, score.Verdict, score.Value, want)
		}
	}
}

// fuzzText runs a check on any text and asks that it gives a verdict.
func fuzzText(f *testing.F, definition string, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	check := mustBuildJSON(f, definition, nil)
	f.Fuzz(func(t *testing.T, text string) {
		c := &newel.Case{ID: "a", Output: newel.AppendString(nil, text)}
		threePassages(c)
		score := check.Score(context.Background(), subjectWith(c))
		if score.Verdict == newel.Undecided || score.Err != nil && score.Err.Kind != newel.KindLimit {
			t.Errorf("%v: %v", score.Verdict, score.Err)
		}
		if score.Verdict == newel.Fail && score.Explanation == "" {
			t.Error("a fail without explanation")
		}
	})
}

func FuzzXML(f *testing.F) {
	fuzzText(f, `{"xml": {"elements": ["a/b", "c"]}}`, `<a><b c="d"/>&amp;</a>`, `<!DOCTYPE a><a/>`, `<?xml version="1.0"?><x:a/>`)
}

func FuzzSQL(f *testing.F) {
	fuzzText(f, `{"sql": {"statements": ["select"], "tables": ["t"]}}`, "SELECT a FROM t", "WITH x AS (SELECT 1) SELECT * FROM x; DROP TABLE t")
}

func FuzzCSV(f *testing.F) {
	fuzzText(f, `{"csv-columns": {"columns": ["a"], "min": 1}}`, "a,b\n1,2\n", "a\n\"x\ny\"\n", "\ufeffa\n1")
}

func FuzzCitations(f *testing.F) {
	fuzzText(f, `{"citations": {"quoted": true, "share": 0.5, "normalize": ["whitespace"]}}`,
		`It “ships today … from Rome” [1-2]. [doc-1]`, `【1†a】 „x y z“ [2`, fmt.Sprintf("%q [1,%d]", "a b c", 1<<40))
}
