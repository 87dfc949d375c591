package suite

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"newel"
)

// seeds are suites, whole and broken, and texts that are none.
func seeds(f *testing.F) {
	f.Helper()
	for _, text := range []string{
		small, "", "a: &a [*a]", "a: {{x}}", "%", "\t", "- - - -", "newel: v1\nrubrics: [{judge: {}}]", "judge: {sample: 1, gateway: {url: 'a://b@c'}}",
		"matrix: {a: [1], b: []}\ntargets: {a: {http: {url: x}}}", "gate: [{mean: a.b, min: 1}]", "slices: [[a], b]\nquarantine: [{id: 1, until: 2027-01-01}]",
		"rubrics: [{name: r, when: 'has(case.x', floor: [{not: {any: [json]}}, case-checks]}]", "budget: {usd: 1e999}\ntrials: 0x10\nseed: 9007199254740993",
	} {
		f.Add([]byte(text))
	}
	for _, pattern := range []string{"testdata/guide/suite.yaml", "../cmd/newel/testdata/bad/*/suite.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
}

// FuzzSuite reads any text as a suite: no panic, mistakes with their place, and
// what reads is the same suite again when it comes out of a run's record.
func FuzzSuite(f *testing.F) {
	seeds(f)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 64<<10 {
			return
		}
		files, err := OpenFiles(dir)
		ok(t, err)
		defer files.Close()
		var m newel.Mistakes
		root := ParseYAML("suite.yaml", text, &m)
		if root == nil {
			wellFormed(t, m.Err())
			return
		}
		s, err := build(root, dir, files, testEnv, &m)
		if err != nil {
			wellFormed(t, err)
			return
		}
		defer s.Close()
		same(t, s)
	})
}

// wellFormed asks that an error is of mistakes, each with a line and a message.
func wellFormed(t *testing.T, err error) {
	t.Helper()
	var list *newel.Mistakes
	if !errors.As(err, &list) || list.Len() == 0 {
		t.Fatalf("no mistakes: %v", err)
	}
	for _, one := range list.List() {
		if one.Pos.File == "" || one.Msg == "" || len(one.Msg) > 1010 {
			t.Errorf("%+v", one)
		}
	}
}

// same asks that a suite stored and restored is the same suite.
func same(t *testing.T, s *Suite) {
	t.Helper()
	body, err := s.Marshal(map[string]string{"how": "test"})
	ok(t, err)
	again, err := Restore(body, testEnv)
	if err != nil {
		t.Fatalf("restored: %v", err)
	}
	defer again.Close()
	if again.Digest != s.Digest {
		t.Errorf("restored, the digest is %s, was %s", again.Digest, s.Digest)
	}
}

// FuzzDuration reads any text as a time span: what is taken is not negative.
func FuzzDuration(f *testing.F) {
	for _, text := range []string{"30s", "30d", "1.5h", "-3d", "9999999999d", "d", "1e9d", "0", "106752d"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var m newel.Mistakes
		d := &decoder{m: &m}
		span := d.duration(&newel.Node{Value: text}, "cache")
		if span < 0 || m.Len() > 0 && span != 0 {
			t.Errorf("%q is %v, with %d mistakes", text, span, m.Len())
		}
	})
}
