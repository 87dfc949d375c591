package six_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"newel/bench/six"
)

func TestCasesAreAFunctionOfSeedAndNumber(t *testing.T) {
	t.Parallel()
	first, again := six.At(1, 5), six.At(1, 5)
	if first != again {
		t.Error("the same case twice differs")
	}
	if first.Output == six.At(2, 5).Output || first.Output == six.At(1, 6).Output {
		t.Error("another seed or number gives the same case")
	}
}

func TestALargerFileBeginsWithTheSmaller(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var texts [2][]byte
	for i, n := range []int{120, 250} {
		at := filepath.Join(dir, string(rune('a'+i)))
		if err := six.Write(at, 3, n); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(at, six.CasesFile))
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Count(text, []byte("\n")); got != n {
			t.Errorf("want %d lines, got %d", n, got)
		}
		texts[i] = text
	}
	if !bytes.HasPrefix(texts[1], texts[0]) {
		t.Error("the first 120 cases differ")
	}
}

func TestOutputsAreJSONOfAbout384Characters(t *testing.T) {
	t.Parallel()
	total, answers := 0, 0
	for i := range 1000 {
		c := six.At(1, i)
		if !json.Valid([]byte(c.Output)) {
			if i%100 != 63 {
				t.Errorf("case %d is no JSON: %s", i, c.Output)
			}
			continue
		}
		answers++
		total += len(c.Output)
	}
	if mean := total / answers; mean < 379 || mean > 389 {
		t.Errorf("the mean is %d characters", mean)
	}
}
