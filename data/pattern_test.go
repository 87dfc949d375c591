package data

import (
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// FuzzPattern reads any text as a pattern: no panic; a name that the pattern
// takes has each capture, and none of them crosses a folder.
func FuzzPattern(f *testing.F) {
	for _, seed := range [][2]string{
		{"*.jsonl", "a.jsonl"}, {"{name}.jsonl", "a.jsonl"}, {"**/{a}-{b}.csv", "x/y/1-2.csv"}, {"{a,b}.json", "b.json"}, {"[!a]*", "b"}, {"{a", "{a"}, {"[", "["}, {"\\*", "*"}, {"{a}{b}", "xyz"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		p, err := parsePattern(text)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a message")
			}
			return
		}
		if !doublestar.ValidatePattern(p.glob) {
			t.Errorf("%q is taken, and %q is no pattern", text, p.glob)
		}
		for _, key := range p.names {
			if value, ok := p.captures(name)[key]; ok && (value == "" || strings.Contains(value, "/")) {
				t.Errorf("%q of %q captures %q as %s", name, text, value, key)
			}
		}
	})
}
