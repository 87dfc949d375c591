package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCountReadsWhatGoTestSays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  tally
		out   string
	}{
		"tests and their subtests count each": {
			lines: []string{
				`{"Action":"start","Package":"a"}`,
				`{"Action":"run","Package":"a","Test":"TestX"}`,
				`{"Action":"output","Package":"a","Test":"TestX","Output":"noise\n"}`,
				`{"Action":"pass","Package":"a","Test":"TestX/one","Elapsed":0}`,
				`{"Action":"pass","Package":"a","Test":"TestX","Elapsed":0}`,
				`{"Action":"pass","Package":"a","Elapsed":1.25}`,
			},
			want: tally{passed: 2},
			out:  "pass on a: 2 tests, 1.2 s\n",
		},
		"a failed test brings what it printed, and its package is not counted again": {
			lines: []string{
				`{"Action":"output","Package":"a","Test":"TestX","Output":"want 1\n"}`,
				`{"Action":"fail","Package":"a","Test":"TestX","Elapsed":0}`,
				`{"Action":"output","Package":"a","Output":"FAIL\n"}`,
				`{"Action":"fail","Package":"a","Elapsed":0}`,
			},
			want: tally{failed: 1, failures: []failure{{"on a TestX", "want 1\n"}}},
			out:  "fail on a: 1 tests, 0.0 s\n",
		},
		"a skipped test says why": {
			lines: []string{
				`{"Action":"output","Package":"a","Test":"TestX","Output":"=== RUN   TestX\n"}`,
				`{"Action":"output","Package":"a","Test":"TestX","Output":"    x_test.go:3: no server\n"}`,
				`{"Action":"skip","Package":"a","Test":"TestX","Elapsed":0}`,
				`{"Action":"pass","Package":"a","Elapsed":0}`,
			},
			want: tally{skipped: 1, skips: []string{"on a TestX: x_test.go:3: no server"}},
			out:  "pass on a: 1 tests, 0.0 s\n",
		},
		"a package that does not build is one failure": {
			lines: []string{
				`{"ImportPath":"a [a.test]","Action":"build-output","Output":"a.go:1: undefined: x\n"}`,
				`{"ImportPath":"a [a.test]","Action":"build-fail"}`,
				`{"Action":"output","Package":"a","Output":"FAIL\ta [build failed]\n"}`,
				`{"Action":"fail","Package":"a","Elapsed":0,"FailedBuild":"a [a.test]"}`,
			},
			want: tally{failed: 1, failures: []failure{{"on a", "a.go:1: undefined: x\nFAIL\ta [build failed]\n"}}},
			out:  "fail on a: 0 tests, 0.0 s\n",
		},
		"a package that panics shows the test that never ended": {
			lines: []string{
				`{"Action":"output","Package":"a","Test":"TestX","Output":"panic: oh\n"}`,
				`{"Action":"fail","Package":"a","Elapsed":0}`,
			},
			want: tally{failed: 1, failures: []failure{{"on a", "panic: oh\n"}}},
			out:  "fail on a: 0 tests, 0.0 s\n",
		},
		"a package without tests is left out": {
			lines: []string{`{"Action":"skip","Package":"a","Elapsed":0}`},
		},
		"a line that is no event is shown": {
			lines: []string{`go: downloading x`},
			out:   "go: downloading x\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			got, err := count(strings.NewReader(strings.Join(c.lines, "\n")), "on ", &out)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(tally{}, failure{})); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.out, out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheClosingLineCountsAll(t *testing.T) {
	t.Parallel()
	var total tally
	total.add(tally{passed: 3, skipped: 1})
	total.add(clean("gofmt", "", nil))
	total.add(clean("gofmt", "a.go\n", nil))
	if got := total.String(); got != "4 passed, 1 failed, 1 skipped" {
		t.Error(got)
	}
}

func TestAFuzzerThatOnlyRanOutOfTimeHasNotFailed(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{
		"fuzz: elapsed: 2s, execs: 10 (5/sec)\n--- FAIL: FuzzX (2.01s)\n    context deadline exceeded\nFAIL":                      true,
		"--- FAIL: FuzzX (2.01s)\n    --- FAIL: FuzzX (0.00s)\n        x_test.go:9: wrong\n    Failing input written to testdata": false,
		"panic: context deadline exceeded": false,
	} {
		if got := outOfTime(said); got != want {
			t.Errorf("want %v, got %v for %q", want, got, said)
		}
	}
	if got := inputs("fuzz: elapsed: 0s, execs: 0 (0/sec)\nfuzz: elapsed: 2s, execs: 1234 (9/sec)\n"); got != "1234" {
		t.Error(got)
	}
}
