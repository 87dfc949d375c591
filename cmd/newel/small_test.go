package main

import (
	"fmt"
	"strings"
	"testing"
)

// small is a suite of so many answers, every eighth of them wrong, with these
// lines more.
func small(t testing.TB, dir string, cases int, more string) string {
	t.Helper()
	var text strings.Builder
	for i := range cases {
		output := "yes indeed"
		if i%8 == 0 {
			output = "no"
		}
		fmt.Fprintf(&text, "{\"id\": \"case-%d\", \"output\": %q, \"dims\": {\"route\": %q}}\n", i, output, []string{"short", "long"}[i%2])
	}
	write(t, dir, "cases.jsonl", text.String())
	return write(t, dir, "suite.yaml", "newel: v1\nname: small\ndata: {file: cases.jsonl}\nrubrics:\n  - name: agrees\n    floor: [contains: \"yes\"]\n"+more)
}

// shop is a folder with a suite and its store, for calls within the test.
type shop struct {
	t     testing.TB
	dir   string
	suite string
}

func newShop(t testing.TB, cases int, more string) *shop {
	t.Helper()
	dir := t.TempDir()
	return &shop{t, dir, small(t, dir, cases, more)}
}

// do runs a command on the store. SUITE stands for the suite's path, DIR for
// the folder.
func (s *shop) do(code int, args ...string) call {
	s.t.Helper()
	return s.with(nil, code, args...)
}

// with is do with an environment.
func (s *shop) with(env []string, code int, args ...string) call {
	s.t.Helper()
	line := []string{storeIn(s.dir)}
	for _, a := range args {
		line = append(line, strings.NewReplacer("SUITE", s.suite, "DIR", s.dir).Replace(a))
	}
	got := runApp(s.t, env, line...)
	wantCode(s.t, got, code, args...)
	return got
}

// words is do with the arguments in one text.
func (s *shop) words(code int, line string) call {
	s.t.Helper()
	return s.do(code, strings.Fields(line)...)
}

func holds(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
}
