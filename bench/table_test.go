package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTheTableSetsSizesAndProgramsSideBySide(t *testing.T) {
	t.Parallel()
	rows := []row{
		{
			cases: 100, newel: usage{time.Second, 2 * time.Second, 50e6}, bare: usage{cpu: time.Second}, ratio: 2,
			peer: usage{10 * time.Second, 40 * time.Second, 500e6}, input: 1000, store: 250,
		},
		{cases: 1000, newel: usage{9 * time.Second, 18 * time.Second, 0}, bare: usage{cpu: 10 * time.Second}, ratio: 1.8, input: 10000, store: 2400},
	}
	want := `  cases  newel wall  newel CPU  newel peak  store / input  bare CPU  newel / bare CPU  CPU a case, to the row above
    100      1.00 s     2.00 s     50.0 MB          0.250    1.00 s              2.00                             –
   1000      9.00 s    18.00 s     unknown          0.240   10.00 s              1.80                        × 0.90

other on the same 100 cases, once: wall 10.00 s, CPU 40.00 s, peak 500.0 MB: × 10, × 20 and × 10 of newel's
`
	var out strings.Builder
	if err := table(&out, rows, "other"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestTheMedianOfTwoIsTheSmaller(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		list []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{4, 1}, 1}, {[]float64{9, 1, 5}, 5}} {
		if got := median(c.list); got != c.want {
			t.Errorf("median of %v: want %v, got %v", c.list, c.want, got)
		}
	}
}
