package check

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file, or writes it.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not up to date: go test ./check -run TestReference -update\n%s", file, diff)
	}
}

func TestReferencePageIsUpToDate(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Reference(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "../docs/checks.md", b.Bytes())
}

func TestReferenceOfOneCheckReadsWell(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Explain(&b, "levenshtein"); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/levenshtein.txt", b.Bytes())
	if err := Explain(&b, "levenstein"); err == nil || err.Error() != `there is no check "levenstein"` {
		t.Error(err)
	}
}

func TestReferenceListsEachCheckOnce(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := List(&b); err != nil {
		t.Fatal(err)
	}
	for _, s := range Table() {
		if n := strings.Count(b.String(), "\n  "+s.Name+" "); n != 1 {
			t.Errorf("%s is listed %d times", s.Name, n)
		}
	}
}

func TestTextsForPeopleKeepToTheWidth(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := ListWidth(&b, 60); err != nil {
		t.Fatal(err)
	}
	narrow := b.String()
	for _, name := range Names() {
		b.Reset()
		if err := ExplainWidth(&b, name, 60); err != nil {
			t.Fatal(err)
		}
		before, _, _ := strings.Cut(b.String(), "\nExample\n")
		narrow += before
	}
	for line := range strings.Lines(narrow) {
		words := strings.Fields(line)
		if utf8.RuneCountInString(line) > 61 && len(words) > 1 && len(words[0]) < 50 {
			t.Errorf("%q is wider than 60", line)
		}
	}
}
