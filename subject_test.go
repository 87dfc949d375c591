package newel

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func subject(output string) *Subject {
	return NewSubject(&Item{Case: &Case{ID: "c", Output: Raw(output)}, Trial: 1})
}

func TestOutputAsText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ output, want string }{
		"a text as it is":                    {`"a\nb"`, "a\nb"},
		"an object as canonical JSON":        {`{"b":1.0,"a":[true]}`, `{"a":[true],"b":1}`},
		"a number as JSON":                   {`1.50`, "1.5"},
		"of a conversation the last content": {`[{"role":"user","content":"hi"},{"role":"assistant","content":"yes"}]`, "yes"},
		"of a message its content":           {`{"role":"assistant","content":"yes"}`, "yes"},
		"of parts those that are texts":      {`{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}`, "a\nb"},
		"a message that only calls is empty": {`{"role":"assistant","content":null,"tool_calls":[]}`, ""},
	} {
		got, err := subject(c.output).Text()
		if err != nil || got != c.want {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, c.want)
		}
	}
	for name, output := range map[string]string{"none": ``, "null": `null`} {
		s := subject(output)
		if output == "" {
			s.Output = nil
		}
		_, err := s.Text()
		var unreadable *OutputError
		if !errors.As(err, &unreadable) {
			t.Errorf("%s: got %v, want an output error", name, err)
		}
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	weather := []ToolCall{{Name: "weather", Arguments: map[string]any{"city": "Ulm"}}}
	for name, c := range map[string]struct {
		output string
		want   []ToolCall
	}{
		"a list of calls":            {`[{"name":"weather","arguments":{"city":"Ulm"}}]`, weather},
		"arguments as text":          {`[{"name":"weather","arguments":"{\"city\":\"Ulm\"}"}]`, weather},
		"the API's form":             {`{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"weather","arguments":"{\"city\":\"Ulm\"}"}}]}`, weather},
		"a name that is a key":       {`[{"weather":{"city":"Ulm"}}]`, weather},
		"a text that holds them":     {`"[{\"name\":\"weather\",\"arguments\":{\"city\":\"Ulm\"}}]"`, weather},
		"a plain text calls nothing": {`"It is sunny."`, nil},
		"a text that is a number":    {`"17"`, nil},
		"a message without calls":    {`{"role":"assistant","content":"no"}`, nil},
		"an empty list":              {`[]`, []ToolCall{}},
	} {
		got, err := subject(c.output).Calls()
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: want -, got +\n%s%v", name, diff, err)
		}
	}
	for _, broken := range []string{`[{"name":"f","arguments":"{"}]`, `[{"arguments":{}, "x":1}]`, `[1]`} {
		var unreadable *OutputError
		if _, err := subject(broken).Calls(); !errors.As(err, &unreadable) {
			t.Errorf("%s: got %v, want an output error", broken, err)
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	s := NewSubject(&Item{Trial: 1, Matrix: []Dim{{"tone", "plain"}}, Case: &Case{
		ID: "c", Output: Raw(`"{\"amount\":5}"`), Reference: Raw(`{"amount":{"eur":5}}`), Dims: []Dim{{"lang", "de"}},
		Context: []Passage{{Text: "one"}, {ID: "7", Text: "two"}}, Vars: []Named{{"a.b", Raw(`1`)}, {"must", Raw(`"x"`)}},
	}})
	for path, want := range map[string]any{
		"id": "c", "case.id": "c", "reference.amount.eur": 5.0, "output_json.amount": 5.0, "context.1.id": "7", "context.0.text": "one",
		"vars.must": "x", "/vars/a.b": 1.0, "dims.lang": "de", "dims.tone": "plain", "output_text": `{"amount":5}`,
	} {
		p, err := ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Lookup(p)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: want -, got +\n%s%v", path, diff, err)
		}
	}
	for path, ofOutput := range map[string]bool{"reference.other": false, "vars.other": false, "criteria": false, "output_json.other": true} {
		p, err := ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Lookup(p)
		var output *OutputError
		var missing *MissingError
		if errors.As(err, &output) != ofOutput || errors.As(err, &missing) == ofOutput {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

func TestParsePathSuggests(t *testing.T) {
	t.Parallel()
	_, err := ParsePath("refernce.amount")
	if want := `path "refernce.amount" starts with no field of a case or output (did you mean "reference"?); columns of a data file that are no field are under vars`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, broken := range []string{"", "reference..x", ".x", "case"} {
		if p, err := ParsePath(broken); err == nil {
			t.Errorf("%q was read as %v", broken, p)
		}
	}
}

func TestPassageIDsKeepTheirDigits(t *testing.T) {
	t.Parallel()
	got, err := ParsePassages(Raw(`[{"id":1000000,"text":"a"},{"id":12345678901234567890,"text":"b"},"c"]`))
	want := []Passage{{"1000000", "a"}, {"12345678901234567890", "b"}, {"", "c"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("want -, got +\n%s%v", diff, err)
	}
}
