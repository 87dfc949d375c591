package suite

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func TestDocumentsBecomeValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       any
	}{
		{"a map", "a: x\nb: 1\n", map[string]any{"a": "x", "b": 1.0}},
		{"JSON", `{"a": ["x", 1.5, true, null]}`, map[string]any{"a": []any{"x", 1.5, true, nil}}},
		{"JSON with a line end within and tabs around", "{\n\t\"a\": 1\n}", map[string]any{"a": 1.0}},
		{"words of YAML 1.1 are texts", "[yes, no, on, off, y, n]", []any{"yes", "no", "on", "off", "y", "n"}},
		{"numbers in other bases and with groups", "[0x1F, 0o17, 1_000, +5, -0, 1e3]", []any{31.0, 15.0, 1000.0, 5.0, 0.0, 1000.0}},
		{"a whole number that a float does not hold", "9007199254740993", json.Number("9007199254740993")},
		{"a very long whole number", strings.Repeat("9", 40), json.Number(strings.Repeat("9", 40))},
		{"numbers in quotes are texts", `["1", '2', !!str 3]`, []any{"1", "2", "3"}},
		{"days are texts", "2027-01-31", "2027-01-31"},
		{"empty values are null", "a:\nb: ~\nc: null\n", map[string]any{"a": nil, "b": nil, "c": nil}},
		{"keys are texts whatever they look like", "1: a\ntrue: b\nnull: c\n", map[string]any{"1": "a", "true": "b", "null": "c"}},
		{"an alias stands for a copy", "a: &x [1, 2]\nb: *x\n", map[string]any{"a": []any{1.0, 2.0}, "b": []any{1.0, 2.0}}},
		{"block texts keep their lines", "a: |\n  one\n  two\nb: >\n  one\n  two\n", map[string]any{"a": "one\ntwo\n", "b": "one two\n"}},
		{"a byte order mark is skipped", "\ufeffa: 1", map[string]any{"a": 1.0}},
		{"line ends of Windows", "a: 1\r\nb: x\r\n", map[string]any{"a": 1.0, "b": "x"}},
		{"the end of a document may be marked", "---\na: 1\n...\n", map[string]any{"a": 1.0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n, mistakes := parse(c.text)
			if mistakes != "" {
				t.Fatal(mistakes)
			}
			if diff := cmp.Diff(c.want, n.Any()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestValuesKnowTheirPlaces(t *testing.T) {
	t.Parallel()
	n, mistakes := parse("\ufeffa: x\r\n\"ü\": [1, {k: 2}]\r\nc:\r\n  - é: 3\r\n")
	if mistakes != "" {
		t.Fatal(mistakes)
	}
	var got []string
	var walk func(path string, n *newel.Node)
	walk = func(path string, n *newel.Node) {
		got = append(got, fmt.Sprintf("%s %d:%d", path, n.Pos.Line, n.Pos.Column))
		for i, e := range n.List {
			walk(fmt.Sprintf("%s/%d", path, i), e)
		}
		for _, f := range n.Fields {
			got = append(got, fmt.Sprintf("key %s %d:%d", f.Name, f.Pos.Line, f.Pos.Column))
			walk(path+"/"+f.Name, f.Node)
		}
	}
	walk("", n)
	want := []string{
		" 1:1", "key a 1:1", "/a 1:4",
		"key ü 2:1", "/ü 2:6", "/ü/0 2:7", "/ü/1 2:10", "key k 2:11", "/ü/1/k 2:14",
		"key c 3:1", "/c 4:3", "/c/0 4:5", "key é 4:5", "/c/0/é 4:8",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWhatIsNoYAMLIsSaidInPlainWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"an unquoted percent sign", "a: %x\n", "1:4: not YAML: a value cannot begin with %: put the text in quotes"},
		{"an unquoted back quote", "a: `x`\n", "1:4: not YAML: a value cannot begin with `: put the text in quotes"},
		{"a colon within a text", "a: b: c\n", `1:5: not YAML: ": " may stand once in a line, behind the key: put a text that holds it in quotes, or look at the indentation`},
		{"a key deeper than its map", "a: 1\n  b: 2\n", `2:4: not YAML: ": " may stand once in a line, behind the key: put a text that holds it in quotes, or look at the indentation`},
		{"a quote inside quotes", "a: 'it's'\n", "1:8: not YAML: this fits no key of the map that begins on line 1: look at the indentation, and at quotes and brackets before it"},
		{"a key among the entries of a list", "- a\nb: 1\n", "2:1: not YAML: this is no entry of the list that begins on line 1: begin it with -, or look at the indentation"},
		{"a line without a colon", "a: b\nc\nd: e\n", "2:1: not YAML: this line is no key with a value: a colon is missing, or a text goes on without indentation"},
		{"a list that is not closed", "a: [1, 2\nb: 3\n", "2:2: not YAML: the list that begins on line 1 lacks a comma or its ] before this"},
		{"a file that ends in a list", "a: [\n", "2:1: not YAML: a value is missing here, or a bracket is not closed"},
		{"a value left out", "a: [1,,2]\n", "1:7: not YAML: a value is missing here, or a bracket is not closed"},
		{"a backslash in double quotes", `a: "\d+"`, "1:5: not YAML: a backslash in double quotes begins an escape: write two of them, or put the text in single quotes"},
		{"a tab in a block text", "a: |\n x\n\ty\n", "3:1: not YAML: a tab indents here: YAML indents with spaces"},
		{"a bare ampersand", "a: &\n", "1:5: not YAML: & and * begin the name of an anchor: put the text in quotes"},
		{"a second document that is broken", "a: 1\n---\nb: [\n", "4:1: not YAML: a value is missing here, or a bracket is not closed"},
		{"a number with a zero in front", "a: 017\n", "1:4: 017 begins with a zero: put it in quotes if it is a text, else write the number without it"},
		{"a control character", "a: x\nb: \x07\n", "2:4: not text: the file holds the control character U+0007"},
		{"broken UTF-8 behind other characters", "ä: x\nb: é\xff\n", "2:5: not UTF-8 text: save the file as UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, got := parse(c.text); got != "s.yaml:"+c.want {
				t.Errorf("got  %s\nwant s.yaml:%s", got, c.want)
			}
		})
	}
}

func TestAliasesMayStandForMuchButNotForEverything(t *testing.T) {
	t.Parallel()
	list := func(times int) string {
		return "a: &a [" + strings.Repeat("1,", 999) + "]\nb: [" + strings.Repeat("*a,", times) + "]\n"
	}
	if _, mistakes := parse(list(90)); mistakes != "" {
		t.Error(mistakes)
	}
	n, mistakes := parse(list(110))
	if want := "s.yaml:1:"; n != nil || !strings.HasPrefix(mistakes, want) || !strings.HasSuffix(mistakes, "hold more than 100000 values") {
		t.Error(mistakes)
	}
}
