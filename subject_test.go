package newel

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func pathOf(t testing.TB, text string) Path {
	t.Helper()
	p, err := ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLookup(t *testing.T) {
	t.Parallel()
	c := &Case{
		ID: "a", Output: Raw(`"{\"n\":1}"`), Reference: Raw(`{"amount":12.5}`),
		Vars:    []Named{{"broken", Raw(`{`)}, {"list", Raw(`[1,{"x":"y"}]`)}, {"none", Raw(`null`)}, {"text", Raw(`"caf\u00e9"`)}},
		Labels:  []Named{{"grounded", Raw(`"pass"`)}},
		Outputs: []Named{{"new", Raw(`"b"`)}},
	}
	for name, test := range map[string]struct {
		path string
		want any
		err  string
	}{
		"a value of vars":                     {path: "vars.text", want: "café"},
		"a place within a value of vars":      {path: "vars.list.1.x", want: "y"},
		"a pointer into vars":                 {path: "/vars/list/0", want: 1.0},
		"null is a value":                     {path: "vars.none", want: nil},
		"a label":                             {path: "labels.grounded", want: "pass"},
		"an output of a pair":                 {path: "outputs.new", want: "b"},
		"a name that vars lacks":              {path: "vars.other", err: "the case has no vars.other"},
		"a place that a value lacks":          {path: "vars.list.2", err: "the case has no vars.list.2"},
		"named values that the case lacks":    {path: "raters.a", err: "the case has no raters"},
		"a value that is no JSON":             {path: "vars.broken", err: "read JSON: "},
		"vars as a whole, with a broken part": {path: "vars", err: "read JSON: "},
		"a field's own place":                 {path: "case.reference.amount", want: 12.5},
		"the output, parsed":                  {path: "output_json.n", want: 1.0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := NewSubject(&Item{Case: c})
			for range 2 { // decoded, then remembered
				got, err := s.Lookup(pathOf(t, test.path))
				if test.err != "" {
					if err == nil || !strings.HasPrefix(err.Error(), test.err) {
						t.Errorf("got %v, %v; want the error %q", got, err, test.err)
					}
					continue
				}
				if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
					t.Errorf("%v; want -, got +:\n%s", err, diff)
				}
			}
		})
	}
}

func TestLookupDecodesOnlyTheEntryThatIsAskedFor(t *testing.T) {
	t.Parallel()
	s := NewSubject(&Item{Case: &Case{Vars: []Named{{"a", Raw(`1`)}, {"b", Raw(`{`)}}}})
	if v, err := s.Lookup(pathOf(t, "vars.a")); err != nil || v != 1.0 {
		t.Errorf("got %v, %v beside a broken entry", v, err)
	}
	_, err := s.Lookup(pathOf(t, "vars.c"))
	if missing := new(MissingError); !errors.As(err, &missing) {
		t.Errorf("got %v, want a missing field", err)
	}
}

func TestUnquote(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{`"a"`: "a", ` "a" `: "a", `"a\n\u00e9"`: "a\né", `""`: ""} {
		if got, err := Unquote(Raw(raw)); err != nil || got != want {
			t.Errorf("%s: got %q, %v", raw, got, err)
		}
	}
	for _, raw := range []string{"\"\xff\"", `"a" "b"`, `"a`, `1`, ``, `null`, "\"\n\""} {
		if got, err := Unquote(Raw(raw)); err == nil {
			t.Errorf("%q: got %q, want an error", raw, got)
		}
	}
}

func BenchmarkLookupVars(b *testing.B) {
	c := &Case{}
	for i := range 12 {
		c.Vars = append(c.Vars, Named{fmt.Sprintf("v%02d", i), AppendString(nil, strings.Repeat("text ", 20))})
	}
	p := pathOf(b, "vars.v07")
	it := &Item{Case: c}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewSubject(it).Lookup(p); err != nil {
			b.Fatal(err)
		}
	}
}
